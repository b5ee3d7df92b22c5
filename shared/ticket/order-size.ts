import { limits } from '../api/limits.ts'
import { compare, divide, multiply, roundTo, signOf } from '../decimal.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../result.ts'
import { sizeIssue } from './market-rules.ts'
import { numberIssue, typedDecimal } from './typed-number.ts'

/** In which unit the size of an order was typed: notional in USDC, base units, or percent of the free margin. */
export type SizeUnit = 'usdc' | 'base' | 'free_margin'

export interface SizeFacts {
  /** The price at which the order would open; null: none yet. */
  readonly entry: string | null
  readonly leverage: number | null
  /** USDC; null: not known. */
  readonly freeMargin: string | null
  readonly market: Market
}

/** Cents, rounded down: what is shown is what is sent, and it always fits. */
const shareDecimals = 2

/**
 * The order value in USDC that a typed size comes to. Base units times the price are cut to the 6 decimals of USDC: less than a millionth of
 * a dollar below what was typed. Fails with a sentence.
 */
export function readSize(typed: string, unit: SizeUnit, { entry, leverage, freeMargin, market }: SizeFacts): Result<string, string> {
  const value = typedDecimal(typed)
  switch (unit) {
    case 'usdc':
      return value === null ? fail(numberIssue(typed, 'Type an amount in USDC.')) : ok(value)
    case 'base': {
      if (value === null) return fail(numberIssue(typed, `Type an amount in ${market.base}.`))
      const issue = sizeIssue(value, market)
      if (issue !== null) return fail(issue)
      return entry === null ? fail(`Without a price an amount in ${market.base} has no value yet.`) : ok(valueOfBase(value, entry))
    }
    case 'free_margin': {
      if (value === null) return fail(numberIssue(typed, 'Type a percentage of your free margin.'))
      if (signOf(value) <= 0 || compare(value, '100') > 0) return fail('A share of your free margin is above 0% and at most 100%.')
      if (freeMargin === null) return fail('Your free margin is not known.')
      if (signOf(freeMargin) <= 0) return fail('There is no free margin.')
      return leverage === null ? fail('A share of your free margin takes a leverage.') : ok(valueOfShare(value, freeMargin, leverage))
    }
  }
}

export const valueOfBase = (size: string, price: string): string => roundTo(multiply(size, price), limits.orderValueDecimals, 'down')

/** `percent` of the free margin as the margin of an order: times the leverage that is its value. */
export const valueOfShare = (percent: string, freeMargin: string, leverage: number): string =>
  divide(multiply(multiply(freeMargin, leverage.toString()), percent), '100', shareDecimals, 'down')

/** Base units of an order value, rounded down to the market's precision. */
export const baseOfValue = (valueUsdc: string, price: string, market: Pick<Market, 'sizeDecimals'>): string =>
  divide(valueUsdc, price, market.sizeDecimals ?? 8, 'down')

/** The margin that an order takes, rounded up to the decimals of USDC. */
export const marginOf = (valueUsdc: string, leverage: number): string => divide(valueUsdc, leverage.toString(), limits.orderValueDecimals, 'up')
