import { endpoints } from '../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { SweepStep } from '../../shared/ipc/intents/kill-switch.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, PageCut, Position } from '../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../shared/positions.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { sameId } from '../../shared/same-id.ts'
import { orderSeen, positionSeen } from '../../shared/ticket/form/ticket-state.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import { createOpenOrders } from '../reads/account/open-orders.ts'
import { createOwnCancels } from '../reads/history/history-rows.ts'
import type { Credentials } from '../service/credentials/credentials.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { Journal } from '../store/journal/journal.ts'
import type { By } from './bulk-run.ts'

/** What of a wallet is open now. */
export interface OpenAccount {
  readonly orders: readonly OpenOrder[]
  /** Why orders that wait may be missing; null: none is. */
  readonly ordersCut: PageCut | null
  readonly positions: readonly Position[]
  /** Whether the service lists positions that cannot be read. */
  readonly positionsUnread: boolean
}

/** `failure`: why the account could not be read. It is as it was read last, then: more may be open, so nothing counts as gone. */
export interface Seen {
  readonly account: OpenAccount
  readonly failure: Failure | null
  /** It was never read in this run of the app. */
  readonly isBlind: boolean
}

/** Reads everything that is open, every page of it. `signal` ends what the app reads on its own: the user pressed something meanwhile. */
export type See = (wallet: string, by: By, signal?: AbortSignal) => Promise<Seen>

export interface SeeDeps {
  readonly profile: ProfileFacts
  readonly api: Pick<ApiClient, 'call'>
  readonly journal: Pick<Journal, 'intents'>
  readonly credentials: Pick<Credentials, 'forScope'>
}

export function createSee({ api, credentials, profile, journal }: SeeDeps): See {
  const ownCancels = createOwnCancels({ profile, journal })
  let last: { readonly wallet: string; readonly account: OpenAccount } | null = null

  const read = async (call: ApiClient['call'], wallet: string): Promise<Result<OpenAccount, Failure>> => {
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return credential
    const held = await call(endpoints.getPositions, { params: {}, body: undefined, credential: credential.value, query: {} })
    if (!held.ok) return fail(held.failure.failure)
    const listed = await createOpenOrders({ api: { call }, monotonic: () => 0, ownCancels }).read(wallet, credential.value)
    if (!listed.ok) return fail(listed.failure.failure)
    const { orders, cut } = listed.value.value
    const { positions, missing } = held.value.value
    return ok({ orders: orders.filter(isWaiting), ordersCut: cut, positions, positionsUnread: missing.unreadable > 0 || missing.more })
  }

  return async (wallet, by, signal) => {
    const how = by === 'user' ? ({ urgency: 'exit' } as const) : signal === undefined ? {} : { signal }
    const answer = await read((endpoint, request) => api.call(endpoint, { ...how, ...request }), wallet)
    if (answer.ok) {
      last = { wallet, account: answer.value }
      return { account: answer.value, failure: null, isBlind: false }
    }
    const known = last?.wallet === wallet ? last.account : null
    const account: OpenAccount = { orders: known?.orders ?? [], ordersCut: 'unanswered', positions: known?.positions ?? [], positionsUnread: true }
    return { account, failure: answer.failure, isBlind: known === null }
  }
}

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

export const stillOpen = ({ orders, positions }: OpenAccount, { kind, subject }: SweepStep): boolean =>
  kind === 'cancel' ? orders.some(({ id }) => sameId(id, subject)) : positions.some(({ id }) => sameId(id, subject))

/** Whether it is certain that the account has it no more. */
export const isGone = (account: OpenAccount, step: SweepStep): boolean =>
  !stillOpen(account, step) && (step.kind === 'close' ? !account.positionsUnread : account.ordersCut === null)
