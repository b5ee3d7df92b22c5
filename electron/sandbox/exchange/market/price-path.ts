import type { Market } from './catalogue.ts'

/**
 * Play prices as a pure function of seed, market and time, so that candles of the past are computed instead of stored.
 * Floating point is good enough for making a price up; what leaves this folder is rounded to the market's tick.
 */
export interface PricePath {
  price(market: Market, atMs: number): number
  /** Smooth noise in [-1, 1] for what else moves: funding, open interest, volume. */
  noise(channel: number, at: number): number
}

/** Period in milliseconds and amplitude as a share of the price, from the slow swings to the flicker between two seconds. */
const octaves: readonly (readonly [number, number])[] = [
  [1_209_600_000, 0.05],
  [302_400_000, 0.03],
  [86_400_000, 0.012],
  [21_600_000, 0.007],
  [5_400_000, 0.0035],
  [1_500_000, 0.0018],
  [420_000, 0.001],
  [120_000, 0.0005],
  [33_000, 0.00028],
  [9_000, 0.00014],
  [2_500, 0.00008],
]

export function createPricePath({ seed }: { seed: number }): PricePath {
  const noise = (channel: number, at: number): number => {
    const cell = Math.floor(at)
    const part = at - cell
    const eased = part * part * (3 - 2 * part)
    const left = lattice(seed, channel, cell)
    return left + (lattice(seed, channel, cell + 1) - left) * eased
  }
  return {
    noise,
    price: (market, atMs) => {
      let swing = 0
      for (const [index, [period, amplitude]] of octaves.entries()) swing += amplitude * noise(market.id * 32 + index, atMs / period)
      return market.anchor * (1 + swing * market.liveliness)
    },
  }
}

/** A value in [-1, 1) for a point of the lattice; integer mixing only, so that every machine agrees. */
function lattice(seed: number, channel: number, cell: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(channel + 1, 0xc2b2ae35)
  h = Math.imul(h ^ (cell | 0), 0x27d4eb2f) ^ Math.imul(Math.floor(cell / 4_294_967_296) + 1, 0x165667b1)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  h ^= h >>> 12
  h = Math.imul(h, 0x297a2d39)
  h ^= h >>> 15
  return (h >>> 0) / 2_147_483_648 - 1
}
