import { normalise } from '../../decimal.ts'
import type { ActionTicket, OpenTicket, SeenOrder, SeenPosition } from '../../ipc/intents/tickets.ts'
import { buildPayload } from '../open-payload.ts'

export type Payload = Readonly<Record<string, unknown>>

/** The body of `POST /orders/prepare`. */
export interface PreparedBody {
  readonly action: string
  readonly payload: Payload
  readonly permit?: true
}

/** `open_position` has an order type and no action of its own. */
export const isOpening = (ticket: OpenTicket | ActionTicket): ticket is OpenTicket => 'orderType' in ticket

/** `clientOrderId` is made once per intent, and used where an action takes one. Serialised once: a retry sends the same bytes (Idempotency rules 5). */
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

/** Absent stays absent, null stays null: they mean "as it is" and "take it away". */
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

/** Names as `actionPayloads` of the assumptions: the document shows no payload but that of `open_position`. */
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
