import { add, compare, divide, formatDecimal, isMultipleOf, multiply, negate, roundToStep, signOf, subtract } from '../decimal.ts'
import type { FormIssue } from '../ipc/form-issue.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../result.ts'
import { priceStep } from './market-rules.ts'
import { numberIssue, typedDecimal } from './typed-number.ts'

/** Formats a price for an input field: with the market's price decimals, without grouping. */
export const priceInField = (price: string, { priceDecimals }: Market): string => formatDecimal(price, { minDecimals: priceDecimals ?? 0, grouped: false })

/** Rounds the newest mark price to a price that the market accepts, for an input field. */
export const markInField = (mark: string, market: Market): string => priceInField(roundToStep(mark, priceStep(market)), market)

/**
 * Formats the break-even price for an input field: the entry price, rounded to a price that the market accepts and at which the position makes no
 * loss before fees.
 */
export const breakEvenInField = (entry: string, side: 'long' | 'short', market: Market): string =>
  priceInField(roundToStep(entry, priceStep(market), side === 'long' ? 'up' : 'down'), market)

/**
 * Moves the typed price up or down by a number of the market's price steps. A price between two steps first moves to the next step. An empty field
 * starts from the mark price. null if there is no price to start from, or if the result would not be above zero.
 */
export function steppedPrice(typed: string, steps: number, market: Market, mark: string | null): string | null {
  const step = priceStep(market)
  if (typed.trim() === '') return mark === null ? null : markInField(mark, market)
  const price = typedDecimal(typed)
  if (price === null) return null
  const next = isMultipleOf(price, step) ? add(price, multiply(step, steps.toString())) : roundToStep(price, step, steps > 0 ? 'up' : 'down')
  return signOf(next) > 0 ? priceInField(next, market) : null
}

/** How the user typed a TP or SL: as a price, as the distance from the entry price in percent, or as the profit or loss in USDC. */
export type ExitBy = 'price' | 'percent' | 'profit'
export type ExitKind = 'takeProfit' | 'stopLoss'

export interface ExitFacts {
  readonly side: 'long' | 'short'
  readonly entry: string
  /** Order value in USDC, which is needed to convert a profit to a price; null if unknown. */
  readonly orderValueUsdc: string | null
  readonly market: Market
}

/**
 * Returns the price of a typed TP or SL. Distances and profits are typed without a sign. A calculated price is rounded to the market's price step,
 * up for a long and down for a short. So a take profit earns at least the typed amount, and a stop loss costs at most the typed amount. Fails with
 * the reason if there is no valid price.
 */
export function readExit(kind: ExitKind, typed: string, by: ExitBy, facts: ExitFacts): Result<string, FormIssue> {
  const value = typedDecimal(typed)
  if (by === 'price') return value === null ? fail(numberIssue(typed, ['typePrice'])) : ok(value)
  if (value === null) return fail(numberIssue(typed, by === 'percent' ? ['typeDistance'] : ['typeAmount', 'USDC']))
  if (signOf(value) <= 0) return fail(['aboveZero'])
  const whole = by === 'percent' ? '100' : facts.orderValueUsdc
  if (whole === null || signOf(whole) <= 0) return fail(['typeOrderValueFirst'])
  const rises = (kind === 'takeProfit') === (facts.side === 'long')
  if (!rises && compare(value, whole) >= 0) return fail([by === 'percent' ? 'fallsTooFar' : kind === 'takeProfit' ? 'profitTooLarge' : 'lossTooLarge'])
  const moved = rises ? add(whole, value) : subtract(whole, value)
  const step = priceStep(facts.market)
  const steps = divide(multiply(facts.entry, moved), multiply(whole, step), 0, facts.side === 'long' ? 'up' : 'down')
  const price = multiply(steps, step)
  return signOf(price) > 0 ? ok(price) : fail(['noPriceThatLow', facts.market.symbol])
}

/** Returns the profit or loss in USDC at a TP or SL price, to the cent. */
export function profitAt(
  price: string,
  { side, entry, orderValueUsdc }: { readonly side: 'long' | 'short'; readonly entry: string; readonly orderValueUsdc: string },
): string {
  const gain = divide(multiply(orderValueUsdc, subtract(price, entry)), entry, 2)
  return side === 'long' ? gain : negate(gain)
}
