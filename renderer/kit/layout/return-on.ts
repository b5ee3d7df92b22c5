import { changePercent, multiply, negate } from '../../../shared/decimal.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'

/** Profit over the margin that carries a position, in percent; null where the entry, the mark or the leverage is not known. */
export function returnOn(position: Pick<Position, 'entryPrice' | 'leverage' | 'side'>, mark: string | null): string | null {
  if (position.entryPrice === null || mark === null || position.leverage === null) return null
  const change = changePercent(position.entryPrice, mark, 4)
  if (change === null) return null
  return multiply(position.side === 'long' ? change : negate(change), position.leverage)
}
