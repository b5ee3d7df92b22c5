import { isRecord } from '../api/loose.ts'
import type { OpenTicket } from '../ipc/intents/tickets.ts'

/** The user's complete order. Where the ticket states no value, the order contains the default that the API document names. */
export interface AskedOrder {
  readonly pairId: number
  /** For example `BTC-PERP`; null: only the market's id is known. */
  readonly symbol: string | null
  readonly side: 'long' | 'short'
  readonly orderType: 'market' | 'limit' | 'stop'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  readonly orderValueUsdc: string
  /** This price, and each price below, is null if the ticket states none. */
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

/** Completes a ticket to the order that the user requests. A market order is always `ioc` (`open_position` payload). */
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

/** Extracts the `payload` object from the journalled body of `POST /orders/prepare`; null if there is none. */
export function sentPayload(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(body)
    return isRecord(parsed) && isRecord(parsed.payload) ? parsed.payload : null
  } catch {
    return null
  }
}
