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

/** Maximum number of pages to read, of 200 orders each. Open orders may come after many ended ones. */
const mostPages = 50
/**
 * How long older pages stay stored, multiplied by their number. A long list is reread less often, so it causes no more requests than a short
 * one.
 */
const olderLivesMs = 10 * second

export interface OrdersRead {
  /** The orders on the newest page in any state, and all open orders, each once. */
  readonly orders: readonly OrderRecord[]
  /** Why waiting orders may be missing. `null`: the list is complete. */
  readonly cut: PageCut | null
}

interface Older extends OrdersRead {
  /** The fingerprint of the newest page at the time the older pages were read. */
  readonly newest: string
  readonly keptUntil: number
}

type Answer<T> = Promise<Result<ApiAnswer<T>, ApiFailure>>

export interface OpenOrdersReader {
  /** Reads the open orders with a key of the wallet. If `credential` is `null`, uses the public route. */
  read(wallet: string, credential: KeyCredential | null): Answer<OrdersRead>
  /** Discards the stored pages, so that the next read requests all of them. */
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

/** A fingerprint of a page. Changes when an order is placed, filled or ends. */
const mark = (orders: readonly OrderRecord[]): string => JSON.stringify(orders.map(({ id, status, filledSize }) => [id, status, filledSize]))

const hasKnownStatus = ({ status }: OrderRecord): boolean => orderStatuses(status) !== undefined

export interface OpenOrdersDeps {
  readonly api: Pick<ApiClient, 'call'>
  readonly monotonic: () => number
  readonly ownCancels: OwnCancels
}

/**
 * Reads every open order of a wallet, however many newer orders have ended (API document: Pagination). Reads the newest page each time.
 * Reads older pages if the newest page has changed or `forget` was called, and otherwise at intervals.
 */
export function createOpenOrders({ api, monotonic, ownCancels }: OpenOrdersDeps): OpenOrdersReader {
  const kept = new Map<string, Older>()

  /** If an order has a status that the app does not know, and the app's own cancel of it is final, marks it as cancelled. */
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
  /** The order; `null` if it is not among the orders that could be read. */
  readonly order: OrderRecord | null
  /** Whether the search covered every order placed since the given time. */
  readonly whole: boolean
}

/** Finds the order for which `isIt` returns true, however old it is. `sinceMs` is the earliest time at which it can have been placed. */
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
