import type { OpenTicket } from '../ipc/tickets.ts'

/** The same order anew: a market order at this price, others at their own. An order id of the user's own names the earlier order for good (Idempotency rules 4). */
export function repriced(ticket: OpenTicket, referencePrice: string): OpenTicket {
  const { clientOrderId: _, ...again } = ticket
  return again.orderType === 'market' ? { ...again, referencePrice } : again
}
