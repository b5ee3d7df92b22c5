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
        await book.move(row.ref, 'CANCELLED', { reason: { code: 'stopped_before_prepared' } }, { code: 'found_at_start' })
        return
      case 'ASKED':
        if (row.way === 'transactions') return recoverSending(row)
        // A signature kept a moment before the crash was not journalled as such: the wallet's late answer brings it again.
        await book.dropSignature(row.ref)
        book.note(row, { code: 'stopped_while_asked' })
        return
      case 'SIGNED':
        book.note(row, { code: 'stopped_before_relay' })
        return
      case 'SENT':
        await book.move(row.ref, 'UNKNOWN', { reason: { code: 'stopped_before_relay_answer' } }, { code: 'found_at_start' })
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
