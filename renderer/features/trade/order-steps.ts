import { formatDecimal } from '../../../shared/decimal.ts'
import type { Intent, IntentState, PreparedOrder, PreparedTransaction } from '../../../shared/ipc/orders.ts'
import type { SigningStep } from '../../ui/signing/signing-message.ts'

/** What is shown of transactions: the one that the sheet is about, and where all of them stand. */
export interface StepsAt {
  /** Place of the one that the sheet is about; null: a signature, or none is left. */
  readonly at: number | null
  readonly transactions: readonly PreparedTransaction[]
}

export const stepsAt = ({ next, transactions }: Pick<PreparedOrder, 'next' | 'transactions'>): StepsAt => ({ at: next, transactions })

/** Another one comes after the one that the sheet is about. */
export const hasMore = ({ at, transactions }: StepsAt): boolean => at !== null && at < transactions.length - 1

/** Something of it stands on the chain already. */
export const isUnderWay = ({ at }: StepsAt): boolean => at !== null && at > 0

/** Whether `newer` asks for the one after it: the one before is in a block. */
export function offersNext(newer: PreparedOrder, { at }: StepsAt): boolean {
  const { next, intent, comparison, transactions } = newer
  return at !== null && next !== null && next > at && intent.state === 'PREPARED' && comparison !== null && transactions[next]?.state === 'waiting'
}

const intentStates: Readonly<Record<PreparedTransaction['state'], IntentState>> = {
  waiting: 'PREPARED',
  asked: 'ASKED',
  submitted: 'SUBMITTED',
  confirming: 'CONFIRMING',
  final: 'FINAL',
  reverted: 'REVERTED',
  unknown: 'UNKNOWN',
  cancelled: 'CANCELLED',
}

const over: ReadonlySet<IntentState> = new Set(['REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])

/** The intent as one of its transactions stands, while another one follows. Where the whole ended, it says so. */
export function stepIntent(intent: Intent, steps: StepsAt): Intent {
  const step = steps.at === null ? undefined : steps.transactions[steps.at]
  if (step === undefined || !hasMore(steps) || over.has(intent.state)) return intent
  const { txHash, confirmations, reason } = step
  // Asked for, and its hash is here before the list of them was read anew.
  if (step.state === 'waiting' || step.state === 'asked') return intent
  return { ...intent, state: intentStates[step.state], txHash, confirmations, reason: reason ?? null, finality: null }
}

const notes: Readonly<Record<PreparedTransaction['state'], string | null>> = {
  waiting: null,
  asked: 'On your phone',
  submitted: 'Sent',
  confirming: 'On the chain',
  final: 'On the chain',
  reverted: 'Taken back',
  unknown: 'Not known',
  cancelled: 'Not sent',
}

const failed: ReadonlySet<PreparedTransaction['state']> = new Set(['reverted', 'cancelled'])
const done: ReadonlySet<PreparedTransaction['state']> = new Set(['confirming', 'final'])

/** "Approve exactly 500.00 USDC", else what the action is called. */
function labelOf({ kind, spending }: PreparedTransaction, title: string): string {
  if (spending !== null)
    return spending.amount === null
      ? `Approve any amount of ${spending.token}`
      : `Approve exactly ${formatDecimal(spending.amount, { minDecimals: 2 })} ${spending.token}`
  return kind === 'approval' ? 'Approve' : title
}

/** The transactions as a list of steps; empty where there is one only. `title` names the action itself. */
export function signingSteps({ at, transactions }: StepsAt, title: string): readonly SigningStep[] {
  if (transactions.length < 2) return []
  return transactions.map((step, index) => ({
    label: labelOf(step, title),
    note: step.state === 'waiting' && at !== null && index > at ? 'Then' : notes[step.state],
    state: failed.has(step.state) ? 'failed' : done.has(step.state) ? 'done' : index === at ? 'now' : 'next',
  }))
}
