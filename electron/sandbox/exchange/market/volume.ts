import { day } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

/** What is traded between two moments, counted in the market's smallest size: of neighbouring times it adds up exactly. */
export type Volume = (market: Market, fromMs: number, toMs: number) => number

/** Period in days, and by how much of the usual volume it swings. Together below a third, so that volume never runs backwards. */
const swings: readonly (readonly [number, number])[] = [
  [9, 0.06],
  [1, 0.09],
  [0.13, 0.06],
  [0.011, 0.06],
  [0.0015, 0.04],
]
const countedSinceMs = Date.UTC(2000, 0, 3)

export function createVolume({ path }: { path: PricePath }): Volume {
  const until = (market: Market, atMs: number): number => {
    const days = (atMs - countedSinceMs) / day
    const swung = swings.reduce(
      (total, [period, part], index) => total + part * period * path.noise(market.id * 32 + 20, days / period + index * 2 ** 30),
      days,
    )
    return Math.round((market.dailyVolume / market.anchor) * 10 ** market.sizeDecimals * swung)
  }
  return (market, fromMs, toMs) => until(market, toMs) - until(market, fromMs)
}
