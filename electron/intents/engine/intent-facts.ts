import { z } from 'zod'
import { delegatedActions, preparedActions } from '../../../shared/api/actions.ts'
import type { IntentState, Underway } from '../../../shared/ipc/intents/orders.ts'
import { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import { factsOfDelegated } from '../../../shared/ticket/delegated/delegated-facts.ts'
import { delegatedBody, delegatedTitle } from '../../../shared/ticket/delegated/delegated-payload.ts'
import type { IntentRow } from '../../store/journal/journal.ts'

/** Whether an intent is an order. Payments for a key are intents, too, but not orders. */
export const isTradingIntent = ({ action }: { readonly action: string }): boolean =>
  Object.hasOwn(preparedActions, action) || Object.hasOwn(delegatedActions, action)

/**
 * Groups the intent states into phases, for code that only waits for an outcome. `open`: the app has sent nothing, except perhaps the request to
 * the wallet.
 */
export const phaseOf = {
  PLANNED: 'open',
  PREPARED: 'open',
  ASKED: 'open',
  SIGNED: 'open',
  SENT: 'on_its_way',
  SUBMITTED: 'on_its_way',
  CONFIRMING: 'on_its_way',
  UNKNOWN: 'unknown',
  FINAL: 'final',
  REFUSED: 'failed',
  EXPIRED: 'failed',
  REVERTED: 'failed',
  CANCELLED: 'failed',
} as const satisfies Readonly<Record<IntentState, string>>

/** Whether the intent waits for the wallet: the app may send the request to the wallet, or has sent it. */
export const isWithWallet = ({ state }: { readonly state: IntentState }): boolean => state === 'PREPARED' || state === 'ASKED'

/** States of an open intent whose request the app has sent to the wallet. In earlier states, the intent has no effect yet. */
const asked: ReadonlySet<IntentState> = new Set(['ASKED', 'SIGNED', 'SENT', 'SUBMITTED', 'CONFIRMING', 'UNKNOWN'])

const Done = z.object({
  position: z.object({ positionId: z.string() }).optional(),
  order: z.object({ orderId: z.string() }).optional(),
})

/**
 * The positions and orders that an open intent changes, for every execution method. Empty before the wallet was asked, and for an order that opens
 * a position.
 */
export function underwayOf({ ref, action, state, ticket }: IntentRow): Underway[] {
  if (!asked.has(state)) return []
  const written: unknown = JSON.parse(ticket)
  const batch = z.object({ items: z.array(z.looseObject({ action: z.string() })) }).safeParse(written)
  const parts = batch.success ? batch.data.items : [{ ...(written as object), action }] // the cast is safe: a ticket is an object
  return parts.flatMap((part) => {
    const done = Done.safeParse(part)
    const positionId = done.data?.position?.positionId ?? null
    const orderId = done.data?.order?.orderId ?? null
    return positionId === null && orderId === null ? [] : [{ ref, action: part.action, positionId, orderId, state }]
  })
}

export const ticketOf = (row: IntentRow): OrderTicket => OrderTicket.parse(JSON.parse(row.ticket))

export const delegatedOf = (row: IntentRow): DelegatedTicket => DelegatedTicket.parse(JSON.parse(row.ticket))

/** Whether all actions of an executor’s ticket only end risk. */
export const endsRiskOnly = (ticket: DelegatedTicket): boolean => factsOfDelegated(ticket).every((fact) => fact.endsRisk)

/**
 * Whether the intent only ends risk (cancel, close), by any execution method. The app allows such an intent even if the disk is full or the journal
 * was rebuilt. A payment ends no risk.
 */
export function endsRiskOf(row: IntentRow): boolean {
  if (row.way === 'executor') return endsRiskOnly(delegatedOf(row))
  return isTradingIntent(row) && endsRisk(ticketOf(row))
}

export const subjectsOfDelegated = (ticket: DelegatedTicket): readonly string[] => [
  ...new Set(factsOfDelegated(ticket).flatMap(({ subject }) => (subject === null ? [] : [subject]))),
]

/** Returns the value that all entries share; null if the entries differ or the list is empty. */
const common = <T>(values: readonly (T | null)[]): T | null => (new Set(values).size === 1 ? (values[0] ?? null) : null)

/** The values of the journal’s columns for an executor’s order, for example action, title and market. */
export function columnsOf(ticket: DelegatedTicket, marketOf: (pairId: number) => Market | null) {
  const facts = factsOfDelegated(ticket)
  const pairId = common(facts.map((one) => one.pairId))
  const market = pairId === null ? null : marketOf(pairId)
  return {
    action: ticket.action,
    title: delegatedTitle(ticket, market?.priceDecimals ?? null),
    pairId,
    symbol: market?.symbol ?? common(facts.map((one) => one.symbol)),
    side: common(facts.map((one) => one.side)),
    ticket: JSON.stringify(ticket),
  }
}

/** The titles of all actions in a ticket. Adds the market’s symbol to the title of a new order, because that title does not include the market. */
export const itemTitles = (ticket: DelegatedTicket, marketOf: (pairId: number) => Market | null) =>
  factsOfDelegated(ticket).map(({ item, pairId }, index) => {
    const market = pairId === null ? null : marketOf(pairId)
    const title = delegatedTitle(item, market?.priceDecimals ?? null)
    return { index, action: item.action, title: title.code === 'open' && market !== null ? { ...title, symbol: market.symbol } : title }
  })

/** The client order ids in the request body. With them, the app finds the orders that the request opened. */
export function clientOrderIdsOf(row: IntentRow): readonly string[] {
  // Rebuild the request body from the ticket, because the body that was sent may use field names of the user’s field map.
  const { payload } = delegatedBody(delegatedOf(row), row.idempotencyKey, false)
  const actions = Array.isArray(payload.actions) ? (payload.actions as readonly { readonly payload: Readonly<Record<string, unknown>> }[]) : [{ payload }]
  return actions.flatMap((item) => (typeof item.payload.client_order_id === 'string' ? [item.payload.client_order_id] : []))
}
