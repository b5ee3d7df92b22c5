import { add, compare, decimalsOf, divide, formatDecimal, signOf, subtract } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { ActionTicketOf, SeenPosition, TokenSymbol } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { tokenRole } from '../../positions.ts'
import { amountIssue, leverageIssue, usdc } from '../market-rules.ts'
import { marginOf } from '../order-size.ts'
import { type FormReading, Issues, isBlank, numberIssue, typedDecimal, typedWhole } from '../typed-number.ts'

/** Facts about an isolated position and its account. A fact is null if the service does not state it. */
export interface MarginFacts {
  readonly marginMode: string | null
  /** The margin of the position, in USDC. */
  readonly marginUsdc: string | null
  readonly notionalUsdc: string | null
  readonly leverage: string | null
  readonly freeMargin: string | null
}

export type MarginField = 'amount' | 'form'
export type MarginTicket = ActionTicketOf<'add_isolated_margin' | 'reduce_isolated_margin'>

export const isolatedIssue = (marginMode: string | null): FormIssue | null => (marginMode?.trim().toLowerCase().startsWith('cross') ? ['sharedMargin'] : null)

export function readMargin(
  action: MarginTicket['action'],
  typed: string,
  position: SeenPosition,
  { marginMode, marginUsdc, freeMargin }: MarginFacts,
): FormReading<MarginField, MarginTicket> {
  const issues = new Issues<MarginField>()
  issues.take('form', isolatedIssue(marginMode))
  const amount = typedDecimal(typed) ?? issues.report('amount', numberIssue(typed, ['typeAmount', 'USDC']), isBlank(typed))
  if (amount === null) return issues.reading<MarginTicket>(null)
  const issue = amountIssue(amount)
  if (issue !== null) issues.report('amount', issue)
  else if (action === 'add_isolated_margin' && freeMargin !== null && compare(amount, freeMargin) > 0)
    issues.report('amount', ['freeMarginIs', usdc(freeMargin)])
  else if (action === 'reduce_isolated_margin' && marginUsdc !== null && compare(amount, marginUsdc) >= 0)
    issues.report('amount', ['positionMarginIs', usdc(marginUsdc)])
  return issues.reading<MarginTicket>({ action, position, amountUsdc: amount })
}

export interface MarginSummary {
  readonly marginUsdc: string | null
  readonly leverage: string | null
}

/** Calculates the position's margin and leverage after a change, for display until the service states its own figures. */
export function summariseMargin({ action, amountUsdc }: MarginTicket, { marginUsdc, notionalUsdc }: MarginFacts): MarginSummary {
  const after = marginUsdc === null ? null : action === 'add_isolated_margin' ? add(marginUsdc, amountUsdc) : subtract(marginUsdc, amountUsdc)
  return { marginUsdc: after, leverage: after === null || notionalUsdc === null || signOf(after) <= 0 ? null : divide(notionalUsdc, after, 2) }
}

export type LeverageField = 'leverage' | 'form'
export type LeverageTicket = ActionTicketOf<'change_isolated_leverage'>

export function readLeverage(typed: string, position: SeenPosition, market: Market, facts: MarginFacts): FormReading<LeverageField, LeverageTicket> {
  const issues = new Issues<LeverageField>()
  issues.take('form', isolatedIssue(facts.marginMode))
  const leverage = typedWhole(typed) ?? issues.report('leverage', ['leverageNotWhole'], isBlank(typed))
  if (leverage === null) return issues.reading<LeverageTicket>(null)
  const issue = leverageIssue(leverage, market)
  if (issue !== null) issues.report('leverage', issue)
  else if (facts.leverage !== null && compare(facts.leverage, leverage.toString()) === 0) issues.report('leverage', ['leverageNow', leverage])
  return issues.reading<LeverageTicket>({ action: 'change_isolated_leverage', position, leverage })
}

/** Calculates the margin that the position needs at the new leverage, and the difference from its current margin (negative: less). */
export function summariseLeverage(
  { leverage }: LeverageTicket,
  { notionalUsdc, marginUsdc }: MarginFacts,
): { readonly marginUsdc: string; readonly change: string | null } | null {
  if (notionalUsdc === null) return null
  const after = marginOf(notionalUsdc, leverage)
  return { marginUsdc: after, change: marginUsdc === null ? null : subtract(after, marginUsdc) }
}

export interface CollateralState {
  readonly token: TokenSymbol
  readonly amount: string
  /** For deposits only. true: use a permit signature instead of an approval transaction. */
  readonly permit: boolean
}

/** Facts about a token. A fact is null if it is unknown. */
export interface CollateralFacts {
  /** For a deposit, the wallet's balance. For a withdrawal, the amount that the exchange can pay out. */
  readonly available: string | null
  /** The token's number of decimals: 6 for USDC; null if unknown. */
  readonly decimals: number | null
  /** Whether the service accepts deposits by permit: `collateral_model.approval.permit` of `/api/dex/config` (Flow rules 4). */
  readonly permitOffered: boolean
}

type CollateralField = 'amount' | 'permit'
type DepositTicket = ActionTicketOf<'add_collateral'>
type WithdrawTicket = ActionTicketOf<'withdraw_collateral'>

function readAmount(
  { token, amount }: CollateralState,
  { available, decimals }: CollateralFacts,
  tooMuch: 'walletHolds' | 'canWithdraw',
  issues: Issues<CollateralField>,
): string | null {
  const value = typedDecimal(amount) ?? issues.report('amount', numberIssue(amount, ['typeAmount', token]), isBlank(amount))
  if (value === null) return null
  if (signOf(value) <= 0) return issues.report('amount', ['aboveZero'])
  if (decimals !== null && decimalsOf(value) > decimals) return issues.report('amount', ['mostDecimals', token, decimals])
  if (available !== null && compare(value, available) > 0) return issues.report('amount', [tooMuch, formatDecimal(available, { minDecimals: 2 }), token])
  return value
}

export const permitIssue = ({ token, permit }: Pick<CollateralState, 'token' | 'permit'>, permitOffered: boolean): FormIssue | null => {
  if (!permit) return null
  if (tokenRole(token) !== 'USDC') return ['permitOnlyUsdc']
  return permitOffered ? null : ['permitNotOffered']
}

export function readDeposit(state: CollateralState, facts: CollateralFacts): FormReading<CollateralField, DepositTicket> {
  const issues = new Issues<CollateralField>()
  const amount = readAmount(state, facts, 'walletHolds', issues)
  issues.take('permit', permitIssue(state, facts.permitOffered))
  return issues.reading<DepositTicket>(amount === null ? null : { action: 'add_collateral', token: state.token, amount, permit: state.permit })
}

export function readWithdrawal(state: CollateralState, facts: CollateralFacts): FormReading<CollateralField, WithdrawTicket> {
  const issues = new Issues<CollateralField>()
  const amount = readAmount(state, facts, 'canWithdraw', issues)
  return issues.reading<WithdrawTicket>(amount === null ? null : { action: 'withdraw_collateral', token: state.token, amount })
}
