import { DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { factsOfDelegated } from '../../../shared/ticket/delegated/delegated-facts.ts'
import { delegatedBody } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { delegatedTitle } from '../../../shared/ticket/delegated/delegated-title.ts'
import type { IntentRow } from '../../store/journal/journal.ts'

export const delegatedOf = (row: IntentRow): DelegatedTicket => DelegatedTicket.parse(JSON.parse(row.ticket))

/** Every action of it ends risk and adds none: never held back by a full disk or a journal that was set aside. */
export const endsRiskOnly = (ticket: DelegatedTicket): boolean => factsOfDelegated(ticket).every(({ endsRisk }) => endsRisk)

export const subjectsOfDelegated = (ticket: DelegatedTicket): readonly string[] => [
  ...new Set(factsOfDelegated(ticket).flatMap(({ subject }) => (subject === null ? [] : [subject]))),
]

/** The one that all of them are about; null: several, or none. */
const common = <T>(values: readonly (T | null)[]): T | null => (new Set(values).size === 1 ? (values[0] ?? null) : null)

/** What stands in the journal's columns of a ticket for the executor. */
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
    clientOrderId: null,
    ticket: JSON.stringify(ticket),
  }
}

/** One title for each action of it; that of a new order does not name its market by itself. */
export const itemTitles = (ticket: DelegatedTicket, marketOf: (pairId: number) => Market | null) =>
  factsOfDelegated(ticket).map(({ item, pairId }, index) => {
    const market = pairId === null ? null : marketOf(pairId)
    const title = delegatedTitle(item, market?.priceDecimals ?? null)
    const opens = 'order' in item && 'orderType' in item.order
    return { index, action: item.action, title: opens && market !== null ? `${title}, ${market.symbol}` : title }
  })

/** The order ids that a body gives: what it opened can be found by them. */
export function clientOrderIdsOf(row: IntentRow): readonly string[] {
  // Not read from what was sent, where the names may be corrected ones.
  const { payload } = delegatedBody(delegatedOf(row), row.idempotencyKey, false)
  const actions = Array.isArray(payload.actions) ? (payload.actions as readonly { readonly payload: Readonly<Record<string, unknown>> }[]) : [{ payload }]
  return actions.flatMap((item) => (typeof item.payload.client_order_id === 'string' ? [item.payload.client_order_id] : []))
}
