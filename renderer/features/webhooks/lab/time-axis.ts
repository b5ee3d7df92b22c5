import { day, hour, minute, second } from '../../../../shared/time.ts'
import { durationText, timeOfDay } from '../../../kit/time/time.tsx'

export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** A vertical line on the axis: its position in percent of the width, and its label. `null`: no label. */
interface AxisTick {
  readonly at: number
  readonly label: string | null
  /** True if the axis leaves out a period without events at this line. */
  readonly fold: boolean
}

export interface TimeAxis {
  /** A time's position in percent of the width; below 0 or above 100 if outside the axis. */
  place(ms: number): number
  readonly ticks: readonly AxisTick[]
}

/** Periods without events that are longer than this are left out of the axis, so that events far apart are visible together. */
const foldMs = 2 * minute
/** Both are percentages of the axis's width. `foldWidth`: the room for a left-out period. `margin`: the free space on the right. */
const [foldWidth, margin] = [6, 4]
/** The width in pixels that a label needs: `timePx` for a time of day, `stepPx` for a step. Labels that would overlap are dropped. */
const timePx = timeOfDay(0).length > 8 ? 92 : 66
const stepPx = 40
const steps = [second, 2 * second, 4 * second, 10 * second, 20 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, hour]
/** The approximate number of lines on a whole axis. */
const lines = 6

const stepFor = (lengthMs: number): number => steps.find((step) => lengthMs / step <= lines) ?? day

/** Joins periods with gaps of at most `foldMs` between them. */
function together(stretches: readonly Stretch[]): { fromMs: number; toMs: number }[] {
  const all: { fromMs: number; toMs: number }[] = []
  for (const { fromMs, toMs } of stretches.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = all.at(-1)
    if (last !== undefined && fromMs - last.toMs <= foldMs) last.toMs = Math.max(last.toMs, toMs)
    else all.push({ fromMs, toMs })
  }
  return all
}

/** Builds the time axis of the visible events for a width of `widthPx` pixels. The axis is linear, but leaves out long periods without events. */
export function timeAxis(stretches: readonly Stretch[], widthPx: number): TimeAxis {
  const parts = together(stretches.length === 0 ? [{ fromMs: 0, toMs: 0 }] : stretches)
  const whole = parts.reduce((sum, { fromMs, toMs }) => sum + Math.max(second, toMs - fromMs), 0)
  const step = stepFor(whole / Math.max(1, parts.length / 2))
  const folded = Math.min(foldWidth, 40 / parts.length)
  const room = 100 - margin - folded * (parts.length - 1)
  // Each part of the axis starts at a round time. A short part is drawn wider, so that it stays readable.
  const rounded = parts.map(({ fromMs, toMs }) => ({ startMs: Math.floor(fromMs / step) * step, endMs: Math.max(toMs, fromMs + second) }))
  const weights = rounded.map(({ startMs, endMs }) => Math.max(endMs - startMs, whole / (4 * parts.length)))
  const total = weights.reduce((sum, one) => sum + one, 0)
  let at = 0
  const placed = rounded.map((part, index) => {
    const width = ((weights[index] ?? 0) / total) * room
    const one = { ...part, at, width }
    at += width + folded
    return one
  })
  const place = (ms: number): number => {
    const part = placed.findLast(({ startMs }) => startMs <= ms) ?? placed[0]
    if (part === undefined) return 0
    return part.at + ((ms - part.startMs) / (part.endMs - part.startMs)) * part.width
  }
  return { place, ticks: ticksOf(placed, step, widthPx) }
}

interface Placed {
  readonly startMs: number
  readonly endMs: number
  readonly at: number
  readonly width: number
}

function ticksOf(placed: readonly Placed[], step: number, widthPx: number): AxisTick[] {
  const [timeWidth, stepWidth] = [(timePx / widthPx) * 100, (stepPx / widthPx) * 100]
  const ticks: AxisTick[] = []
  let free = 0
  const label = (at: number, text: string, width: number): string | null => {
    if (at < free || at + stepWidth > 100) return null
    free = at + width
    return text
  }
  for (const [index, { startMs, endMs, at, width }] of placed.entries()) {
    const before = placed[index - 1]
    if (before !== undefined) {
      const middle = (before.at + before.width + at) / 2
      ticks.push({ at: middle, label: null, fold: true })
    }
    ticks.push({ at, label: label(at, timeOfDay(startMs), timeWidth), fold: false })
    for (let ms = startMs + step; ms <= endMs; ms += step) {
      const here = at + ((ms - startMs) / (endMs - startMs)) * width
      ticks.push({ at: here, label: label(here - stepWidth / 2, `+${durationText(ms - startMs)}`, stepWidth), fold: false })
    }
  }
  return ticks
}
