import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SweepKind, SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, PageCut, Position } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { canonicalId, sameId } from '../../../shared/same-id.ts'
import { titleOf } from '../../../shared/ticket/actions/check-action.ts'
import { orderSeen, positionSeen } from '../../../shared/ticket/form/ticket-state.ts'
import { createOpenOrders } from '../../reads/account/open-orders.ts'
import { createOwnCancels } from '../../reads/history/history-rows.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { SweepsDeps } from './sweep-parts.ts'

/** What of a wallet is open now. */
export interface OpenAccount {
  readonly orders: readonly OpenOrder[]
  /** Why orders that wait may be missing; null: none is. */
  readonly ordersCut: PageCut | null
  readonly positions: readonly Position[]
  /** Whether the service lists positions that cannot be read. */
  readonly positionsUnread: boolean
}

type Api = Pick<ApiClient, 'call'>

/** What is open, by who asks. */
export interface ReadOpen {
  /** For what the user pressed: waits for nothing that the service asked to wait for. */
  pressed(wallet: string): Promise<Result<OpenAccount, Failure>>
  /** For what the app does on its own. `signal` ends it: the user pressed something meanwhile. */
  followed(wallet: string, signal?: AbortSignal): Promise<Result<OpenAccount, Failure>>
  /** As it was read last; null: it never was in this run of the app. */
  last(wallet: string): OpenAccount | null
}

/** Everything that is open, read anew, every page of it. */
export function createReadOpen({ api, credentials, profile, journal }: Pick<SweepsDeps, 'api' | 'credentials' | 'profile' | 'journal'>): ReadOpen {
  const ownCancels = createOwnCancels({ profile, journal })
  let last: { readonly wallet: string; readonly account: OpenAccount } | null = null

  const readBy = async ({ call }: Api, wallet: string): Promise<Result<OpenAccount, Failure>> => {
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return credential
    const positions = await call(endpoints.getPositions, { params: {}, body: undefined, credential: credential.value, query: {} })
    if (!positions.ok) return fail(positions.failure.failure)
    const read = await createOpenOrders({ api: { call }, monotonic: () => 0, ownCancels }).read(wallet, credential.value)
    if (!read.ok) return fail(read.failure.failure)
    const { orders, cut } = read.value.value
    const account: OpenAccount = {
      orders: orders.filter(isWaiting),
      ordersCut: cut,
      positions: positions.value.value.positions,
      positionsUnread: positions.value.value.missing.unreadable > 0 || positions.value.value.missing.more,
    }
    last = { wallet, account }
    return ok(account)
  }

  const pressed: Api['call'] = (endpoint, request) => api.call(endpoint, { urgency: 'exit', ...request })
  return {
    pressed: (wallet) => readBy({ call: pressed }, wallet),
    followed: (wallet, signal) => readBy({ call: (endpoint, request) => api.call(endpoint, { ...request, ...(signal !== undefined && { signal }) }) }, wallet),
    last: (wallet) => (last?.wallet === wallet ? last.account : null),
  }
}

/** What goes on where the account cannot be read: as it was read last. More may be open, so nothing counts as gone. */
export const asKnown = (last: OpenAccount | null): OpenAccount => ({
  ...{ orders: last?.orders ?? [], ordersCut: 'unanswered', positions: last?.positions ?? [], positionsUnread: true },
})

export type CancelTicket = Extract<OrderTicket, { readonly action: 'cancel_order' }>
export type CloseTicket = Extract<OrderTicket, { readonly action: 'close_position_market' }>

export const cancelTicket = (order: OpenOrder): CancelTicket => ({ action: 'cancel_order', order: orderSeen(order) })

/** Of an order of which nothing but its id is known. */
export const cancelTicketOf = (orderId: string): CancelTicket => ({
  action: 'cancel_order',
  order: {
    ...{ orderId, pairId: null, symbol: null, side: null },
    ...{ orderValueUsdc: null, limitPrice: null, triggerPrice: null, takeProfit: null, stopLoss: null },
  },
})

/** All of it, at market, at most 1 % from the mark. */
export const closeTicket = (position: Position, positionId: string, mark: string): CloseTicket => ({
  ...{ action: 'close_position_market', position: positionSeen(position, positionId), size: null, referencePrice: mark, maxSlippageBps: 100 },
})

/** In the place of orders that may wait behind what could be read of the list. */
const unreadOrders = {
  id: 'cancel/?',
  title: null,
  detail: { code: 'orders_unread' },
} as const

/** In the place of positions that may be open and could not be read. */
const unreadPositions = {
  id: 'close/?unread',
  title: null,
  detail: { code: 'positions_unread' },
} as const

/** Whether a step is in the place of what could not be read. */
export const isUnread = ({ id }: SweepStep): boolean => id === unreadOrders.id || id === unreadPositions.id

const blank = { state: 'waiting', detail: null, ref: null, txHash: null, atMs: null } as const

/** One step for each order and position that the kind is about, orders first. */
export function stepsOf({ orders, ordersCut, positions, positionsUnread }: OpenAccount, kind: SweepKind): SweepStep[] {
  const cancels = orders.map((order): SweepStep => {
    const ticket = cancelTicket(order)
    return { ...blank, id: `cancel/${canonicalId(order.id)}`, kind: 'cancel', subject: order.id, title: titleOf(ticket, null) }
  })
  const closes = positions.map((position, index): SweepStep => {
    const title = titleOf(closeTicket(position, position.id ?? '', '0'), null)
    // Nothing can be asked for a position that the service does not name.
    return position.id === null
      ? { ...blank, id: `close/?${index}`, kind: 'close', subject: '', title, state: 'failed', detail: { code: 'position_without_id' } }
      : { ...blank, id: `close/${canonicalId(position.id)}`, kind: 'close', subject: position.id, title }
  })
  // Those that were read are cancelled all the same.
  const unread: SweepStep[] = ordersCut === null ? [] : [{ ...blank, ...unreadOrders, kind: 'cancel', subject: '', state: 'failed' }]
  const unreadCloses: SweepStep[] = positionsUnread ? [{ ...blank, ...unreadPositions, kind: 'close', subject: '', state: 'failed' }] : []
  return [...(kind === 'close_all' ? [] : [...cancels, ...unread]), ...(kind === 'cancel_all' ? [] : [...closes, ...unreadCloses])]
}

export const stillOpen = ({ orders, positions }: OpenAccount, { kind, subject }: SweepStep): boolean =>
  kind === 'cancel' ? orders.some(({ id }) => sameId(id, subject)) : positions.some(({ id }) => sameId(id, subject))

/** Whether it is certain that the account has it no more. */
export const isGone = (account: OpenAccount, step: SweepStep): boolean =>
  !stillOpen(account, step) && (step.kind === 'close' ? !account.positionsUnread : account.ordersCut === null)
