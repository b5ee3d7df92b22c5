import type { OrderTicket } from '../ipc/intents/tickets.ts'

/**
 * The same order anew: what goes at market at this price, others at their own. An order id of the user's own names the earlier order for good
 * (Idempotency rules 4).
 */
export function repriced<Ticket extends OrderTicket>(ticket: Ticket, referencePrice: string): Ticket {
  const priced = 'referencePrice' in ticket ? { ...ticket, referencePrice } : { ...ticket }
  if ('clientOrderId' in priced) delete priced.clientOrderId
  return priced
}
