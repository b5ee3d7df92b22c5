import { add, basisPointsOf, changePercent, compare, negate, percentOf, signOf, subtract } from '../../decimal.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { baseOfValue, marginOf, readSize } from '../order-size.ts'
import { slippageBps, typedWhole } from '../typed-number.ts'
import { type ExitKind, profitAt, readExit } from '../typed-price.ts'
import { typedEntry } from './read-ticket.ts'
import type { TicketState } from './ticket-state.ts'

export interface ExitOutcome {
  readonly price: string
  /** Profit or loss in USDC if the exit is reached. */
  readonly pnl: string
  /** From the entry, in percent. */
  readonly percent: string | null
}

export interface TicketSummary {
  /** Notional in USDC, whatever it was typed in. */
  readonly orderValueUsdc: string
  /** Base units at the entry price, rounded down to the market's size. */
  readonly baseSize: string
  /** USDC; the service's own figure comes with the preparation. */
  readonly margin: string
  /** Of the free margin, in percent; null: it is not known, or there is none. */
  readonly marginShare: string | null
  /** The price at which the order would open: the mark, its limit or its trigger. */
  readonly entry: string
  /** The worst price that the order allows: by its slippage, or its limit; null: a stop goes at whatever the market gives. */
  readonly worstPrice: string | null
  /** Fees are told by the service with the preparation, not computed here. */
  readonly fee: null
  readonly takeProfit: ExitOutcome | null
  readonly stopLoss: ExitOutcome | null
}

/** What the order comes to. Null while its numbers cannot be read. */
export function summariseTicket(state: TicketState, market: Market, mark: string | null, freeMargin: string | null = null): TicketSummary | null {
  const read = typedEntry(state, mark)
  const leverage = typedWhole(state.leverage) ?? 0
  if (!read.ok || leverage < 1 || signOf(read.value) <= 0) return null
  const entry = read.value
  const size = readSize(state.orderValue, state.valueIn, { entry, leverage, freeMargin, market })
  if (!size.ok || signOf(size.value) <= 0) return null
  const facts = { side: state.side, entry, orderValueUsdc: size.value, market }
  const outcome = (kind: ExitKind, by: TicketState['takeProfitBy']): ExitOutcome | null => {
    const price = state.exits ? readExit(kind, state[kind], by, facts) : null
    if (price === null || !price.ok || signOf(price.value) <= 0) return null
    return { price: price.value, pnl: profitAt(price.value, facts), percent: changePercent(entry, price.value, 2) }
  }
  const margin = marginOf(size.value, leverage)
  return {
    orderValueUsdc: size.value,
    baseSize: baseOfValue(size.value, entry, market),
    margin,
    marginShare: freeMargin === null || signOf(freeMargin) <= 0 ? null : percentOf(margin, freeMargin, 1),
    entry,
    worstPrice: worstPrice(state, entry),
    fee: null,
    takeProfit: outcome('takeProfit', state.takeProfitBy),
    stopLoss: outcome('stopLoss', state.stopLossBy),
  }
}

function worstPrice({ orderType, side, slippagePercent }: TicketState, entry: string): string | null {
  if (orderType === 'stop') return null
  return orderType === 'limit' ? entry : priceWithin(side === 'long' ? 'buy' : 'sell', entry, slippageBps(slippagePercent) ?? 0)
}

/** The worst price that a slippage allows. */
export function priceWithin(way: 'buy' | 'sell', price: string, bps: number): string {
  const shift = basisPointsOf(price, bps)
  return way === 'buy' ? add(price, shift) : subtract(price, shift)
}

const impatient = { ioc: 'immediate or cancel', fok: 'fill or kill' } as const

/** `open_position`, `post_only`: limit orders only. Nothing says that it goes with one time in force alone. */
export const postOnlyRemark = (order: { readonly postOnly: boolean; readonly timeInForce: 'gtc' | 'ioc' | 'fok' }): string | null =>
  order.postOnly && order.timeInForce !== 'gtc'
    ? `A post-only order waits in the book, and ${impatient[order.timeInForce]} forbids waiting: the exchange may refuse it.`
    : null

/**
 * What is allowed and rarely meant, in sentences: shown beside the ticket, never in its way. `stopLossUsdc` is what the stop loss brings: below
 * zero, in USDC.
 */
export function ticketRemarks(ticket: OpenTicket, mark: string | null, marginUsdc: string | null, stopLossUsdc: string | null): readonly string[] {
  const remarks: string[] = []
  if (mark !== null && ticket.orderType === 'limit') {
    const crosses = ticket.side === 'long' ? compare(ticket.limitPrice, mark) >= 0 : compare(ticket.limitPrice, mark) <= 0
    if (crosses && ticket.postOnly) remarks.push('The price has passed this limit: a post-only order would be refused.')
    else if (crosses) remarks.push('The price has passed this limit: the order would fill at once.')
  }
  if (mark !== null && ticket.orderType === 'stop') {
    const passed = ticket.side === 'long' ? compare(ticket.triggerPrice, mark) <= 0 : compare(ticket.triggerPrice, mark) >= 0
    if (passed) remarks.push('The price has passed this trigger: the order would go at once.')
  }
  if (ticket.marginMode === 'isolated' && marginUsdc !== null && stopLossUsdc !== null && compare(stopLossUsdc, negate(marginUsdc)) <= 0)
    remarks.push('The stop loss costs more than the margin of the position: it would be liquidated before.')
  return remarks
}
