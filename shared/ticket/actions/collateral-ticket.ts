import { tokenRole } from '../../collateral-token.ts'
import { compare, decimalsOf, formatDecimal, signOf } from '../../decimal.ts'
import type { ActionTicketOf, CollateralToken } from '../../ipc/intents/tickets.ts'
import { type FormReading, Issues } from '../field-issue.ts'
import { isBlank, numberIssue, typedDecimal } from '../typed-number.ts'

export interface CollateralState {
  readonly token: CollateralToken
  readonly amount: string
  /** Deposits only: by a signature in place of transactions. */
  readonly permit: boolean
}

/** What is known of the token; null: not told. */
export interface CollateralFacts {
  /** What the wallet holds for a deposit, what the exchange gives back for a withdrawal. */
  readonly available: string | null
  /** Of the token: 6 for USDC. null: not known. */
  readonly decimals: number | null
  /** `collateral_model.approval.permit` of `/api/dex/config` is true (Flow rules 4). */
  readonly permitOffered: boolean
}

export type CollateralField = 'amount' | 'permit'
export type DepositTicket = ActionTicketOf<'add_collateral'>
export type WithdrawTicket = ActionTicketOf<'withdraw_collateral'>

function readAmount(
  { token, amount }: CollateralState,
  { available, decimals }: CollateralFacts,
  where: string,
  issues: Issues<CollateralField>,
): string | null {
  const value = typedDecimal(amount) ?? issues.report('amount', numberIssue(amount, `Type an amount in ${token}.`), isBlank(amount))
  if (value === null) return null
  if (signOf(value) <= 0) return issues.report('amount', 'The amount must be above zero.')
  if (decimals !== null && decimalsOf(value) > decimals) return issues.report('amount', `${token} has ${decimals} decimals.`)
  if (available !== null && compare(value, available) > 0) return issues.report('amount', `${where} ${formatDecimal(available, { minDecimals: 2 })} ${token}.`)
  return value
}

export const permitIssue = ({ token, permit }: Pick<CollateralState, 'token' | 'permit'>, permitOffered: boolean): string | null => {
  if (!permit) return null
  if (tokenRole(token) !== 'USDC') return 'Only USDC can be put in by signature.'
  return permitOffered ? null : 'The exchange takes no deposits by signature now.'
}

export function readDeposit(state: CollateralState, facts: CollateralFacts): FormReading<CollateralField, DepositTicket> {
  const issues = new Issues<CollateralField>()
  const amount = readAmount(state, facts, 'Your wallet holds', issues)
  issues.take('permit', permitIssue(state, facts.permitOffered))
  return issues.reading<DepositTicket>(amount === null ? null : { action: 'add_collateral', token: state.token, amount, permit: state.permit })
}

export function readWithdrawal(state: CollateralState, facts: CollateralFacts): FormReading<CollateralField, WithdrawTicket> {
  const issues = new Issues<CollateralField>()
  const amount = readAmount(state, facts, 'You can take out', issues)
  return issues.reading<WithdrawTicket>(amount === null ? null : { action: 'withdraw_collateral', token: state.token, amount })
}
