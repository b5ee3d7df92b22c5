import type { Candle } from '../../../shared/ipc/reads/markets.ts'

/** The part of all candles that the chart is given: indices from `from` up to, not with, `to`. */
export interface CandleWindow {
  readonly from: number
  readonly to: number
}

/** Indices among all candles, with fractions; beyond the ends where nothing is. */
export interface VisibleRange {
  readonly from: number
  readonly to: number
}

/** Candles beside what is in sight: a drag across a wide screen stays inside. */
const reserveOf = ({ from, to }: VisibleRange): number => Math.max(1_400, Math.ceil(2 * (to - from)))

/** Candles that the chart is given at first: those in sight at the end, and some before them. */
export const givenAtFirst = 1_500
export const firstWindow = (count: number): CandleWindow => ({ from: Math.max(0, count - givenAtFirst), to: count })

/** Where the window should lie for what is in sight; the same object while enough lies on both sides. */
export function windowFor(visible: VisibleRange, window: CandleWindow, count: number): CandleWindow {
  const reserve = reserveOf(visible)
  const enough = reserve / 2
  const left = window.from === 0 || visible.from - window.from >= enough
  const right = window.to === count || window.to - visible.to >= enough
  if (left && right) return window
  const from = Math.min(Math.max(0, Math.floor(visible.from) - reserve), Math.max(0, count - 1))
  const to = Math.min(count, Math.max(Math.ceil(visible.to) + reserve, from + 1))
  return from === window.from && to === window.to ? window : { from, to }
}

/** The index of the first candle that opens at `timeMs` or later; the count where none does. */
export function indexAt(candles: readonly Candle[], timeMs: number): number {
  let low = 0
  let high = candles.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((candles[middle]?.timeMs ?? Number.POSITIVE_INFINITY) < timeMs) low = middle + 1
    else high = middle
  }
  return low
}

/** The index from which two lists that begin at the same time differ; the length of the shorter where it is the beginning of the longer. */
export function firstDifference(before: readonly Candle[], after: readonly Candle[], from: number): number {
  const end = Math.min(before.length, after.length)
  for (let index = from; index < end; index += 1) {
    const [a, b] = [before[index], after[index]]
    if (a === b || a === undefined || b === undefined) continue
    if (a.timeMs !== b.timeMs || a.close !== b.close || a.high !== b.high || a.low !== b.low || a.open !== b.open || a.volume !== b.volume) return index
  }
  return end
}
