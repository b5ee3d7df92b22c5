import { changePercent, fromUnits, multiply } from '../../../../shared/decimal.ts'
import { day, hour } from '../../../../shared/time.ts'
import { fixed } from '../../base/money.ts'
import type { Market } from './catalogue.ts'
import type { Funding } from './funding.ts'
import { type Marks, priceOfTicks } from './mark-prices.ts'
import type { PricePath } from './price-path.ts'
import type { Volume } from './volume.ts'

/** How many hours of history to return: one week. */
const historyHours = 168

/** Computes the data of a market that `/markets`, `/summaries` and related routes return. */
export interface Summaries {
  listing(market: Market): Record<string, unknown>
  summary(market: Market): Record<string, unknown>
  mark(market: Market): Record<string, unknown>
  funding(market: Market): Record<string, unknown>
  openInterest(market: Market): Record<string, unknown>
}

interface Parts {
  readonly marks: Marks
  readonly path: PricePath
  readonly volume: Volume
  readonly funding: Funding
}

export function createSummaries({ marks, path, volume, funding }: Parts): Summaries {
  const price = (market: Market, value: string) => fixed(value, market.priceDecimals)
  const usdc = (value: number) => value.toFixed(2)

  const change24h = (market: Market) => {
    const before = priceOfTicks(market, marks.ticksAt(market, marks.atMs() - day))
    return fixed(changePercent(before, marks.mark(market), 2) ?? '0', 2)
  }
  const volume24h = (market: Market) => {
    const units = volume(market, marks.atMs() - day, marks.atMs())
    return fixed(multiply(fromUnits(BigInt(units), market.sizeDecimals), marks.mark(market)), 2)
  }
  const fundingRate = (market: Market) => funding.rateAt(market, marks.atMs())
  const lastHours = () => {
    const current = Math.floor(marks.atMs() / hour) * hour
    return Array.from({ length: historyHours }, (_, index) => current - (historyHours - 1 - index) * hour)
  }
  const nextFundingAt = () => new Date((Math.floor(marks.atMs() / hour) + 1) * hour).toISOString()
  const interest = (market: Market, atMs: number) => {
    const sided = (channel: number) => usdc(market.dailyVolume * (0.22 + 0.05 * path.noise(market.id * 32 + channel, atMs / (4 * hour))))
    return { open_interest_long_usdc: sided(23), open_interest_short_usdc: sided(24) }
  }

  return {
    listing: (market) => ({
      id: market.id,
      symbol: market.symbol,
      base: market.base,
      quote: 'USDC',
      price_decimals: market.priceDecimals,
      size_decimals: market.sizeDecimals,
      tick_size: market.tick,
      min_order_value_usdc: market.minOrderUsdc,
      max_order_value_usdc: market.maxOrderUsdc,
      max_leverage: market.maxLeverage,
      status: market.status,
    }),
    summary: (market) => ({
      pair_id: market.id,
      symbol: market.symbol,
      mark_price: price(market, marks.mark(market)),
      index_price: price(market, marks.index(market)),
      change_24h_pct: change24h(market),
      volume_24h_usdc: volume24h(market),
      ...interest(market, marks.atMs()),
      funding_rate_1h_pct: fundingRate(market),
      next_funding_at: nextFundingAt(),
      updated_at_ms: marks.atMs(),
    }),
    mark: (market) => ({ pair_id: market.id, mark_price: price(market, marks.mark(market)), updated_at_ms: marks.atMs() }),
    funding: (market) => ({
      pair_id: market.id,
      funding_rate_1h_pct: fundingRate(market),
      next_funding_at: nextFundingAt(),
      history: lastHours().map((atMs) => ({ at_ms: atMs, funding_rate_1h_pct: funding.rateAt(market, atMs) })),
      updated_at_ms: marks.atMs(),
    }),
    openInterest: (market) => ({
      pair_id: market.id,
      ...interest(market, marks.atMs()),
      history: lastHours().map((atMs) => ({ at_ms: atMs, ...interest(market, atMs) })),
      updated_at_ms: marks.atMs(),
    }),
  }
}
