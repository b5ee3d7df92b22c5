import { formatDecimal, normalise } from '../../decimal.ts'
import type { ActionTicket, OpenTicket, SeenOrder, SeenPosition } from '../../ipc/intents/tickets.ts'
import { buildPayload } from '../check-ticket.ts'
import { priceText, usdc } from '../market-rules.ts'

export type Payload = Readonly<Record<string, unknown>>

/** The body of `POST /orders/prepare`. */
export interface PreparedBody {
  readonly action: string
  readonly payload: Payload
  readonly permit?: true
}

/** Whether a ticket opens a position: it has an order type and no action of its own. */
export const isOpening = (ticket: OpenTicket | ActionTicket): ticket is OpenTicket => 'orderType' in ticket

/** `clientOrderId` is created once per intent, for actions that take one. Serialised once: a retry sends the same bytes (Idempotency rules 5). */
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

/** An absent value keeps the exit and stays absent; null removes the exit and stays null. */
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

/** Builds a payload with the names of `actionPayloads` in the assumptions: the document shows only the payload of `open_position`. */
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

export const positionWords = ({ symbol, pairId, side }: SeenPosition): string => `the ${side} on ${symbol ?? `market ${pairId}`}`
export const orderName = ({ symbol, pairId, side }: SeenOrder): string => {
  const where = symbol ?? (pairId === null ? null : `market ${pairId}`)
  return `the ${side === null ? '' : `${side} `}order${where === null ? '' : ` on ${where}`}`
}

const part = (size: string | null, of: SeenPosition): string => (size === null ? positionWords(of) : `${formatDecimal(size)} of ${positionWords(of)}`)

/** A title for lists, for example "Close the long on BTC-PERP at market". */
export function actionTitle(ticket: ActionTicket, priceDecimals: number | null): string {
  const price = (value: string) => priceText(value, { priceDecimals })
  switch (ticket.action) {
    case 'close_position_market':
      return `Close ${part(ticket.size, ticket.position)} at market`
    case 'close_position_limit':
      return `Close ${part(ticket.size, ticket.position)} at limit ${price(ticket.limitPrice)}`
    case 'invert_position':
      return `Invert ${positionWords(ticket.position)} at market`
    case 'update_tpsl':
      return `${exitsTitle(ticket.takeProfit, ticket.stopLoss, price)} of ${positionWords(ticket.position)}`
    case 'add_isolated_margin':
      return `Add ${usdc(ticket.amountUsdc)} of margin to ${positionWords(ticket.position)}`
    case 'reduce_isolated_margin':
      return `Take ${usdc(ticket.amountUsdc)} of margin from ${positionWords(ticket.position)}`
    case 'change_isolated_leverage':
      return `Set ${positionWords(ticket.position)} to ${ticket.leverage}×`
    case 'cancel_order':
      return `Cancel ${orderName(ticket.order)}`
    case 'replace_order':
      return `Change ${orderName(ticket.order)}`
    case 'add_collateral':
      return `Deposit ${formatDecimal(ticket.amount, { minDecimals: 2 })} ${ticket.token}`
    case 'withdraw_collateral':
      return `Withdraw ${formatDecimal(ticket.amount, { minDecimals: 2 })} ${ticket.token}`
  }
}

function exitsTitle(takeProfit: string | null | undefined, stopLoss: string | null | undefined, price: (value: string) => string): string {
  const said = [
    { name: 'take profit', value: takeProfit },
    { name: 'stop loss', value: stopLoss },
  ].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  const words = said.map(({ name, value }) => (value === null ? `clear the ${name}` : `set the ${name} to ${price(value)}`)).join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
