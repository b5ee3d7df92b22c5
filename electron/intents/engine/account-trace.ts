import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { TradeRecord } from '../../../shared/api/schemas/position-history.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { findOrder } from '../../reads/account/open-orders.ts'
import { isWholeSince, readPages } from '../../reads/history/read-pages.ts'
import type { ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'

/** What the account shows of an order by its own client order ids. */
export interface AccountTrace {
  readonly by: 'trade' | 'order' | null
  /** Of the trade; null: none was told. */
  readonly txHash: string | null
  /** Whether it would have been found, had it been there: no list was cut, and no record was unreadable. */
  readonly whole: boolean
}

/** 5 pages of 200 reach back further than any intent lives. */
const mostTradePages = 5
const txHashForm = /^0x[0-9a-fA-F]{64}$/

/** Looks for an order that was made at `sinceMs` or later among the trades and the orders of its wallet, with a key of it or by the public routes. Ids are compared by value. */
export async function traceOrder(
  api: ApiClient,
  wallet: string,
  credential: KeyCredential | null,
  { clientOrderIds, sinceMs }: { readonly clientOrderIds: readonly string[]; readonly sinceMs: number },
): Promise<Result<AccountTrace, ApiFailure>> {
  if (clientOrderIds.length === 0) return ok({ by: null, txHash: null, whole: true })
  const order = await findOrder(api, wallet, credential, ({ clientOrderId }) => clientOrderIds.some((id) => sameId(id, clientOrderId)), sinceMs)
  const orderId = order.ok ? (order.value.order?.id ?? null) : null
  // A trade may name the order alone.
  const isIt = (trade: TradeRecord) => clientOrderIds.some((id) => sameId(id, trade.clientOrderId)) || (orderId !== null && sameId(orderId, trade.orderId))
  const trades = await readPages<TradeRecord, ApiFailure>(
    async (cursor) => {
      const page = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
      const nothing = { params: {}, body: undefined } as const
      const answer =
        credential === null
          ? await api.call(endpoints.getPublicTrades, { ...nothing, query: { ...page, wallet }, credential })
          : await api.call(endpoints.getTrades, { ...nothing, query: page, credential })
      return answer.ok ? ok(answer.value.value) : answer
    },
    { most: mostTradePages, enough: (items) => items.some(isIt) },
  )
  const trade = trades.ok ? trades.value.items.find(isIt) : undefined
  if (trade !== undefined) return ok({ by: 'trade', txHash: trade.txHash !== null && txHashForm.test(trade.txHash) ? trade.txHash : null, whole: true })
  if (orderId !== null) return ok({ by: 'order', txHash: null, whole: true })
  // Nothing is said to be missing from a list that could not be read.
  if (!order.ok) return order
  return trades.ok ? ok({ by: null, txHash: null, whole: order.value.whole && isWholeSince(trades.value, sinceMs, ({ atMs }) => atMs) }) : trades
}
