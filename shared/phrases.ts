import type { BulkActionKind } from './ipc/intents/kill-switch.ts'

/** What the user types before so many keys are revoked at once. */
export const revokeAllPhrase = (keys: number): string => `revoke ${keys} ${keys === 1 ? 'key' : 'keys'}`

/** What the user types to say that a lost transaction of a contract wallet was not sent. */
export const notSentPhrase = 'not sent'

/** What the user types before it starts. The same however many there are: they change while it is read. */
export const bulkActionPhrases: Readonly<Record<BulkActionKind, string>> = { cancel_all: 'cancel all', close_all: 'close all', kill: 'stop everything' }
