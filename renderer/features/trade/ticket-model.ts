import { add, compare, divide, formatDecimal, maximum, minimum, multiply, parseDecimal, percentOf, signOf, subtract } from '../../../shared/decimal.ts'
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
  /** Stands once, after the last value; null where the service named none. */
  readonly unit: string | null
}

/** The order in which a trader reads them. What else the service simulates follows under its own name. */
const reading = ['Entry', 'Liquidation', 'Margin', 'Margin used', 'Health'] as const

const rank = (label: string): number => {
  const at = reading.findIndex((name) => label === name || label === `${name} after` || label === `${name} before`)
  return at < 0 ? reading.length : at
}

/** "Margin used after, %" is a name and a unit. */
function nameAndUnit(label: string): { readonly name: string; readonly unit: string | null } {
  const [, name = label, unit = null] = /^(.*), (USDC|%)$/.exec(label) ?? []
  return { name, unit }
}

/** USDC to the cent; an amount that would round to nothing keeps its digits. */
export const cents = (amount: string): string =>
  formatDecimal(amount, signOf(amount) !== 0 && signOf(divide(amount, '1', 2)) === 0 ? { minDecimals: 2 } : { decimals: 2 })

/** USDC to the cent and percent to a tenth; text stays text. */
function tidied(value: string, unit: string | null): string {
  const number = unit === null ? null : parseDecimal(value.replaceAll(',', '').replace('−', '-'))
  if (number === null) return value
  return unit === '%' ? formatDecimal(number, { decimals: 1 }) : cents(number)
}

/**
 * The service's simulation as the ticket shows it: "Health before" and "Health after" on one line, the fee left to the
 * line that has it with the network's cost. All else stays as the service said it.
 */
export function simulationRows(rows: readonly { readonly label: string; readonly value: string }[]): readonly SimulationRow[] {
  const named = rows.map((row) => ({ ...nameAndUnit(row.label), value: row.value }))
  return named
    .filter(({ name }) => name !== 'Fee')
    .flatMap(({ name, unit, value }): SimulationRow[] => {
      if (name.endsWith(' before') && named.some((other) => other.name === name.replace(/ before$/, ' after'))) return []
      const before = name.endsWith(' after') ? (named.find((other) => other.name === name.replace(/ after$/, ' before'))?.value ?? null) : null
      return [
        {
          label: before === null ? name : name.replace(/ after$/, ''),
          before: before === null ? null : tidied(before, unit),
          value: tidied(value, unit),
          unit,
        },
      ]
    })
    .sort((a, b) => rank(a.label) - rank(b.label))
}
