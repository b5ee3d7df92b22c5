import { intentStates } from '../../../shared/ipc/intents/intent-states.ts'
import type { ExecutionMethod, IntentState } from '../../../shared/ipc/intents/orders.ts'
import { signingText } from '../../text/en/signing.en.tsx'

/** Confirmations after which the service calls an execution FINAL (Limits, finality). */
export const finalConfirmations = 8

const meanings: Readonly<Record<IntentState, string>> = {
  PLANNED: signingText.statePlanned,
  PREPARED: signingText.statePrepared,
  ASKED: signingText.stateAsked,
  SIGNED: signingText.stateSigned,
  SENT: signingText.stateSent,
  SUBMITTED: signingText.stateSubmitted,
  CONFIRMING: signingText.stateConfirming,
  FINAL: signingText.stateFinal,
  REFUSED: signingText.stateRefused,
  EXPIRED: signingText.stateExpired,
  REVERTED: signingText.stateReverted,
  CANCELLED: signingText.stateCancelled,
  UNKNOWN: signingText.stateUnknown,
}

/**
 * State texts for transactions that the wallet sends to the chain itself. They replace the texts in `meanings`, which mention the exchange's
 * relay.
 */
const sentMeanings: Partial<Readonly<Record<IntentState, string>>> = {
  PREPARED: signingText.statePreparedToSend,
  SUBMITTED: signingText.stateBroadcast,
}

/**
 * State texts for orders that an executor carries out. They replace the texts in `meanings`, because the app retries such an order with the same
 * idempotency key (Idempotency rules 6).
 */
const executedMeanings: Partial<Readonly<Record<IntentState, string>>> = {
  SENT: signingText.stateSentToExecutor,
  SUBMITTED: signingText.stateTakenByExecutor,
}

const meaningsBy: Partial<Readonly<Record<ExecutionMethod, Partial<Readonly<Record<IntentState, string>>>>>> = {
  transactions: sentMeanings,
  executor: executedMeanings,
}

/** What an intent's state means, in one short sentence for a timeline. */
export const stateMeaning = (state: IntentState, by: ExecutionMethod | null = null): string =>
  (by === null ? undefined : meaningsBy[by]?.[state]) ?? meanings[state]

const ended: ReadonlySet<IntentState> = new Set(['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])

/** Whether the intent has ended in this state, so that the state no longer changes. */
export const isTerminal = (state: IntentState): boolean => ended.has(state)

/** The states of a successful intent, in order. */
const path: readonly IntentState[] = intentStates.slice(0, intentStates.indexOf('FINAL') + 1)

/** The states still ahead if all goes well; empty once the intent has ended or its state is unknown. */
export function statesAhead(state: IntentState, by: ExecutionMethod | null = null): readonly IntentState[] {
  const all = by === 'transactions' ? path.filter((one) => one !== 'SIGNED' && one !== 'SENT') : path
  const at = all.indexOf(state)
  return at < 0 ? [] : all.slice(at + 1)
}

/** Number of filled blocks in the confirmation bar, 0 to 8. A final intent always fills all eight, even if the last known count was lower. */
export function confirmedBlocks(state: IntentState, confirmations: number | null): number {
  if (state === 'FINAL') return finalConfirmations
  return Math.min(Math.max(confirmations ?? 0, 0), finalConfirmations)
}

/** When each step of a signing was reached, in Unix milliseconds; null for steps not reached yet. */
export interface SigningTimes {
  readonly preparedAtMs: number
  readonly askedAtMs: number | null
  readonly signedAtMs: number | null
  /** The times of the steps after the signature. */
  readonly afterMs: readonly (number | null)[]
}

export interface ProgressStep {
  readonly label: string
  readonly state: 'done' | 'now' | 'next' | 'failed'
  readonly atMs: number | null
}

interface ProgressWords {
  /** What the app compared the message with: the order ticket, or another kind of request. Selects the label of the comparison step. */
  readonly source: 'ticket' | 'request'
  /** Labels of the steps after the signature, for example "Signature checked, then relayed". */
  readonly after: readonly string[]
}

/** How a signing can end after the phone approved it. The text replaces the label of the step that did not happen. */
export const endTexts = {
  /** The signature came after the deadline. */
  too_late: signingText.tooLateNothingSent,
  not_sent: signingText.signedNotSent,
  refused: signingText.signedRefused,
  /** The wallet sent a transaction that the app does not follow. */
  not_tracked: signingText.sentNotTracked,
  reverted: signingText.itReverted,
  expired: signingText.itExpired,
  not_executed: signingText.itWasNotExecuted,
} as const

/** How a signing stopped; null while it has not. `rejected`: the user rejected it on the phone. `stopped`: how it ended is unknown. */
export type SigningEnd = keyof typeof endTexts | 'rejected' | 'stopped' | null

/**
 * Returns the steps of a signing, from preparation to the end. A step with a time is done. The first step without a time is active, or failed once
 * the signing stopped. The label of a failed step says that it did not happen, or what happened instead.
 */
export function progressSteps(words: ProgressWords, times: SigningTimes, end: SigningEnd): readonly ProgressStep[] {
  const reached: readonly (readonly [string, number | null])[] = [
    [signingText.preparedByService, times.preparedAtMs],
    [words.source === 'ticket' ? signingText.matchedWithTicket : signingText.matchedWithRequest, times.preparedAtMs],
    [signingText.sentToWallet, times.askedAtMs],
    [approvalLabel(times, end), times.signedAtMs],
    ...words.after.map((label, index) => [label, times.afterMs[index] ?? null] as const),
  ]
  const current = reached.findIndex(([, atMs]) => atMs === null)
  return reached.map(([label, atMs], index) => {
    const state = current < 0 || index < current ? 'done' : index > current ? 'next' : end === null ? 'now' : 'failed'
    return { label: state === 'failed' ? failedLabel(label, index, end) : label, atMs, state }
  })
}

function failedLabel(label: string, index: number, end: SigningEnd): string {
  if (index === approvalStep) return label
  if (index < approvalStep) return signingText.notSentToWallet
  return end === null || end === 'stopped' || end === 'rejected' ? signingText.notConfirmed(label) : endTexts[end]
}

/** The index of the step in which the user approves on the phone. */
const approvalStep = 3

function approvalLabel({ askedAtMs, signedAtMs }: SigningTimes, end: SigningEnd): string {
  if (signedAtMs !== null) return signingText.approvedOnPhone
  if (end === null) return signingText.waitingForApproval
  return end === 'rejected' && askedAtMs !== null ? signingText.rejectedOnPhone : signingText.noApproval
}
