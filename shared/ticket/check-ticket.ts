import { limits } from '../api/limits.ts'
import { isDecimal, normalise, signOf } from '../decimal.ts'
import type { FormIssue } from '../ipc/form-issue.ts'
import type { OpenTicket } from '../ipc/intents/tickets.ts'
import type { Title } from '../ipc/intents/titles.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { exitIssue, leverageIssue, orderValueIssue, priceIssue, priceText, slippageIssue } from './market-rules.ts'
import { type FieldIssue, Issues } from './typed-number.ts'

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

/** Returns the price at which an order would open: its reference price, limit price or trigger price. */
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

const entryOf = { market: 'Now', limit: 'Limit', stop: 'Trigger' } as const

export const clientOrderIdIssue = (id: string): FormIssue | null =>
  id.length > limits.clientOrderIdLength ? ['orderIdTooLong', limits.clientOrderIdLength] : null

/**
 * Checks a ticket by the rules of `open_position` (table in Resources) and the market's limits. If the market does not state a limit, only the
 * service checks that limit.
 */
export function checkTicket(ticket: OpenTicket, market: Market): readonly TicketError[] {
  const issues = new Issues<TicketField>()
  issues.take('leverage', leverageIssue(ticket.leverage, market))
  if (ticket.orderType === 'limit') issues.take('limitPrice', priceIssue(ticket.limitPrice, market))
  if (ticket.orderType === 'stop') issues.take('triggerPrice', priceIssue(ticket.triggerPrice, market))
  issues.take('orderValue', orderValueIssue(ticket.orderValueUsdc, market))
  if (ticket.orderType === 'market') issues.take('slippage', slippageIssue(ticket.maxSlippageBps))
  if (ticket.clientOrderId !== undefined) issues.take('clientOrderId', clientOrderIdIssue(ticket.clientOrderId))
  if (ticket.orderType === 'market' && signOf(ticket.referencePrice) <= 0) issues.report('referencePrice', ['noPriceYet'])

  const of = { side: ticket.side, entry: entryPrice(ticket), entryOf: entryOf[ticket.orderType] }
  for (const field of ['takeProfit', 'stopLoss'] as const) {
    const price = ticket[field]
    if (price !== null && isDecimal(price)) issues.take(field, exitIssue(field, price, of, market))
  }
  return issues.list
}

/**
 * The `payload` of an `open_position` request (Resources), with the API's field names and decimals as text. Each order type has only its own fields.
 */
export interface OpenPayload {
  readonly pair_id: number
  readonly side: 'long' | 'short'
  readonly order_type: 'market' | 'limit' | 'stop'
  readonly margin_mode: 'cross' | 'isolated'
  readonly leverage: number
  readonly order_value_usdc: string
  readonly reference_price?: string
  readonly max_slippage_bps?: number
  readonly limit_price?: string
  readonly trigger_price?: string
  readonly time_in_force?: 'gtc' | 'ioc' | 'fok'
  readonly rest_if_unfilled?: boolean
  readonly post_only?: boolean
  readonly take_profit?: string
  readonly stop_loss?: string
  readonly client_order_id: string
}

/** Returns an order's payload without a client order id, for a preview that places no order. */
export function payloadWithoutId(ticket: OpenTicket): Omit<OpenPayload, 'client_order_id'> {
  return {
    pair_id: ticket.pairId,
    side: ticket.side,
    order_type: ticket.orderType,
    margin_mode: ticket.marginMode,
    leverage: ticket.leverage,
    order_value_usdc: normalise(ticket.orderValueUsdc),
    ...terms(ticket),
    ...(ticket.takeProfit === null ? {} : { take_profit: normalise(ticket.takeProfit) }),
    ...(ticket.stopLoss === null ? {} : { stop_loss: normalise(ticket.stopLoss) }),
  }
}

/**
 * Builds an order's payload. `clientOrderId`: the generated id, at most 96 characters, which must also be valid as an idempotency key. An id in the
 * ticket takes precedence.
 */
export const buildPayload = (ticket: OpenTicket, clientOrderId: string): OpenPayload => ({
  ...payloadWithoutId(ticket),
  client_order_id: ticket.clientOrderId ?? clientOrderId,
})

function terms(ticket: OpenTicket): Partial<OpenPayload> {
  switch (ticket.orderType) {
    case 'market':
      // Leaves out `time_in_force`, because market orders are always `ioc`.
      return { reference_price: normalise(ticket.referencePrice), max_slippage_bps: ticket.maxSlippageBps, rest_if_unfilled: ticket.restIfUnfilled }
    case 'limit':
      return { limit_price: normalise(ticket.limitPrice), time_in_force: ticket.timeInForce, post_only: ticket.postOnly }
    case 'stop':
      return { trigger_price: normalise(ticket.triggerPrice), time_in_force: ticket.timeInForce }
  }
}

const priceOf = (ticket: OpenTicket): string | null => {
  switch (ticket.orderType) {
    case 'market':
      return null
    case 'limit':
      return ticket.limitPrice
    case 'stop':
      return ticket.triggerPrice
  }
}

export function ticketTitle(ticket: OpenTicket, priceDecimals: number | null): Extract<Title, { readonly code: 'open' }> {
  const { side, orderType, orderValueUsdc } = ticket
  const price = priceOf(ticket)
  return { code: 'open', side, orderType, orderValueUsdc, price: price === null ? null : priceText(price, { priceDecimals }), symbol: null }
}
