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
  type Logical,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../../../shared/ipc/reads/markets.ts'
import { day } from '../../../shared/time.ts'
import { chartTime, dayOfMonth, localeOfPage, minuteOfDay, monthText, timeOfDay, utcDay, yearText } from '../time/time.tsx'
import {
  type Bar,
  type CandleWindow,
  type ChartTheme,
  firstDifference,
  firstWindow,
  givenAtFirst,
  indexAt,
  toBar,
  toVolume,
  type VisibleRange,
  type VolumeBar,
  windowFor,
} from './chart-data.ts'

export interface ChartView {
  /** Replaces all candles, for another market or interval, and shows the newest ones. */
  readonly show: (candles: readonly Candle[], priceDecimals: number) => void
  /** Updates the list of candles, and keeps the visible range in place. */
  readonly update: (candles: readonly Candle[]) => void
  /**
   * Sets the prices of lines that should be visible. The price scale extends to them, but not to lines so far away that the candles would become
   * flat.
   */
  readonly setLines: (prices: readonly number[]) => void
  readonly setTheme: (theme: ChartTheme) => void
  /** Keeps candles and lines at least this many pixels below the top of the plot, where the legend is. */
  readonly keepTop: (px: number) => void
  /** A price's distance in pixels from the top of the plot; `null` if the price is outside the plot. */
  readonly priceToY: (price: number) => number | null
  readonly yToPrice: (y: number) => number | null
  /** Where the candles from `timeMs` on begin: the distance in pixels from the left edge of the plot; `null` if that place is not visible. */
  readonly edgeToX: (timeMs: number) => number | null
  /** Calls the listener before each drawing. */
  readonly onFrame: (listener: () => void) => () => void
  /** Reports the Unix milliseconds of the candle under the pointer; `null` if there is none. */
  readonly onPoint: (listener: (timeMs: number | null) => void) => () => void
  /** Calls the listener while the user has scrolled almost to the oldest candle. */
  readonly onNearOldest: (listener: () => void) => () => void
  /** Scrolls by a share of the visible range; negative values scroll to older candles. */
  readonly pan: (share: number) => void
  /** Multiplies the number of visible candles by `times`. The newest visible candle stays in place. */
  readonly zoom: (times: number) => void
  readonly fit: () => void
  readonly fitOldest: () => void
  readonly remove: () => void
}

const shownAtFirst = 130

/** The share of the plot's height above and below the candles, as the chart library wants it. */
const margins = (top: number) => ({ top: Math.min(0.35, Math.max(0.12, top)), bottom: 0.2 })

// The cast is safe: the chart library's `UTCTimestamp` is a plain number of Unix seconds.
const stamp = (seconds: number): UTCTimestamp => seconds as UTCTimestamp

const logical = (index: number): Logical => index as Logical

const candleOf = (bar: Bar): CandlestickData<Time> => ({ ...bar, time: stamp(bar.time) })
const volumeOf = (bar: VolumeBar, theme: ChartTheme): HistogramData<Time> => ({
  time: stamp(bar.time),
  value: bar.value,
  color: bar.up ? theme.upSoft : theme.downSoft,
})

/** How far beyond the candles a line may be, as a share of the candles' height. The price scale does not extend to lines further away. */
const reach = 0.6

function withLines(original: AutoscaleInfo | null, prices: readonly number[]): AutoscaleInfo | null {
  const range = original?.priceRange
  if (original === null || range === null || range === undefined) return original
  const far = (range.maxValue - range.minValue) * reach
  const near = prices.filter((price) => price >= range.minValue - far && price <= range.maxValue + far)
  return { ...original, priceRange: { minValue: Math.min(range.minValue, ...near), maxValue: Math.max(range.maxValue, ...near) } }
}

/** Whether candles last a day or longer. Such candles start at midnight UTC in every time zone, so their labels must be UTC days. */
const hasDays = (candles: readonly Candle[]): boolean => candles.every(({ timeMs }) => timeMs % day === 0)

/** The labels of the time axis. The library places ticks at round UTC times; each label shows that time in this computer's time zone. */
const tickText: Readonly<Record<TickMarkType, (ms: number) => string>> = {
  [TickMarkType.Year]: yearText,
  [TickMarkType.Month]: monthText,
  [TickMarkType.DayOfMonth]: dayOfMonth,
  [TickMarkType.Time]: minuteOfDay,
  [TickMarkType.TimeWithSeconds]: timeOfDay,
}

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

