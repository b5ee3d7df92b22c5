import type { SecretOperationLog, SecretOperationRow } from '../journal/journal.ts'

/** At start: what the last run left half done is given its true state. What was sent may have happened; what was only planned has not. */
export function settleStopped(operations: SecretOperationLog, profileId: string, isOurs: (operation: SecretOperationRow) => boolean): void {
  for (const row of operations.unsettled(profileId).filter(isOurs)) {
    if (row.state === 'PLANNED') operations.move(row.id, 'FAILED', { note: 'stopped_before_sent' })
    if (row.state === 'SENT' && row.kind === 'import') operations.move(row.id, 'FAILED', { note: 'stopped_before_stored' })
    else if (row.state === 'SENT') operations.move(row.id, 'UNKNOWN', { note: 'stopped_before_answer_stored' })
  }
}
