import { formatDecimal } from '../../../shared/decimal.ts'
import { stateOfTransaction } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent, IntentState, PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { SigningStep } from '../../signing/parts/signing-message.ts'
import { tradeText } from '../../text/en/trade.en.tsx'

/** The state of all transactions of an order, and which of them the signing sheet shows. */
export interface StepsAt {
  /** The index of the transaction that the sheet shows. `null` if it shows a signature, or if no transaction is left. */
  readonly at: number | null
  readonly transactions: readonly PreparedTransaction[]
}

/**
 * Chooses the transaction for the signing sheet: one that failed verification, because it blocks all sending, or else the next one to send.
 */
export function stepsAt({ next, transactions }: Pick<PreparedOrder, 'next' | 'transactions'>): StepsAt {
  const refused = transactions.findIndex(({ comparison }) => comparison.verdict === 'block')
  return { at: refused >= 0 ? refused : next, transactions }
}

/** Whether another transaction follows the one on the sheet. */
export const hasMore = ({ at, transactions }: StepsAt): boolean => at !== null && at < transactions.length - 1

/** Whether part of the action is already on the chain, because the sheet shows a later transaction than the first. */
export const isUnderWay = ({ at }: StepsAt): boolean => at !== null && at > 0

/** Whether the user can now sign the next transaction: `newer`, the latest state of the order, shows the previous transaction in a block. */
export function offersNext(newer: PreparedOrder, { at }: StepsAt): boolean {
  const { next, intent, comparison, transactions } = newer
  return at !== null && next !== null && next > at && intent.state === 'PREPARED' && comparison !== null && transactions[next]?.state === 'waiting'
}

const ended: ReadonlySet<IntentState> = new Set(['REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])

/**
 * The intent, with its state replaced by the state of the transaction on the sheet; `null` until the wallet has sent that transaction. An ended
 * intent stays unchanged.
 */
export function stepIntent(intent: Intent, { at, transactions }: StepsAt): Intent | null {
  const step = at === null ? undefined : transactions[at]
  if (step === undefined || ended.has(intent.state)) return intent
  const { state, txHash, confirmations, reason } = step
  return state === 'waiting' || state === 'asked' ? null : { ...intent, state: stateOfTransaction[state], txHash, confirmations, reason, finality: null }
}

const notes: Readonly<Record<PreparedTransaction['state'], string | null>> = {
  waiting: null,
  asked: tradeText.onYourPhone,
  submitted: tradeText.sent,
  confirming: tradeText.onTheChain,
  final: tradeText.onTheChain,
  reverted: tradeText.reverted,
  unknown: tradeText.unknown,
  cancelled: tradeText.notSent,
}

const failed: ReadonlySet<PreparedTransaction['state']> = new Set(['reverted', 'cancelled'])
const done: ReadonlySet<PreparedTransaction['state']> = new Set(['confirming', 'final'])

/** The label of a transaction: "Approve exactly 500.00 USDC" for an approval, otherwise the action's name. */
function labelOf({ kind, spending }: PreparedTransaction, title: string): string {
  if (spending === null) return kind === 'approval' ? tradeText.approve : title
  const { token, amount } = spending
  // The approval is for a token other than the order's. The sheet shows it as refused, so its label needs no amount.
  if (token === null) return tradeText.approve
  return amount === null ? tradeText.approveAnyAmount(token) : tradeText.approveExactly(formatDecimal(amount, { minDecimals: 2 }), token)
}

/** The transactions as steps for the sheet; empty if there is only one transaction. `title` names the action. */
export function signingSteps({ at, transactions }: StepsAt, title: string): readonly SigningStep[] {
  if (transactions.length < 2) return []
  return transactions.map((step, index) => ({
    label: labelOf(step, title),
    note: step.state === 'waiting' && at !== null && index > at ? tradeText.thenStep : notes[step.state],
    state: failed.has(step.state) ? 'failed' : done.has(step.state) ? 'done' : index === at ? 'now' : 'next',
  }))
}
