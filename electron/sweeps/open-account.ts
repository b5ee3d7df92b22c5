import { endpoints } from '../../shared/api/endpoints/all.ts'
import { limits } from '../../shared/api/limits.ts'
import type { OpenOrder, Position } from '../../shared/ipc/account.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { SweepKind, SweepStep } from '../../shared/ipc/sweeps.ts'
import type { OrderTicket, SeenOrder, SeenPosition } from '../../shared/ipc/tickets.ts'
import { isWaiting } from '../../shared/open-orders.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { canonicalId, sameId } from '../../shared/same-id.ts'
import { titleOf } from '../../shared/ticket/actions/check-action.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { Credentials } from '../keys/credentials.ts'

/** What of a wallet is open now. */
export interface OpenAccount {
  readonly orders: readonly OpenOrder[]
  readonly positions: readonly Position[]
}

/** Pages of 200 orders: those that wait may be far behind those that ended. */
const mostPages = 100

/** Everything that is open, read anew, every page of it. Fails rather than leave something out. */
export function createReadOpen({ api, credentials }: { readonly api: ApiClient; readonly credentials: Pick<Credentials, 'forScope'> }) {
  return async (wallet: string): Promise<Result<OpenAccount, Failure>> => {
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return credential
    const asked = { params: {}, body: undefined, credential: credential.value } as const
    const positions = await api.call(endpoints.getPositions, { ...asked, query: {} })
    if (!positions.ok) return fail(positions.failure.failure)
    const orders: OpenOrder[] = []
    let cursor: number | null = null
    for (let pages = 0; pages < mostPages; pages += 1) {
      const query: { limit: number; cursor?: number } = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
      const page = await api.call(endpoints.getOrders, { ...asked, query })
      if (!page.ok) return fail(page.failure.failure)
      orders.push(...page.value.value.items.filter(isWaiting))
      cursor = page.value.value.nextCursor
      if (!page.value.value.hasMore || cursor === null) break
    }
    return ok({ orders, positions: positions.value.value.positions })
  }
}

const seenOrder = ({ id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: OpenOrder): SeenOrder => ({
  ...{ orderId: id, pairId, symbol, side: side === 'long' || side === 'short' ? side : null },
  ...{ orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss },
})
const seenPosition = ({ pairId, symbol, side, size, takeProfit, stopLoss }: Position, positionId: string): SeenPosition => ({
  ...{ positionId, pairId, symbol, side, size, takeProfit, stopLoss },
})

export type CancelTicket = Extract<OrderTicket, { readonly action: 'cancel_order' }>
export type CloseTicket = Extract<OrderTicket, { readonly action: 'close_position_market' }>

export const cancelTicket = (order: OpenOrder): CancelTicket => ({ action: 'cancel_order', order: seenOrder(order) })

/** All of it, at market, at most 1 % from the mark. */
export const closeTicket = (position: Position, positionId: string, mark: string): CloseTicket => ({
  ...{ action: 'close_position_market', position: seenPosition(position, positionId), size: null, referencePrice: mark, maxSlippageBps: 100 },
})

const blank = { state: 'waiting', detail: null, ref: null, txHash: null, atMs: null } as const

/** One step for each order and position that the kind is about, orders first. */
export function stepsOf({ orders, positions }: OpenAccount, kind: SweepKind): SweepStep[] {
  const cancels = orders.map((order): SweepStep => {
    const ticket = cancelTicket(order)
    return { ...blank, id: `cancel/${canonicalId(order.id)}`, kind: 'cancel', subject: order.id, title: titleOf(ticket, null) }
  })
  const closes = positions.map((position, index): SweepStep => {
    const title = titleOf(closeTicket(position, position.id ?? '', '0'), null)
    // Nothing can be asked for a position that the service does not name.
    return position.id === null
      ? { ...blank, id: `close/?${index}`, kind: 'close', subject: '', title, state: 'failed', detail: 'The service does not tell the id of this position.' }
      : { ...blank, id: `close/${canonicalId(position.id)}`, kind: 'close', subject: position.id, title }
  })
  return [...(kind === 'close_all' ? [] : cancels), ...(kind === 'cancel_all' ? [] : closes)]
}

export const stillOpen = ({ orders, positions }: OpenAccount, { kind, subject }: SweepStep): boolean =>
  kind === 'cancel' ? orders.some(({ id }) => sameId(id, subject)) : positions.some(({ id }) => sameId(id, subject))
