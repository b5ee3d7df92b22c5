import { absolute, add, divide, isZero, multiply, negate, percentOf, signOf, subtract } from './decimal.ts'
import type { OpenOrder, Position } from './ipc/reads/account.ts'
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
