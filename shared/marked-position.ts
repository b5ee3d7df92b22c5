import { add, multiply, negate, subtract } from './decimal.ts'
import type { Position } from './ipc/reads/account.ts'

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
