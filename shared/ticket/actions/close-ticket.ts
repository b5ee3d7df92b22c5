import { compare, divide, equals, isZero, multiply, normalise, signOf, subtract } from '../../decimal.ts'
import type { ActionTicketOf, CloseTicket, SeenPosition, TimeInForce } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { type FieldIssue, type FormReading, Issues } from '../field-issue.ts'
import { priceWithin } from '../form/summarise-ticket.ts'
import { priceIssue, sizeIssue, slippageIssue } from '../market-rules.ts'
import { isBlank, numberIssue, slippageBps, typedDecimal } from '../typed-number.ts'

/** The form that closes a position, or a part of it. */
export interface CloseState {
  readonly orderType: 'market' | 'limit'
  readonly part: string
  readonly partIn: 'percent' | 'base'
  readonly slippagePercent: string
  readonly limitPrice: string
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
}

export const initialClose: CloseState = {
  orderType: 'market',
  part: '100',
  partIn: 'percent',
  slippagePercent: '0.5',
  limitPrice: '',
  timeInForce: 'gtc',
  postOnly: false,
}

export type CloseField = 'part' | 'limitPrice' | 'slippage' | 'referencePrice'

type Part = { readonly size: string | null } | { readonly issue: string }

/** Base units to close; null is the whole position. A percentage is rounded down to the market's sizes. */
function readPart({ part, partIn }: Pick<CloseState, 'part' | 'partIn'>, { size }: SeenPosition, market: Market): Part {
  const typed = typedDecimal(part)
  if (typed === null) return { issue: numberIssue(part, partIn === 'percent' ? 'Type how many percent to close.' : `Type an amount in ${market.base}.`) }
  if (partIn === 'percent') {
    if (signOf(typed) <= 0 || compare(typed, '100') > 0) return { issue: 'A part is above 0% and at most 100%.' }
    if (equals(typed, '100')) return { size: null }
    if (size === null) return { issue: 'The size of the position is not known: only all of it can be closed.' }
    const units = divide(multiply(size, typed), '100', market.sizeDecimals ?? 8, 'down')
    return isZero(units) ? { issue: `That is less than the smallest size of ${market.symbol}.` } : { size: units }
  }
  return size !== null && equals(typed, size) ? { size: null } : { size: typed }
}

/** `mark` null: no price has come yet, so nothing can be closed at market. */
export function readClose(state: CloseState, position: SeenPosition, market: Market, mark: string | null): FormReading<CloseField, CloseTicket> {
  const issues = new Issues<CloseField>()
  const part = readPart(state, position, market)
  if ('issue' in part) issues.report('part', part.issue, isBlank(state.part))
  const size = 'issue' in part ? null : part.size
  const ticket = state.orderType === 'market' ? marketClose(state, position, size, mark, issues) : limitClose(state, position, size, issues)
  if (ticket !== null) issues.list.push(...checkClose(ticket, market).filter(({ field }) => !issues.list.some((issue) => issue.field === field)))
  return issues.reading<CloseTicket>(ticket)
}

function marketClose(
  { slippagePercent }: CloseState,
  position: SeenPosition,
  size: string | null,
  mark: string | null,
  issues: Issues<CloseField>,
): CloseTicket | null {
  const bps =
    slippageBps(slippagePercent) ??
    issues.report('slippage', numberIssue(slippagePercent, 'Slippage is a percentage in steps of 0.01.'), isBlank(slippagePercent))
  if (mark === null) issues.report('referencePrice', 'There is no price for this market yet.', true)
  if (bps === null || mark === null) return null
  return { action: 'close_position_market', position, size, referencePrice: normalise(mark), maxSlippageBps: bps }
}

function limitClose(
  { limitPrice, timeInForce, postOnly }: CloseState,
  position: SeenPosition,
  size: string | null,
  issues: Issues<CloseField>,
): CloseTicket | null {
  const price = typedDecimal(limitPrice) ?? issues.report('limitPrice', numberIssue(limitPrice, 'Type a price.'), isBlank(limitPrice))
  return price === null ? null : { action: 'close_position_limit', position, size, limitPrice: price, timeInForce, postOnly }
}

/** The rules of a closing order, with the market's own limits and the position's size. */
export function checkClose(ticket: CloseTicket, market: Market): readonly FieldIssue<CloseField>[] {
  const issues = new Issues<CloseField>()
  const { size: held } = ticket.position
  if (ticket.size !== null) {
    const issue = sizeIssue(ticket.size, market)
    if (issue !== null) issues.report('part', issue)
    else if (held !== null && compare(ticket.size, held) > 0) issues.report('part', `The position holds ${held} ${market.base}.`)
  }
  if (ticket.action === 'close_position_limit') {
    issues.take('limitPrice', priceIssue('The limit price', ticket.limitPrice, market))
  } else {
    issues.take('slippage', slippageIssue(ticket.maxSlippageBps))
    if (signOf(ticket.referencePrice) <= 0) issues.report('referencePrice', 'There is no price for this market yet.')
  }
  return issues.list
}

export interface CloseSummary {
  /** Base units that are closed; null: all of a position whose size is not known. */
  readonly size: string | null
  /** Base units that stay open. */
  readonly remaining: string | null
  /** USDC at the price of the order. */
  readonly valueUsdc: string | null
  /** What the part brings at that price, in USDC before costs; null where the entry price is not known. */
  readonly pnlUsdc: string | null
  /** The worst price that the slippage allows, or the limit. */
  readonly worstPrice: string
}

export function summariseClose(ticket: CloseTicket, entryPrice: string | null): CloseSummary {
  const { side, size: held } = ticket.position
  const size = ticket.size ?? held
  const price = ticket.action === 'close_position_limit' ? ticket.limitPrice : ticket.referencePrice
  const rise = entryPrice === null ? null : side === 'long' ? subtract(price, entryPrice) : subtract(entryPrice, price)
  return {
    size,
    remaining: held === null ? (ticket.size === null ? '0' : null) : subtract(held, size ?? held),
    valueUsdc: size === null ? null : divide(multiply(size, price), '1', 2),
    pnlUsdc: size === null || rise === null ? null : divide(multiply(size, rise), '1', 2),
    // A long is closed by selling.
    worstPrice: ticket.action === 'close_position_limit' ? price : priceWithin(side === 'long' ? 'sell' : 'buy', price, ticket.maxSlippageBps),
  }
}

export type InvertField = 'slippage' | 'referencePrice'
export type InvertTicket = ActionTicketOf<'invert_position'>

/** Closes the position and opens the same size on the other side. */
export function readInvert(slippagePercent: string, position: SeenPosition, mark: string | null): FormReading<InvertField, InvertTicket> {
  const issues = new Issues<InvertField>()
  const bps =
    slippageBps(slippagePercent) ??
    issues.report('slippage', numberIssue(slippagePercent, 'Slippage is a percentage in steps of 0.01.'), isBlank(slippagePercent))
  if (bps !== null) issues.take('slippage', slippageIssue(bps))
  if (mark === null || signOf(mark) <= 0) issues.report('referencePrice', 'There is no price for this market yet.', mark === null)
  if (bps === null || mark === null) return issues.reading<InvertTicket>(null)
  return issues.reading<InvertTicket>({ action: 'invert_position', position, referencePrice: normalise(mark), maxSlippageBps: bps })
}
