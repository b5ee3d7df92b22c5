import { maximum, minimum } from '../../../shared/decimal.ts'
import type { Candle, Interval } from '../../../shared/ipc/reads/markets.ts'
import { day, hour, minute } from '../../../shared/time.ts'

/** Unix seconds and floating point: what the chart draws with. Nothing that is read or sent comes from here. */
export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export interface VolumeBar {
  readonly time: number
  readonly value: number
  readonly up: boolean
}

export const intervals: readonly { readonly id: Interval; readonly ms: number }[] = [
  { id: '1m', ms: minute },
  { id: '3m', ms: 3 * minute },
  { id: '5m', ms: 5 * minute },
  { id: '15m', ms: 15 * minute },
  { id: '1h', ms: hour },
  { id: '4h', ms: 4 * hour },
  { id: '1d', ms: day },
  { id: '1w', ms: 7 * day },
]

export const intervalMs = (id: Interval): number => intervals.find((one) => one.id === id)?.ms ?? minute

/**
 * In order of time, each time once (the later one counts): the chart throws on anything else, and the service's
 * order is not promised.
 */
export function orderCandles(candles: readonly Candle[]): Candle[] {
  const byTime = new Map(candles.map((candle) => [candle.timeMs, candle]))
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs)
}

/**
 * The candles with the newest mark in them: the last one stretches to it, or a new one begins where its interval is
 * over. A mark older than the last candle changes nothing.
 */
export function withMark(candles: readonly Candle[], mark: string | null, markAtMs: number, spanMs: number): readonly Candle[] {
  const last = candles.at(-1)
  if (last === undefined || mark === null || markAtMs < last.timeMs) return candles
  const steps = Math.floor((markAtMs - last.timeMs) / spanMs)
  if (steps > 0) {
    // Open where the last one closed, so that no gap is drawn that the service did not report.
    const next = {
      timeMs: last.timeMs + steps * spanMs,
      open: last.close,
      high: maximum(last.close, mark),
      low: minimum(last.close, mark),
      close: mark,
      volume: null,
    }
    return [...candles, next]
  }
  if (mark === last.close) return candles
  return [...candles.slice(0, -1), { ...last, high: maximum(last.high, mark), low: minimum(last.low, mark), close: mark }]
}

export const toBar = (candle: Candle): Bar => ({
  time: candle.timeMs / 1_000,
  open: Number(candle.open),
  high: Number(candle.high),
  low: Number(candle.low),
  close: Number(candle.close),
})

export const toVolume = (candle: Candle): VolumeBar => ({
  time: candle.timeMs / 1_000,
  value: candle.volume === null ? 0 : Number(candle.volume),
  up: Number(candle.close) >= Number(candle.open),
})

/** Milliseconds until the candle that holds `nowMs` closes. */
export function untilClose(lastCandleMs: number, spanMs: number, nowMs: number): number {
  const passed = (((nowMs - lastCandleMs) % spanMs) + spanMs) % spanMs
  return spanMs - passed
}
