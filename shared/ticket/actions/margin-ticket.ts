import { add, compare, divide, signOf, subtract } from '../../decimal.ts'
import type { ActionTicketOf, SeenPosition } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { type FormReading, Issues } from '../field-issue.ts'
import { amountIssue, leverageIssue, usdc } from '../market-rules.ts'
import { marginOf } from '../order-size.ts'
import { isBlank, numberIssue, typedDecimal, typedWhole } from '../typed-number.ts'

/** What is known of an isolated position and of the account around it; null: not told. */
export interface MarginFacts {
  readonly marginMode: string | null
  /** Of the position, in USDC. */
  readonly marginUsdc: string | null
  readonly notionalUsdc: string | null
  readonly leverage: string | null
  readonly freeMargin: string | null
}

export type MarginField = 'amount' | 'form'
export type MarginTicket = ActionTicketOf<'add_isolated_margin' | 'reduce_isolated_margin'>

const sharedMargin = 'The position shares the margin of the account: only an isolated one has its own.'

export const isolatedIssue = (marginMode: string | null): string | null => (marginMode?.trim().toLowerCase().startsWith('cross') ? sharedMargin : null)

export function readMargin(
  action: MarginTicket['action'],
  typed: string,
  position: SeenPosition,
  { marginMode, marginUsdc, freeMargin }: MarginFacts,
): FormReading<MarginField, MarginTicket> {
  const issues = new Issues<MarginField>()
  issues.take('form', isolatedIssue(marginMode))
  const amount = typedDecimal(typed) ?? issues.report('amount', numberIssue(typed, 'Type an amount in USDC.'), isBlank(typed))
  if (amount === null) return issues.reading<MarginTicket>(null)
  const issue = amountIssue('The amount', amount)
  if (issue !== null) issues.report('amount', issue)
  else if (action === 'add_isolated_margin' && freeMargin !== null && compare(amount, freeMargin) > 0)
    issues.report('amount', `Your free margin is ${usdc(freeMargin)}.`)
  else if (action === 'reduce_isolated_margin' && marginUsdc !== null && compare(amount, marginUsdc) >= 0)
    issues.report('amount', `The margin of the position is ${usdc(marginUsdc)}; some of it must stay.`)
  return issues.reading<MarginTicket>({ action, position, amountUsdc: amount })
}

export interface MarginSummary {
  readonly marginUsdc: string | null
  readonly leverage: string | null
}

/** Margin and leverage of the position afterwards, before the service's own figures. */
export function summariseMargin({ action, amountUsdc }: MarginTicket, { marginUsdc, notionalUsdc }: MarginFacts): MarginSummary {
  const after = marginUsdc === null ? null : action === 'add_isolated_margin' ? add(marginUsdc, amountUsdc) : subtract(marginUsdc, amountUsdc)
  return { marginUsdc: after, leverage: after === null || notionalUsdc === null || signOf(after) <= 0 ? null : divide(notionalUsdc, after, 2) }
}

export type LeverageField = 'leverage' | 'form'
export type LeverageTicket = ActionTicketOf<'change_isolated_leverage'>

export function readLeverage(typed: string, position: SeenPosition, market: Market, facts: MarginFacts): FormReading<LeverageField, LeverageTicket> {
  const issues = new Issues<LeverageField>()
  issues.take('form', isolatedIssue(facts.marginMode))
  const leverage = typedWhole(typed) ?? issues.report('leverage', 'Leverage is a whole number.', isBlank(typed))
  if (leverage === null) return issues.reading<LeverageTicket>(null)
  const issue = leverageIssue(leverage, market)
  if (issue !== null) issues.report('leverage', issue)
  else if (facts.leverage !== null && compare(facts.leverage, leverage.toString()) === 0) issues.report('leverage', `The position has ${leverage}× now.`)
  return issues.reading<LeverageTicket>({ action: 'change_isolated_leverage', position, leverage })
}

/** The margin that the position would take, and how much more (below zero: less) than now. */
export function summariseLeverage(
  { leverage }: LeverageTicket,
  { notionalUsdc, marginUsdc }: MarginFacts,
): { readonly marginUsdc: string; readonly change: string | null } | null {
  if (notionalUsdc === null) return null
  const after = marginOf(notionalUsdc, leverage)
  return { marginUsdc: after, change: marginUsdc === null ? null : subtract(after, marginUsdc) }
}
