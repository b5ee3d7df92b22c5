import { normalise } from '../../decimal.ts'
import type { ActionTicket, OpenTicket, SeenOrder, SeenPosition } from '../../ipc/intents/tickets.ts'
import type { Named, Title } from '../../ipc/intents/titles.ts'
import { buildPayload } from '../check-ticket.ts'
import { priceText } from '../market-rules.ts'

export type Payload = Readonly<Record<string, unknown>>

/** The body of `POST /orders/prepare`. */
export interface PreparedBody {
  readonly action: string
  readonly payload: Payload
  readonly permit?: true
}

/** Whether a ticket opens a position. Such a ticket has an order type and no `action`. */
export const isOpening = (ticket: OpenTicket | ActionTicket): ticket is OpenTicket => 'orderType' in ticket

/**
 * Builds the request body for a ticket. `clientOrderId`: the client order id, which only some actions accept. The body is serialised only once, so
 * that a retry sends the same bytes (Idempotency rules 5).
 */
export function preparedBody(ticket: OpenTicket | ActionTicket, clientOrderId: string): PreparedBody {
  if (isOpening(ticket)) return { action: 'open_position', payload: { ...buildPayload(ticket, clientOrderId) } }
  const { action } = ticket
  const payload = actionPayload(ticket, clientOrderId)
  return action === 'add_collateral' && ticket.permit ? { action, payload, permit: true } : { action, payload }
}

export const positionOf = ({ positionId }: SeenPosition) => ({ position_id: positionId })
export const orderOf = ({ orderId }: SeenOrder) => ({ order_id: orderId })
export const atMarket = ({ referencePrice, maxSlippageBps }: { readonly referencePrice: string; readonly maxSlippageBps: number }) => ({
  reference_price: normalise(referencePrice),
  max_slippage_bps: maxSlippageBps,
})

/** Returns the payload field for a take-profit or stop-loss price. undefined leaves the price unchanged (no field); null removes it. */
const exit = <Name extends string>(name: Name, price: string | null | undefined): Payload =>
  price === undefined ? {} : { [name]: price === null ? null : normalise(price) }
const maybe = (name: string, value: string | null | undefined): Payload => (value == null ? {} : { [name]: normalise(value) })

interface Replacement {
  readonly orderValueUsdc?: string | undefined
  readonly limitPrice?: string | undefined
  readonly triggerPrice?: string | undefined
  readonly takeProfit?: string | null | undefined
  readonly stopLoss?: string | null | undefined
}

export const replacementPayload = ({ orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: Replacement): Payload => ({
  ...maybe('order_value_usdc', orderValueUsdc),
  ...maybe('limit_price', limitPrice),
  ...maybe('trigger_price', triggerPrice),
  ...exit('take_profit', takeProfit),
  ...exit('stop_loss', stopLoss),
})

/**
 * Builds the payload of any action except `open_position`. The API document does not show these payloads, so the field names are assumptions, listed
 * in `actionPayloads`.
 */
function actionPayload(ticket: ActionTicket, clientOrderId: string): Payload {
  switch (ticket.action) {
    case 'close_position_market':
      return {
        ...positionOf(ticket.position),
        ...maybe('size', ticket.size),
        ...atMarket(ticket),
        client_order_id: ticket.clientOrderId ?? clientOrderId,
      }
    case 'close_position_limit':
      return {
        ...positionOf(ticket.position),
        ...maybe('size', ticket.size),
        limit_price: normalise(ticket.limitPrice),
        time_in_force: ticket.timeInForce,
        post_only: ticket.postOnly,
        client_order_id: ticket.clientOrderId ?? clientOrderId,
      }
    case 'invert_position':
      return { ...positionOf(ticket.position), ...atMarket(ticket), client_order_id: ticket.clientOrderId ?? clientOrderId }
    case 'update_tpsl':
      return { ...positionOf(ticket.position), ...exit('take_profit', ticket.takeProfit), ...exit('stop_loss', ticket.stopLoss) }
    case 'add_isolated_margin':
    case 'reduce_isolated_margin':
      return { ...positionOf(ticket.position), amount_usdc: normalise(ticket.amountUsdc) }
    case 'change_isolated_leverage':
      return { ...positionOf(ticket.position), leverage: ticket.leverage }
    case 'cancel_order':
      return orderOf(ticket.order)
    case 'replace_order':
      return { ...orderOf(ticket.order), ...replacementPayload(ticket) }
    case 'add_collateral':
    case 'withdraw_collateral':
      return { token: ticket.token, amount: normalise(ticket.amount) }
  }
}

/** Returns the position or order of a ticket in the form that titles use. */
export const namedOf = ({ symbol, pairId, side }: SeenPosition | SeenOrder): Named => ({ symbol, pairId, side })

/** Returns the title of an action. `priceDecimals`: decimals of a price in its market; null: unknown. */
export function actionTitle(ticket: ActionTicket, priceDecimals: number | null): Title {
  const price = (value: string) => priceText(value, { priceDecimals })
  switch (ticket.action) {
    case 'close_position_market':
      return { code: 'close', of: namedOf(ticket.position), size: ticket.size, limitPrice: null }
    case 'close_position_limit':
      return { code: 'close', of: namedOf(ticket.position), size: ticket.size, limitPrice: price(ticket.limitPrice) }
    case 'invert_position':
      return { code: 'invert', of: namedOf(ticket.position) }
    case 'update_tpsl':
      return {
        ...{ code: 'tpsl', of: namedOf(ticket.position) },
        ...(ticket.takeProfit !== undefined && { takeProfit: ticket.takeProfit === null ? null : price(ticket.takeProfit) }),
        ...(ticket.stopLoss !== undefined && { stopLoss: ticket.stopLoss === null ? null : price(ticket.stopLoss) }),
      }
    case 'add_isolated_margin':
      return { code: 'add_margin', of: namedOf(ticket.position), amountUsdc: ticket.amountUsdc }
    case 'reduce_isolated_margin':
      return { code: 'take_margin', of: namedOf(ticket.position), amountUsdc: ticket.amountUsdc }
    case 'change_isolated_leverage':
      return { code: 'leverage', of: namedOf(ticket.position), leverage: ticket.leverage }
    case 'cancel_order':
      return { code: 'cancel', of: namedOf(ticket.order) }
    case 'replace_order':
      return { code: 'replace', of: namedOf(ticket.order) }
    case 'add_collateral':
      return { code: 'deposit', amount: ticket.amount, token: ticket.token }
    case 'withdraw_collateral':
      return { code: 'withdraw', amount: ticket.amount, token: ticket.token }
  }
}
