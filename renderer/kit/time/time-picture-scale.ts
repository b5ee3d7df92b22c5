import { day, hour, minute } from '../../../shared/time.ts'

/** One value at one time, in floating point: what a picture is drawn with. Nothing that is read or sent comes from here. */
export interface DrawnPoint {
  readonly atMs: number
  readonly value: number
}

export interface Scale {
  readonly fromMs: number
  readonly toMs: number
  readonly low: number
  readonly high: number
  /** Values that get a line of the grid, from below. */
  readonly ticks: readonly number[]
}

const steps = [1, 2, 2.5, 5, 10]

/** About `wanted` round values between the two, or one beyond them. */
export function roundTicks(low: number, high: number, wanted: number): readonly number[] {
  const rough = (high - low) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (steps.find((one) => one * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  // By multiplying, so that no error adds up.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}

/** A scale that holds all points with some room above and below; with `zero`, also the zero line. Null where there are not two times. */
export function scaleOf(points: readonly DrawnPoint[], zero: boolean): Scale | null {
  if (points.length === 0) return null
  const times = points.map(({ atMs }) => atMs)
  const values = [...points.map(({ value }) => value), ...(zero ? [0] : [])]
  const [fromMs, toMs] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  if (fromMs === toMs) return null
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  const room = least === most ? Math.abs(least) * 0.05 || 1 : (most - least) * 0.08
  const [low, high] = [least - room, most + room]
  return { fromMs, toMs, low, high, ticks: roundTicks(low, high, 4) }
}

const spacings = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
]

/** Beyond this the words of a narrow picture touch. */
const mostTicks = 6.5

/** Round times on the axis, at most `mostTicks`, none so close to an end that its words would not fit. */
export function timeTicks(fromMs: number, toMs: number): readonly number[] {
  const spacing = spacings.find((one) => (toMs - fromMs) / one <= mostTicks) ?? 28 * day * Math.ceil((toMs - fromMs) / (28 * day * mostTicks))
  const first = Math.ceil(fromMs / spacing)
  const edge = (toMs - fromMs) * 0.06
  const times = Array.from({ length: Math.floor(toMs / spacing) - first + 1 }, (_, index) => (first + index) * spacing)
  return times.filter((time) => time >= fromMs + edge && time <= toMs - edge)
}

/** Percent from the left and from the top. */
export const place = ({ fromMs, toMs, low, high }: Scale, { atMs, value }: DrawnPoint): { readonly x: number; readonly y: number } => ({
  x: ((atMs - fromMs) / (toMs - fromMs)) * 100,
  y: ((high - value) / (high - low)) * 100,
})

/** The path of a line through the points; a step keeps each value until the next. */
export function linePath(scale: Scale, points: readonly DrawnPoint[], step: boolean): string {
  return points
    .map((point, index) => {
      const { x, y } = place(scale, point)
      const at = `${x.toFixed(3)} ${y.toFixed(3)}`
      if (index === 0) return `M${at}`
      return step ? `H${x.toFixed(3)}V${y.toFixed(3)}` : `L${at}`
    })
    .join('')
}

/** The point that is closest to a time; points in order of time. */
export function nearest(points: readonly DrawnPoint[], atMs: number): number {
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((points[middle]?.atMs ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  const before = points[low - 1]
  const after = points[low]
  return before !== undefined && after !== undefined && atMs - before.atMs < after.atMs - atMs ? low - 1 : low
}
