import { hour } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

export interface Funding {
  /**
   * The funding rate for the hour that ends at this time: what longs pay shorts, as a percentage of the notional. If negative, shorts pay
   * longs. Decimal text.
   */
  rateAt(market: Market, atMs: number): string
}

export const createFunding = ({ path }: { path: PricePath }): Funding => ({
  rateAt: (market, atMs) => (0.008 + 0.012 * path.noise(market.id * 32 + 21, atMs / (6 * hour))).toFixed(4),
})
