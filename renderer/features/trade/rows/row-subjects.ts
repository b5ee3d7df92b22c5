import type { Underway } from '../../../../shared/ipc/intents/orders.ts'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { sameId } from '../../../../shared/same-id.ts'
import { isolatedIssue, type MarginFacts } from '../../../../shared/ticket/actions/margin-ticket.ts'
import { seenPosition } from '../../../../shared/ticket/form/seen.ts'

/** Why nothing can be asked for a position; null: it can be closed. */
export const positionIssue = (position: Position): string | null => (seenPosition(position) === null ? 'The service gives no id for it' : null)

/** Why a position cannot be changed; null: it can. */
export const changePositionIssue = (position: Position, market: Market | undefined): string | null =>
  positionIssue(position) ?? (market === undefined ? 'The service does not list its market' : null)

/** The market to close a position on: where the list of markets does not have it, one that sets no limits of its own. */
export const closingMarket = ({ pairId, symbol }: Position, listed: Market | undefined): Market =>
  listed ?? {
    ...{ id: pairId, symbol: symbol ?? `Market ${pairId}`, base: 'base units', priceDecimals: null, sizeDecimals: null, tickSize: null },
    ...{ minOrderUsdc: null, maxOrderUsdc: null, maxLeverage: null, status: null, unknownFields: null },
  }

/** Why the margin or the leverage of a position cannot be changed by itself; null: it can. */
export const marginIssue = ({ marginMode }: Position): string | null => (isolatedIssue(marginMode) === null ? null : 'Isolated only')

/** Why an order cannot be changed; null: it can. An order that has an id can always be cancelled. */
export function changeIssue(order: OpenOrder, market: Market | undefined): string | null {
  if (market === undefined) return 'The service does not say its market'
  return order.limitPrice === null && order.triggerPrice === null ? 'The service does not say its price' : null
}

export const marginFacts = ({ marginMode, marginUsdc, notionalUsdc, leverage }: Position, freeMargin: string | null): MarginFacts => ({
  marginMode,
  marginUsdc,
  notionalUsdc,
  leverage,
  freeMargin,
})

const doing: Readonly<Record<string, string>> = {
  close_position_market: 'Closing',
  close_position_limit: 'Closing',
  close: 'Closing',
  reduce: 'Closing',
  invert_position: 'Inverting',
  invert: 'Inverting',
  cancel_order: 'Cancelling',
  cancel: 'Cancelling',
}

export interface RowUnderway {
  readonly ref: string
  readonly text: string
  readonly unknown: boolean
  /** It left, or is about to: the same is not asked for again. Before that, and where nobody knows, it may be. */
  readonly left: boolean
}

/** What is being done, for the row; null: nothing. Of several the newest counts. */
export function underwayAt(underway: readonly Underway[], row: { readonly positionId: string | null } | { readonly orderId: string }): RowUnderway | null {
  const found = underway.find((one) => ('orderId' in row ? sameId(one.orderId, row.orderId) : sameId(one.positionId, row.positionId)))
  if (found === undefined) return null
  const { ref, state } = found
  const word = doing[found.action] ?? 'Changing'
  const unknown = state === 'UNKNOWN'
  const text = unknown ? `${word}: not known` : state === 'ASKED' ? `${word}: on the phone` : `${word}…`
  return { ref, text, unknown, left: !unknown && state !== 'ASKED' }
}
