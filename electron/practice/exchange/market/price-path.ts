import { day, minute, second } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'

/**
 * Computes invented prices from seed, market and time alone, so that past candles need not be stored.
 * The prices are floating-point numbers; the callers round them to the market's tick.
 */
export interface PricePath {
  /** Returns the price at a given time, which is rounded down to a whole second. */
  price(market: Market, atMs: number): number
  /** Returns the open, high, low and close of the price between two times, which must be whole seconds. */
  range(market: Market, fromMs: number, toMs: number): Span
  /**
   * Returns smooth noise in [-1, 1] at position `at`. Each channel is an independent sequence, used for funding, open interest, volume and others.
   */
  noise(channel: number, at: number): number
}

/**
 * Durations of the spans into which the price path is divided, level by level. Each duration is a multiple of the next. Long and short candles are
 * computed from the same spans, so they always agree.
 */
const lengths = [7 * day, day, 15 * minute, minute, second] as const
const divisions = [7, 96, 15, 60] as const
/**
 * How many subdivided spans of the price path to cache per market, for each level of detail. The numbers are enough for a page of a thousand candles.
 */
const remembered = [160, 180, 120, 8] as const
const firstMonday = 4 * day
const year = 365 * day
/** From this time on, the price stays near its anchor, the market's typical price. Earlier prices were far from the anchor. */
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

/** Returns a random value in [-1, 1) for a channel and a whole number. Other functions interpolate smooth noise between these values. */
type Lattice = (channel: number, cell: number) => number

/**
 * Creates the function that maps a channel and a whole number to a random value. The function uses only integer arithmetic, so the values are the
 * same on every machine.
 */
const createLattice =
  (seed: number): Lattice =>
  (channel, cell) => {
    let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(channel + 1, 0xc2b2ae35)
    h = Math.imul(h ^ (cell | 0), 0x27d4eb2f) ^ Math.imul(Math.floor(cell / 4_294_967_296) + 1, 0x165667b1)
    h ^= h >>> 15
    h = Math.imul(h, 0x2c1b3c6d)
    h ^= h >>> 12
    h = Math.imul(h, 0x297a2d39)
    h ^= h >>> 15
    return (h >>> 0) / 2_147_483_648 - 1
  }

/** Returns noise in [-1, 1] that varies smoothly between random values at whole numbers. Its slope is at most 3 per unit. */
const smooth = (lattice: Lattice, channel: number, at: number): number => {
  const cell = Math.floor(at)
  const part = at - cell
  const eased = part * part * (3 - 2 * part)
  const left = lattice(channel, cell)
  return left + (lattice(channel, cell + 1) - left) * eased
}

interface Span {
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
}

/** Consecutive parts of a span, without gaps between them. */
interface Spans {
  at(index: number): Span
}

/**
 * Returns a random value in [-1, 1) for one part of a span. Kind 0 is the step of the random walk. Kinds 1 and 2 are how far the price rises above,
 * and falls below, the endpoints of the part.
 */
type Chance = (kind: 0 | 1 | 2, part: number) => number

/**
 * The price inside a span goes beyond its open and close, up to its high and down to its low. The opens and closes of the span's parts use only this
 * share of that extra range, so that the parts' own highs and lows also fit into the span.
 */
const used = 0.94

/**
 * Divides a span into parts, each starting where the previous part ends. The high of the highest part is exactly the span's high, and the low of the
 * lowest part is exactly the span's low.
 */
function divided({ o, h, l, c }: Span, count: number, chance: Chance): Spans {
  const points = wayOf({ o, h, l, c }, count, chance)
  const wick = (h - l) / Math.sqrt(count)
  const highs = new Float64Array(count)
  const lows = new Float64Array(count)
  let [highest, lowest] = [0, 0]
  for (let part = 0; part < count; part += 1) {
    const [from, to] = [points[part] ?? o, points[part + 1] ?? c]
    highs[part] = Math.min(h, Math.max(from, to) + wick * (0.2 + 0.1 * chance(1, part)))
    lows[part] = Math.max(l, Math.min(from, to) - wick * (0.2 + 0.1 * chance(2, part)))
    if ((highs[part] ?? h) > (highs[highest] ?? h)) highest = part
    if ((lows[part] ?? l) < (lows[lowest] ?? l)) lowest = part
  }
  highs[highest] = h
  lows[lowest] = l
  return { at: (index) => ({ o: points[index] ?? o, h: highs[index] ?? h, l: lows[index] ?? l, c: points[index + 1] ?? c }) }
}

function wayOf({ o, h, l, c }: Span, count: number, chance: Chance): Float64Array {
  const points = new Float64Array(count + 1)
  for (let part = 1; part <= count; part += 1) points[part] = (points[part - 1] ?? 0) + chance(0, part)
  const drift = (points[count] ?? 0) / count
  const step = (0.8 * (h - l)) / Math.sqrt(count)
  for (let part = 0; part <= count; part += 1) points[part] = o + ((c - o) * part) / count + ((points[part] ?? 0) - drift * part) * step
  const [upper, lower] = [Math.max(o, c), Math.min(o, c)]
  const above = Math.max(...points) - upper
  const below = lower - Math.min(...points)
  const up = above > 0 ? Math.min(3, (used * (h - upper)) / above) : 1
  const down = below > 0 ? Math.min(3, (used * (lower - l)) / below) : 1
  for (let part = 1; part < count; part += 1) {
    const point = points[part] ?? o
    points[part] = point > upper ? upper + (point - upper) * up : point < lower ? lower - (lower - point) * down : point
  }
  points[0] = o
  points[count] = c
  return points
}
