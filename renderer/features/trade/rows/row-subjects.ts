import { add, divide, isZero, multiply, percentOf, signOf, subtract } from '../../../../shared/decimal.ts'
import { isAsked } from '../../../../shared/ipc/intents/intent-states.ts'
import type { Underway } from '../../../../shared/ipc/intents/orders.ts'
import type { SeenPosition } from '../../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary, OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { sameId } from '../../../../shared/same-id.ts'
import type { CloseState, TpSlState } from '../../../../shared/ticket/actions/close-ticket.ts'
import { isolatedIssue, type MarginFacts } from '../../../../shared/ticket/actions/margin-ticket.ts'
import { seenPosition } from '../../../../shared/ticket/form/ticket-state.ts'
import { typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { tradeText } from '../../../text/en/trade.en.tsx'
import type { OrderFlow } from '../use-order-flow.ts'

/** Why a position cannot be closed; `null` if it can. */
export const positionIssue = (position: Position): string | null => (seenPosition(position) === null ? tradeText.serviceGivesNoId : null)

/** Why a position cannot be changed; `null` if it can. */
export const changePositionIssue = (position: Position, market: Market | undefined): string | null =>
  positionIssue(position) ?? (market === undefined ? tradeText.serviceListsNoMarket : null)

/** The market of a position to close. If the market is not listed, a placeholder without limits, so that closing stays possible. */
export const closingMarket = ({ pairId, symbol }: Position, listed: Market | undefined): Market =>
  listed ?? {
    ...{ id: pairId, symbol: symbol ?? tradeText.marketNumber(pairId), base: tradeText.baseUnits, priceDecimals: null, sizeDecimals: null, tickSize: null },
    ...{ minOrderUsdc: null, maxOrderUsdc: null, maxLeverage: null, status: null, unknownFields: null },
  }

/** Why the position's own margin and leverage cannot be changed; `null` if they can. */
export const marginIssue = ({ marginMode }: Position): string | null => (isolatedIssue(marginMode) === null ? null : tradeText.isolatedOnly)

/** Why an order cannot be changed; `null` if it can. (Any order with an id can be cancelled.) */
export function changeIssue(order: OpenOrder, market: Market | undefined): string | null {
  if (market === undefined) return tradeText.serviceNamesNoMarket
  return order.limitPrice === null && order.triggerPrice === null ? tradeText.serviceGivesNoPrice : null
}

export const marginFacts = ({ marginMode, marginUsdc, notionalUsdc, leverage }: Position, freeMargin: string | null): MarginFacts => ({
  marginMode,
  marginUsdc,
  notionalUsdc,
  leverage,
  freeMargin,
})

const doing: Readonly<Record<string, string>> = {
  close_position_market: tradeText.closing,
  close_position_limit: tradeText.closing,
  close: tradeText.closing,
  reduce: tradeText.closing,
  invert_position: tradeText.inverting,
  invert: tradeText.inverting,
  cancel_order: tradeText.cancelling,
  cancel: tradeText.cancelling,
}

export interface RowUnderway {
  readonly ref: string
  readonly text: string
  readonly unknown: boolean
  /**
   * True if the app sent the action, so that the user cannot request it again. `false` while the action waits on the phone, or if its outcome is
   * unknown.
   */
  readonly left: boolean
}

/** The newest action running on the row; `null` if none. */
export function underwayAt(underway: readonly Underway[], row: { readonly positionId: string | null } | { readonly orderId: string }): RowUnderway | null {
  const found = underway.find((one) => ('orderId' in row ? sameId(one.orderId, row.orderId) : sameId(one.positionId, row.positionId)))
  if (found === undefined) return null
  const { ref, state } = found
  const word = doing[found.action] ?? tradeText.changing
  const unknown = state === 'UNKNOWN'
  const onPhone = isAsked(found)
  const text = unknown ? tradeText.actionUnknown(word) : onPhone ? tradeText.actionOnPhone(word) : `${word}…`
  return { ref, text, unknown, left: !unknown && !onPhone }
}

/**
 * The liquidation price of an isolated position if its margin were `marginAfter` USDC, at the same maintenance rate.
 * `null` if the service reports too little, or if the position could not be liquidated.
 */
export function liquidationWith({ side, size, entryPrice, marginUsdc, liquidationPrice }: Position, marginAfter: string | null): string | null {
  if (size === null || entryPrice === null || marginUsdc === null || liquidationPrice === null || marginAfter === null) return null
  const value = multiply(entryPrice, size)
  const left = (margin: string) => (side === 'long' ? subtract(value, margin) : add(value, margin))
  const now = left(marginUsdc)
  if (signOf(now) <= 0) return null
  const price = divide(multiply(liquidationPrice, left(marginAfter)), now, 8)
  return signOf(price) > 0 ? price : null
}

/** The part of an amount, such as margin, that stays with a position after part of the position is closed. */
export function shareLeft(amount: string | null, remaining: string | null, size: string | null): string | null {
  if (remaining !== null && isZero(remaining)) return '0'
  return amount === null || remaining === null || size === null || isZero(size) ? null : divide(multiply(amount, remaining), size, 2)
}

/** Free margin after a position's margin changed; `null` if a value is unknown. */
export const freeAfter = (free: string | null, before: string | null, after: string | null): string | null =>
  free === null || before === null || after === null ? null : subtract(free, subtract(after, before))

/** Converts a typed part of a position to the other unit (percent or base units). Returns empty text if the result is unknown. */
export function partInUnit(typed: string, to: 'percent' | 'base', held: string | null, { sizeDecimals }: Pick<Market, 'sizeDecimals'>): string {
  const part = typedDecimal(typed)
  if (part === null || held === null || isZero(held)) return to === 'percent' && part === null ? '100' : ''
  return to === 'base' ? divide(multiply(held, part), '100', sizeDecimals ?? 8, 'down') : (percentOf(part, held, 2) ?? '')
}

/** Initial values of a position's form: TP/SL prices that differ from the current ones, or the part to close, which is then reviewed at once. */
export type PositionStart = Partial<TpSlState & Pick<CloseState, 'part'>>

export interface PositionForm {
  readonly position: Position
  readonly seen: SeenPosition
  readonly market: Market
  /** The latest mark price; `null` until the first one arrives. */
  readonly mark: string | null
  /** True if the mark price is recent enough for a market order. */
  readonly fresh: boolean
  /** The reference price for closing the position, in USDC; `null` if no price is known. */
  readonly exitPrice: string | null
  readonly account: AccountSummary | undefined
  readonly start: PositionStart
  readonly order: OrderFlow
  readonly onClose: () => void
}

export const oldPrice = tradeText.waitingForFreshPrice
export const symbolOf = ({ position, market }: Pick<PositionForm, 'position' | 'market'>): string => position.symbol ?? market.symbol
