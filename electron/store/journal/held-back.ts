import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Journal, JournalTrouble } from './journal.ts'

const issues = { no_space: 'disk_full', read_only: 'read_only', newer: 'newer' } as const satisfies Record<JournalTrouble, string>

/** Why the journal takes no new risk now. */
export function heldBack(journal: Pick<Journal, 'trouble'>): Failure {
  const trouble = journal.trouble()
  return trouble === null ? { kind: 'held_back', why: 'journal_rebuilt', intentRef: null } : { kind: 'journal', issue: issues[trouble] }
}
