import { add, compare, divide, formatDecimal, maximum, minimum, multiply, percentOf, signOf, subtract } from '../../../shared/decimal.ts'
import type { AccountSummary } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'

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
  return value === null ? `Review ${side}` : `Review ${side}, ${formatDecimal(value, { minDecimals: 2 })} USDC`
}

export interface SimulationRow {
  readonly label: string
  /** Set where the service gave a before and an after. */
  readonly before: string | null
  readonly value: string
}

/** Puts "Health before" and "Health after" on one line; all else stays as the service said it. */
export function simulationRows(rows: readonly { readonly label: string; readonly value: string }[]): readonly SimulationRow[] {
  const beforeOf = (label: string) => rows.find((row) => row.label === label.replace(/ after\b/, ' before'))?.value ?? null
  return rows.flatMap((row): SimulationRow[] => {
    if (/ before\b/.test(row.label) && rows.some((other) => other.label === row.label.replace(/ before\b/, ' after'))) return []
    const paired = / after\b/.test(row.label) ? beforeOf(row.label) : null
    return [{ label: paired === null ? row.label : row.label.replace(/ after\b/, ''), before: paired, value: row.value }]
  })
}
