import { divide } from '../../../../shared/decimal.ts'
import { day } from '../../../../shared/time.ts'
import type { Marks } from './mark-prices.ts'
import type { PricePath } from './price-path.ts'

/** The public data of the liquidity vault, with amounts in USDC. */
export interface Vault {
  state(): Record<string, unknown>
}

const historyDays = 90
const fundedSinceMs = Date.UTC(2024, 2, 4)
/**
 * The vault's values vary with noise channels (independent random sequences) from this number on. The markets use lower channels, so the vault varies
 * independently of the markets.
 */
const channel = 500_000

export function createVault({ marks, path }: { marks: Marks; path: PricePath }): Vault {
  /**
   * Computes the vault's data at a given time. The number of shares varies as traders buy and sell. A share gains about an eighth per year, in
   * some weeks more than in others.
   */
  const at = (atMs: number) => {
    const days = (atMs - fundedSinceMs) / day
    const shares = Math.round(17_500_000 * (1 + 0.12 * path.noise(channel, days / 41) + 0.02 * path.noise(channel + 1, days / 3)))
    const worth = (1 + days * 0.000_34 + 0.012 * path.noise(channel + 2, days / 19) + 0.002 * path.noise(channel + 3, days / 0.7)).toFixed(6)
    const assets = (shares * Number(worth)).toFixed(2)
    const utilisation = (42 + 15 * path.noise(channel + 4, days / 6) + 4 * path.noise(channel + 5, days / 0.3)).toFixed(2)
    return { assets_usdc: assets, shares: shares.toString(), share_price_usdc: worth, utilisation_pct: utilisation }
  }
  return {
    state: () => {
      const now = marks.atMs()
      const today = Math.floor(now / day) * day
      const nights = Array.from({ length: historyDays }, (_, index) => today - (historyDays - 1 - index) * day)
      const [worth, before] = [at(now).share_price_usdc, at(now - 30 * day).share_price_usdc]
      return {
        ...at(now),
        apr_30d_pct: divide(((Number(worth) / Number(before) - 1) * 36_500).toFixed(6), '30', 2),
        history: nights.map((atMs) => ({ at_ms: atMs, ...at(atMs) })),
        updated_at_ms: now,
      }
    },
  }
}
