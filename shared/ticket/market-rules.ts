import { limits } from '../api/limits.ts'
import { compare, decimalsOf, formatDecimal, fromUnits, isMultipleOf, roundToStep, signOf } from '../decimal.ts'
import type { FormIssue } from '../ipc/form-issue.ts'
import type { Market } from '../ipc/reads/markets.ts'

/**
 * The functions in this file whose names end in `Issue` check a rule of the API document against the market's own limits. Each returns null if the
 * value is valid. If the market does not state a limit, only the service checks that limit.
 */

export const usdc = (value: string): string => `${formatDecimal(value, { minDecimals: 2 })} USDC`
export const priceText = (value: string, market: Pick<Market, 'priceDecimals'>): string => formatDecimal(value, { minDecimals: market.priceDecimals ?? 0 })

/** Prices in the exchange's contracts have 8 decimals. */
const chainPriceDecimals = 8

/** The smallest price step in a market: its tick size. If the tick size is not stated, one unit of the last price decimal. */
export const priceStep = ({ tickSize, priceDecimals }: Market): string => tickSize ?? fromUnits(1n, priceDecimals ?? chainPriceDecimals)

export function priceIssue(price: string, market: Market): FormIssue | null {
  if (signOf(price) <= 0) return ['aboveZero']
  if (market.tickSize !== null && !isMultipleOf(price, market.tickSize))
    return ['priceSteps', market.symbol, formatDecimal(market.tickSize), priceText(roundToStep(price, market.tickSize), market)]
  return null
}

export function leverageIssue(leverage: number, market: Market): FormIssue | null {
  if (leverage < 1) return ['leverageFromOne']
  return market.maxLeverage !== null && leverage > market.maxLeverage ? ['leverageUpTo', market.symbol, market.maxLeverage] : null
}

/** Checks an amount in USDC before it is sent. */
export function amountIssue(value: string): FormIssue | null {
  if (signOf(value) <= 0) return ['aboveZero']
  return decimalsOf(value) > limits.orderValueDecimals ? ['mostDecimals', 'USDC', limits.orderValueDecimals] : null
}

export function orderValueIssue(value: string, market: Market): FormIssue | null {
  const issue = amountIssue(value)
  if (issue !== null) return issue
  if (market.minOrderUsdc !== null && compare(value, market.minOrderUsdc) < 0) return ['orderFrom', market.symbol, usdc(market.minOrderUsdc)]
  return market.maxOrderUsdc !== null && compare(value, market.maxOrderUsdc) > 0 ? ['orderUpTo', market.symbol, usdc(market.maxOrderUsdc)] : null
}

export function sizeIssue(size: string, market: Market): FormIssue | null {
  if (signOf(size) <= 0) return ['aboveZero']
  return market.sizeDecimals !== null && decimalsOf(size) > market.sizeDecimals ? ['mostSizeDecimals', market.symbol, market.sizeDecimals] : null
}

export function slippageIssue(bps: number): FormIssue | null {
  const { min, max } = limits.slippageBps
  return Number.isInteger(bps) && bps >= min && bps <= max ? null : ['slippageRange']
}

/** Checks that a TP or SL is on the right side of a price: the current price, or an order's price. */
export function exitIssue(
  kind: 'takeProfit' | 'stopLoss',
  price: string,
  of: { readonly side: 'long' | 'short'; readonly entry: string; readonly entryOf: 'Now' | 'Limit' | 'Trigger' | 'Order' },
  market: Market,
): FormIssue | null {
  const issue = priceIssue(price, market)
  if (issue !== null) return issue
  const above = (kind === 'takeProfit') === (of.side === 'long')
  const order = compare(price, of.entry)
  if (above ? order > 0 : order < 0) return null
  return [`${above ? 'above' : 'below'}${of.entryOf}`, priceText(of.entry, market)]
}
