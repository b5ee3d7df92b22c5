import { useMemo } from 'react'
import type { Candle, Interval, Market, MarketSummary } from '../../../shared/ipc/markets.ts'
import { second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { intervalMs, orderCandles, withMark } from './chart-data.ts'
import { useVisible } from './use-visible.ts'

/** The document lets a market order refer to prices of at most 8 s; two readings must fit in that. */
const summaryEvery = 1_500

export function useSummaries() {
  const visible = useVisible()
  return useDeskQuery('markets.summaries', {}, { every: visible ? summaryEvery : false })
}

export interface CandleData {
  readonly candles: readonly Candle[]
  readonly loading: boolean
  readonly error: ReturnType<typeof useDeskQuery<'markets.candles'>>['error']
  readonly retry: () => void
}

/** The candles of a market with its newest mark in the last one. */
export function useCandles(market: Market | undefined, interval: Interval, summary: MarketSummary | undefined, readAtMs: number): CandleData {
  const visible = useVisible()
  const span = intervalMs(interval)
  const query = useDeskQuery(
    'markets.candles',
    { pairId: market?.id ?? 0, interval, limit: 500 },
    // A closed candle is the service's word, so it is read again at least once in each interval.
    { enabled: market !== undefined, every: visible ? Math.min(span / 2, 20 * second) : false },
  )
  const ordered = useMemo(() => orderCandles(query.data?.candles ?? []), [query.data])
  const mark = summary?.mark ?? null
  const candles = useMemo(() => withMark(ordered, mark, summary?.priceAtMs ?? readAtMs, span), [ordered, mark, summary?.priceAtMs, readAtMs, span])
  return { candles, loading: query.isPending, error: query.data === undefined ? query.error : null, retry: () => void query.refetch() }
}
