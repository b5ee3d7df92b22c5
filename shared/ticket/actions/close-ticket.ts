import { compare, divide, equals, isZero, multiply, normalise, signOf, subtract } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { ActionTicketOf, CloseTicket, SeenPosition, TimeInForce } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { priceWithin } from '../form/summarise-ticket.ts'
import { exitIssue, priceIssue, sizeIssue, slippageIssue } from '../market-rules.ts'
import { type FieldIssue, type FormReading, Issues, isBlank, numberIssue, slippageBps, typedDecimal } from '../typed-number.ts'
import { type ExitBy, type ExitKind, readExit } from '../typed-price.ts'

/** The form for closing a position or a part of it, as the user filled it in. */
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

type Part = { readonly size: string | null } | { readonly issue: FormIssue }

/**
 * Returns the size to close, in base units; null for the whole position. A percentage is converted and rounded down to the market's size decimals.
 */
function readPart({ part, partIn }: Pick<CloseState, 'part' | 'partIn'>, { size }: SeenPosition, market: Market): Part {
  const typed = typedDecimal(part)
  if (typed === null) return { issue: numberIssue(part, partIn === 'percent' ? ['typePercentToClose'] : ['typeAmount', market.base]) }
  if (partIn === 'percent') {
    if (signOf(typed) <= 0 || compare(typed, '100') > 0) return { issue: ['partRange'] }
    if (equals(typed, '100')) return { size: null }
    if (size === null) return { issue: ['positionSizeUnknown'] }
    const units = divide(multiply(size, typed), '100', market.sizeDecimals ?? 8, 'down')
    return isZero(units) ? { issue: ['partTooSmall', market.symbol] } : { size: units }
  }
  return size !== null && equals(typed, size) ? { size: null } : { size: typed }
}

/** Reads the close form. `mark` null: no mark price has arrived, so a market close is not possible. */
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
  const bps = slippageBps(slippagePercent) ?? issues.report('slippage', numberIssue(slippagePercent, ['slippageSteps']), isBlank(slippagePercent))
  if (mark === null) issues.report('referencePrice', ['noPriceYet'], true)
  if (bps === null || mark === null) return null
  return { action: 'close_position_market', position, size, referencePrice: normalise(mark), maxSlippageBps: bps }
}

function limitClose(
  { limitPrice, timeInForce, postOnly }: CloseState,
  position: SeenPosition,
  size: string | null,
  issues: Issues<CloseField>,
): CloseTicket | null {
  const price = typedDecimal(limitPrice) ?? issues.report('limitPrice', numberIssue(limitPrice, ['typePrice']), isBlank(limitPrice))
  return price === null ? null : { action: 'close_position_limit', position, size, limitPrice: price, timeInForce, postOnly }
}

/** Checks a closing order against the market's limits and the position's size. */
export function checkClose(ticket: CloseTicket, market: Market): readonly FieldIssue<CloseField>[] {
  const issues = new Issues<CloseField>()
  const { size: held } = ticket.position
  if (ticket.size !== null) {
    const issue = sizeIssue(ticket.size, market)
    if (issue !== null) issues.report('part', issue)
    else if (held !== null && compare(ticket.size, held) > 0) issues.report('part', ['positionHolds', held, market.base])
  }
  if (ticket.action === 'close_position_limit') {
    issues.take('limitPrice', priceIssue(ticket.limitPrice, market))
  } else {
    issues.take('slippage', slippageIssue(ticket.maxSlippageBps))
    if (signOf(ticket.referencePrice) <= 0) issues.report('referencePrice', ['noPriceYet'])
  }
  return issues.list
}

export interface CloseSummary {
  /** The size to close, in base units; null for a whole position of unknown size. */
  readonly size: string | null
  /** The position's size after the close, in base units; null if unknown. */
  readonly remaining: string | null
  /** USDC value of the closed part, at the order's price. */
  readonly valueUsdc: string | null
  /** Profit or loss of the closed part at the order's price, in USDC before costs; null if the entry price is unknown. */
  readonly pnlUsdc: string | null
  /** The worst price that the max slippage allows, or the limit price. */
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
    // Closing a long means selling.
    worstPrice: ticket.action === 'close_position_limit' ? price : priceWithin(side === 'long' ? 'sell' : 'buy', price, ticket.maxSlippageBps),
  }
}

