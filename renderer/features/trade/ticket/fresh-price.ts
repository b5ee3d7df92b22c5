import { limits } from '../../../../shared/api/limits.ts'
import { signOf } from '../../../../shared/decimal.ts'
import type { MarketSummary } from '../../../../shared/ipc/reads/markets.ts'

/**
 * Whether a market order may refer to this price: it exists, and is at most 8 s old in the service's time (open_position, `reference_price`).
 * Its age counts from when the service made it, where it says so, else from when it was read.
 */
export const isFresh = (summary: Pick<MarketSummary, 'mark' | 'priceAtMs'> | undefined, readAtMs: number | null, nowMs: number): boolean => {
  const atMs = summary?.priceAtMs ?? readAtMs
  return summary?.mark != null && signOf(summary.mark) > 0 && atMs !== null && nowMs - atMs <= limits.priceAgeMs
}
