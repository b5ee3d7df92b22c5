import { day, minute, second } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import { createLattice, smooth } from './noise.ts'
import { divided, type Span, type Spans } from './spans.ts'

/**
 * Play prices as a pure function of seed, market and time, so that candles of the past are computed instead of stored.
 * Floating point is good enough for making a price up; what leaves this folder is rounded to the market's tick.
 */
export interface PricePath {
  /** By the second. */
  price(market: Market, atMs: number): number
  /** What the price did from one second to a later one. */
  range(market: Market, fromMs: number, toMs: number): Span
  /** Smooth noise in [-1, 1] for what else moves: funding, open interest, volume. */
  noise(channel: number, at: number): number
}

/** Each length is divided into those of the next, so that the longer candle is exactly the sum of the shorter ones. */
const lengths = [7 * day, day, 15 * minute, minute, second] as const
const divisions = [7, 96, 15, 60] as const
/** How many divisions are remembered for a market, by their level: enough for a page of a thousand candles. */
const remembered = [160, 180, 120, 8] as const
/** A Monday, so that weeks begin as on a calendar. */
const firstMonday = 4 * day
const year = 365 * day
/** Up to then the price has gone its long ways; since then it stays around the anchor. */
const settledSinceMs = Date.UTC(2026, 0, 1)

export function createPricePath({ seed }: { seed: number }): PricePath {
  const lattice = createLattice(seed)
  const noise = (channel: number, at: number) => smooth(lattice, channel, at)
  const known = new Map<number, Map<number, Spans>[]>()

  const weekOpen = (market: Market, week: number): number => {
    const channel = market.id * 32
    const short = 0.04 * noise(channel + 19, week / 2.3) + 0.04 * noise(channel + 29, week / 9)
    const long = 0.3 * noise(channel + 30, week / 40) + 0.55 * noise(channel + 31, week / 150)
    const ago = Math.min(1, Math.max(0, (settledSinceMs - week * lengths[0]) / year))
    return market.anchor * Math.exp(short * market.liveliness + long * Math.min(market.liveliness, 1.2) * ago * ago * (3 - 2 * ago))
  }
  const weekOf = (market: Market, week: number): Span => {
    const [o, c] = [weekOpen(market, week), weekOpen(market, week + 1)]
    const reach = (side: number) => 0.012 + 0.012 * (1 + lattice(market.id * 32 + 18, week * 2 + side))
    return { o, c, h: Math.max(o, c) * (1 + market.liveliness * reach(0)), l: Math.min(o, c) / (1 + market.liveliness * reach(1)) }
  }
  /** The parts of the span `index` of a level. */
  const partsOf = (market: Market, level: number, index: number): Spans => {
    let levels = known.get(market.id)
    if (levels === undefined) {
      levels = divisions.map(() => new Map())
      known.set(market.id, levels)
    }
    const kept = levels[level] ?? new Map<number, Spans>()
    const before = kept.get(index)
    if (before !== undefined) return before
    const made = divided(spanOf(market, level, index), divisions[level] ?? 1, (kind, part) => lattice(market.id * 32 + kind * 6 + level, index * 128 + part))
    for (const oldest of kept.size >= (remembered[level] ?? 0) ? kept.keys().take(1) : []) kept.delete(oldest)
    kept.set(index, made)
    return made
  }
  const spanOf = (market: Market, level: number, index: number): Span => {
    if (level === 0) return weekOf(market, index)
    const count = divisions[level - 1] ?? 1
    const parent = Math.floor(index / count)
    return partsOf(market, level - 1, parent).at(index - parent * count)
  }
  const price = (market: Market, atMs: number) => {
    const at = Math.floor((atMs - firstMonday) / second) * second
    // The longest span that begins here: no shorter one has to be made.
    const level = lengths.findIndex((length) => at % length === 0)
    return spanOf(market, level, at / (lengths[level] ?? second)).o
  }

  return {
    noise,
    price,
    range: (market, fromMs, toMs) => {
      const end = Math.floor((toMs - firstMonday) / second) * second
      let at = Math.floor((fromMs - firstMonday) / second) * second
      const o = price(market, fromMs)
      let [h, l, c] = [o, o, o]
      while (at < end) {
        // The longest span that begins here and does not reach too far.
        const level = lengths.findIndex((length) => at % length === 0 && at + length <= end)
        const length = lengths[level] ?? second
        const span = spanOf(market, level, at / length)
        h = Math.max(h, span.h)
        l = Math.min(l, span.l)
        c = span.c
        at += length
      }
      return { o, h, l, c }
    },
  }
}
