import { isRecord } from '../api/loose.ts'
import type { OpenTicket } from '../ipc/intents/tickets.ts'

/** The user's complete order. Values that the ticket leaves open have the defaults from the API document. */
export interface AskedOrder {
  readonly pairId: number
  /** The market's symbol, for example `BTC-PERP`; null: only the market's id is known. */
  readonly symbol: string | null
  readonly side: 'long' | 'short'
  readonly orderType: 'market' | 'limit' | 'stop'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  readonly orderValueUsdc: string
  /** The mark price that the user saw; null if the ticket does not contain it. Each price field below is null if the ticket lacks that price. */
  readonly referencePrice: string | null
  readonly limitPrice: string | null
  readonly triggerPrice: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly maxSlippageBps: number | null
  readonly timeInForce: 'gtc' | 'ioc' | 'fok'
  readonly restIfUnfilled: boolean
  readonly postOnly: boolean
  readonly clientOrderId: string
}

/** Completes a ticket to a full order. A market order is always `ioc` (`open_position` payload). */
export function askedOrder(ticket: OpenTicket, symbol: string | null, clientOrderId: string): AskedOrder {
  const { pairId, side, orderType, marginMode, leverage, orderValueUsdc, takeProfit, stopLoss } = ticket
  return {
    pairId,
    symbol,
    side,
    orderType,
    marginMode,
    leverage,
    orderValueUsdc,
    referencePrice: ticket.orderType === 'market' ? ticket.referencePrice : null,
    limitPrice: ticket.orderType === 'limit' ? ticket.limitPrice : null,
    triggerPrice: ticket.orderType === 'stop' ? ticket.triggerPrice : null,
    takeProfit,
    stopLoss,
    maxSlippageBps: ticket.orderType === 'market' ? ticket.maxSlippageBps : null,
    timeInForce: ticket.orderType === 'market' ? 'ioc' : ticket.timeInForce,
    restIfUnfilled: ticket.orderType === 'market' && ticket.restIfUnfilled,
    postOnly: ticket.orderType === 'limit' && ticket.postOnly,
    clientOrderId,
  }
}

/** Returns the `payload` object from the request body of `POST /orders/prepare` as stored in the journal; null if there is none. */
export function sentPayload(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(body)
    return isRecord(parsed) && isRecord(parsed.payload) ? parsed.payload : null
  } catch {
    return null
  }
}
