import { z } from 'zod'
import { type DelegatedStatus, unknownOfDelegated } from '../../../shared/api/schemas/intents.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readValue } from '../../store/journal/kept-record.ts'

const Item = z.object({
  index: z.number().int(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  orderId: z.string().nullable(),
  positionId: z.string().nullable(),
})

/** What is kept of an execution beside its intent: the key it went with, and what the service last said of it. */
const ExecutionRecord = z.object({
  keyId: z.string(),
  keyLabel: z.string().nullable(),
  executor: z.string().nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  items: z.array(Item),
  unknownFields: z.string().nullable(),
  readAtMs: z.number().nullable(),
})
export type ExecutionRecord = z.infer<typeof ExecutionRecord>

export interface ExecutionRecords {
  of(ref: string): ExecutionRecord | null
  /** Before anything is sent: a replay takes the same key (Idempotency rules 2). */
  begin(ref: string, key: Pick<ExecutionRecord, 'keyId' | 'keyLabel' | 'executor'>): void
  /** Gives whether anything but the time is new. */
  learn(ref: string, status: DelegatedStatus, readAtMs: number): boolean
}

const unread = { state: null, reason: null, items: [], unknownFields: null, readAtMs: null }

export function createExecutionRecords({ values, profileId }: { readonly values: Values; readonly profileId: string }): ExecutionRecords {
  const nameOf = (ref: string) => `execution/${profileId}/${ref}`
  const of = (ref: string): ExecutionRecord | null => readValue(values, nameOf(ref), ExecutionRecord)
  const save = (ref: string, record: ExecutionRecord): void => values.set(nameOf(ref), JSON.stringify(record))
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
