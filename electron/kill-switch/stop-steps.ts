import { endpoints } from '../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { BulkActionKind, BulkActionStep, BulkDetail, PlainDetail } from '../../shared/ipc/intents/kill-switch.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, PageCut, Position } from '../../shared/ipc/reads/account.ts'
import { exitPrice, isWaiting } from '../../shared/positions.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { canonicalId, sameId } from '../../shared/same-id.ts'
import { titleOf } from '../../shared/ticket/actions/check-action.ts'
import { orderSeen, positionSeen } from '../../shared/ticket/form/ticket-state.ts'
import { second } from '../../shared/time.ts'
import { phaseOf } from '../intents/engine/intent-facts.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import { createOpenOrders } from '../reads/account/open-orders.ts'
import { createOwnCancels } from '../reads/history/history-rows.ts'
import type { Markets } from '../reads/markets/markets.ts'
import type { Credentials } from '../service/credentials/credentials.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { IntentRow, Journal } from '../store/journal/journal.ts'
import type { BulkActionRecord } from '../store/records/intent-records.ts'
import type { By } from './bulk-run.ts'

/** The wallet's open orders and positions, as the service lists them. */
export interface OpenAccount {
  readonly orders: readonly OpenOrder[]
  /** Why open orders may be missing from the list; null if the list is complete. */
  readonly ordersCut: PageCut | null
  readonly positions: readonly Position[]
  /** Whether the service lists positions that cannot be read. */
  readonly positionsUnread: boolean
}

/**
 * The account as last read. `failure`: why the app could not read the account now; null if it could. After a failure, `account` may be outdated, so
 * the app treats no order or position as gone.
 */
export interface Seen {
  readonly account: OpenAccount
  readonly failure: Failure | null
  /** True if the app has not yet read the account since its start. */
  readonly isBlind: boolean
}

/** Reads every page of open orders and positions. If the user acts, `signal` interrupts a read that the app started automatically. */
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

/** The ticket for cancelling an order when the app knows only its id. */
export const cancelTicketOf = (orderId: string): CancelTicket => ({
  action: 'cancel_order',
  order: {
    ...{ orderId, pairId: null, symbol: null, side: null },
    ...{ orderValueUsdc: null, limitPrice: null, triggerPrice: null, takeProfit: null, stopLoss: null },
  },
})

/** The ticket for closing the whole position at market, with a max slippage of 1 % from the mark price. */
export const closeTicket = (position: Position, positionId: string, mark: string): CloseTicket => ({
  ...{ action: 'close_position_market', position: positionSeen(position, positionId), size: null, referencePrice: mark, maxSlippageBps: 100 },
})

export const stillOpen = ({ orders, positions }: OpenAccount, { kind, subject }: BulkActionStep): boolean =>
  kind === 'cancel' ? orders.some(({ id }) => sameId(id, subject)) : positions.some(({ id }) => sameId(id, subject))

/** True if the order or position is certainly gone from the account. */
export const isGone = (account: OpenAccount, step: BulkActionStep): boolean =>
  !stillOpen(account, step) && (step.kind === 'close' ? !account.positionsUnread : account.ordersCut === null)

const endedStates: ReadonlySet<BulkActionStep['state']> = new Set(['done', 'gone', 'skipped'])
const underWay: ReadonlySet<BulkActionStep['state']> = new Set(['asking', 'sent', 'unknown'])

export const isEnded = ({ state }: BulkActionStep): boolean => endedStates.has(state)
export const isUnderWay = ({ state }: BulkActionStep): boolean => underWay.has(state)

export const cancelId = (orderId: string): string => `cancel/${canonicalId(orderId)}`
export const closeId = (positionId: string): string => `close/${canonicalId(positionId)}`

const blank = { state: 'waiting', detail: null, ref: null, txHash: null, atMs: null } as const

/** A failed step for all orders that the app could not read from the list. */
const unreadOrders: BulkActionStep = { ...blank, id: 'cancel/?', kind: 'cancel', subject: '', title: null, state: 'failed', detail: { code: 'orders_unread' } }
/** A failed step for positions that may be open but that the app could not read. */
const unreadPositions: BulkActionStep = {
  ...{ ...blank, id: 'close/?unread', kind: 'close', subject: '', title: null, state: 'failed', detail: { code: 'positions_unread' } },
}

/** Creates a step for each order that a run of this kind must cancel and each position that it must close. Steps for orders come first. */
export function stepsOf({ orders, ordersCut, positions, positionsUnread }: OpenAccount, kind: BulkActionKind): BulkActionStep[] {
  const cancels = orders.map((order): BulkActionStep => {
    const title = titleOf(cancelTicket(order), null)
    return { ...blank, id: cancelId(order.id), kind: 'cancel', subject: order.id, title }
  })
  const closes = positions.map((position, index): BulkActionStep => {
    const title = titleOf(closeTicket(position, position.id ?? '', '0'), null)
    return position.id === null
      ? { ...blank, id: `close/?${index}`, kind: 'close', subject: '', title, state: 'failed', detail: { code: 'position_without_id' } }
      : { ...blank, id: closeId(position.id), kind: 'close', subject: position.id, title }
  })
  return [
    // Even if part of the order list is unreadable, cancel the orders in the readable part.
    ...(kind === 'close_all' ? [] : [...cancels, ...(ordersCut === null ? [] : [unreadOrders])]),
    ...(kind === 'cancel_all' ? [] : [...closes, ...(positionsUnread ? [unreadPositions] : [])]),
  ]
}

