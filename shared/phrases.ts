import type { BulkActionKind } from './ipc/intents/kill-switch.ts'
import type { Asks } from './ipc/intents/signing.ts'

/** The phrase that the user types before the app revokes several keys at once. */
export const revokeAllPhrase = (keys: number): string => `revoke ${keys} ${keys === 1 ? 'key' : 'keys'}`

/** What the user must type to declare that a contract wallet's transaction of unknown outcome was not sent. */
export const notSentPhrase = 'not sent'

/**
 * The phrase that the user must type to start a bulk action. It does not contain the number of items, because that may change while the user reads.
 */
export const bulkActionPhrases: Readonly<Record<BulkActionKind, string>> = { cancel_all: 'cancel all', close_all: 'close all', kill: 'stop everything' }

/** The phrase that the user types before a message in a new signing format goes to the wallet. */
export const confirmationPhrase = 'sign this layout'

/** The phrase that the user must type before the wallet sends a transaction with unknown calldata. */
export const unreadablePhrase = 'send what cannot be read'

/**
 * Returns the phrase that the user must type for a confirmation. A new format in which the app recognises every value as requested needs no typed
 * phrase.
 */
export function phraseOf(asks: Asks): string {
  switch (asks.kind) {
    case 'format':
      return confirmationPhrase
    case 'unknown_field':
      return `sign with unknown field ${asks.field}`
    case 'unreadable_call':
      return unreadablePhrase
    case 'exit_extra':
      return asks.value === null ? `close without ${asks.field}` : `close with unknown field ${asks.field}`
  }
}

/** Compares the typed phrase, ignoring letter case and extra spaces. */
export const isPhrase = (typed: string | null, expected: string): boolean =>
  typed !== null && typed.trim().replace(/\s+/g, ' ').toLowerCase() === expected.toLowerCase()
