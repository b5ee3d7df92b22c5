import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { OrderRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import { orderStatuses } from '../../../shared/api/schemas/words.ts'
import type { PageCut } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import { second } from '../../../shared/time.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { OwnCancels } from '../history/history-rows.ts'
import { isWholeSince, readPages } from '../history/paged-rows.ts'

/** Maximum number of pages to read, with 200 orders each. An open order may be listed after many ended orders. */
const mostPages = 50
/**
 * How long the app keeps the older pages of a list, for each older page. The app therefore reads a longer list again less often, and it sends no more
 * requests than for a short list.
 */
const olderLivesMs = 10 * second

export interface OrdersRead {
  /** All orders on the newest page, in any state, and all open orders on older pages. Each order appears once. */
  readonly orders: readonly OrderRecord[]
  /** Why open orders may be missing; `null` if the list is complete. */
  readonly cut: PageCut | null
}

interface Older extends OrdersRead {
  /** A fingerprint of the newest page, taken when the app read the older pages. */
  readonly newest: string
  readonly keptUntil: number
}

type Answer<T> = Promise<Result<ApiAnswer<T>, ApiFailure>>

export interface OpenOrdersReader {
  /** Reads the open orders with a key of the wallet. If `credential` is `null`, uses the public route. */
  read(wallet: string, credential: KeyCredential | null): Answer<OrdersRead>
  forget(): void
}

/** Returns a function that reads one page of a wallet's orders, with the wallet's key or by the public route. */
const orderPages =
  (api: Pick<ApiClient, 'call'>, wallet: string, credential: KeyCredential | null) =>
  (cursor: number | null): Answer<Page<OrderRecord>> => {
    const page = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
    const nothing = { params: {}, body: undefined } as const
    return credential === null
      ? api.call(endpoints.getPublicOrders, { ...nothing, query: { ...page, wallet }, credential })
      : api.call(endpoints.getOrders, { ...nothing, query: page, credential })
  }

const pageOf =
  <T>(pageAt: (cursor: number | null) => Answer<T>) =>
  async (cursor: number | null): Promise<Result<T, ApiFailure>> => {
    const answer = await pageAt(cursor)
    return answer.ok ? ok(answer.value.value) : answer
  }

/** Returns a fingerprint of a page of orders, which changes when an order is placed, filled or ends. */
const mark = (orders: readonly OrderRecord[]): string => JSON.stringify(orders.map(({ id, status, filledSize }) => [id, status, filledSize]))

const hasKnownStatus = ({ status }: OrderRecord): boolean => orderStatuses(status) !== undefined

export interface OpenOrdersDeps {
  readonly api: Pick<ApiClient, 'call'>
  readonly monotonic: () => number
  readonly ownCancels: OwnCancels
}

/**
 * Reads every open order of a wallet, even if many newer orders have ended (API document: Pagination). Always reads the newest page. Reads older
 * pages if the newest page has changed or `forget` was called, and otherwise only at intervals.
 */
export function createOpenOrders({ api, monotonic, ownCancels }: OpenOrdersDeps): OpenOrdersReader {
  const kept = new Map<string, Older>()

  /** Marks orders as cancelled if the service reports an unknown status for them and the app's own cancel of them is final. */
  const asKnown = (wallet: string, orders: readonly OrderRecord[]): readonly OrderRecord[] => {
    if (orders.every(hasKnownStatus)) return orders
    const cancelled = ownCancels(wallet)
    return orders.map((order) => (!hasKnownStatus(order) && cancelled.has(canonicalId(order.id)) ? { ...order, status: 'cancelled' } : order))
  }

  return {
    forget: () => kept.clear(),
    read: async (wallet, credential) => {
      const pageAt = orderPages(api, wallet, credential)
      const first = await pageAt(null)
      if (!first.ok) return first
      const { items, hasMore, nextCursor, unreadable } = first.value.value
      const bad = unreadable === null ? null : 'unreadable'
      const whole = (orders: readonly OrderRecord[], cut: PageCut | null) => ok({ ...first.value, value: { orders: asKnown(wallet, orders), cut } })
      const name = `${wallet}/${credential?.keyId ?? 'public'}`
      if (!hasMore) {
        kept.delete(name)
        return whole(items, bad)
      }
      if (nextCursor === null) return whole(items, 'no_next_page')
      const newest = mark(items)
      const before = kept.get(name)
      if (before !== undefined && before.newest === newest && monotonic() < before.keptUntil) return whole([...items, ...before.orders], before.cut ?? bad)

      const read = await readPages(pageOf(pageAt), { from: nextCursor, most: mostPages - 1 })
      if (!read.ok) return whole(items, 'unanswered')
      const seen = new Set(items.map(({ id }) => id))
      const orders = read.value.items.filter((order) => {
        const isNew = !seen.has(order.id)
        seen.add(order.id)
        return isNew && isWaiting(order)
      })
      const { cut, pages } = read.value
      if (cut !== 'unanswered') kept.set(name, { orders, cut, newest, keptUntil: monotonic() + pages * olderLivesMs })
      return whole([...items, ...orders], cut ?? bad)
    },
  }
}

export interface OrderFound {
  /** The matching order; `null` if none of the orders that could be read matches. */
  readonly order: OrderRecord | null
  /** True if the search covered every order placed since `sinceMs`. If false, an order that was not found may still exist. */
  readonly whole: boolean
}

/**
 * Finds the order for which `isIt` returns true, even if the order is old. `sinceMs` is the earliest time at which the order can have been placed.
 */
export async function findOrder(
  api: ApiClient,
  wallet: string,
  credential: KeyCredential | null,
  isIt: (order: OrderRecord) => boolean,
  sinceMs = 0,
): Promise<Result<OrderFound, ApiFailure>> {
  const read = await readPages(pageOf(orderPages(api, wallet, credential)), { most: mostPages, enough: (orders) => orders.some(isIt) })
  return read.ok ? ok({ order: read.value.items.find(isIt) ?? null, whole: isWholeSince(read.value, sinceMs, ({ atMs }) => atMs) }) : read
}