/** Returns the next waiting steps, at most `most`. As long as a cancel waits, returns only cancels; after that, only closes. */
export function turnOf(run: Pick<BulkActionRecord, 'steps'> | null, most: number): readonly BulkActionStep[] {
  const waiting = run?.steps.filter(({ state }) => state === 'waiting') ?? []
  const cancels = waiting.filter(({ kind }) => kind === 'cancel')
  return (cancels.length > 0 ? cancels : waiting).slice(0, most)
}

/**
 * Builds the ticket of a step from the account and the newest mark price. If it cannot build the ticket, fails with the detail that the step shows.
 */
export async function ticketFor(
  { kind, subject }: BulkActionStep,
  account: OpenAccount,
  markets: Pick<Markets, 'pricesForExit'>,
): Promise<Result<CancelTicket | CloseTicket, { readonly code: PlainDetail }>> {
  if (kind === 'cancel') {
    const order = account.orders.find(({ id }) => sameId(id, subject))
    if (order !== undefined) return ok(cancelTicket(order))
    // If part of the order list could not be read, this order may be in that part. Cancel the order anyway, because a cancel needs only the order's
    // id.
    return account.ordersCut === null || subject === '' ? fail({ code: 'not_there' }) : ok(cancelTicketOf(subject))
  }
  const position = account.positions.find(({ id }) => sameId(id, subject))
  if (position === undefined) return fail({ code: account.positionsUnread ? 'maybe_unread' : 'not_there' })
  const price = exitPrice(position, await markets.pricesForExit(position.pairId))
  return price === null ? fail({ code: 'no_price' }) : ok(closeTicket(position, subject, price))
}

/** How long (ms) the service may still list an order or position that a transaction has ended, once that transaction is final on the chain. */
const lagMs = 10 * second

/** Updates a step from the state of its intent. Marks the step as done only if the app could read the account (`open` is not null). */
export function settleStep(step: BulkActionStep, intent: IntentRow | null, open: OpenAccount | null, nowMs: number): BulkActionStep {
  if (!isUnderWay(step)) return step
  // The app stopped before it saved the request, so return the step to waiting. Repeating the request is safe, because nothing can cancel an order
  // or close a whole position twice.
  if (intent === null) return step.ref === null ? { ...step, state: 'waiting' } : step
  const said: BulkDetail | null = intent.reason === null ? null : { code: 'intent', reason: intent.reason }
  const shown = { ...step, txHash: intent.txHash, atMs: intent.updatedAtMs }
  switch (phaseOf[intent.state]) {
    case 'open':
      return { ...shown, state: 'asking', detail: said }
    case 'on_its_way':
      return { ...shown, state: 'sent', detail: intent.confirmations === null ? null : { code: 'blocks', confirmations: intent.confirmations } }
    case 'unknown':
      return { ...shown, state: 'unknown', detail: said }
    case 'final':
      if (open === null) return { ...shown, state: 'sent', detail: { code: 'final_reading' } }
      if (!stillOpen(open, step)) return { ...shown, state: 'done', detail: null }
      if (nowMs - intent.updatedAtMs < lagMs) return { ...shown, state: 'sent', detail: { code: 'final_still_listed' } }
      return { ...shown, state: 'failed', detail: { code: step.kind === 'cancel' ? 'final_order_waits' : 'final_part_left' } }
    case 'failed':
      return { ...shown, state: 'failed', detail: said ?? { code: 'ended', state: intent.state } }
  }
}

/**
 * Compares the steps with the account. If a step’s order or position is gone, marks the step as done. If its order or position is listed again,
 * sets the step back to waiting. Adds a step for each new order or position.
 */
export function renewSteps(steps: readonly BulkActionStep[], account: OpenAccount, kind: BulkActionKind, nowMs: number): BulkActionStep[] {
  const known = new Set(steps.map(({ id }) => id))
  const renewed = steps.map((step): BulkActionStep => {
    const isUnread = step.id === unreadOrders.id || step.id === unreadPositions.id
    const isAnswered = step.state === 'waiting' || (step.state === 'failed' && (step.subject !== '' || isUnread))
    if (isAnswered && isGone(account, step)) return { ...step, state: 'gone', detail: { code: 'not_there' }, atMs: nowMs }
    const isBack = (step.state === 'done' || step.state === 'gone') && stillOpen(account, step)
    return isBack ? { ...step, state: 'waiting', detail: { code: 'there_again' }, ref: null, txHash: null } : step
  })
  return [...renewed, ...stepsOf(account, kind).filter(({ id }) => !known.has(id))]
}
