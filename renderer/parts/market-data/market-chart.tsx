import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { limits } from '../../../shared/api/limits.ts'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Candle, HistorySource, Interval, Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { day, second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CandleChart } from '../../kit/chart/candle-chart.tsx'
import chartStyles from '../../kit/chart/chart.module.css'
import { intervalMs, intervals, orderCandles, withMark } from '../../kit/chart/chart-data.ts'
import type { ChartView } from '../../kit/chart/chart-view.ts'
import type { Level } from '../../kit/chart/levels.ts'
import { Empty, Loading } from '../../kit/layout/placeholders.tsx'
import { roveOnKey } from '../../kit/roving.ts'
import textStyles from '../../kit/text.module.css'
import { useVisible } from '../../kit/time/time.tsx'
import { partsText } from '../../text/en/parts.en.tsx'
import { failureText } from '../../text/failure-text.ts'
import { FailurePanel } from '../failure-note.tsx'

interface MarketChartProps {
  readonly market: Market
  readonly summary: MarketSummary | undefined
  /** When the app read `summary`, in Unix ms; `null` if it has not. */
  readonly readAtMs: number | null
  readonly levels: readonly Level[]
  /** Whether the user may drag a line. If absent, no line can be moved. When a line is dropped, `onMove` reports its price. */
  readonly movable?: (level: Level) => boolean
  readonly onMove?: (level: Level, price: string) => void
  readonly tools?: ReactNode
}

const never = () => false
const nothing = () => {}

