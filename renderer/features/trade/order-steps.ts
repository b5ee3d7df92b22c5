import { formatDecimal } from '../../../shared/decimal.ts'
import { stateOfTransaction } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent, IntentState, PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { SigningStep } from '../../signing/parts/signing-message.ts'
import { tradeText } from '../../text/en/trade.en.tsx'

/** What is shown of transactions: the one that the sheet is about, and where all of them stand. */
export interface StepsAt {
  /** Place of the one that the sheet is about; null: a signature, or none is left. */
  readonly at: number | null
  readonly transactions: readonly PreparedTransaction[]
}

/** Where nothing is sent because one of them is refused, it is about that one. */
export function stepsAt({ next, transactions }: Pick<PreparedOrder, 'next' | 'transactions'>): StepsAt {
  const refused = transactions.findIndex(({ comparison }) => comparison.verdict === 'block')
  return { at: refused >= 0 ? refused : next, transactions }
}

/** Another one comes after the one that the sheet is about. */
export const hasMore = ({ at, transactions }: StepsAt): boolean => at !== null && at < transactions.length - 1

/** Something of it stands on the chain already. */
export const isUnderWay = ({ at }: StepsAt): boolean => at !== null && at > 0

/** Whether `newer` asks for the one after it: the one before is in a block. */
export function offersNext(newer: PreparedOrder, { at }: StepsAt): boolean {
  const { next, intent, comparison, transactions } = newer
  return at !== null && next !== null && next > at && intent.state === 'PREPARED' && comparison !== null && transactions[next]?.state === 'waiting'
}

const ended: ReadonlySet<IntentState> = new Set(['REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])

/** The intent as its transaction stands that the sheet is about, while another one follows; null: nothing is known of it yet. */
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

/** "Approve exactly 500.00 USDC", else what the action is called. */
function labelOf({ kind, spending }: PreparedTransaction, title: string): string {
  if (spending === null) return kind === 'approval' ? tradeText.approve : title
  const { token, amount } = spending
  // No other token than that of the ticket is ever approved: this one is shown as refused.
  if (token === null) return tradeText.approve
  return amount === null ? tradeText.approveAnyAmount(token) : tradeText.approveExactly(formatDecimal(amount, { minDecimals: 2 }), token)
}

/** The transactions as a list of steps; empty where there is one only. `title` names the action itself. */
export function signingSteps({ at, transactions }: StepsAt, title: string): readonly SigningStep[] {
  if (transactions.length < 2) return []
  return transactions.map((step, index) => ({
    label: labelOf(step, title),
    note: step.state === 'waiting' && at !== null && index > at ? tradeText.thenStep : notes[step.state],
    state: failed.has(step.state) ? 'failed' : done.has(step.state) ? 'done' : index === at ? 'now' : 'next',
  }))
}
