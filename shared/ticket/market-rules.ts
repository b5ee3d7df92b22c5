import { limits } from '../api/limits.ts'
import { compare, decimalsOf, formatDecimal, fromUnits, isMultipleOf, roundToStep, signOf } from '../decimal.ts'
import type { Market } from '../ipc/reads/markets.ts'

/**
 * Rules of the API document, applied with the limits of the market. Each function returns a sentence if the rule is broken, else null. The service
 * decides about limits that the market does not state.
 */

export const usdc = (value: string): string => `${formatDecimal(value, { minDecimals: 2 })} USDC`
export const priceText = (value: string, market: Pick<Market, 'priceDecimals'>): string => formatDecimal(value, { minDecimals: market.priceDecimals ?? 0 })

/** On the chain, prices have 8 decimals. */
const chainPriceDecimals = 8

/** The step for computed prices in a market: its tick size, else its price decimals. */
export const priceStep = ({ tickSize, priceDecimals }: Market): string => tickSize ?? fromUnits(1n, priceDecimals ?? chainPriceDecimals)

/** `name`: the start of the sentence, for example "The limit price". */
export function priceIssue(name: string, price: string, market: Market): string | null {
  if (signOf(price) <= 0) return `${name} must be above zero.`
  if (market.tickSize !== null && !isMultipleOf(price, market.tickSize))
    return `${market.symbol} prices move in steps of ${formatDecimal(market.tickSize)}; ${priceText(roundToStep(price, market.tickSize), market)} is the nearest.`
  return null
}

export function leverageIssue(leverage: number, market: Market): string | null {
  if (leverage < 1) return 'Leverage starts at 1.'
  return market.maxLeverage !== null && leverage > market.maxLeverage ? `${market.symbol} allows up to ${market.maxLeverage}×.` : null
}

/** Checks an amount in USDC to send; `what` starts the sentence. */
export function amountIssue(what: string, value: string): string | null {
  if (signOf(value) <= 0) return `${what} must be above zero.`
  return decimalsOf(value) > limits.orderValueDecimals ? `USDC has ${limits.orderValueDecimals} decimals.` : null
}

export function orderValueIssue(value: string, market: Market): string | null {
  const issue = amountIssue('The order value', value)
  if (issue !== null) return issue
  if (market.minOrderUsdc !== null && compare(value, market.minOrderUsdc) < 0) return `${market.symbol} takes orders from ${usdc(market.minOrderUsdc)}.`
  return market.maxOrderUsdc !== null && compare(value, market.maxOrderUsdc) > 0 ? `${market.symbol} takes orders up to ${usdc(market.maxOrderUsdc)}.` : null
}

/** Checks a size in base units. */
export function sizeIssue(size: string, market: Market): string | null {
  if (signOf(size) <= 0) return 'The size must be above zero.'
  return market.sizeDecimals !== null && decimalsOf(size) > market.sizeDecimals ? `${market.symbol} sizes have ${market.sizeDecimals} decimals.` : null
}

export function slippageIssue(bps: number): string | null {
  const { min, max } = limits.slippageBps
  return Number.isInteger(bps) && bps >= min && bps <= max ? null : 'Slippage is 0.01% to 10%.'
}

/**
 * Checks that take profit and stop loss lie on their side of a price; `priceName` is the name of that price in the sentence, for example "the price,
 * now".
 */
export function exitIssue(
  kind: 'takeProfit' | 'stopLoss',
  price: string,
  of: { readonly side: 'long' | 'short'; readonly entry: string; readonly entryName: string },
  market: Market,
): string | null {
  const name = kind === 'takeProfit' ? 'Take profit' : 'Stop loss'
  const issue = priceIssue(name, price, market)
  if (issue !== null) return issue
  const above = (kind === 'takeProfit') === (of.side === 'long')
  const order = compare(price, of.entry)
  if (above ? order > 0 : order < 0) return null
  return `${name} of a ${of.side} lies ${above ? 'above' : 'below'} ${of.entryName} ${priceText(of.entry, market)}.`
}
