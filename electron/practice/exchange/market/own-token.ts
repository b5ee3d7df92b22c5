import { changePercent, divide, multiply, subtract } from '../../../../shared/decimal.ts'
import { day } from '../../../../shared/time.ts'
import { fixed } from '../../base/money.ts'
import { ownToken } from './catalogue.ts'
import { type Marks, priceOfTicks } from './mark-prices.ts'
import type { PricePath } from './price-path.ts'

/**
 * The responses of `/api/public/baq-market` and `/api/public/baq-metrics` about the protocol's own token. Amounts are in tokens unless the name
 * says otherwise.
 */
export interface OwnToken {
  market(): Record<string, unknown>
  metrics(): Record<string, unknown>
}

const maximumSupply = '1000000000'
/** The time from which the protocol burns tokens: `burnedADay` tokens per day. */
const burningSinceMs = Date.UTC(2024, 2, 4)
const burnedADay = 21_400
const historyDays = 30

export function createOwnToken({ marks, path }: { marks: Marks; path: PricePath }): OwnToken {
  const channel = (each: number) => ownToken.id * 32 + each
  const written = (value: string) => fixed(value, ownToken.priceDecimals)
  const priceAt = (atMs: number) => priceOfTicks(ownToken, marks.ticksAt(ownToken, atMs))
  const burnedAt = (atMs: number) => ((Math.max(0, atMs - burningSinceMs) / day) * burnedADay).toFixed(2)
  const supplyAt = (atMs: number) => subtract(maximumSupply, burnedAt(atMs))
  const circulatingAt = (atMs: number) => multiply(supplyAt(atMs), (0.75 + 0.01 * path.noise(channel(22), atMs / (30 * day))).toFixed(6))
  const stakedAt = (atMs: number) => multiply(supplyAt(atMs), (0.31 + 0.04 * path.noise(channel(23), atMs / (9 * day))).toFixed(6))
  const holdersAt = (atMs: number) => 18_400 + Math.floor((atMs - burningSinceMs) / day) * 11 + Math.round(40 * path.noise(channel(24), atMs / day))

  return {
    market: () => {
      const now = marks.atMs()
      const price = priceAt(now)
      const before = priceAt(now - day)
      const lastDay = Array.from({ length: 25 }, (_, hours) => marks.ticksAt(ownToken, now - (24 - hours) * (day / 24)))
      const volume = ownToken.dailyVolume * (1 + 0.3 * path.noise(channel(25), now / (day / 3)))
      return {
        symbol: ownToken.symbol,
        quote: 'USDC',
        price_usdc: written(price),
        change_24h_pct: fixed(changePercent(before, price, 2) ?? '0', 2),
        high_24h_usdc: written(priceOfTicks(ownToken, Math.max(...lastDay))),
        low_24h_usdc: written(priceOfTicks(ownToken, Math.min(...lastDay))),
        volume_24h_usdc: volume.toFixed(2),
        market_cap_usdc: fixed(multiply(circulatingAt(now), price), 2),
        fully_diluted_value_usdc: fixed(multiply(supplyAt(now), price), 2),
        circulating_supply: fixed(circulatingAt(now), 2),
        total_supply: fixed(supplyAt(now), 2),
        max_supply: maximumSupply,
        history: daily((atMs) => ({ at_ms: atMs, price_usdc: written(priceAt(atMs)) })),
        updated_at_ms: now,
      }
    },
    metrics: () => {
      const now = marks.atMs()
      return {
        symbol: ownToken.symbol,
        holders: holdersAt(now),
        staked: fixed(stakedAt(now), 2),
        staked_pct: fixed(divide(multiply(stakedAt(now), '100'), supplyAt(now), 4), 2),
        staking_apr_pct: (7.4 + 1.1 * path.noise(channel(26), now / (7 * day))).toFixed(2),
        burned: fixed(burnedAt(now), 2),
        burned_24h: fixed(subtract(burnedAt(now), burnedAt(now - day)), 2),
        circulating_supply: fixed(circulatingAt(now), 2),
        total_supply: fixed(supplyAt(now), 2),
        max_supply: maximumSupply,
        transfers_24h: 2_900 + Math.round(700 * path.noise(channel(27), now / (day / 2))),
        fees_24h_usdc: (86_400 * (1 + 0.3 * path.noise(channel(28), now / (day / 3)))).toFixed(2),
        history: daily((atMs) => ({ at_ms: atMs, holders: holdersAt(atMs), staked: fixed(stakedAt(atMs), 2), burned: fixed(burnedAt(atMs), 2) })),
        updated_at_ms: now,
      }
    },
  }

  function daily(row: (atMs: number) => Record<string, unknown>): Record<string, unknown>[] {
    const now = marks.atMs()
    const today = Math.floor(now / day) * day
    const nights = Array.from({ length: historyDays }, (_, index) => today - (historyDays - 1 - index) * day)
    return [...nights.filter((atMs) => atMs < now), now].map(row)
  }
}