/** Rising candles are hollow and falling ones filled, so that they differ not only by colour. */
const candleOptions = (theme: ChartTheme) => ({
  upColor: theme.surface,
  downColor: theme.down,
  borderUpColor: theme.up,
  borderDownColor: theme.down,
  wickUpColor: theme.up,
  wickDownColor: theme.down,
})

/** Request older candles when fewer than this number remain to the left of the visible range. */
const nearOldest = 160

/**
 * Creates the chart: a canvas in `container` that follows the container's size. All colours come from the app, not from the library.
 * Passes only candles around the visible range to the library, so that drawing takes the same time with a long history.
 */
export function createChartView(container: HTMLElement, first: ChartTheme): ChartView {
  let theme = first
  let isOfDays = false
  let all: readonly Candle[] = []
  let part: CandleWindow = firstWindow(0)
  let lines: readonly number[] = []
  let pressed = false
  let waiting: readonly Candle[] | null = null
  let asked = 0
  const chart = createChart(container, {
    ...layoutOptions(theme),
    autoSize: true,
    localization: {
      locale: localeOfPage,
      timeFormatter: (time: Time) => (typeof time !== 'number' ? String(time) : isOfDays ? utcDay(time * 1_000) : chartTime(time * 1_000)),
    },
    rightPriceScale: { borderColor: theme.border, minimumWidth: 80, scaleMargins: margins(0) },
    timeScale: {
      borderColor: theme.border,
      timeVisible: true,
      tickMarkFormatter: (time: Time, type: TickMarkType) => (typeof time !== 'number' || isOfDays ? null : tickText[type](time * 1_000)),
      rightOffset: 4,
      barSpacing: 7,
      minimumHeight: 24,
    },
    handleScroll: { vertTouchDrag: false },
  })
  const scale = chart.timeScale()
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleOptions(theme),
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLines(original(), lines),
  })
  const volume = chart.addSeries(HistogramSeries, { priceScaleId: 'volume', priceFormat: { type: 'volume' }, priceLineVisible: false, lastValueVisible: false })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })

  const frames = new Set<() => void>()
  const wanting = new Set<() => void>()
  const primitive: ISeriesPrimitive<Time> = {
    updateAllViews: () => {
      for (const listener of frames) listener()
    },
  }
  candles.attachPrimitive(primitive)

  /**
   * Passes the candles in the range `next` to the library, and corrects the scroll position, which the library counts from the newest candle. So the
   * visible candles stay in place; with `follow`, the chart instead moves with the newest candle.
   */
  const setWindow = (next: CandleWindow, follow = false) => {
    const position = scale.scrollPosition() + (follow ? 0 : part.to - next.to)
    part = next
    const bars = all.slice(part.from, part.to)
    candles.setData(bars.map((candle) => candleOf(toBar(candle))))
    volume.setData(bars.map((candle) => volumeOf(toVolume(candle), theme)))
    scale.scrollToPosition(position, false)
  }
  const inSight = (): VisibleRange | null => {
    const range = scale.getVisibleLogicalRange()
    return range === null ? null : { from: range.from + part.from, to: range.to + part.from }
  }
  /**
   * Passes other candles to the library if the visible range requires it. While the pointer is down, the newest passed candle must not change,
   * because the library measures a drag from it.
   */
  const settle = () => {
    const visible = inSight()
    if (visible === null || all.length === 0) return
    if (visible.from < Math.max(nearOldest, (visible.to - visible.from) / 2)) for (const listener of wanting) listener()
    const wanted = windowFor(visible, part, all.length)
    const next = pressed ? { from: Math.min(wanted.from, part.from), to: part.to } : wanted
    if (next.from !== part.from || next.to !== part.to) setWindow(next)
  }
  const settleSoon = () => {
    if (asked !== 0) return
    asked = requestAnimationFrame(() => {
      asked = 0
      settle()
    })
  }
  scale.subscribeVisibleLogicalRangeChange(settleSoon)
  const press = () => {
    pressed = true
  }
  const release = () => {
    if (!pressed) return
    pressed = false
    if (waiting !== null) update(waiting)
    settleSoon()
  }
  const releases = ['pointerup', 'pointercancel', 'blur'] as const
  container.addEventListener('pointerdown', press)
  for (const name of releases) globalThis.addEventListener(name, release)

  const showNewest = () => {
    part = firstWindow(all.length)
    setWindow(part)
    scale.setVisibleLogicalRange({ from: all.length - part.from - shownAtFirst, to: all.length - part.from + 4 })
  }

  const update = (next: readonly Candle[]) => {
    waiting = null
    const given = all.slice(part.from, part.to)
    const moved = given[0] === undefined ? -1 : indexAt(next, given[0].timeMs)
    if (given[0] === undefined || next[moved]?.timeMs !== given[0].timeMs) {
      all = next
      showNewest()
      return
    }
    // Compare only candles that were passed to the library. `next` may begin with older candles that were not passed.
    const now = next.slice(moved)
    const atEnd = part.to === all.length
    if (pressed && atEnd && now.length > given.length) {
      waiting = next
      return
    }
    const changed = firstDifference(given, now, 0)
    all = next
    part = { from: moved, to: moved + given.length }
    if (changed < given.length - 1 || now.length < given.length) {
      setWindow({ from: moved, to: atEnd ? next.length : Math.min(next.length, part.to) }, atEnd && scale.scrollPosition() >= 0)
    } else if (atEnd) {
      for (const candle of now.slice(changed)) {
        candles.update(candleOf(toBar(candle)))
        volume.update(volumeOf(toVolume(candle), theme))
      }
      part = { from: moved, to: next.length }
    }
    settleSoon()
  }

  return {
    show: (next, priceDecimals) => {
      all = next
      isOfDays = hasDays(next)
      waiting = null
      const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: priceDecimals, maximumFractionDigits: priceDecimals })
      candles.applyOptions({ priceFormat: { type: 'custom', minMove: 10 ** -priceDecimals, formatter: (price: number) => format.format(price) } })
      candles.priceScale().applyOptions({ autoScale: true })
      showNewest()
    },
    update,
    setLines: (prices) => {
      lines = prices
      // The library recomputes the price range only when an option of the scale is set, so set `autoScale` again.
      if (candles.priceScale().options().autoScale) candles.priceScale().applyOptions({ autoScale: true })
    },
    setTheme: (next) => {
      theme = next
      chart.applyOptions(layoutOptions(theme))
      candles.applyOptions(candleOptions(theme))
      volume.setData(all.slice(part.from, part.to).map((candle) => volumeOf(toVolume(candle), theme)))
    },
    keepTop: (px) => {
      const { height } = chart.paneSize()
      if (height > 0) chart.priceScale('right').applyOptions({ scaleMargins: margins(px / height) })
    },
    priceToY: (price) => candles.priceToCoordinate(price),
    yToPrice: (y) => candles.coordinateToPrice(y),
    edgeToX: (timeMs) => {
      const at = indexAt(all, timeMs) - part.from
      if (at < 0 || at > part.to - part.from) return null
      const [left, right] = [scale.logicalToCoordinate(logical(at - 1)), scale.logicalToCoordinate(logical(at))]
      if (left === null || right === null) return null
      const edge = (left + right) / 2
      return edge > 0 && edge < scale.width() ? edge : null
    },
    onFrame: (listener) => {
      frames.add(listener)
      return () => frames.delete(listener)
    },
    onPoint: (listener) => {
      const handler = (event: { readonly time?: Time }) => listener(typeof event.time === 'number' ? event.time * 1_000 : null)
      chart.subscribeCrosshairMove(handler)
      return () => chart.unsubscribeCrosshairMove(handler)
    },
    onNearOldest: (listener) => {
      wanting.add(listener)
      return () => wanting.delete(listener)
    },
    pan: (share) => {
      const range = scale.getVisibleLogicalRange()
      if (range !== null) scale.scrollToPosition(scale.scrollPosition() + (range.to - range.from) * share, false)
    },
    zoom: (times) => {
      const range = scale.getVisibleLogicalRange()
      if (range !== null) scale.setVisibleLogicalRange({ from: range.to - (range.to - range.from) * times, to: range.to })
    },
    fit: () => {
      chart.priceScale('right').applyOptions({ autoScale: true })
      showNewest()
    },
    fitOldest: () => {
      setWindow({ from: 0, to: Math.min(all.length, givenAtFirst) })
      scale.setVisibleLogicalRange({ from: -4, to: shownAtFirst })
    },
    remove: () => {
      cancelAnimationFrame(asked)
      for (const name of releases) globalThis.removeEventListener(name, release)
      container.removeEventListener('pointerdown', press)
      frames.clear()
      wanting.clear()
      chart.remove()
    },
  }
}
