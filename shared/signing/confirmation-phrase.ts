import type { Asks } from '../ipc/intents/signing.ts'

/** What must be said before a message of a signing format never agreed to is sent to the wallet. */
export const confirmationPhrase = 'sign this layout'

/** What has to be typed before a transaction of unknown calldata is sent. */
export const unreadablePhrase = 'send what cannot be read'

/** What must be typed, or ticked where `format` is complete. No honest order of an agreed format asks for an unknown field. */
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

/** Surrounding space and letter case do not matter; words do. */
export const isPhrase = (typed: string | null, expected: string): boolean =>
  typed !== null && typed.trim().replace(/\s+/g, ' ').toLowerCase() === expected.toLowerCase()
