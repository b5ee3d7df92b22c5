import { maximum, minimum } from '../../../shared/decimal.ts'
import type { Candle, Interval } from '../../../shared/ipc/reads/markets.ts'
import { day, hour, minute } from '../../../shared/time.ts'

/** A candle with its time in Unix seconds and floating-point values. For drawing only: no other code reads or sends them. */
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
 * Sorts candles by time. If several have the same time, keeps the last one in the list. Needed because the service promises no order and the chart
 * throws on an unsorted list.
 */
export function orderCandles(candles: readonly Candle[]): Candle[] {
  const byTime = new Map(candles.map((candle) => [candle.timeMs, candle]))
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs)
}

/**
 * Adds the latest mark price to the candles: the last candle extends to that price. If the candle's interval is over, a new candle starts instead.
 * A mark price older than the last candle changes nothing.
 */
export function withMark(candles: readonly Candle[], mark: string | null, markAtMs: number, spanMs: number): readonly Candle[] {
  const last = candles.at(-1)
  if (last === undefined || mark === null || markAtMs < last.timeMs) return candles
  const steps = Math.floor((markAtMs - last.timeMs) / spanMs)
  if (steps > 0) {
    // The new candle opens at the last close. Otherwise the chart would show a gap that the service did not report.
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

/** Milliseconds until the candle whose interval contains `nowMs` closes. */
export function untilClose(lastCandleMs: number, spanMs: number, nowMs: number): number {
  const passed = (((nowMs - lastCandleMs) % spanMs) + spanMs) % spanMs
  return spanMs - passed
}

/** The range of candles that the app passes to the chart library: indexes from `from` up to but not including `to`. */
export interface CandleWindow {
  readonly from: number
  readonly to: number
}

/** The visible range as fractional indexes into all candles. It may extend beyond both ends, where there are no candles. */
export interface VisibleRange {
  readonly from: number
  readonly to: number
}

/** How many candles to pass to the chart library on each side of the visible ones: enough for a drag across a wide screen. */
const reserveOf = ({ from, to }: VisibleRange): number => Math.max(1_400, Math.ceil(2 * (to - from)))

/** How many candles to pass to the chart library at first: the newest ones, more than are visible. */
export const givenAtFirst = 1_500
export const firstWindow = (count: number): CandleWindow => ({ from: Math.max(0, count - givenAtFirst), to: count })

/** Which candles to pass to the chart library for this visible range. Returns `window` unchanged while it has enough candles on both sides. */
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

/** The index of the first candle that opens at `timeMs` or later; the number of candles if none does. */
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

/**
 * The index of the first candle that differs between two lists, searched from index `from`. If one list is the start of the other, returns the
 * shorter length.
 */
export function firstDifference(before: readonly Candle[], after: readonly Candle[], from: number): number {
  const end = Math.min(before.length, after.length)
  for (let index = from; index < end; index += 1) {
    const [a, b] = [before[index], after[index]]
    if (a === b || a === undefined || b === undefined) continue
    if (a.timeMs !== b.timeMs || a.close !== b.close || a.high !== b.high || a.low !== b.low || a.open !== b.open || a.volume !== b.volume) return index
  }
  return end
}

/** The theme's colours in a form that a canvas accepts. A canvas cannot resolve `light-dark()` in custom properties. */
export interface ChartTheme {
  readonly surface: string
  readonly grid: string
  readonly border: string
  readonly text: string
  readonly strong: string
  readonly up: string
  readonly down: string
  readonly upSoft: string
  readonly downSoft: string
  readonly crosshair: string
  readonly label: string
  readonly font: string
}

/** Gives a computed colour such as `rgb(1, 2, 3)` a third of its opacity, for the volume bars behind the candles. */
const faded = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.32)')

/** Reads the theme that currently applies to `element`. */
export function readChartTheme(element: HTMLElement): ChartTheme {
  const probe = document.createElement('span')
  probe.style.setProperty('display', 'none')
  element.append(probe)
  const resolve = (value: string): string => {
    probe.style.setProperty('color', value)
    return getComputedStyle(probe).color
  }
  const theme = {
    surface: resolve('var(--surface-1)'),
    grid: resolve('var(--line)'),
    border: resolve('var(--line)'),
    text: resolve('var(--text-muted)'),
    strong: resolve('var(--text)'),
    up: resolve('var(--long)'),
    down: resolve('var(--short)'),
    upSoft: faded(resolve('var(--long)')),
    downSoft: faded(resolve('var(--short)')),
    crosshair: resolve('var(--line-control)'),
    label: resolve('var(--surface-4)'),
    font: getComputedStyle(element).fontFamily,
  }
  probe.remove()
  return theme
}

/** Calls the listener whenever the theme may have changed: through the app's settings, the profile or the system. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true, attributeFilter: ['data-theme', 'data-direction', 'data-profile'] })
  const system = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of system) query.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    for (const query of system) query.removeEventListener('change', listener)
  }
}
