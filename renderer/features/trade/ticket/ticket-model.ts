import { add, compare, divide, formatDecimal, maximum, minimum, multiply, percentOf, signOf, subtract } from '../../../../shared/decimal.ts'
import type { AccountSummary } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { sizeInUnit } from '../../../../shared/ticket/form/change-unit.ts'
import type { SizeFacts, SizeUnit } from '../../../../shared/ticket/order-size.ts'

/** The most that can be opened: free margin times leverage, within the market's maximum. Null while it is not known. */
export function mostOpenable(account: AccountSummary | undefined, market: Market, leverage: string): string | null {
  const free = account?.freeMargin ?? null
  if (free === null || !/^[1-9]\d{0,3}$/.test(leverage.trim())) return null
  const most = maximum('0', multiply(free, leverage.trim()))
  return market.maxOrderUsdc === null ? most : minimum(most, market.maxOrderUsdc)
}

/** Whole percent of what can be opened, 0 to 100, for the slider. */
export function shareOf(value: string | null, most: string | null): number {
  if (value === null || most === null || signOf(most) <= 0 || signOf(value) <= 0) return 0
  const share = percentOf(value, most, 1) ?? '0'
  return Number(minimum(share, '100'))
}

/** The order value at a share of what can be opened: two decimals, rounded down, so that it always fits. */
export const valueAtShare = (percent: number, most: string): string => divide(multiply(most, String(Math.round(percent))), '100', 2, 'down')

/** The same in the unit in which the size is typed. */
export function sizeAtShare(percent: number, most: string, unit: SizeUnit, facts: SizeFacts): string {
  const value = valueAtShare(percent, most)
  if (signOf(value) === 0) return ''
  const { freeMargin, leverage } = facts
  // Not rounded down: what 25 % of the free margin comes to is 25 % of it again, not 24.99 %.
  if (unit === 'free_margin' && freeMargin !== null && signOf(freeMargin) > 0 && leverage !== null)
    return divide(multiply(value, '100'), multiply(freeMargin, leverage.toString()), 2)
  return sizeInUnit(value, 'usdc', unit, facts)
}

export interface BeforeAfter {
  readonly before: string | null
  readonly after: string | null
}

/** Free margin before and after the order's margin is taken; the service's own numbers come with the preparation. */
export function freeMargin(account: AccountSummary | undefined, margin: string | null): BeforeAfter {
  const before = account?.freeMargin ?? null
  return { before, after: before === null || margin === null ? null : subtract(before, margin) }
}

/** Share of the equity that is used as margin, in percent. */
export function marginUsed(account: AccountSummary | undefined, margin: string | null): BeforeAfter {
  const before = account?.marginUsedPercent ?? null
  const equity = account?.equity ?? null
  if (before === null || equity === null || margin === null || compare(equity, '0') <= 0) return { before, after: null }
  const more = percentOf(margin, equity, 2)
  return { before, after: more === null ? null : add(before, more) }
}

/** "Review long, 250.00 USDC", or the invitation to type an amount. */
export function reviewWords(side: 'long' | 'short', value: string | null): string {
  return value === null ? `Review ${side}` : `Review ${side}, ${cents(value)} USDC`
}

/** USDC to the cent; an amount that would round to nothing keeps its digits. */
export const cents = (amount: string): string =>
  formatDecimal(amount, signOf(amount) !== 0 && signOf(divide(amount, '1', 2)) === 0 ? { minDecimals: 2 } : { decimals: 2 })
