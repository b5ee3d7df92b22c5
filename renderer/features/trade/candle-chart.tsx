import { useEffect, useRef, useState } from 'react'
import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { Candle, Interval, Market } from '../../../shared/ipc/markets.ts'
import { clockText } from '../../ui/countdown.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/now.tsx'
import { Amount } from '../../ui/number.tsx'
import { intervalMs, untilClose } from './chart-data.ts'
import { onThemeChange, readChartTheme } from './chart-theme.ts'
import { type ChartView, createChartView } from './chart-view.ts'
import type { Level } from './levels.ts'
import { spread } from './spread.ts'

interface CandleChartProps {
  readonly market: Market
  readonly interval: Interval
  /** In order of time, with the newest mark in the last one. */
  readonly candles: readonly Candle[]
  readonly levels: readonly Level[]
  readonly mark: string | null
  /** Set by the chart, for buttons outside it. */
  readonly onReady: (view: ChartView | null) => void
}

const levelClass: Readonly<Record<Level['kind'], string>> = { position: 'pos', take_profit: 'tp', stop_loss: 'sl', order: 'ord', liquidation: 'liq' }

function Legend({ market, interval, candle }: { readonly market: Market; readonly interval: Interval; readonly candle: Candle | undefined }) {
  if (candle === undefined) return null
  const tone = compare(candle.close, candle.open) >= 0 ? 'up' : 'down'
  const price = (value: string) => formatDecimal(value, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })
  return (
    <p className="legend">
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
      <span>
        Vol <em>{candle.volume === null ? '—' : `${formatDecimal(candle.volume, { decimals: 2 })} ${market.base}`}</em>
      </span>
    </p>
  )
}

function LevelLine({ level, market }: { readonly level: Level; readonly market: Market }) {
  const tone = level.kind === 'position' && level.side !== null ? ` ${level.side}` : ''
  return (
    <div className={`lvl ${levelClass[level.kind]}${tone}`} data-price={level.price}>
      <span className={level.gain === null && level.detail === null ? 'lvl-tag alone' : 'lvl-tag'}>
        {level.kind === 'position' && level.side !== null ? <Icon name={level.side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} /> : null}
        {level.label}
      </span>
      {level.gain !== null ? (
        <span className="lvl-val">
          <b>
            <Amount value={level.gain} decimals={2} signed />
          </b>
        </span>
      ) : level.detail !== null ? (
        <span className="lvl-val">{level.detail}</span>
      ) : null}
      <span className="lvl-price">{formatDecimal(level.price, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}</span>
    </div>
  )
}

/** Half of a label's height with a pixel between two, and how far the mark's own label, which also counts down, reaches below. */
const labelReach = 11
const markReach = 29

/**
 * Moves every line to where its price is now, and its labels beside it where they would cover another's. Runs before each
 * drawing, so it writes the DOM and touches no state.
 */
function placeLevels(layer: HTMLElement, view: ChartView): void {
  const height = layer.clientHeight
  const shown: { readonly line: HTMLElement; readonly y: number; readonly mark: boolean }[] = []
  for (const line of layer.querySelectorAll<HTMLElement>('[data-price]')) {
    const price = view.priceToY(Number(line.dataset.price))
    const y = price === null || price < 0 || price > height ? null : Math.round(price)
    line.style.setProperty('visibility', y === null ? 'hidden' : 'visible')
    if (y === null) continue
    line.style.setProperty('transform', `translateY(${y}px)`)
    shown.push({ line, y, mark: line.dataset.mark === 'true' })
  }
  const shift = (lines: typeof shown, name: string) => {
    const places = spread(
      lines.map(({ y, mark }) => ({ at: y, above: labelReach, below: mark ? markReach : labelReach })),
      height,
    )
    for (const [index, { line, y }] of lines.entries()) line.style.setProperty(name, `${(places[index] ?? y) - y}px`)
  }
  shift(
    shown.filter(({ mark }) => !mark),
    '--tag-shift',
  )
  shift(shown, '--price-shift')
}

/** The candles of one market with the user's own lines over them. */
export function CandleChart({ market, interval, candles, levels, mark, onReady }: CandleChartProps) {
  const canvas = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const view = useRef<ChartView | null>(null)
  const shown = useRef('')
  const [pointAtMs, setPointAtMs] = useState<number | null>(null)
  const now = useNow(1_000)
  const last = candles.at(-1)

  useEffect(() => {
    const element = canvas.current
    const lines = layer.current
    if (element === null || lines === null) return
    const chart = createChartView(element, readChartTheme(element))
    view.current = chart
    shown.current = ''
    onReady(chart)
    const stops = [chart.onFrame(() => placeLevels(lines, chart)), chart.onPoint(setPointAtMs), onThemeChange(() => chart.setTheme(readChartTheme(element)))]
    return () => {
      for (const stop of stops) stop()
      view.current = null
      onReady(null)
      chart.remove()
    }
  }, [onReady])

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
    if (view.current !== null && layer.current !== null) placeLevels(layer.current, view.current)
  })

  const pointed = pointAtMs === null ? undefined : candles.find((candle) => candle.timeMs === pointAtMs)
  return (
    <div className="plot">
      <div
        ref={canvas}
        className="plot-canvas"
        role="img"
        aria-label={`${market.symbol}, candles of ${interval}${last === undefined ? '' : `, last ${last.close}`}`}
      />
      <Legend market={market} interval={interval} candle={pointed ?? last} />
      <div ref={layer} className="plot-levels">
        {levels.map((level) => (
          <LevelLine key={level.id} level={level} market={market} />
        ))}
        {mark === null || last === undefined ? null : (
          <div className="lvl last" data-price={mark} data-mark="true">
            <span className="lvl-price">
              {formatDecimal(mark, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}
              <small>{clockText(untilClose(last.timeMs, intervalMs(interval), now))}</small>
            </span>
          </div>
        )}
      </div>
    </div>
  )
}
