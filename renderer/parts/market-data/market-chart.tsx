import { type ReactNode, useCallback, useRef, useState } from 'react'
import { limits } from '../../../shared/api/limits.ts'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Interval, Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CandleChart } from '../../kit/chart/candle-chart.tsx'
import type { ChartView } from '../../kit/chart/chart-view.ts'
import { IntervalChoice } from '../../kit/chart/interval-choice.tsx'
import type { Level } from '../../kit/chart/levels.ts'
import { Empty } from '../../kit/layout/empty.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import { failureText } from '../../text/failure-text.ts'
import { FailurePanel } from '../failure-note.tsx'
import { type CandleData, useCandles } from './use-candles.ts'

interface MarketChartProps {
  readonly market: Market
  readonly summary: MarketSummary | undefined
  /** Of the summary. */
  readonly readAtMs: number | null
  readonly levels: readonly Level[]
  /** Whether a line may be dragged, and where it was dropped. Absent: none may. */
  readonly movable?: (level: Level) => boolean
  readonly onMove?: (level: Level, price: string) => void
  /** Buttons beside those of the chart. */
  readonly tools?: ReactNode
}

const never = () => false
const nothing = () => {}

/** The candles of a market in all intervals, back to the first that the service has, with their tools. Fills its place, which names it. */
export function MarketChart({ market, summary, readAtMs, levels, movable = never, onMove = nothing, tools }: MarketChartProps) {
  const [interval, setInterval] = useState<Interval>('15m')
  const data = useCandles(market.id, interval, summary, readAtMs ?? 0)
  const chart = useRef<ChartView | null>(null)
  const onReady = useCallback((view: ChartView | null) => {
    chart.current = view
  }, [])
  const { readOlder, olderFailure } = data
  // What was refused is asked for again by a button only.
  const onNearOldest = useCallback(() => {
    if (olderFailure === null) readOlder()
  }, [readOlder, olderFailure])
  return (
    <>
      <div className="c-tools">
        <IntervalChoice value={interval} onChange={setInterval} />
        <span className="grow" />
        {tools}
        <IconButton icon="target" size="xs" label="Show the newest candles" onClick={() => chart.current?.fit()} />
      </div>
      {data.failure !== null ? (
        <FailurePanel failure={data.failure} onRetry={data.retry} />
      ) : data.loading ? (
        <Loading label="Reading candles">
          <div className="plot-wait" />
        </Loading>
      ) : data.candles.length === 0 ? (
        <Empty icon="trade" title="No candles yet">
          This market has not traded in the chosen interval.
        </Empty>
      ) : (
        <CandleChart
          market={market}
          interval={interval}
          candles={data.candles}
          sources={data.sources}
          levels={levels}
          mark={summary?.mark ?? null}
          older={<Older data={data} interval={interval} />}
          onReady={onReady}
          onNearOldest={onNearOldest}
          movable={movable}
          onMove={onMove}
        />
      )}
    </>
  )
}

/** What keeps older candles away. */
function Older({ data, interval }: { readonly data: CandleData; readonly interval: Interval }) {
  return (
    <>
      {data.olderFailure !== null ? (
        <span role="alert">
          Older candles: {failureText(data.olderFailure).title}.
          <Button size="xs" variant="ghost" onClick={data.readOlder}>
            Try again
          </Button>
        </span>
      ) : data.readingOlder ? (
        <span role="status">Reading older candles</span>
      ) : data.end === 'oldest' ? (
        <span role="status">This is where the history begins</span>
      ) : data.end === 'full' ? (
        <span role="status">
          {formatDecimal(String(limits.candleHistory))} older candles are as far as one reading goes
          {interval === '1w' ? '' : '; a longer interval reaches further'}
        </span>
      ) : null}
    </>
  )
}
