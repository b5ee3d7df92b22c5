import type { BulkActionKind } from './ipc/intents/kill-switch.ts'

/** The phrase that the user types before the app revokes several keys at once. */
export const revokeAllPhrase = (keys: number): string => `revoke ${keys} ${keys === 1 ? 'key' : 'keys'}`

/** What the user types to state that a lost transaction of a contract wallet was not sent. */
export const notSentPhrase = 'not sent'

/** The phrase that the user types to start a bulk action. It omits the number of items, because that may change while the user reads. */
export const bulkActionPhrases: Readonly<Record<BulkActionKind, string>> = { cancel_all: 'cancel all', close_all: 'close all', kill: 'stop everything' }
