import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { IntentBook } from './intent-book.ts'

interface RecoveryDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly book: IntentBook
  /** Of an intent whose transactions the wallet was asked to send. */
  readonly recoverSending: (row: IntentRow) => Promise<void>
  /** Of an intent that an earlier version kept in another form. */
  readonly adopt: (row: IntentRow) => void
}

/**
 * At start, before anything else: gives every intent that the last run left half done its true state, from the journal alone. What was SENT
 * may have been taken and is UNKNOWN until the service was asked; what was SIGNED waits for the user's word; what was only asked for may
 * still be answered until its deadline.
 */
export function createRecovery({ profile, journal, book, recoverSending, adopt }: RecoveryDeps) {
  const recover = async (row: IntentRow): Promise<void> => {
    switch (row.state) {
      case 'PLANNED':
        await book.move(row.ref, 'CANCELLED', { reason: 'The app stopped before it was prepared. Nothing was asked for.' }, 'found at start')
        return
      case 'ASKED':
        if (row.way === 'transactions') return recoverSending(row)
        // A signature kept a moment before the crash was not journalled as such: the wallet's late answer brings it again.
        await book.dropSignature(row.ref)
        book.note(row, 'The app stopped while the wallet was asked. Its answer may still come.')
        return
      case 'SIGNED':
        book.note(row, 'The app stopped before the signature was sent. Send it, or drop it.')
        return
      case 'SENT':
        await book.move(row.ref, 'UNKNOWN', { reason: 'The app stopped before the answer of the relay came. It may have taken the order.' }, 'found at start')
        return
      default:
        return
    }
  }
  return async (): Promise<void> => {
    for (const row of journal.intents.open(profile.id)) {
      adopt(row)
      await recover(row)
    }
    await book.dropEnded()
  }
}
