import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import type { SecretOperation } from '../../../../shared/ipc/reads/activity.ts'

/**
 * The states to which an intent may move from each state. Any other transition is a bug, and throws.
 *
 * - SENT → SIGNED: it is proven that the request never reached the relay, so the signature counts as unsent again.
 * - ASKED → PREPARED: the phone declined or did not answer. The wallet can sign the same preparation until its deadline.
 * - ASKED → PREPARED, also: the chain has the intent's first transaction, and the app may ask for the next one.
 * - Among PREPARED, ASKED, UNKNOWN and REVERTED: the app found the first transaction, a reorganisation removed it, or it reverted.
 * - ASKED → SUBMITTED: the wallet broadcast a transaction and returned its hash.
 * - FINAL and REVERTED → CONFIRMING or SUBMITTED: a reorganisation removed the block.
 * - PLANNED → SENT: delegated execution, which has no preparation.
 * - SUBMITTED → REFUSED: the executor accepted the command but could not send it.
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

/** In these states, the app expects no further change of an intent. A reorganisation may still undo FINAL and REVERTED. */
export const terminalIntentStates: readonly IntentState[] = ['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED']

type SecretState = SecretOperation['state']

/**
 * The states to which a secret operation may move from each state. A secret operation is a call to the service whose answer contains a one-time
 * secret, or which makes a secret invalid.
 */
export const secretTransitions: Readonly<Record<SecretState, readonly SecretState[]>> = {
  PLANNED: ['SENT', 'FAILED', 'SETTLED'],
  SENT: ['STORED', 'VERIFIED', 'FAILED', 'UNKNOWN', 'SETTLED'],
  STORED: ['VERIFIED', 'UNKNOWN', 'SETTLED'],
  UNKNOWN: ['STORED', 'VERIFIED', 'FAILED', 'SETTLED'],
  VERIFIED: ['SETTLED'],
  FAILED: ['SETTLED'],
  SETTLED: [],
}

/** In these states, the app still waits for the service's answer to an operation, or for proof that the operation failed. */
export const unsettledSecretStates: readonly SecretState[] = ['PLANNED', 'SENT', 'UNKNOWN']

/** True if the secret operation is about a webhook. Its `keyId` is then the webhook's ID, and its `label` the webhook's URL. */
export const isOfWebhook = (kind: SecretOperation['kind']): boolean => kind === 'webhook_create' || kind === 'webhook_disable'
