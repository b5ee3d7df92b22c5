import { add, formatDecimal, isMultipleOf, multiply, roundToStep, signOf } from '../decimal.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { priceStep } from './market-rules.ts'
import { typedDecimal } from './typed-number.ts'

/** A price as it is put into a field: at the market's precision, without grouping. */
export const priceInField = (price: string, { priceDecimals }: Market): string => formatDecimal(price, { minDecimals: priceDecimals ?? 0, grouped: false })

/** The newest mark as a price that the market takes. */
export const markInField = (mark: string, market: Market): string => priceInField(roundToStep(mark, priceStep(market)), market)

/**
 * The typed price some steps of the market further, up or down; one between two steps goes to the next of them first. An empty
 * field starts from the mark. Null where there is nothing to start from, or below the first step.
 */
export function steppedPrice(typed: string, steps: number, market: Market, mark: string | null): string | null {
  const step = priceStep(market)
  if (typed.trim() === '') return mark === null ? null : markInField(mark, market)
  const price = typedDecimal(typed)
  if (price === null) return null
  const next = isMultipleOf(price, step) ? add(price, multiply(step, steps.toString())) : roundToStep(price, step, steps > 0 ? 'up' : 'down')
  return signOf(next) > 0 ? priceInField(next, market) : null
}
