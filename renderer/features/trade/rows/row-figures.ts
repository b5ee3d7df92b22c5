import { add, divide, isZero, multiply, percentOf, signOf, subtract } from '../../../../shared/decimal.ts'
import type { Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { typedDecimal } from '../../../../shared/ticket/typed-number.ts'

/**
 * Where an isolated position would be liquidated with another margin, in USDC: its liquidation price moves with what stands behind it, at the same
 * rate of maintenance. null: the service does not tell enough of it, or it could not be liquidated any more.
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

/** The part of an amount that stays with the rest of a position. */
export function shareLeft(amount: string | null, remaining: string | null, size: string | null): string | null {
  if (remaining !== null && isZero(remaining)) return '0'
  return amount === null || remaining === null || size === null || isZero(size) ? null : divide(multiply(amount, remaining), size, 2)
}

/** Free margin after the margin of a position changed; null while either is not known. */
export const freeAfter = (free: string | null, before: string | null, after: string | null): string | null =>
  free === null || before === null || after === null ? null : subtract(free, subtract(after, before))

/** A typed part of a position in the other unit, so that the digits keep their meaning; empty where it cannot be told. */
export function partInUnit(typed: string, to: 'percent' | 'base', held: string | null, { sizeDecimals }: Pick<Market, 'sizeDecimals'>): string {
  const part = typedDecimal(typed)
  if (part === null || held === null || isZero(held)) return to === 'percent' && part === null ? '100' : ''
  return to === 'base' ? divide(multiply(held, part), '100', sizeDecimals ?? 8, 'down') : (percentOf(part, held, 2) ?? '')
}
