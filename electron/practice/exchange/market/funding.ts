import { hour } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

export interface Funding {
  /**
   * Returns the funding rate for the hour that ends at this time, as a percentage of the notional, in decimal text. If positive, longs pay
   * shorts; if negative, shorts pay longs.
   */
  rateAt(market: Market, atMs: number): string
}

export const createFunding = ({ path }: { path: PricePath }): Funding => ({
  rateAt: (market, atMs) => (0.008 + 0.012 * path.noise(market.id * 32 + 21, atMs / (6 * hour))).toFixed(4),
})
