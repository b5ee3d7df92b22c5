import { type KeyboardEvent, type PointerEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { Candle, Interval, Market } from '../../../shared/ipc/reads/markets.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { cx } from '../cx.ts'
import { Icon } from '../icons/icon.tsx'
import { pressed } from '../key-bindings.ts'
import { Amount, useAmountText } from '../number.tsx'
import textStyles from '../text.module.css'
import { clockText } from '../time/countdown-ring.tsx'
import { useNow } from '../time/time.tsx'
import { VisibleText } from '../visible-text.tsx'
import chartStyles from './chart.module.css'
import { indexAt, intervalMs, onThemeChange, readChartTheme, untilClose } from './chart-data.ts'
import { type ChartView, createChartView } from './chart-view.ts'
import { type Level, placeEdges, placeLevels } from './levels.ts'
import { useLevelDrag } from './use-level-drag.ts'

interface CandleChartProps {
  readonly market: Market
  readonly interval: Interval
  /** The candles in order of time. The last one includes the latest mark price. */
  readonly candles: readonly Candle[]
  /**
   * The boundaries between data sources: candles older than `untilMs` come from the source `name`.
   * If the service does not state the exact boundary, only some of those candles come from that source.
   */
  readonly sources: readonly { readonly name: string; readonly untilMs: number }[]
  readonly levels: readonly Level[]
  readonly mark: string | null
  /** A remark at the left end of the chart about data older than its candles. */
  readonly older: ReactNode
  /**
   * Called with the chart's view when the chart is ready, so that buttons outside the chart can use it. Called with `null` when the chart is
   * removed.
   */
  readonly onReady: (view: ChartView | null) => void
  /** Called when the user has scrolled almost to the oldest candle. Possibly called many times. */
  readonly onNearOldest: () => void
  /** Whether the user may drag a line. When it is dropped, `onMove` reports the new price. */
  readonly movable: (level: Level) => boolean
  readonly onMove: (level: Level, price: string) => void
}

/** The room that a line’s name needs above the line, in CSS pixels. */
const tagPx = 12

/** The chart of one market's candles, with lines for the user's own orders and positions. */
export function CandleChart(given: CandleChartProps) {
  const { market, interval, candles, sources, levels, mark, older, onReady, onNearOldest, movable, onMove } = given
  const canvas = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const view = useRef<ChartView | null>(null)
  const legend = useRef<HTMLParagraphElement>(null)
  const shown = useRef('')
  const [pointAtMs, setPointAtMs] = useState<number | null>(null)
  const { dragged, grab } = useLevelDrag(layer, view, market, onMove)
  const last = candles.at(-1)

  useEffect(() => {
    const element = canvas.current
    const overlay = layer.current
    if (element === null || overlay === null) return
    const chart = createChartView(element, readChartTheme(element))
    view.current = chart
    shown.current = ''
    onReady(chart)
    const place = () => {
      placeLevels(overlay, chart)
      placeEdges(overlay, chart)
    }
    const stops = [chart.onFrame(place), chart.onPoint(setPointAtMs), onThemeChange(() => chart.setTheme(readChartTheme(element)))]
    return () => {
      for (const stop of stops) stop()
      view.current = null
      onReady(null)
      chart.remove()
    }
  }, [onReady])

  useEffect(() => view.current?.onNearOldest(onNearOldest), [onNearOldest])

  const isEmpty = last === undefined
  useEffect(() => {
    const [box, words] = [canvas.current, legend.current]
    if (isEmpty || box === null || words === null) return
    const observer = new ResizeObserver(() => view.current?.keepTop(words.offsetTop + words.offsetHeight + tagPx))
    for (const element of [box, words]) observer.observe(element)
    return () => observer.disconnect()
  }, [isEmpty])

  useEffect(() => {
    const chart = view.current
    if (chart === null || candles.length === 0) return
    const key = `${market.id}/${interval}`
    if (shown.current === key) chart.update(candles)
    else chart.show(candles, market.priceDecimals ?? 2)
    shown.current = key
  }, [market, interval, candles])

  const lines = levels
    .filter((level) => level.kind !== 'liquidation')
    .map((level) => level.price)
    .join()
  useEffect(() => {
    view.current?.setLines(lines === '' ? [] : lines.split(',').map(Number))
  }, [lines])

  useEffect(() => {
    if (view.current === null || layer.current === null) return
    placeLevels(layer.current, view.current)
    placeEdges(layer.current, view.current)
  })

  const moveOnKey = (event: KeyboardEvent) => {
    const key = pressed(event, ...moveKeys)
    if (key === null || view.current === null) return
    event.preventDefault()
    moves[key](view.current)
  }
  const pointed = pointAtMs === null ? undefined : candles[indexAt(candles, pointAtMs)]
  return (
    <div className={chartStyles.plot}>
      <section
        className={chartStyles.plotKeys}
        aria-label={partsText.chartKeys}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move what is in sight, as dragging does
        tabIndex={0}
        onKeyDown={moveOnKey}
      >
        <div
          ref={canvas}
          className={chartStyles.plotCanvas}
          role="img"
          aria-label={last === undefined ? partsText.candlesOf(market.symbol, interval) : partsText.candlesWithLast(market.symbol, interval, last.close)}
        />
      </section>
      <ChartLegend ref={legend} market={market} interval={interval} candle={pointed ?? last} />
      <div ref={layer} className={chartStyles.plotLevels}>
        {sources.map(({ name, untilMs }) => (
          <div key={name} className={chartStyles.plotEdge} data-edge={untilMs}>
            <span>{partsText.olderSource(<VisibleText text={name} />)}</span>
          </div>
        ))}
        {levels.map((level) => (
          <LevelLine
            key={level.id}
            level={level}
            market={market}
            draggedTo={dragged?.id === level.id ? dragged.price : null}
            {...(movable(level) ? { onGrab: (event) => grab(level, event) } : {})}
          />
        ))}
        {mark === null || last === undefined ? null : (
          <div className={cx(chartStyles.level, chartStyles.last)} data-price={mark} data-mark="true">
            <span className={chartStyles.levelPrice} data-part="price">
              {formatDecimal(mark, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}
              <UntilClose openMs={last.timeMs} spanMs={intervalMs(interval)} />
            </span>
          </div>
        )}
      </div>
      <div className={chartStyles.plotOlder}>{older}</div>
    </div>
  )
}

/** The time until the newest candle closes. A component of its own, so that the chart does not render each second. */
function UntilClose({ openMs, spanMs }: { readonly openMs: number; readonly spanMs: number }) {
  return <small>{clockText(untilClose(openMs, spanMs, useNow(1_000)))}</small>
}

const moveKeys = ['chartLeft', 'chartRight', 'chartPageLeft', 'chartPageRight', 'chartZoomIn', 'chartZoomOut', 'chartFirst', 'chartLast'] as const

const moves: Readonly<Record<(typeof moveKeys)[number], (view: ChartView) => void>> = {
  chartLeft: (view) => view.pan(-0.25),
  chartRight: (view) => view.pan(0.25),
  chartPageLeft: (view) => view.pan(-1),
  chartPageRight: (view) => view.pan(1),
  chartZoomIn: (view) => view.zoom(0.7),
  chartZoomOut: (view) => view.zoom(1 / 0.7),
  chartFirst: (view) => view.fitOldest(),
  chartLast: (view) => view.fit(),
}

interface LegendProps {
  readonly ref: Ref<HTMLParagraphElement>
  readonly market: Market
  readonly interval: Interval
  readonly candle: Candle | undefined
}

function ChartLegend({ ref, market, interval, candle }: LegendProps) {
  if (candle === undefined) return null
  const tone = compare(candle.close, candle.open) >= 0 ? textStyles.up : textStyles.down
  const price = (value: string) => formatDecimal(value, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })
  return (
    <p ref={ref} className={chartStyles.legend} data-part="legend">
      <b>{market.symbol}</b> {interval}
      {(
        [
          ['O', candle.open],
          ['H', candle.high],
          ['L', candle.low],
          ['C', candle.close],
        ] as const
      ).map(([name, value]) => (
        <span key={name}>
          {name} <em className={tone}>{price(value)}</em>
        </span>
      ))}
      <span>{partsText.volume(<em>{candle.volume === null ? '—' : `${formatDecimal(candle.volume, { decimals: 2 })} ${market.base}`}</em>)}</span>
    </p>
  )
}

const levelClass: Readonly<Record<Level['kind'], string | undefined>> = {
  position: chartStyles.levelPosition,
  take_profit: chartStyles.levelTakeProfit,
  stop_loss: chartStyles.levelStopLoss,
  order: chartStyles.levelOrder,
  liquidation: chartStyles.levelLiquidation,
}

interface LevelLineProps {
  readonly level: Level
  readonly market: Market
  readonly draggedTo: string | null
  /** Called when the user starts to drag the line. Absent if the line can't be moved. */
  readonly onGrab?: (event: PointerEvent<HTMLElement>) => void
}

const dragTitles: Readonly<Partial<Record<Level['kind'], string>>> = {
  order: partsText.dragOrder,
  take_profit: partsText.dragTakeProfit,
  stop_loss: partsText.dragStopLoss,
}

/** A horizontal line with its name on the left and its price on the right. `placeLevels` sets its vertical position before each drawing. */
function LevelLine({ level, market, draggedTo, onGrab }: LevelLineProps) {
  const tone = level.kind === 'position' && level.side !== null ? chartStyles[level.side] : ''
  const moved = draggedTo === null ? '' : chartStyles.dragged
  const amount = useAmountText()
  const price = draggedTo ?? level.price
  const size = level.size === null ? null : amount(level.size, level.kind === 'position' ? { minDecimals: market.sizeDecimals ?? 0 } : {})
  const gain = draggedTo === null ? level.gain : (level.gainAt?.(draggedTo) ?? null)
  return (
    <div
      className={cx(chartStyles.level, levelClass[level.kind], tone, moved, onGrab === undefined ? '' : chartStyles.movable)}
      data-price={price}
      data-level={level.id}
      title={onGrab === undefined ? undefined : dragTitles[level.kind]}
      onPointerDown={onGrab}
    >
      <span
        className={gain === null && (size === null || level.kind === 'position') ? cx(chartStyles.levelTag, chartStyles.alone) : chartStyles.levelTag}
        data-part="tag"
      >
        {level.kind === 'position' && level.side !== null ? <Icon name={level.side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} /> : null}
        {level.kind === 'position' && size !== null ? `${level.label} ${size}` : level.label}
      </span>
      {gain !== null ? (
        <span className={chartStyles.levelValue}>
          <b>
            <Amount value={gain} decimals={2} signed />
          </b>
        </span>
      ) : size !== null && level.kind !== 'position' ? (
        <span className={chartStyles.levelValue}>{size}</span>
      ) : null}
      <span className={chartStyles.levelPrice} data-part="price">
        {formatDecimal(price, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}
      </span>
    </div>
  )
}
