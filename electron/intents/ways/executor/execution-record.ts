import { type DelegatedStatus, unknownOfDelegated } from '../../../../shared/api/schemas/intents.ts'
import type { ExecutionRecord } from '../../../store/records/intent-records.ts'
import type { Records } from '../../../store/records/registry.ts'

export interface ExecutionRecords {
  of(ref: string): ExecutionRecord | null
  /** Before anything is sent: a replay takes the same key (Idempotency rules 2). */
  begin(ref: string, key: Pick<ExecutionRecord, 'keyId' | 'keyLabel' | 'executor'>): void
  /** Gives whether anything but the time is new. */
  learn(ref: string, status: DelegatedStatus, readAtMs: number): boolean
}

const unread = { state: null, reason: null, items: [], unknownFields: null, readAtMs: null }

export function createExecutionRecords({ records, profileId }: { readonly records: Records; readonly profileId: string }): ExecutionRecords {
  const of = (ref: string): ExecutionRecord | null => records.executions.read({ profile: profileId, ref })
  const save = (ref: string, record: ExecutionRecord): void => records.executions.write({ profile: profileId, ref }, record)
  return {
    of,
    begin: (ref, key) => save(ref, { ...unread, ...key }),
    learn: (ref, status, readAtMs) => {
      const before = of(ref)
      if (before === null) return false
      const next: ExecutionRecord = {
        ...before,
        state: status.state,
        reason: status.reason,
        // By its place where the service does not number them.
        items: (status.results ?? []).map(({ index, state, reason, orderId, positionId }, place) => ({
          ...{ index: index ?? place, state, reason, orderId, positionId },
        })),
        unknownFields: unknownOfDelegated(status),
        readAtMs: before.readAtMs,
      }
      if (JSON.stringify(next) === JSON.stringify(before) && before.readAtMs !== null) return false
      save(ref, { ...next, readAtMs })
      return true
    },
  }
}
