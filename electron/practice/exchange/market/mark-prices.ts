import { multiply } from '../../../../shared/decimal.ts'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import type { Market } from './catalogue.ts'
import type { PricePath } from './price-path.ts'

export interface Marks {
  atMs(): number
  /** Returns the current mark price, in USDC. */
  mark(market: Market): string
  /** Returns the index price: the price at external markets, which the mark price follows. */
  index(market: Market): string
  /** Returns the mark price at a given time, in ticks. For a time in the future, returns the current mark price. */
  ticksAt(market: Market, atMs: number): number
}

export const priceOfTicks = (market: Market, ticks: number): string => multiply(ticks.toString(), market.tick)

export const ticksOf = (market: Market, price: number): number => Math.round(price / Number(market.tick))

export function createMarks({ path, clock, faults }: { path: PricePath; clock: Clock; faults: Faults }): Marks {
  let madeAtMs = 0
  const atMs = () => {
    if (!faults.stalePrices || madeAtMs === 0) madeAtMs = Math.floor(clock.now() / second) * second
    return madeAtMs
  }
  const made = (market: Market, moment: number) => ticksOf(market, path.price(market, moment))
  const shifted = (ticks: number) => Math.round((ticks * (10_000 + faults.priceShiftBps)) / 10_000)
  const ticksAt = (market: Market, moment: number) => (moment >= atMs() ? shifted(made(market, atMs())) : made(market, moment))
  return {
    atMs,
    mark: (market) => priceOfTicks(market, ticksAt(market, atMs())),
    index: (market) => priceOfTicks(market, shifted(made(market, atMs() - 2 * second))),
    ticksAt,
  }
}
