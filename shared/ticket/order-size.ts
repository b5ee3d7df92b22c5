import { limits } from '../api/limits.ts'
import { compare, divide, multiply, roundTo, signOf } from '../decimal.ts'
import type { FormIssue } from '../ipc/form-issue.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../result.ts'
import { sizeIssue } from './market-rules.ts'
import { numberIssue, typedDecimal } from './typed-number.ts'

/** The unit in which the user typed the size of an order: notional in USDC, base units, or percent of the free margin. */
export type SizeUnit = 'usdc' | 'base' | 'free_margin'

export interface SizeFacts {
  /** The price at which the order would open; null if unknown so far. */
  readonly entry: string | null
  readonly leverage: number | null
  /** Free margin in USDC; null: unknown. */
  readonly freeMargin: string | null
  readonly market: Market
}

/**
 * Number of decimals of an order value that the user typed as a share of the free margin. The app rounds down to whole cents, so it sends exactly the
 * amount that it shows, and the margin never exceeds the free margin.
 */
const shareDecimals = 2

/**
 * Converts a typed size to an order value in USDC. A size in base units is multiplied by the price, and the result is cut to USDC's 6 decimals. This
 * changes the value by less than a millionth of a dollar.
 */
export function readSize(typed: string, unit: SizeUnit, { entry, leverage, freeMargin, market }: SizeFacts): Result<string, FormIssue> {
  const value = typedDecimal(typed)
  switch (unit) {
    case 'usdc':
      return value === null ? fail(numberIssue(typed, ['typeAmount', 'USDC'])) : ok(value)
    case 'base': {
      if (value === null) return fail(numberIssue(typed, ['typeAmount', market.base]))
      const issue = sizeIssue(value, market)
      if (issue !== null) return fail(issue)
      return entry === null ? fail(['valueNeedsPrice', market.base]) : ok(valueOfBase(value, entry))
    }
    case 'free_margin': {
      if (value === null) return fail(numberIssue(typed, ['typeShareOfMargin']))
      if (signOf(value) <= 0 || compare(value, '100') > 0) return fail(['shareRange'])
      if (freeMargin === null) return fail(['freeMarginUnknown'])
      if (signOf(freeMargin) <= 0) return fail(['noFreeMargin'])
      return leverage === null ? fail(['shareNeedsLeverage']) : ok(valueOfShare(value, freeMargin, leverage))
    }
  }
}

export const valueOfBase = (size: string, price: string): string => roundTo(multiply(size, price), limits.orderValueDecimals, 'down')

/** Returns the order value whose margin is `percent` of the free margin. */
export const valueOfShare = (percent: string, freeMargin: string, leverage: number): string =>
  divide(multiply(multiply(freeMargin, leverage.toString()), percent), '100', shareDecimals, 'down')

/** Converts an order value to base units, rounded down to the market's size decimals. */
export const baseOfValue = (valueUsdc: string, price: string, market: Pick<Market, 'sizeDecimals'>): string =>
  divide(valueUsdc, price, market.sizeDecimals ?? 8, 'down')

/** Returns the margin that an order needs, rounded up to USDC's 6 decimals. */
export const marginOf = (valueUsdc: string, leverage: number): string => divide(valueUsdc, leverage.toString(), limits.orderValueDecimals, 'up')
