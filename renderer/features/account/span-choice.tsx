import { day } from '../../../shared/time.ts'
import { Segments } from '../../kit/layout/segments.tsx'

export type Span = '7d' | '30d' | '1y' | 'all'
const days: Readonly<Record<Span, number | null>> = { '7d': 7, '30d': 30, '1y': 365, all: null }

/** From the beginning of the first day of the span on; it moves with the days, not with the clock. */
export const spanStart = (span: Span, nowMs: number): number | null => {
  const length = days[span]
  return length === null ? null : (Math.floor(nowMs / day) - length + 1) * day
}

interface SpanChoiceProps {
  readonly label: string
  readonly value: Span
  readonly onChange: (span: Span) => void
}

/** How far back results are looked at. */
export function SpanChoice({ label, value, onChange }: SpanChoiceProps) {
  return (
    <Segments
      label={label}
      choices={[
        { value: '7d', label: '7d' },
        { value: '30d', label: '30d' },
        { value: '1y', label: '1y' },
        { value: 'all', label: 'All' },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}