export type InvertField = 'slippage' | 'referencePrice'
export type InvertTicket = ActionTicketOf<'invert_position'>

/** Reads the form for inverting a position: it closes the position and opens the same size on the other side. */
export function readInvert(slippagePercent: string, position: SeenPosition, mark: string | null): FormReading<InvertField, InvertTicket> {
  const issues = new Issues<InvertField>()
  const bps = slippageBps(slippagePercent) ?? issues.report('slippage', numberIssue(slippagePercent, ['slippageSteps']), isBlank(slippagePercent))
  if (bps !== null) issues.take('slippage', slippageIssue(bps))
  if (mark === null || signOf(mark) <= 0) issues.report('referencePrice', ['noPriceYet'], mark === null)
  if (bps === null || mark === null) return issues.reading<InvertTicket>(null)
  return issues.reading<InvertTicket>({ action: 'invert_position', position, referencePrice: normalise(mark), maxSlippageBps: bps })
}

/** The form for a position's TP and SL, as the user filled it in. An empty field removes the TP or SL. */
export interface TpSlState {
  readonly takeProfit: string
  readonly takeProfitBy: ExitBy
  readonly stopLoss: string
  readonly stopLossBy: ExitBy
}

export const tpSlOf = ({ takeProfit, stopLoss }: Pick<SeenPosition, 'takeProfit' | 'stopLoss'>): TpSlState => ({
  takeProfit: takeProfit ?? '',
  takeProfitBy: 'price',
  stopLoss: stopLoss ?? '',
  stopLossBy: 'price',
})

export type TpSlField = ExitKind | 'form'
type TpSlTicket = ActionTicketOf<'update_tpsl'>

const byOf = { takeProfit: 'takeProfitBy', stopLoss: 'stopLossBy' } as const

/**
 * Reads one field of the TP/SL form. null: the user removed the price. undefined: unchanged or invalid. The price is not compared with the entry
 * price, because a stop loss beyond the entry price is valid: it secures a profit.
 */
function changeOf(
  kind: ExitKind,
  state: TpSlState,
  { position, market, entryPrice }: { readonly position: SeenPosition; readonly market: Market; readonly entryPrice: string | null },
  issues: Issues<TpSlField>,
): string | null | undefined {
  const before = position[kind]
  if (isBlank(state[kind])) return before === null ? undefined : null
  const by = state[byOf[kind]]
  if (by !== 'price' && entryPrice === null) {
    issues.report(kind, ['entryUnknown'])
    return undefined
  }
  const value = entryPrice === null || position.size === null ? null : multiply(entryPrice, position.size)
  const read = readExit(kind, state[kind], by, { side: position.side, entry: entryPrice ?? '0', orderValueUsdc: value, market })
  if (!read.ok) {
    issues.report(kind, read.failure)
    return undefined
  }
  return before !== null && equals(read.value, before) ? undefined : read.value
}

/**
 * Reads the form for TP and SL. `entryPrice`: the position's entry price, from which distances are measured. `mark` null: no mark price has arrived,
 * so the app does not check TP and SL against the mark price.
 */
export function readTpSl(
  state: TpSlState,
  facts: { readonly position: SeenPosition; readonly market: Market; readonly entryPrice: string | null },
  mark: string | null,
): FormReading<TpSlField, TpSlTicket> {
  const issues = new Issues<TpSlField>()
  const takeProfit = changeOf('takeProfit', state, facts, issues)
  const stopLoss = changeOf('stopLoss', state, facts, issues)
  const ticket: TpSlTicket = {
    action: 'update_tpsl',
    position: facts.position,
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  }
  if (issues.list.length === 0) issues.list.push(...checkTpSl(ticket, facts.market, mark))
  return issues.reading(ticket)
}

export function checkTpSl(ticket: TpSlTicket, market: Market, mark: string | null): readonly FieldIssue<TpSlField>[] {
  const issues = new Issues<TpSlField>()
  if (ticket.takeProfit === undefined && ticket.stopLoss === undefined) issues.report('form', ['nothingChanges'], true)
  for (const kind of ['takeProfit', 'stopLoss'] as const) {
    const price = ticket[kind]
    if (price == null) continue
    const of = { side: ticket.position.side, entry: mark ?? '0', entryOf: 'Now' } as const
    issues.take(kind, mark === null ? priceIssue(price, market) : exitIssue(kind, price, of, market))
  }
  return issues.list
}
