import { day, hour, minute } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import { type Marks, ticksOf } from './mark-prices.ts'
import type { PricePath } from './price-path.ts'
import type { Volume } from './volume.ts'

/** The candle intervals that `/api/dex/candles` offers, with their lengths in ms. */
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

/** Maximum number of candles to return over all pages of a query, starting at the present (API document: Candle history). */
export const historyAtMost = 50_000

type Candle = Readonly<Record<'t', number> & Record<'o' | 'h' | 'l' | 'c' | 'v', string>>

export interface CandlePage {
  /** The candles of the page, oldest first. The last candle is still running; its close is the current mark price. */
  readonly candles: readonly Candle[]
  /** True if the client can request older candles. */
  readonly hasMore: boolean
  /** Names of the external sources of this page's candles. The exchange's own history is not among them. */
  readonly sources: readonly string[]
}

export interface Candles {
  /** Returns the newest candles of the exchange's own history, at most `limit`. */
  own(market: Market, interval: string, limit: number): CandlePage
  /** Returns up to `limit` candles before `beforeMs`. Daily and weekly candles that are older than the market come from external sources. */
  history(market: Market, interval: string, limit: number, beforeMs: number): CandlePage
}

/** 5 January 1970, a Monday. Weekly candles start on Mondays. */
const firstMonday = 4 * day

export function createCandles({ marks, path, volume }: { marks: Marks; path: PricePath; volume: Volume }): Candles {
  const candle = (market: Market, start: number, length: number): Candle => {
    const now = marks.atMs()
    const end = Math.min(start + length, now)
    const { o, h, l } = path.range(market, start, end)
    const close = marks.ticksAt(market, end)
    const open = start >= now ? close : ticksOf(market, o)
    const step = Math.round(Number(market.tick) * 10 ** market.priceDecimals)
    const price = (ticks: number) => withPoint(ticks * step, market.priceDecimals)
    return {
      t: start,
      o: price(open),
      h: price(Math.max(ticksOf(market, h), close, open)),
      l: price(Math.min(ticksOf(market, l), close, open)),
      c: price(close),
      v: withPoint(volume(market, start, end), market.sizeDecimals),
    }
  }
  const list = (market: Market, interval: string, limit: number, beforeMs: number, sinceMs: number): Omit<CandlePage, 'sources'> => {
    const length = lengths[interval] ?? minute
    const offset = interval === '1w' ? firstMonday : 0
    const openingOf = (atMs: number) => Math.floor((atMs - offset) / length) * length + offset
    const current = openingOf(marks.atMs())
    const first = Math.max(openingOf(sinceMs + length - 1), current - (historyAtMost - 1) * length)
    const last = Math.min(openingOf(beforeMs - 1), current)
    const from = Math.max(first, last - (limit - 1) * length)
    const count = Math.max(0, Math.round((last - from) / length) + 1)
    return { candles: Array.from({ length: count }, (_, index) => candle(market, from + index * length, length)), hasMore: count > 0 && from > first }
  }
  return {
    own: (market, interval, limit) => ({ ...list(market, interval, limit, marks.atMs() + 1, historyOf(market).listedAtMs), sources: [] }),
    history: (market, interval, limit, beforeMs) => {
      const { listedAtMs, sources } = historyOf(market)
      const others = interval === '1d' || interval === '1w' ? sources : []
      const page = list(market, interval, limit, beforeMs, others.at(-1)?.sinceMs ?? listedAtMs)
      const [oldest, newest] = [page.candles[0], page.candles.at(-1)]
      if (oldest === undefined || newest === undefined) return { ...page, sources: [] }
      const untilOf = (index: number) => others[index - 1]?.sinceMs ?? listedAtMs
      return { ...page, sources: others.filter(({ sinceMs }, index) => oldest.t < untilOf(index) && newest.t >= sinceMs).map(({ name }) => name) }
    },
  }
}

function withPoint(units: number, decimals: number): string {
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** How far back a market's candles go, and where they come from. */
interface MarketHistory {
  /** When the exchange listed the market. From this time on, the exchange itself has candles of every interval. */
  readonly listedAtMs: number
  /** Older history from external sources, newest first. It contains only daily and weekly candles. */
  readonly sources: readonly { readonly name: string; readonly sinceMs: number }[]
}

const opened = Date.UTC(2024, 2, 4)
const archive = (year: number, month: number) => ({ name: 'practice-archive', sinceMs: Date.UTC(year, month - 1, 1) })

const known: Readonly<Record<number, MarketHistory>> = {
  1: { listedAtMs: opened, sources: [archive(2018, 1), { name: 'practice-museum', sinceMs: Date.UTC(2013, 3, 1) }] },
  2: { listedAtMs: opened, sources: [archive(2017, 9)] },
  3: { listedAtMs: opened, sources: [archive(2020, 5)] },
  17: { listedAtMs: Date.UTC(2026, 5, 1), sources: [] },
  19: { listedAtMs: Date.UTC(2025, 0, 6), sources: [{ name: 'practice-bullion', sinceMs: Date.UTC(2004, 10, 18) }] },
  20: { listedAtMs: Date.UTC(2025, 0, 6), sources: [{ name: 'practice-fx', sinceMs: Date.UTC(2003, 0, 6) }] },
  21: { listedAtMs: Date.UTC(2026, 9, 26, 13, 7), sources: [] },
  33: { listedAtMs: Date.UTC(2025, 8, 15), sources: [] },
  104: { listedAtMs: Date.UTC(2026, 0, 5), sources: [] },
}

const historyOf = ({ id }: Market): MarketHistory => known[id] ?? { listedAtMs: opened, sources: [archive(2021, 3)] }
