import { day } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

/** What is traded between two moments, counted in the market's smallest size: of neighbouring times it adds up exactly. */
export type Volume = (market: Market, fromMs: number, toMs: number) => number

/**
 * Period in days, and how far trade runs ahead of its time or falls behind by it, in parts of the period. Each goes by the time that the one before
 * it has made, so that busy moments come in bursts, some of them many times the usual. Below a third, so that volume never runs backwards.
 */
const swings: readonly (readonly [number, number])[] = [
  [9, 0.16],
  [1, 0.16],
  [0.13, 0.24],
  [0.04, 0.26],
  [0.011, 0.28],
  [0.004, 0.28],
  [0.0015, 0.26],
]
const countedSinceMs = Date.UTC(2000, 0, 3)

export function createVolume({ path }: { path: PricePath }): Volume {
  const until = (market: Market, atMs: number): number => {
    const days = (atMs - countedSinceMs) / day
    const swung = swings.reduce((at, [period, part], index) => at + part * period * path.noise(market.id * 32 + 20, at / period + index * 2 ** 30), days)
    return Math.round((market.dailyVolume / market.anchor) * 10 ** market.sizeDecimals * swung)
  }
  return (market, fromMs, toMs) => until(market, toMs) - until(market, fromMs)
}
