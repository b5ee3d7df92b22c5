import { type PointerEvent, useMemo, useState } from 'react'
import { compare, signOf, subtract } from '../../../shared/decimal.ts'
import { Amount } from '../../kit/number.tsx'
import { type CurvePoint, heightOf, spanOf } from './result-curve.ts'

interface ResultChartProps {
  readonly points: readonly CurvePoint[]
  readonly label: string
}

const monthDay = (day: string): string => new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Some of the days, evenly apart, for the axis. */
const ticks = (points: readonly CurvePoint[], most: number): readonly number[] => {
  const every = Math.max(1, Math.ceil(points.length / most))
  return points.flatMap((_, index) => (index % every === 0 ? [index] : []))
}

/** How many days lack an amount, and from which on no sum is known. */
function unknownText(points: readonly CurvePoint[]): string {
  const days = points.filter(({ net }) => net === null).length
  const from = points.find(({ sum }) => sum === null)?.day ?? ''
  return days === 0
    ? 'The sum is unknown: an earlier day lacks an amount.'
    : `The sum is unknown from ${from}: ${days} ${days === 1 ? 'day lacks' : 'days lack'} an amount.`
}

/** The line's part of the picture's height, as a percentage of a thousandth of it. */
const plotPart = 0.062
/** Two labels that stand closer than this, in thousandths, would touch. */
const apart = 160

/** Zero, and the highest and lowest value where they stand apart from it. */
const heights = (span: { readonly low: string; readonly high: string }) => {
  const zero = heightOf('0', span)
  const ends = [
    { value: span.high, at: 0 },
    { value: span.low, at: 1_000 },
  ]
  return [{ value: '0', at: zero }, ...ends.filter(({ at }) => Math.abs(at - zero) >= apart)]
}

/** What each day brought as bars, and what all of them did as a line. Read out as one sentence; the table beside it has every number. */
export function ResultChart({ points, label }: ResultChartProps) {
  const [hovered, setHovered] = useState<number | null>(null)
  const { span, days, line, area } = useMemo(() => {
    // No sum is known from the first unknown one on.
    const known = points.flatMap(({ sum }) => sum ?? [])
    const sums = spanOf(known)
    const nets = spanOf(points.flatMap(({ net }) => net ?? []))
    const bars = points.map(({ net }) => ({ net: heightOf(net ?? '0', nets), zero: heightOf('0', nets) }))
    const drawn = known.map((sum) => ({ y: heightOf(sum, sums) }))
    // A loss is filled from above, a gain from below.
    const ground = heightOf('0', sums)
    const path = drawn.map(({ y }, index) => `${index === 0 ? 'M' : 'L'}${index + 0.5} ${y}`).join('')
    return { span: sums, days: bars, line: path, area: drawn.length === 0 ? '' : `${path}L${drawn.length - 0.5} ${ground}L0.5 ${ground}Z` }
  }, [points])
  const axis = compare(subtract(span.high, span.low), '20') < 0 ? 2 : 0
  const last = points.at(-1)
  const shown = hovered === null ? undefined : points[hovered]
  const across = (index: number) => `${((index + 0.5) / Math.max(points.length, 1)) * 100}%`
  const find = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setHovered(Math.max(0, Math.min(points.length - 1, Math.floor(((clientX - left) / width) * points.length))))
  }
  return (
    <figure
      className="rc"
      aria-label={`${label}: ${last === undefined ? 'nothing yet' : last.sum === null ? unknownText(points) : `${last.sum} USDC by ${last.day}`}`}
    >
      <div className="rc-plot" onPointerMove={find} onPointerLeave={() => setHovered(null)}>
        <svg viewBox={`0 0 ${Math.max(points.length, 1)} 1000`} preserveAspectRatio="none" aria-hidden="true">
          <path className="rc-zero" d={`M0 ${heightOf('0', span)}H${points.length}`} />
          <path className="rc-area" d={area} />
          <path className="rc-line" d={line} />
        </svg>
        <svg className="rc-days" viewBox={`0 0 ${Math.max(points.length, 1)} 1000`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ net, zero }, index) =>
            net === zero ? null : (
              <rect
                key={points[index]?.day}
                className={net < zero ? 'rc-up' : 'rc-down'}
                x={index + 0.15}
                width={0.7}
                y={Math.min(net, zero)}
                height={Math.max(12, Math.abs(net - zero))}
              />
            ),
          )}
        </svg>
        {shown === undefined || hovered === null ? null : (
          <>
            <i className="rc-hair" style={{ left: across(hovered) }} />
            <div className={hovered > points.length / 2 ? 'rc-tip menu is-left' : 'rc-tip menu'} style={{ left: across(hovered) }}>
              <span>{monthDay(shown.day)}, UTC</span>
              <b>
                <Amount value={shown.sum} decimals={2} signed />
              </b>
              <span>
                That day <Amount value={shown.net} decimals={2} signed={shown.net !== null && signOf(shown.net) !== 0} />
              </span>
            </div>
          </>
        )}
      </div>
      {last?.sum === null ? <p className="rc-unknown warn-t">{unknownText(points)}</p> : null}
      <div className="rc-y" aria-hidden="true">
        {heights(span).map(({ value, at }) => (
          <span key={at} style={{ top: `${at * plotPart}%` }}>
            <Amount value={value} decimals={axis} />
          </span>
        ))}
      </div>
      <div className="rc-x" aria-hidden="true">
        {ticks(points, 7).map((index) => (
          <span key={index} style={{ left: across(index) }}>
            {monthDay(points[index]?.day ?? '')}
          </span>
        ))}
      </div>
    </figure>
  )
}
