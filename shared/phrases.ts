import type { BulkActionKind } from './ipc/intents/kill-switch.ts'

/** The phrase that the user types before the app revokes several keys at once. */
export const revokeAllPhrase = (keys: number): string => `revoke ${keys} ${keys === 1 ? 'key' : 'keys'}`

/** What the user must type to declare that a contract wallet's transaction of unknown outcome was not sent. */
export const notSentPhrase = 'not sent'

/**
 * The phrase that the user must type to start a bulk action. It does not contain the number of items, because that may change while the user reads.
 */
export const bulkActionPhrases: Readonly<Record<BulkActionKind, string>> = { cancel_all: 'cancel all', close_all: 'close all', kill: 'stop everything' }
