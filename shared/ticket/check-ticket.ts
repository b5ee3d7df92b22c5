import { limits } from '../api/limits.ts'
import { isDecimal, signOf } from '../decimal.ts'
import type { OpenTicket } from '../ipc/intents/tickets.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { type FieldIssue, Issues } from './field-issue.ts'
import { exitIssue, leverageIssue, orderValueIssue, priceIssue, slippageIssue } from './market-rules.ts'

export type TicketField =
  | 'leverage'
  | 'limitPrice'
  | 'triggerPrice'
  | 'orderValue'
  | 'slippage'
  | 'takeProfit'
  | 'stopLoss'
  | 'clientOrderId'
  | 'referencePrice'
export type TicketError = FieldIssue<TicketField>

/** The price at which an order opens, as far as it can be told before: its reference, its limit or its trigger. */
export function entryPrice(ticket: OpenTicket): string {
  switch (ticket.orderType) {
    case 'market':
      return ticket.referencePrice
    case 'limit':
      return ticket.limitPrice
    case 'stop':
      return ticket.triggerPrice
  }
}

export const entryNames: Readonly<Record<OpenTicket['orderType'], string>> = {
  market: 'the price, now',
  limit: 'its limit price,',
  stop: 'its trigger price,',
}

export const clientOrderIdIssue = (id: string): string | null =>
  id.length > limits.clientOrderIdLength ? `An order id has up to ${limits.clientOrderIdLength} characters.` : null

/** The rules of `open_position` (its table in Resources) with the market's own limits. A limit that the market does not tell is left to the service. */
export function checkTicket(ticket: OpenTicket, market: Market): readonly TicketError[] {
  const issues = new Issues<TicketField>()
  issues.take('leverage', leverageIssue(ticket.leverage, market))
  if (ticket.orderType === 'limit') issues.take('limitPrice', priceIssue('The limit price', ticket.limitPrice, market))
  if (ticket.orderType === 'stop') issues.take('triggerPrice', priceIssue('The trigger price', ticket.triggerPrice, market))
  issues.take('orderValue', orderValueIssue(ticket.orderValueUsdc, market))
  if (ticket.orderType === 'market') issues.take('slippage', slippageIssue(ticket.maxSlippageBps))
  if (ticket.clientOrderId !== undefined) issues.take('clientOrderId', clientOrderIdIssue(ticket.clientOrderId))
  if (ticket.orderType === 'market' && signOf(ticket.referencePrice) <= 0) issues.report('referencePrice', 'There is no price for this market yet.')

  const of = { side: ticket.side, entry: entryPrice(ticket), entryName: entryNames[ticket.orderType] }
  for (const field of ['takeProfit', 'stopLoss'] as const) {
    const price = ticket[field]
    if (price !== null && isDecimal(price)) issues.take(field, exitIssue(field, price, of, market))
  }
  return issues.list
}
