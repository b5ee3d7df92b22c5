import { day } from '../../../../shared/time.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

/** The volume traded between two times, in units of the market's smallest size. Volumes of adjacent periods add up exactly. */
export type Volume = (market: Market, fromMs: number, toMs: number) => number

/**
 * Periodic swings of the trading volume. Each entry has a period in days and a share: the volume runs ahead of or behind a constant pace by at most
 * this share of the period.
 * Each swing applies to the result of the previous swing, so that trading comes in bursts. All shares are below a third, so the volume is never
 * negative.
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
