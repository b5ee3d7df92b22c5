import type { ReactNode } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { SkeletonRows } from '../../../kit/layout/skeleton.tsx'
import { useVisible } from '../../../kit/time/time.tsx'
import { FailurePanel } from '../../../parts/failure-note.tsx'

/** The data of one blotter table, or why it is missing. */
export interface Feed<T> {
  readonly rows: readonly T[] | null
  readonly failure: Failure | null
  readonly retry: () => void
}

/** The props of every blotter table. */
export interface TableProps<T> {
  readonly feed: Feed<T>
  /** Shown in place of a table that needs a wallet. */
  readonly noWallet: ReactNode
}

export const priceFormat = (market: Market | undefined) => (market?.priceDecimals == null ? {} : { decimals: market.priceDecimals })
export const sizeFormat = (market: Market | undefined) => (market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })

/** The table, or its replacement: a failure, a connect button or the empty state. */
export function FeedBody({
  feed,
  columns,
  empty,
  noWallet,
  children,
}: {
  readonly feed: Feed<unknown>
  readonly columns: number
  readonly empty: ReactNode
  readonly noWallet: ReactNode
  readonly children: ReactNode
}) {
  if (feed.rows === null && feed.failure !== null) {
    return feed.failure.kind === 'no_wallet' ? noWallet : <FailurePanel failure={feed.failure} onRetry={feed.retry} />
  }
  if (feed.rows !== null && feed.rows.length === 0) return empty
  return children ?? <SkeletonRows rows={4} columns={columns} />
}

/** A market order may refer to a price up to 8 s old (API document). Two reads must fit into that time. */
const summaryEvery = 1_500

export function useSummaries() {
  const visible = useVisible()
  return useIpcQuery('markets.summaries', {}, { every: visible ? summaryEvery : false })
}
