import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import type { SecretOperation } from '../../../../shared/ipc/reads/activity.ts'

/**
 * Where an intent may go from each state. What is not listed is a bug and throws.
 *
 * - SENT → SIGNED: the relay was provably not reached, so the signature is unsent again.
 * - ASKED → PREPARED: the phone declined or was silent; the same preparation can be signed until its deadline.
 * - ASKED → SUBMITTED: the wallet broadcast a transaction itself and gave its hash.
 * - FINAL and REVERTED → CONFIRMING or SUBMITTED: a reorganisation took the block back.
 * - ASKED → PREPARED also: the first of its transactions stands on the chain, the next is to be asked for. Back from PREPARED, UNKNOWN and
 *   REVERTED: that first one was found, taken back by a reorganisation, or reverted.
 * - PLANNED → SENT: delegated execution, which is not prepared first.
 * - SUBMITTED → REFUSED: the executor took the command and could not send it.
 */
export const intentTransitions: Readonly<Record<IntentState, readonly IntentState[]>> = {
  PLANNED: ['PREPARED', 'SENT', 'REFUSED', 'EXPIRED', 'CANCELLED', 'UNKNOWN'],
  PREPARED: ['ASKED', 'REFUSED', 'EXPIRED', 'CANCELLED', 'REVERTED', 'UNKNOWN'],
  ASKED: ['SIGNED', 'PREPARED', 'SUBMITTED', 'REFUSED', 'EXPIRED', 'CANCELLED', 'REVERTED', 'UNKNOWN'],
  SIGNED: ['SENT', 'REFUSED', 'EXPIRED', 'CANCELLED', 'UNKNOWN'],
  SENT: ['SIGNED', 'SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED', 'REFUSED', 'EXPIRED', 'CANCELLED', 'UNKNOWN'],
  SUBMITTED: ['CONFIRMING', 'FINAL', 'REVERTED', 'REFUSED', 'EXPIRED', 'UNKNOWN'],
  CONFIRMING: ['SUBMITTED', 'FINAL', 'REVERTED', 'UNKNOWN'],
  UNKNOWN: ['PREPARED', 'ASKED', 'SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED', 'REFUSED', 'EXPIRED', 'CANCELLED'],
  FINAL: ['CONFIRMING', 'SUBMITTED', 'REVERTED', 'UNKNOWN'],
  REVERTED: ['PREPARED', 'ASKED', 'CONFIRMING', 'SUBMITTED', 'FINAL', 'UNKNOWN'],
  REFUSED: [],
  EXPIRED: [],
  CANCELLED: [],
}

/** Nothing more is expected, though a reorganisation may still take FINAL and REVERTED back. */
export const terminalIntentStates: readonly IntentState[] = ['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED']

type SecretState = SecretOperation['state']

/** A call whose answer carries a one-time secret, or takes one away. */
export const secretTransitions: Readonly<Record<SecretState, readonly SecretState[]>> = {
  PLANNED: ['SENT', 'FAILED', 'SETTLED'],
  SENT: ['STORED', 'VERIFIED', 'FAILED', 'UNKNOWN', 'SETTLED'],
  STORED: ['VERIFIED', 'UNKNOWN', 'SETTLED'],
  UNKNOWN: ['STORED', 'VERIFIED', 'FAILED', 'SETTLED'],
  VERIFIED: ['SETTLED'],
  FAILED: ['SETTLED'],
  SETTLED: [],
}

/** These wait for an answer, or for being told that there is nothing to wait for. */
export const unsettledSecretStates: readonly SecretState[] = ['PLANNED', 'SENT', 'UNKNOWN']

/** Whether an operation of the journal is about a webhook; its `keyId` is the webhook's id then, and its `label` the URL. */
export const isOfWebhook = (kind: SecretOperation['kind']): boolean => kind === 'webhook_create' || kind === 'webhook_disable'
