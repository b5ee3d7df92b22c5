import { useEffect, useMemo } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { createLiveBook, type LiveBook } from '../../kit/book/live-book.ts'
import { useVisible } from '../../kit/time/use-visible.ts'

export interface OrderBookData {
  readonly book: LiveBook
  readonly loading: boolean
  /** Nobody offers anything. */
  readonly empty: boolean
  /** Of a reading that gave nothing; where there is an older book it is shown, with its age. */
  readonly failure: Failure | null
  /** Whether the service says that sizes are in base units. */
  readonly sizesKnown: boolean
  /** When it was so: the service's word, else the moment of reading. */
  readonly atMs: number | null
  readonly source: 'versioned' | 'public' | null
  readonly retry: () => void
}

const bookEvery = 1_000

/** The order book of one market, read again each second while anybody can see it. */
export function useOrderBook(pairId: number): OrderBookData {
  const visible = useVisible()
  const query = useDeskQuery('markets.orderbook', { pairId }, { every: visible ? bookEvery : false })
  const { data } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: another market has another book
  const book = useMemo(createLiveBook, [pairId])
  useEffect(() => {
    if (data !== undefined) book.replace(data)
  }, [book, data])
  return {
    book,
    loading: query.isPending,
    empty: data !== undefined && data.bids.length === 0 && data.asks.length === 0,
    failure: data === undefined && query.error !== null ? failureOf(query.error) : null,
    sizesKnown: data === undefined || data.sizeUnit === 'base',
    atMs: data === undefined ? null : (data.atMs ?? data.readAtMs),
    source: data?.source ?? null,
    retry: () => void query.refetch(),
  }
}
