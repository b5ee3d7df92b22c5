import { add, basisPointsOf, changePercent, compare, negate, percentOf, signOf, subtract } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { baseOfValue, marginOf, readSize } from '../order-size.ts'
import { slippageBps, typedWhole } from '../typed-number.ts'
import { type ExitKind, profitAt, readExit } from '../typed-price.ts'
import { typedEntry } from './read-ticket.ts'
import type { TicketState } from './ticket-state.ts'

export interface ExitOutcome {
  readonly price: string
  /** Profit or loss in USDC at the price of the TP or SL. */
  readonly pnl: string
  /** Distance of the TP or SL from the entry price, in percent. */
  readonly percent: string | null
}

export interface TicketSummary {
  /** Notional in USDC, in whichever unit the user typed the size. */
  readonly orderValueUsdc: string
  /** Size in base units at the entry price, rounded down to the market's size decimals. */
  readonly baseSize: string
  /** The order's margin in USDC, calculated by the app. The service states its own figure later, when it prepares the order. */
  readonly margin: string
  /** The margin in percent of the free margin; null if the free margin is unknown or zero. */
  readonly marginShare: string | null
  /** The price at which the order would open: mark, limit or trigger. */
  readonly entry: string
  /** The worst price at which the order may execute: by its max slippage, or its limit price. null for a stop order, which has no limit. */
  readonly worstPrice: string | null
  /** Always null: the app does not calculate fees. The service states them when it prepares the order. */
  readonly fee: null
  readonly takeProfit: ExitOutcome | null
  readonly stopLoss: ExitOutcome | null
}

/** Summarises the order in the form; null: a required number is missing or unreadable. */
export function summariseTicket(state: TicketState, market: Market, mark: string | null, freeMargin: string | null = null): TicketSummary | null {
  const read = typedEntry(state, mark)
  const leverage = typedWhole(state.leverage) ?? 0
  if (!read.ok || leverage < 1 || signOf(read.value) <= 0) return null
  const entry = read.value
  const size = readSize(state.orderValue, state.valueIn, { entry, leverage, freeMargin, market })
  if (!size.ok || signOf(size.value) <= 0) return null
  const facts = { side: state.side, entry, orderValueUsdc: size.value, market }
  const outcome = (kind: ExitKind, by: TicketState['takeProfitBy']): ExitOutcome | null => {
    const price = state.hasTpSl ? readExit(kind, state[kind], by, facts) : null
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

/** Returns the worst price that an order's max slippage allows. */
export function priceWithin(way: 'buy' | 'sell', price: string, bps: number): string {
  const shift = basisPointsOf(price, bps)
  return way === 'buy' ? add(price, shift) : subtract(price, shift)
}

/**
 * Returns a remark if post-only does not fit the time in force; null if it fits. The remark does not block the order, because the API document
 * allows any combination. Only limit orders can be post-only.
 */
export const postOnlyRemark = (order: { readonly postOnly: boolean; readonly timeInForce: 'gtc' | 'ioc' | 'fok' }): FormIssue | null =>
  order.postOnly && order.timeInForce !== 'gtc' ? [order.timeInForce === 'ioc' ? 'postOnlyIoc' : 'postOnlyFok'] : null

/**
 * Returns remarks on settings that are allowed but rarely intended. Remarks never block the ticket. `stopLossUsdc`: the result of the stop loss in
 * USDC, negative for a loss.
 */
export function ticketRemarks(ticket: OpenTicket, mark: string | null, marginUsdc: string | null, stopLossUsdc: string | null): readonly FormIssue[] {
  const remarks: FormIssue[] = []
  if (mark !== null && ticket.orderType === 'limit') {
    const crosses = ticket.side === 'long' ? compare(ticket.limitPrice, mark) >= 0 : compare(ticket.limitPrice, mark) <= 0
    if (crosses) remarks.push([ticket.postOnly ? 'limitPassedPostOnly' : 'limitPassed'])
  }
  if (mark !== null && ticket.orderType === 'stop') {
    const passed = ticket.side === 'long' ? compare(ticket.triggerPrice, mark) <= 0 : compare(ticket.triggerPrice, mark) >= 0
    if (passed) remarks.push(['triggerPassed'])
  }
  if (ticket.marginMode === 'isolated' && marginUsdc !== null && stopLossUsdc !== null && compare(stopLossUsdc, negate(marginUsdc)) <= 0)
    remarks.push(['lossAboveMargin'])
  return remarks
}
