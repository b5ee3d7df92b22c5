import { compare, negate } from '../../decimal.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'

const impatient = { ioc: 'immediate or cancel', fok: 'fill or kill' } as const

/** `open_position`, `post_only`: limit orders only. Nothing says that it goes with one time in force alone. */
export const postOnlyRemark = (order: { readonly postOnly: boolean; readonly timeInForce: 'gtc' | 'ioc' | 'fok' }): string | null =>
  order.postOnly && order.timeInForce !== 'gtc'
    ? `A post-only order waits in the book, and ${impatient[order.timeInForce]} forbids waiting: the exchange may refuse it.`
    : null

/**
 * What is allowed and rarely meant, in sentences: shown beside the ticket, never in its way. `stopLossUsdc` is what the stop loss brings: below
 * zero, in USDC.
 */
export function ticketRemarks(ticket: OpenTicket, mark: string | null, marginUsdc: string | null, stopLossUsdc: string | null): readonly string[] {
  const remarks: string[] = []
  if (mark !== null && ticket.orderType === 'limit') {
    const crosses = ticket.side === 'long' ? compare(ticket.limitPrice, mark) >= 0 : compare(ticket.limitPrice, mark) <= 0
    if (crosses && ticket.postOnly) remarks.push('The price has passed this limit: a post-only order would be refused.')
    else if (crosses) remarks.push('The price has passed this limit: the order would fill at once.')
  }
  if (mark !== null && ticket.orderType === 'stop') {
    const passed = ticket.side === 'long' ? compare(ticket.triggerPrice, mark) <= 0 : compare(ticket.triggerPrice, mark) >= 0
    if (passed) remarks.push('The price has passed this trigger: the order would go at once.')
  }
  if (ticket.marginMode === 'isolated' && marginUsdc !== null && stopLossUsdc !== null && compare(stopLossUsdc, negate(marginUsdc)) <= 0)
    remarks.push('The stop loss costs more than the margin of the position: it would be liquidated before.')
  return remarks
}
