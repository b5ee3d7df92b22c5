import { limits } from '../api/limits.ts'
import {
  add,
  basisPointsOf,
  changePercent,
  compare,
  divide,
  formatDecimal,
  isMultipleOf,
  multiply,
  negate,
  normalise,
  parseDecimal,
  roundToStep,
  signOf,
  subtract,
} from '../decimal.ts'
import type { Market } from '../ipc/markets.ts'
import type { MarketTicket } from '../ipc/orders.ts'

/** What stands in the form: text as typed, so that nothing is lost or changed while typing. */
export interface TicketState {
  readonly side: 'long' | 'short'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: string
  /** Notional in USDC. */
  readonly orderValue: string
  /** For example "0.5" for 50 bps. */
  readonly slippagePercent: string
  readonly restIfUnfilled: boolean
  /** Whether take profit and stop loss are shown; both may stay empty. */
  readonly exits: boolean
  readonly takeProfit: string
  readonly stopLoss: string
}

export type TicketField = 'leverage' | 'orderValue' | 'slippage' | 'takeProfit' | 'stopLoss' | 'referencePrice'

export interface TicketError {
  readonly field: TicketField
  /** A sentence for the field, with the market's own limits. */
  readonly text: string
  /** Nothing was typed yet: not to be shown as an error before Review is pressed. */
  readonly untouched: boolean
}

export const initialTicket: TicketState = {
  side: 'long',
  marginMode: 'cross',
  leverage: '10',
  orderValue: '',
  slippagePercent: '0.5',
  restIfUnfilled: false,
  exits: false,
  takeProfit: '',
  stopLoss: '',
}

/** A change by the user. Another market keeps side, mode and slippage, and empties what depends on its prices. */
export type TicketChange =
  | { readonly type: 'edit'; readonly change: Partial<TicketState> }
  | { readonly type: 'market'; readonly market: Market }
  | { readonly type: 'clear' }

export function changeTicket(state: TicketState, action: TicketChange): TicketState {
  switch (action.type) {
    case 'edit':
      return { ...state, ...action.change }
    case 'market':
      return { ...state, takeProfit: '', stopLoss: '', leverage: withinLeverage(state.leverage, action.market) }
    case 'clear':
      return { ...state, orderValue: '', takeProfit: '', stopLoss: '' }
  }
}

const withinLeverage = (leverage: string, market: Market): string =>
  market.maxLeverage !== null && /^\d+$/.test(leverage) && Number(leverage) > market.maxLeverage ? String(market.maxLeverage) : leverage

const usdc = (value: string): string => `${formatDecimal(value, { minDecimals: 2 })} USDC`
const priceText = (value: string, market: Market): string => formatDecimal(value, { minDecimals: market.priceDecimals ?? 0 })

