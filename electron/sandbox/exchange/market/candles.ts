import { divide } from '../../../../shared/decimal.ts'
import { day, hour, minute } from '../../../../shared/time.ts'
import { fixed } from '../money.ts'
import type { Market } from './catalogue.ts'
import { type Marks, priceOfTicks } from './marks.ts'
import type { PricePath } from './price-path.ts'

/** The intervals of `/api/dex/candles`. */
const lengths: Readonly<Record<string, number>> = {
  '1m': minute,
  '3m': 3 * minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': hour,
  '4h': 4 * hour,
  '1d': day,
  '1w': 7 * day,
}

export const intervals = Object.keys(lengths)

export interface Candles {
  /** The `limit` candles that open before `beforeMs`, oldest first. The one that holds the present closes at the current mark. */
  list(market: Market, interval: string, limit: number, beforeMs: number): Record<string, unknown>[]
}

const samples = 12
/** A Monday, so that weeks begin as on a calendar. */
const firstMonday = 4 * day

export function createCandles({ marks, path }: { marks: Marks; path: PricePath }): Candles {
  const candle = (market: Market, start: number, length: number): Record<string, unknown> => {
    const now = marks.atMs()
    const end = Math.min(start + length, now)
    const ticks = Array.from({ length: samples + 1 }, (_, step) => marks.ticksAt(market, start + Math.floor(((end - start) * step) / samples)))
    const [open = 0] = ticks
    const close = priceOfTicks(market, ticks.at(-1) ?? open)
    const written = (count: number) => fixed(priceOfTicks(market, count), market.priceDecimals)
    const share = ((end - start) / day) * (1 + 0.6 * path.noise(market.id * 32 + 20, start / length))
    return {
      t: start,
      o: written(open),
      h: written(Math.max(...ticks)),
      l: written(Math.min(...ticks)),
      c: written(ticks.at(-1) ?? open),
      // In base units, as the price of the candle's end makes of the day's USDC.
      v: fixed(divide((market.dailyVolume * share).toFixed(2), close, market.sizeDecimals + 2), market.sizeDecimals),
    }
  }
  return {
    list: (market, interval, limit, beforeMs) => {
      const length = lengths[interval] ?? minute
      const offset = interval === '1w' ? firstMonday : 0
      const lastStart = Math.floor((Math.min(beforeMs - 1, marks.atMs()) - offset) / length) * length + offset
      return Array.from({ length: limit }, (_, index) => candle(market, lastStart - (limit - 1 - index) * length, length))
    },
  }
}
