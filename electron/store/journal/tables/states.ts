import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import type { SecretOperation } from '../../../../shared/ipc/reads/activity.ts'

/**
 * The states that an intent may move to. Any other transition is a bug, and throws.
 *
 * - SENT → SIGNED: the request provably never reached the relay, so the signature counts as unsent again.
 * - ASKED → PREPARED: the phone declined or didn't answer. The same preparation can be signed until its deadline.
 * - ASKED → PREPARED, also: the chain has the intent's first transaction, and the app may ask for the next one.
 * - Among PREPARED, ASKED, UNKNOWN and REVERTED: the first transaction was found, was removed by a reorganisation, or reverted.
 * - ASKED → SUBMITTED: the wallet broadcast a transaction itself and returned its hash.
 * - FINAL and REVERTED → CONFIRMING or SUBMITTED: a reorganisation removed the block.
 * - PLANNED → SENT: delegated execution, which has no preparation.
 * - SUBMITTED → REFUSED: the executor accepted the command but couldn't send it.
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

/** In these states, the app expects no further change of an intent, though a reorganisation may still undo FINAL and REVERTED. */
export const terminalIntentStates: readonly IntentState[] = ['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED']

type SecretState = SecretOperation['state']

/**
 * The allowed state changes of a secret operation. This is a call to the service whose answer contains a one-time secret, or which makes a
 * secret invalid.
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

/** True if an operation is about a webhook. `keyId` is then the webhook's ID, and `label` its URL. */
export const isOfWebhook = (kind: SecretOperation['kind']): boolean => kind === 'webhook_create' || kind === 'webhook_disable'