/** Thousands separators are common in pasted amounts; only well-placed ones are taken. */
const typedDecimal = (typed: string): string | null => {
  const trimmed = typed.trim()
  return parseDecimal(/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
}

/** "0.5" percent are 50 bps; null where it is not a whole number of them. */
export function slippageBps(percent: string): number | null {
  const value = typedDecimal(percent)
  if (value === null) return null
  const bps = multiply(value, '100')
  return /^\d{1,6}$/.test(bps) ? Number(bps) : null
}

export interface TicketCheck {
  readonly errors: readonly TicketError[]
  /** Set only when there are no errors. */
  readonly ticket: MarketTicket | null
}

/** Reads the form against the market's limits and its newest mark. `mark` null: no price has come yet, so nothing can be reviewed. */
export function readTicket(state: TicketState, market: Market, mark: string | null): TicketCheck {
  const errors: TicketError[] = []
  const report = (field: TicketField, text: string, untouched = false): null => {
    errors.push({ field, text, untouched })
    return null
  }
  const leverage = /^\d{1,4}$/.test(state.leverage.trim())
    ? Number(state.leverage)
    : report('leverage', 'Leverage is a whole number.', state.leverage.trim() === '')
  const value = typedDecimal(state.orderValue) ?? report('orderValue', 'Type an amount in USDC.', state.orderValue.trim() === '')
  const bps = slippageBps(state.slippagePercent) ?? report('slippage', 'Slippage is a percentage in steps of 0.01.', state.slippagePercent.trim() === '')
  const exit = (field: 'takeProfit' | 'stopLoss'): string | null => {
    if (!state.exits || state[field].trim() === '') return null
    return typedDecimal(state[field]) ?? report(field, 'Type a price.')
  }
  const takeProfit = exit('takeProfit')
  const stopLoss = exit('stopLoss')
  if (mark === null) report('referencePrice', 'There is no price for this market yet.', true)
  if (leverage === null || value === null || bps === null || mark === null) return { errors, ticket: null }
  const ticket: MarketTicket = {
    pairId: market.id,
    side: state.side,
    orderType: 'market',
    marginMode: state.marginMode,
    leverage,
    orderValueUsdc: value,
    referencePrice: normalise(mark),
    maxSlippageBps: bps,
    restIfUnfilled: state.restIfUnfilled,
    takeProfit,
    stopLoss,
  }
  errors.push(...checkTicket(ticket, market))
  return { errors, ticket: errors.length === 0 ? ticket : null }
}

/** The rules of `open_position` for a market order, with the market's own limits. A limit that the market does not tell is left to the service. */
export function checkTicket(ticket: MarketTicket, market: Market): readonly TicketError[] {
  const errors: TicketError[] = []
  const report = (field: TicketField, text: string): void => void errors.push({ field, text, untouched: false })

  if (ticket.leverage < 1) report('leverage', 'Leverage starts at 1.')
  else if (market.maxLeverage !== null && ticket.leverage > market.maxLeverage) report('leverage', `${market.symbol} allows up to ${market.maxLeverage}×.`)

  const value = ticket.orderValueUsdc
  const fraction = normalise(value).split('.')[1]?.length ?? 0
  if (signOf(value) <= 0) report('orderValue', 'The order value must be above zero.')
  else if (fraction > limits.orderValueDecimals) report('orderValue', `USDC has ${limits.orderValueDecimals} decimals.`)
  else if (market.minOrderUsdc !== null && compare(value, market.minOrderUsdc) < 0)
    report('orderValue', `${market.symbol} takes orders from ${usdc(market.minOrderUsdc)}.`)
  else if (market.maxOrderUsdc !== null && compare(value, market.maxOrderUsdc) > 0)
    report('orderValue', `${market.symbol} takes orders up to ${usdc(market.maxOrderUsdc)}.`)

  const { min, max } = limits.slippageBps
  if (!Number.isInteger(ticket.maxSlippageBps) || ticket.maxSlippageBps < min || ticket.maxSlippageBps > max) report('slippage', 'Slippage is 0.01% to 10%.')
  if (signOf(ticket.referencePrice) <= 0) report('referencePrice', 'There is no price for this market yet.')

  for (const field of ['takeProfit', 'stopLoss'] as const) {
    const price = ticket[field]
    const issue = price === null ? null : exitIssue(field, price, ticket, market)
    if (issue !== null) report(field, issue)
  }
  return errors
}

function exitIssue(field: 'takeProfit' | 'stopLoss', price: string, ticket: MarketTicket, market: Market): string | null {
  const name = field === 'takeProfit' ? 'Take profit' : 'Stop loss'
  if (signOf(price) <= 0) return `${name} must be above zero.`
  if (market.tickSize !== null && !isMultipleOf(price, market.tickSize)) {
    return `${market.symbol} prices move in steps of ${formatDecimal(market.tickSize)}; ${priceText(roundToStep(price, market.tickSize), market)} is the nearest.`
  }
  const above = (field === 'takeProfit') === (ticket.side === 'long')
  const order = compare(price, ticket.referencePrice)
  if (above ? order > 0 : order < 0) return null
  return `${name} of a ${ticket.side} lies ${above ? 'above' : 'below'} the price, now ${priceText(ticket.referencePrice, market)}.`
}

export interface TicketSummary {
  /** Base units at the mark, rounded down to the market's size. */
  readonly baseSize: string
  /** USDC; the service's own figure comes with the preparation. */
  readonly margin: string
  /** The worst price that the slippage allows. */
  readonly worstPrice: string
  /** Fees are told by the service with the preparation, not computed here. */
  readonly fee: null
  /** Profit or loss in USDC, and the distance from the mark in percent, if the exit is reached. */
  readonly takeProfit: { readonly pnl: string; readonly percent: string | null } | null
  readonly stopLoss: { readonly pnl: string; readonly percent: string | null } | null
}

/** What the order comes to. Null while its numbers cannot be read. */
export function summariseTicket(state: TicketState, market: Market, mark: string | null): TicketSummary | null {
  const value = typedDecimal(state.orderValue)
  const leverage = /^\d{1,4}$/.test(state.leverage.trim()) ? Number(state.leverage) : 0
  if (value === null || mark === null || leverage < 1 || signOf(value) <= 0 || signOf(mark) <= 0) return null
  const bps = slippageBps(state.slippagePercent) ?? 0
  const shift = basisPointsOf(mark, bps)
  const outcome = (typed: string): TicketSummary['takeProfit'] => {
    const price = state.exits ? typedDecimal(typed) : null
    if (price === null || signOf(price) <= 0) return null
    const gain = divide(multiply(value, subtract(price, mark)), mark, 2)
    return { pnl: state.side === 'long' ? gain : negate(gain), percent: changePercent(mark, price, 2) }
  }
  return {
    baseSize: divide(value, mark, market.sizeDecimals ?? 8, 'down'),
    margin: divide(value, String(leverage), limits.orderValueDecimals, 'up'),
    worstPrice: state.side === 'long' ? add(mark, shift) : subtract(mark, shift),
    fee: null,
    takeProfit: outcome(state.takeProfit),
    stopLoss: outcome(state.stopLoss),
  }
}

/** The `payload` of `POST /orders/prepare` for a market order. Wire names, decimals as text. */
export interface MarketOrderPayload {
  readonly pair_id: number
  readonly side: 'long' | 'short'
  readonly order_type: 'market'
  readonly margin_mode: 'cross' | 'isolated'
  readonly leverage: number
  readonly order_value_usdc: string
  readonly reference_price: string
  readonly max_slippage_bps: number
  readonly rest_if_unfilled: boolean
  readonly take_profit?: string
  readonly stop_loss?: string
  readonly client_order_id: string
}

/** `clientOrderId` is made once per intent: at most 96 characters, and usable as an idempotency key. */
export function buildPayload(ticket: MarketTicket, clientOrderId: string): MarketOrderPayload {
  return {
    pair_id: ticket.pairId,
    side: ticket.side,
    order_type: ticket.orderType,
    margin_mode: ticket.marginMode,
    leverage: ticket.leverage,
    order_value_usdc: normalise(ticket.orderValueUsdc),
    reference_price: normalise(ticket.referencePrice),
    max_slippage_bps: ticket.maxSlippageBps,
    rest_if_unfilled: ticket.restIfUnfilled,
    ...(ticket.takeProfit === null ? {} : { take_profit: normalise(ticket.takeProfit) }),
    ...(ticket.stopLoss === null ? {} : { stop_loss: normalise(ticket.stopLoss) }),
    client_order_id: clientOrderId,
  }
}

/** For lists, for example "Long 250.00 USDC at market". */
export const ticketTitle = (ticket: Pick<MarketTicket, 'side' | 'orderValueUsdc'>): string =>
  `${ticket.side === 'long' ? 'Long' : 'Short'} ${usdc(ticket.orderValueUsdc)} at market`