/** The candle chart of a market with a choice of intervals, as far back as the service's history reaches. Fills its container. */
export function MarketChart({ market, summary, readAtMs, levels, movable = never, onMove = nothing, tools }: MarketChartProps) {
  const [interval, setInterval] = useState<Interval>('15m')
  const data = useCandles(market.id, interval, summary, readAtMs ?? 0)
  const chart = useRef<ChartView | null>(null)
  const onReady = useCallback((view: ChartView | null) => {
    chart.current = view
  }, [])
  const { readOlder, olderFailure } = data
  // After a failure, request older candles only when the user clicks, not when the user scrolls.
  const onNearOldest = useCallback(() => {
    if (olderFailure === null) readOlder()
  }, [readOlder, olderFailure])
  return (
    <>
      <div className={chartStyles.tools}>
        <IntervalChoice value={interval} onChange={setInterval} />
        <span className={textStyles.grow} />
        {tools}
        <IconButton icon="target" size="xs" label={partsText.showNewestCandles} onClick={() => chart.current?.fit()} />
      </div>
      {data.failure !== null ? (
        <FailurePanel failure={data.failure} onRetry={data.retry} />
      ) : data.loading ? (
        <Loading label={partsText.readingCandles}>
          <div className={chartStyles.plotWait} />
        </Loading>
      ) : data.candles.length === 0 ? (
        <Empty icon="trade" title={partsText.noCandlesYet}>
          {partsText.noCandlesHelp}
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

/** The remark at the left end of the chart: older candles are loading, could not be read, do not exist, or exceed the limit. */
function Older({ data, interval }: { readonly data: CandleData; readonly interval: Interval }) {
  return (
    <>
      {data.olderFailure !== null ? (
        <span role="alert">
          {partsText.olderCandles(failureText(data.olderFailure).title)}
          <Button size="xs" variant="ghost" onClick={data.readOlder}>
            {partsText.tryAgain}
          </Button>
        </span>
      ) : data.readingOlder ? (
        <span role="status">{partsText.readingOlderCandles}</span>
      ) : data.end === 'oldest' ? (
        <span role="status">{partsText.historyBegins}</span>
      ) : data.end === 'full' ? (
        <span role="status">{(interval === '1w' ? partsText.historyLimit : partsText.historyLimitLonger)(formatDecimal(String(limits.candleHistory)))}</span>
      ) : null}
    </>
  )
}

interface CandleData {
  /** The candles in order of time. The last one includes the latest mark price. */
  readonly candles: readonly Candle[]
  readonly sources: readonly SourceEdge[]
  readonly end: CandlePages['end']
  readonly loading: boolean
  readonly failure: Failure | null
  readonly retry: () => void
  readonly readingOlder: boolean
  readonly olderFailure: Failure | null
  /** Reads the page before the oldest candle. Does nothing while a page is being read, or if there are no older candles. */
  readonly readOlder: () => void
}

interface Kept {
  readonly key: string
  readonly pages: CandlePages
  readonly reading: boolean
  readonly failure: Failure | null
}

/** How many of the newest candles are read at first and reread in each interval. */
const newestCount = 500

/** A market's candles: rereads the newest regularly, and older ones page by page on request. `readAtMs`: when the summary was read. */
function useCandles(pairId: number, interval: Interval, summary: MarketSummary | undefined, readAtMs: number): CandleData {
  const visible = useVisible()
  const call = useIpcCall()
  const span = intervalMs(interval)
  const key = `${pairId}/${interval}`
  const query = useIpcQuery(
    'markets.candles',
    { pairId, interval, limit: newestCount },
    // Only the service knows a closed candle's final values. So reread the newest candles at least once in each interval.
    { every: visible ? Math.min(span / 2, 20 * second) : false },
  )
  const newest = useMemo(() => orderCandles(query.data?.candles ?? []), [query.data])
  const [kept, setKept] = useState<Kept>({ key, pages: noPages, reading: false, failure: null })
  const of = useCallback((before: Kept): Kept => (before.key === key ? before : { key, pages: noPages, reading: false, failure: null }), [key])
  const { pages: read, reading, failure } = of(kept)
  const pages = useMemo(() => joinNewest(read, newest, span), [read, newest, span])
  useEffect(() => setKept((before) => ({ ...of(before), pages: joinNewest(of(before).pages, newest, span) })), [of, newest, span])

  const latest = useRef({ pages, reading })
  latest.current = { pages, reading }
  const readOlder = useCallback(() => {
    const next = nextPage(latest.current.pages, span)
    if (next === null || latest.current.reading) return
    latest.current = { ...latest.current, reading: true }
    setKept((before) => ({ ...of(before), reading: true, failure: null }))
    void call('markets.history', { pairId, interval, ...next }).then((answer) =>
      setKept((before) => {
        // The user has switched to another market or interval, so ignore this answer.
        if (before.key !== key) return before
        if (!answer.ok) return { ...before, reading: false, failure: answer.failure }
        return { ...before, reading: false, pages: joinOlder(before.pages, next, answer.value) }
      }),
    )
  }, [call, pairId, interval, key, of, span])

  const mark = summary?.mark ?? null
  const priceAtMs = summary?.priceAtMs ?? readAtMs
  const candles = useMemo(() => withMark(pages.candles, mark, priceAtMs, span), [pages.candles, mark, priceAtMs, span])
  return {
    candles,
    sources: pages.sources,
    end: pages.end,
    loading: query.isPending,
    failure: query.data === undefined && query.error !== null ? failureOf(query.error) : null,
    retry: () => void query.refetch(),
    readingOlder: reading,
    olderFailure: failure,
    readOlder,
  }
}

/** The candles of one market and interval that were read so far: the newest, and pages of older ones. */
export interface CandlePages {
  /** The candles in order of time, with at most one candle for each time. */
  readonly candles: readonly Candle[]
  /**
   * The boundaries between data sources: candles older than an entry's `untilMs` come from the entry's source.
   * If the service does not state the exact boundary, only some of those candles come from that source.
   */
  readonly sources: readonly SourceEdge[]
  /** How many candles were read as pages of older ones; at most `limits.candleHistory`. */
  readonly paged: number
  /** Why no older page can be requested: there are no older candles, or the app's limit is reached. `null` if one can be. */
  readonly end: 'oldest' | 'full' | null
}

interface SourceEdge {
  readonly name: string
  readonly untilMs: number
}

export const noPages: CandlePages = { candles: [], sources: [], paged: 0, end: null }

/**
 * How many candles to request at once. Normally the service's maximum. Fewer for candles of a day or longer, because older ones may come from other
 * sources: often, only the first page that names a source shows where that source starts, and a small page shows this more exactly.
 */
const pageSize = (spanMs: number): number => (spanMs >= day ? 250 : 1_000)

interface PageAsked {
  readonly beforeMs: number
  readonly limit: number
}

/** The next page of older candles to request; `null` if there is none. */
export function nextPage({ candles: [first], paged, end }: CandlePages, spanMs: number): PageAsked | null {
  return first === undefined || end !== null ? null : { beforeMs: first.timeMs, limit: Math.min(pageSize(spanMs), limits.candleHistory - paged) }
}

/**
 * Joins the newest candles to the known ones. If both contain a candle of the same time, the newest value counts.
 * If candles are missing between the newest and the known ones, drops the known candles. The app then reads the older pages again.
 */
export function joinNewest(pages: CandlePages, newest: readonly Candle[], spanMs: number): CandlePages {
  const [first] = newest
  const newestMs = newest.at(-1)?.timeMs
  if (first === undefined || newestMs === undefined) return pages
  const knownMs = pages.candles.at(-1)?.timeMs
  if (knownMs === undefined || first.timeMs > knownMs + spanMs) return { ...noPages, candles: newest }
  const before = pages.candles.filter(({ timeMs }) => timeMs < first.timeMs)
  const after = pages.candles.filter(({ timeMs }) => timeMs > newestMs)
  const candles = [...before, ...newest, ...after]
  const same = candles.length === pages.candles.length && candles.every((candle, index) => candle === pages.candles[index])
  return same ? pages : { ...pages, candles }
}

/** Adds a page of candles before `beforeMs`. Ignores a page that does not join the first known candle. */
export function joinOlder(
  pages: CandlePages,
  { beforeMs, limit }: PageAsked,
  answer: { readonly candles: readonly Candle[]; readonly sources: readonly HistorySource[] },
): CandlePages {
  if (pages.candles[0]?.timeMs !== beforeMs) return pages
  const older = answer.candles.filter(({ timeMs }) => timeMs < beforeMs).slice(-limit)
  const paged = pages.paged + older.length
  return {
    candles: [...older, ...pages.candles],
    sources: withSources(pages.sources, answer.sources, beforeMs),
    paged,
    end: older.length === 0 ? 'oldest' : paged >= limits.candleHistory ? 'full' : null,
  }
}

/** Adds the sources that the known ones lack. A source starts where the service states it, otherwise at the first page that names the source. */
function withSources(known: readonly SourceEdge[], named: readonly HistorySource[], beforeMs: number): readonly SourceEdge[] {
  const added = named.filter(({ name }) => !known.some((edge) => edge.name === name))
  return [...known, ...added.map(({ name, untilMs }) => ({ name, untilMs: untilMs ?? beforeMs }))]
}

/** The choice among the eight candle intervals of the service. */
function IntervalChoice({ value, onChange }: { readonly value: Interval; readonly onChange: (value: Interval) => void }) {
  return (
    <div className={chartStyles.intervals} role="radiogroup" aria-label={partsText.interval} onKeyDown={(event) => roveOnKey(event, '[role=radio]', true)}>
      {intervals.map(({ id }) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button key={id} type="button" role="radio" aria-checked={id === value} tabIndex={id === value ? 0 : -1} onClick={() => onChange(id)}>
          {id}
        </button>
      ))}
    </div>
  )
}
