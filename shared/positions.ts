import { absolute, add, decimalsOf, divide, equals, isZero, multiply, negate, percentOf, signOf, subtract } from './decimal.ts'
import type { Intent } from './ipc/intents/orders.ts'
import type { OpenOrder, Position } from './ipc/reads/account.ts'
import type { HistoryRow } from './ipc/reads/account-history.ts'
import type { MarketSummary } from './ipc/reads/markets.ts'

/**
 * Returns how far a position's mark price is from its liquidation price, in percent of the mark price; null if a price is unknown, or if the
 * position cannot be liquidated.
 */
export const liquidationDistance = (markPrice: string | null, liquidationPrice: string | null): string | null =>
  markPrice === null || liquidationPrice === null || signOf(markPrice) <= 0 ? null : percentOf(absolute(subtract(markPrice, liquidationPrice)), markPrice, 2)

/**
 * Returns a position at a newer mark price. Only adds the effect of the price move to the stated profit and notional, so that funding and fees in
 * these amounts are kept. A value stays unchanged if a figure needed for its adjustment is unknown.
 */
export function atMark(position: Position, mark: string): Position {
  const { markPrice, size, side, notionalUsdc, unrealisedPnl } = position
  if (markPrice === null || size === null) return { ...position, markPrice: mark }
  const moved = multiply(subtract(mark, markPrice), size)
  return {
    ...position,
    markPrice: mark,
    notionalUsdc: notionalUsdc === null ? null : add(notionalUsdc, moved),
    unrealisedPnl: unrealisedPnl === null ? null : add(unrealisedPnl, side === 'long' ? moved : negate(moved)),
  }
}

type Prices = Pick<MarketSummary, 'mark' | 'index'>
type Held = Pick<Position, 'side' | 'size' | 'notionalUsdc' | 'entryPrice' | 'markPrice' | 'unrealisedPnl'>

const decimals = 8

/** Derives a mark price from the position's notional, or from its entry price and profit; null if the position lacks these figures. */
function byFigures({ side, size, notionalUsdc, entryPrice, unrealisedPnl }: Held): string | null {
  if (size === null || isZero(size)) return null
  if (notionalUsdc !== null && !isZero(notionalUsdc)) return divide(absolute(notionalUsdc), absolute(size), decimals)
  if (entryPrice === null || unrealisedPnl === null) return null
  const moved = divide(unrealisedPnl, absolute(size), decimals)
  return side === 'long' ? add(entryPrice, moved) : subtract(entryPrice, moved)
}

/**
 * Returns the USDC price to state when closing a position: the newest mark price, or otherwise the next best known price. The service compares the
 * stated price with its own price before it closes anything. null if no price is known.
 */
export function exitPrice(position: Held, newest: Prices | null): string | null {
  const found = [newest?.mark ?? null, position.markPrice, byFigures(position), newest?.index ?? null]
  return found.find((price) => price !== null && signOf(price) > 0) ?? null
}

/** Statuses of finished orders. The API document does not list the statuses, so an order with any other word counts as waiting. */
const ended: ReadonlySet<string> = new Set(['filled', 'cancelled', 'canceled', 'expired', 'rejected', 'reverted'])

/** Whether an order is still waiting to execute, according to its status. */
export const isWaiting = (order: Pick<OpenOrder, 'status'>): boolean => order.status === null || !ended.has(order.status.trim().toLowerCase())

/**
 * The role of a collateral token. `own` is the protocol's own token; the app reads its symbol, contract and decimals from the service and the chain.
 */
export type TokenRole = 'USDC' | 'own'

export const tokenRole = (symbol: string): TokenRole => (symbol.toUpperCase() === 'USDC' ? 'USDC' : 'own')

/** The sum of all fills of one order, as decimal text. A value is null if any fill does not state that value. */
export interface Filled {
  /** Number of fills, at least 1. */
  readonly fills: number
  /** The price in USDC. For several fills at different prices, the average weighted by size. */
  readonly price: string | null
  /** The total size in base units, without a sign. */
  readonly size: string | null
  /** The total fee in USDC. Positive if the user paid the fee. */
  readonly feeUsdc: string | null
  /** The total realised profit or loss in USDC, as the service defines it. */
  readonly realisedPnlUsdc: string | null
  /** Whether the order closed all or part of a position. Only then is there a realised profit or loss. */
  readonly closes: boolean
}

// An executor's actions have other names than the actions that the wallet signs.
const opening: ReadonlySet<string> = new Set(['open_position', 'open_market', 'increase'])
const closing: ReadonlySet<string> = new Set(['close_position_market', 'close_position_limit', 'invert_position', 'close', 'reduce', 'invert'])

/** Whether an order of this action trades as soon as it is executed. */
export const causesTrades = (action: string): boolean => opening.has(action) || closing.has(action)

const sumOf = (values: readonly (string | null)[]): string | null => {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : known.reduce((sum, value) => add(sum, value), '0')
}

const unsigned = (size: string | null): string | null => (size === null ? null : absolute(size))

/** Returns the row's price, or `null`. Some services write the price 0 if they do not know it. */
const statedPrice = ({ price }: HistoryRow): string | null => (price === null || signOf(price) <= 0 ? null : price)

function priceOf(rows: readonly HistoryRow[]): string | null {
  const prices = rows.flatMap((row) => statedPrice(row) ?? [])
  const [first] = prices
  if (first === undefined || prices.length < rows.length) return null
  if (prices.every((price) => equals(price, first))) return first
  const size = sumOf(rows.map((row) => unsigned(row.size)))
  const value = sumOf(rows.map(({ price, size: part }) => (price === null || part === null ? null : multiply(price, absolute(part)))))
  if (size === null || value === null || isZero(size)) return null
  return divide(value, size, Math.max(2, ...prices.map(decimalsOf)))
}

/** The newest rows of an account's trade history. `total`: number of rows that the app has read. */
interface TradeRows {
  readonly rows: readonly HistoryRow[]
  readonly total: number
  readonly complete: boolean
  readonly cut: boolean
  readonly unreadable: boolean
}

/**
 * Adds up the trades that an order caused. `page`: the newest rows of the account's trade history. `null` before the first fill, or if some of the
 * order's fills may lie outside these rows.
 */
export function filledBy(
  { ref, action, pairId }: Pick<Intent, 'ref' | 'action' | 'pairId'>,
  { rows, total, complete, cut, unreadable }: TradeRows,
): Filled | null {
  // Also compares the market, because one transaction may contain orders of several markets, and a row may be matched to an order by its transaction
  // alone.
  const own = rows.filter((row) => row.intentRef === ref && (row.pairId === null || pairId === null || row.pairId === pairId))
  if (own.length === 0 || unreadable) return null
  // If even the oldest loaded row belongs to the order, the order may have further fills in older rows that are not loaded.
  if (rows.at(-1)?.intentRef === ref && (!complete || cut || rows.length < total)) return null
  const results = own.map(({ realisedPnlUsdc }) => realisedPnlUsdc)
  return {
    fills: own.length,
    price: priceOf(own),
    size: sumOf(own.map(({ size }) => unsigned(size))),
    feeUsdc: sumOf(own.map(({ feeUsdc }) => feeUsdc)),
    realisedPnlUsdc: sumOf(results),
    closes: closing.has(action) || results.some((result) => result !== null && !isZero(result)),
  }
}
