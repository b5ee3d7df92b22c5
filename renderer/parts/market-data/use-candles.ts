import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Candle, Interval, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCall, useDeskQuery } from '../../ipc/use-desk.ts'
import { intervalMs, orderCandles, withMark } from '../../kit/chart/chart-data.ts'
import { useVisible } from '../../kit/time/use-visible.ts'
import { type CandlePages, joinNewest, joinOlder, nextPage, noPages, type SourceEdge } from './candle-pages.ts'

export interface CandleData {
  /** In order of time, with the newest mark in the last one. */
  readonly candles: readonly Candle[]
  readonly sources: readonly SourceEdge[]
  readonly end: CandlePages['end']
  readonly loading: boolean
  readonly failure: Failure | null
  readonly retry: () => void
  readonly readingOlder: boolean
  readonly olderFailure: Failure | null
  /** Reads the page before the oldest candle; while one is under way, and where there is none, it does nothing. */
  readonly readOlder: () => void
}

interface Kept {
  readonly key: string
  readonly pages: CandlePages
  readonly reading: boolean
  readonly failure: Failure | null
}

/** The candles that are read at first, and again in each interval. */
const newestCount = 500

/** The candles of a market, the newest kept fresh and older ones read by pages as they are asked for. `readAtMs`: of the summary. */
export function useCandles(pairId: number, interval: Interval, summary: MarketSummary | undefined, readAtMs: number): CandleData {
  const visible = useVisible()
  const call = useDeskCall()
  const span = intervalMs(interval)
  const key = `${pairId}/${interval}`
  const query = useDeskQuery(
    'markets.candles',
    { pairId, interval, limit: newestCount },
    // A closed candle is the service's word, so it is read again at least once in each interval.
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
        // Another market or interval is looked at by now.
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
