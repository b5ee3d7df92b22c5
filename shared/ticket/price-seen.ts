import { limits } from '../api/limits.ts'
import { absolute, changePercent, compare, formatDecimal, multiply, signOf, subtract } from '../decimal.ts'
import { second } from '../time.ts'

/** The newest price that is known, and when the service made it. */
export interface PriceSeen {
  readonly mark: string
  /** Unix ms in the service's time; null: it did not say. */
  readonly atMs: number | null
}

/** Whether the exchange would take a reference price now: at most 1.5% off and 8 s old (`reference_price`). A sentence where it would not. */
export function referenceIssue(referencePrice: string, seen: PriceSeen, nowMs: number): string | null {
  const age = seen.atMs === null ? 0 : nowMs - seen.atMs
  if (age > limits.priceAgeMs)
    return `The price is ${Math.floor(age / second)} s old; the exchange takes market orders on one of the last ${limits.priceAgeMs / second} s.`
  const { referencePriceDeviationPercent: most } = limits
  if (signOf(seen.mark) <= 0 || compare(multiply(absolute(subtract(referencePrice, seen.mark)), '100'), multiply(seen.mark, most)) <= 0) return null
  const off = absolute(changePercent(seen.mark, referencePrice, 2) ?? '0')
  return `The price you saw is ${formatDecimal(off)}% away from the newest one; the exchange takes up to ${most}%.`
}
