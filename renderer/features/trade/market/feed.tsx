import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import textStyles from '../../../kit/text.module.css'
import { useVisible } from '../../../kit/time/time.tsx'
import { FailurePanel } from '../../../parts/failure-note.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'

/** The data of one table below the chart, or why the data is missing. */
export interface Feed<T> {
  readonly rows: readonly T[] | null
  readonly failure: Failure | null
  readonly retry: () => void
}

export function feedOf<T>(rows: readonly T[] | undefined, query: { readonly error: unknown; readonly refetch: () => unknown }): Feed<T> {
  return { rows: rows ?? null, failure: query.error === null ? null : failureOf(query.error), retry: () => void query.refetch() }
}

export interface TableProps<T> {
  readonly feed: Feed<T>
  /** An element that is shown instead of a table that needs a wallet. */
  readonly noWallet: ReactNode
}

export const priceFormat = (market: Market | undefined) => ({ isShown: true, ...(market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }) })
export const sizeFormat = (market: Market | undefined) => (market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })

/** Draws the table, or in its place a failure, a connect button or the empty state. */
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

/** The time between two price reads, in ms. A market order may use a price that is up to 8 s old (API document), so two reads fit into 8 s. */
const summaryEvery = 1_500

export function useSummaries() {
  const visible = useVisible()
  return useIpcQuery('markets.summaries', {}, { every: visible ? summaryEvery : false })
}

interface StatesProps {
  /** Each row's name and the word for its state; `null` until the app has read the rows. */
  readonly rows: readonly { readonly key: string; readonly name: string; readonly state: string }[] | null
}

const sayEveryMs = 3 * second
const mostSaid = 3

/** Announces rows whose state changed to screen readers. Interrupts no other speech, and speaks at most every few seconds. */
export function ChangedStates({ rows }: StatesProps) {
  const [said, setSaid] = useState('')
  const known = useRef<ReadonlyMap<string, string> | null>(null)
  const waiting = useRef(new Map<string, string>())
  useEffect(() => {
    if (rows === null) return
    for (const { key, name, state } of rows) {
      const before = known.current?.get(key)
      if (before !== undefined && before !== state) waiting.current.set(key, tradeText.stateNow(name, state))
    }
    known.current = new Map(rows.map(({ key, state }) => [key, state]))
  }, [rows])
  useEffect(() => {
    const timer = setInterval(() => {
      const changes = [...waiting.current.values()]
      if (changes.length === 0) return
      waiting.current.clear()
      const more = changes.length - mostSaid
      setSaid([...changes.slice(0, mostSaid), ...(more > 0 ? [tradeText.moreChanges(more)] : [])].join('. '))
    }, sayEveryMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className={textStyles.screenReaderOnly} role="status" data-part="changed-states">
      {said}
    </p>
  )
}
