import {
  type AutoscaleInfo,
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type HistogramData,
  HistogramSeries,
  type ISeriesPrimitive,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../../shared/ipc/markets.ts'
import { type Bar, toBar, toVolume, type VolumeBar } from './chart-data.ts'
import type { ChartTheme } from './chart-theme.ts'

export interface ChartView {
  /** Replaces everything, for another market or interval, and shows the newest part. */
  readonly show: (candles: readonly Candle[], priceDecimals: number) => void
  /** Takes what changed at the end; what the user looks at stays where it is. */
  readonly update: (candles: readonly Candle[]) => void
  /** Prices of lines that should be in sight where that does not flatten the candles. */
  readonly setLines: (prices: readonly number[]) => void
  readonly setTheme: (theme: ChartTheme) => void
  /** The height of a price in pixels from the top of the plot; null while it is outside. */
  readonly priceToY: (price: number) => number | null
  /** Calls back before each drawing. */
  readonly onFrame: (listener: () => void) => () => void
  /** Unix milliseconds of the candle under the pointer; null when there is none. */
  readonly onPoint: (listener: (timeMs: number | null) => void) => () => void
  readonly fit: () => void
  readonly remove: () => void
}

/** Candles that are on screen at first. */
const shownAtFirst = 130

// A cast at the boundary: the library brands Unix seconds.
const stamp = (seconds: number): UTCTimestamp => seconds as UTCTimestamp

const candleOf = (bar: Bar): CandlestickData<Time> => ({ ...bar, time: stamp(bar.time) })
const volumeOf = (bar: VolumeBar, theme: ChartTheme): HistogramData<Time> => ({
  time: stamp(bar.time),
  value: bar.value,
  color: bar.up ? theme.upSoft : theme.downSoft,
})

/** How far beyond the candles, as a share of their height, a line may lie and still be brought into sight. */
const reach = 0.6

function withLines(original: AutoscaleInfo | null, prices: readonly number[]): AutoscaleInfo | null {
  const range = original?.priceRange
  if (original === null || range === null || range === undefined) return original
  const far = (range.maxValue - range.minValue) * reach
  const near = prices.filter((price) => price >= range.minValue - far && price <= range.maxValue + far)
  return { ...original, priceRange: { minValue: Math.min(range.minValue, ...near), maxValue: Math.max(range.maxValue, ...near) } }
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function layoutOptions(theme: ChartTheme) {
  return {
    layout: {
      background: { type: ColorType.Solid, color: theme.surface },
      textColor: theme.text,
      fontSize: 12,
      fontFamily: theme.font,
      attributionLogo: false,
    },
    grid: { vertLines: { color: theme.grid }, horzLines: { color: theme.grid } },
    crosshair: {
      mode: CrosshairMode.Normal,
      vertLine: { color: theme.crosshair, labelBackgroundColor: theme.label },
      horzLine: { color: theme.crosshair, labelBackgroundColor: theme.label },
    },
    rightPriceScale: { borderColor: theme.border },
    timeScale: { borderColor: theme.border },
  } as const
}

/** Candles hollow when they rose and filled when they fell, so that colour only repeats what the shape says. */
const candleOptions = (theme: ChartTheme) => ({
  upColor: theme.surface,
  downColor: theme.down,
  borderUpColor: theme.up,
  borderDownColor: theme.down,
  wickUpColor: theme.up,
  wickDownColor: theme.down,
})

/** Draws on a canvas inside `container` and follows its size. The library is told every colour; it owns none. */
export function createChartView(container: HTMLElement, first: ChartTheme): ChartView {
  let theme = first
  let shown: readonly Candle[] = []
  let lines: readonly number[] = []
  const chart = createChart(container, {
    ...layoutOptions(theme),
    autoSize: true,
    localization: {
      timeFormatter: (time: Time) => (typeof time === 'number' ? `${dayMonth.format(time * 1_000)}, ${clock.format(time * 1_000)}` : String(time)),
    },
    rightPriceScale: { borderColor: theme.border, minimumWidth: 80, scaleMargins: { top: 0.12, bottom: 0.2 } },
    timeScale: { borderColor: theme.border, timeVisible: true, rightOffset: 4, barSpacing: 7, minimumHeight: 24 },
    handleScroll: { vertTouchDrag: false },
  })
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleOptions(theme),
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLines(original(), lines),
  })
  const volume = chart.addSeries(HistogramSeries, { priceScaleId: 'volume', priceFormat: { type: 'volume' }, priceLineVisible: false, lastValueVisible: false })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })

  const frames = new Set<() => void>()
  const primitive: ISeriesPrimitive<Time> = {
    updateAllViews: () => {
      for (const listener of frames) listener()
    },
  }
  candles.attachPrimitive(primitive)

  const setAll = () => {
    candles.setData(shown.map((candle) => candleOf(toBar(candle))))
    volume.setData(shown.map((candle) => volumeOf(toVolume(candle), theme)))
  }

  return {
    show: (next, priceDecimals) => {
      shown = next
      const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: priceDecimals, maximumFractionDigits: priceDecimals })
      candles.applyOptions({ priceFormat: { type: 'custom', minMove: 10 ** -priceDecimals, formatter: (price: number) => format.format(price) } })
      candles.priceScale().applyOptions({ autoScale: true })
      setAll()
      chart.timeScale().setVisibleLogicalRange({ from: next.length - shownAtFirst, to: next.length + 4 })
    },
    update: (next) => {
      const known = shown.at(-1)
      const begins = known === undefined ? -1 : next.findIndex((candle) => candle.timeMs === known.timeMs)
      const sameStart = shown[0]?.timeMs === next[0]?.timeMs && shown.length - 1 === begins
      shown = next
      if (!sameStart) {
        setAll()
        return
      }
      for (const candle of next.slice(begins)) {
        candles.update(candleOf(toBar(candle)))
        volume.update(volumeOf(toVolume(candle), theme))
      }
    },
    setLines: (prices) => {
      lines = prices
      // The range is worked out anew only when an option of the scale is set.
      if (candles.priceScale().options().autoScale) candles.priceScale().applyOptions({ autoScale: true })
    },
    setTheme: (next) => {
      theme = next
      chart.applyOptions(layoutOptions(theme))
      candles.applyOptions(candleOptions(theme))
      volume.setData(shown.map((candle) => volumeOf(toVolume(candle), theme)))
    },
    priceToY: (price) => candles.priceToCoordinate(price),
    onFrame: (listener) => {
      frames.add(listener)
      return () => frames.delete(listener)
    },
    onPoint: (listener) => {
      const handler = (event: { readonly time?: Time }) => listener(typeof event.time === 'number' ? event.time * 1_000 : null)
      chart.subscribeCrosshairMove(handler)
      return () => chart.unsubscribeCrosshairMove(handler)
    },
    fit: () => {
      chart.priceScale('right').applyOptions({ autoScale: true })
      chart.timeScale().setVisibleLogicalRange({ from: shown.length - shownAtFirst, to: shown.length + 4 })
    },
    remove: () => {
      frames.clear()
      chart.remove()
    },
  }
}
