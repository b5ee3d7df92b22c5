import { absolute, add, divide, isZero, signOf, subtract } from './decimal.ts'
import type { Position } from './ipc/reads/account.ts'
import type { MarketSummary } from './ipc/reads/markets.ts'

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
