import { isRecord } from '../api/loose.ts'
import type { OpenTicket } from '../ipc/intents/tickets.ts'

/** What the user asked for, complete: what the ticket leaves open stands here as the service's documented default. */
export interface AskedOrder {
  readonly pairId: number
  /** For example `BTC-PERP`; null: the market is only known by its id. */
  readonly symbol: string | null
  readonly side: 'long' | 'short'
  readonly orderType: 'market' | 'limit' | 'stop'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: number
  readonly orderValueUsdc: string
  /** Prices: null where none was asked for. */
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

/** Market orders are always `ioc` (`open_position` payload). */
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

/** The object that was sent as `payload`, out of the journalled body of `POST /orders/prepare`; null where it is none. */
export function sentPayload(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(body)
    return isRecord(parsed) && isRecord(parsed.payload) ? parsed.payload : null
  } catch {
    return null
  }
}
