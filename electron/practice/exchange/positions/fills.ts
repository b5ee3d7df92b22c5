import { add, basisPointsOf, compare, divide, fromUnits, maximum, roundToStep, subtract } from '../../../../shared/decimal.ts'
import type { Market } from '../market/catalogue.ts'
import type { Side } from '../state/instructions.ts'

/**
 * Returns how far from the mark an order of this value fills, in basis points. This is 1 plus up to 4, which depend on the order's share of the
 * market's daily volume.
 */
const impactBps = (market: Market, valueUsdc: string): number => 1 + Math.min(4, Math.floor((Number(valueUsdc) * 10_000) / market.dailyVolume))

const worsened = (side: Side, price: string, bps: number): string => (side === 'long' ? add : subtract)(price, basisPointsOf(price, bps))

/** The price at which an order that takes liquidity would fill now. It differs from the mark by at most `maxBps` basis points. */
export function takingPrice(market: Market, side: Side, mark: string, valueUsdc: string, maxBps: number | null): string {
  const bps = Math.min(impactBps(market, valueUsdc), maxBps ?? Number.POSITIVE_INFINITY)
  return roundToStep(worsened(side, mark, bps), market.tick)
}

export const slippageBound = (side: Side, reference: string, bps: number): string => worsened(side, reference, bps)

export const isWorse = (side: Side, price: string, bound: string): boolean => compare(price, bound) === (side === 'long' ? 1 : -1)

/** The size that `valueUsdc` buys at a price, rounded down to the market's size decimals. */
export const sizeFor = (market: Market, valueUsdc: string, price: string): string => divide(valueUsdc, price, market.sizeDecimals, 'down')

/** How much of a resting order the market can fill per block, in base units: a share of the daily volume, and at least the smallest size. */
export function blockDepth(market: Market, price: string): string {
  const smallest = fromUnits(1n, market.sizeDecimals)
  return maximum(sizeFor(market, (market.dailyVolume / 20_000).toString(), price), smallest)
}
