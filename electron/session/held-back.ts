import type { Failure } from '../../shared/ipc/failure.ts'
import type { JournalState } from '../journal/journal.ts'

/** Why the journal takes no new risk now. */
export const heldBack = (state: JournalState): Failure =>
  state === 'memory_only' ? { kind: 'journal', issue: 'disk_full' } : { kind: 'held_back', why: 'journal_rebuilt', intentRef: null }
