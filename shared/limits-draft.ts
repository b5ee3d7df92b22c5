import { compare } from './decimal.ts'
import type { FormIssue } from './ipc/form-issue.ts'
import type { RiskLimits } from './ipc/intents/risk-limits.ts'
import { isBlank, numberIssue, typedDecimal, typedWhole } from './ticket/typed-number.ts'

/** The risk limits as the user typed them into the form. An empty field means no limit. */
export interface LimitsDraft {
  readonly orderValue: string
  readonly leverage: string
  readonly dailyLoss: string
  /** The ids of the markets in which orders may add risk; null: all markets. */
  readonly markets: readonly number[] | null
}

export interface LimitsIssues {
  readonly orderValue: FormIssue | null
  readonly leverage: FormIssue | null
  readonly dailyLoss: FormIssue | null
  readonly markets: FormIssue | null
}

export const draftOf = ({ orderValueUsdc, leverage, dailyLossUsdc, markets }: RiskLimits): LimitsDraft => ({
  orderValue: orderValueUsdc ?? '',
  leverage: leverage?.toString() ?? '',
  dailyLoss: dailyLossUsdc ?? '',
  markets,
})

const amountIssue = (typed: string): FormIssue | null => {
  if (isBlank(typed)) return null
  const amount = typedDecimal(typed)
  if (amount === null) return numberIssue(typed, ['typeLimit'])
  return compare(amount, '0') > 0 ? null : ['limitAboveZero']
}

export const issuesOf = ({ orderValue, leverage, dailyLoss, markets }: LimitsDraft): LimitsIssues => ({
  orderValue: amountIssue(orderValue),
  leverage: isBlank(leverage) || (typedWhole(leverage) ?? 0) >= 1 ? null : ['typeMaxLeverage'],
  dailyLoss: amountIssue(dailyLoss),
  markets: markets?.length === 0 ? ['chooseMarkets'] : null,
})

/** Converts the typed limits to numbers; null if any of them is invalid. */
export function limitsOf(draft: LimitsDraft): RiskLimits | null {
  if (Object.values(issuesOf(draft)).some((issue) => issue !== null)) return null
  const amount = (typed: string): string | null => (isBlank(typed) ? null : typedDecimal(typed))
  return {
    orderValueUsdc: amount(draft.orderValue),
    leverage: typedWhole(draft.leverage),
    dailyLossUsdc: amount(draft.dailyLoss),
    markets: draft.markets === null ? null : [...draft.markets].sort((a, b) => a - b),
  }
}

export const noLimits: RiskLimits = { orderValueUsdc: null, leverage: null, dailyLossUsdc: null, markets: null }

export type LimitName = keyof RiskLimits

/** Returns the names of the limits that a change raises or removes. The user must confirm these by typing a phrase. */
export function loosened(before: RiskLimits, after: RiskLimits): readonly LimitName[] {
  const above = (was: string | null, is: string | null): boolean => was !== null && (is === null || compare(is, was) > 0)
  const limits: LimitName[] = []
  if (above(before.orderValueUsdc, after.orderValueUsdc)) limits.push('orderValueUsdc')
  if (before.leverage !== null && (after.leverage === null || after.leverage > before.leverage)) limits.push('leverage')
  if (above(before.dailyLossUsdc, after.dailyLossUsdc)) limits.push('dailyLossUsdc')
  const { markets: allowed } = before
  if (allowed !== null && (after.markets === null || after.markets.some((id) => !allowed.includes(id)))) limits.push('markets')
  return limits
}
