import { absolute, add, divide, isZero, multiply, negate, percentOf, signOf, subtract } from './decimal.ts'
import type { OpenOrder, Position } from './ipc/reads/account.ts'
import type { MarketSummary } from './ipc/reads/markets.ts'

/** How far a position's mark is from its liquidation, in percent of the mark; null: not known, or it cannot be liquidated. */
export const liquidationDistance = (markPrice: string | null, liquidationPrice: string | null): string | null =>
  markPrice === null || liquidationPrice === null || signOf(markPrice) <= 0 ? null : percentOf(absolute(subtract(markPrice, liquidationPrice)), markPrice, 2)

/**
 * A position at a newer mark: the service's own profit and notional, moved by what the mark moved since it told them, so that whatever it
 * counted in (funding, fees) stays counted in. What cannot be moved, because a part is not known, stays as it was told.
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

/** What the figures of the position say of its price; null: they do not. */
function byFigures({ side, size, notionalUsdc, entryPrice, unrealisedPnl }: Held): string | null {
  if (size === null || isZero(size)) return null
  if (notionalUsdc !== null && !isZero(notionalUsdc)) return divide(absolute(notionalUsdc), absolute(size), decimals)
  if (entryPrice === null || unrealisedPnl === null) return null
  const moved = divide(unrealisedPnl, absolute(size), decimals)
  return side === 'long' ? add(entryPrice, moved) : subtract(entryPrice, moved)
}

/**
 * The price that closing a position is asked for at, in USDC: the newest mark, else the nearest to it that is known. The service compares it with its own
 * price before it closes anything. null: nothing tells one.
 */
export function exitPrice(position: Held, newest: Prices | null): string | null {
  const found = [newest?.mark ?? null, position.markPrice, byFigures(position), newest?.index ?? null]
  return found.find((price) => price !== null && signOf(price) > 0) ?? null
}

/** Words after which an order no longer waits. The document does not list the statuses, so any other word counts as waiting. */
const ended: ReadonlySet<string> = new Set(['filled', 'cancelled', 'canceled', 'expired', 'rejected', 'reverted'])

/** Whether an order still waits in the book, as far as its status tells. */
export const isWaiting = (order: Pick<OpenOrder, 'status'>): boolean => order.status === null || !ended.has(order.status.trim().toLowerCase())

/** What a collateral is: USDC, or the protocol's own token. The symbol, the contract and the decimals of that one are the service's and the chain's to say. */
export type TokenRole = 'USDC' | 'own'

export const tokenRole = (symbol: string): TokenRole => (symbol.toUpperCase() === 'USDC' ? 'USDC' : 'own')
