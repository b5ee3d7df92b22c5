import { compare, formatDecimal, signOf } from '../../../shared/decimal.ts'
import { linePath, scaleOf } from '../../kit/time/time-picture-scale.ts'

interface SparklineProps {
  readonly symbol: string
  readonly closes: readonly string[] | undefined
  readonly mark: string | null
  /** What the service tells of the same day; it decides on the colour, so that the two never disagree. */
  readonly change: string | null
}

/** The last day of a market, hour by hour, up to its mark now. */
export function Sparkline({ symbol, closes, mark, change }: SparklineProps) {
  const values = [...(closes ?? []), ...(mark === null || closes === undefined ? [] : [mark])]
  const points = values.map((value, index) => ({ atMs: index, value: Number(value) }))
  const scale = scaleOf(points, false)
  const [first] = values
  const last = values.at(-1)
  if (scale === null || first === undefined || last === undefined) return <span className="mk-spark none" />
  const rising = (change === null ? compare(last, first) : signOf(change)) >= 0
  return (
    <svg
      className={rising ? 'mk-spark up' : 'mk-spark down'}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${symbol}, last 24 h: from ${formatDecimal(first)} to ${formatDecimal(last)}`}
    >
      <path d={linePath(scale, points, false)} />
    </svg>
  )
}
