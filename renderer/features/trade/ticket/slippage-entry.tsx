import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import styles from '../trade.module.css'

const presets = ['0.1', '0.5', '1'] as const

interface SlippageEntryProps {
  /** Percent, as typed. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}

/** How far the price may go against an order over a row before it stops filling. */
export function SlippageEntry({ value, error, onChange, onBlur }: SlippageEntryProps) {
  return (
    <Field id="row-slippage" label="Most slippage" error={error}>
      <div className={styles.slippage}>
        <Segments
          label="Slippage"
          size="md"
          choices={presets.map((one) => ({ value: one as string, label: `${one} %` }))}
          value={value.trim()}
          onChange={onChange}
        />
        <Input id="row-slippage" numeric value={value} onChange={onChange} onBlur={onBlur} invalid={error !== undefined} unit="%" />
      </div>
    </Field>
  )
}
