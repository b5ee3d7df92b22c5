import type { PanicRow, PanicState } from '../../../shared/ipc/intents/kill-switch.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { PanicRecord } from '../../store/records/intent-records.ts'
import { createKeptRecord, type KeptRecord } from '../../store/records/kept-record.ts'
import type { Records } from '../../store/records/registry.ts'

export type { PanicRecord }
export type PanicMemory = KeptRecord<PanicRecord>

export const createPanicMemory = ({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): PanicMemory =>
  createKeptRecord(records.panics, { profile: profile.id })

/** Keys that are still to be asked for. */
export const leftOf = ({ steps }: PanicRecord): PanicRow[] => steps.filter(({ outcome }) => outcome === 'waiting' || outcome === 'unknown')

export type WaitsFor = Exclude<PanicState, { state: 'idle' }>['waitsFor']

/** `running`: this run of the app is at it. `stoppedFor`: why it is not, null where the app was closed meanwhile. */
export function panicState(record: PanicRecord | null, running: boolean, stoppedFor: WaitsFor): PanicState {
  if (record === null) return { state: 'idle' }
  const { id, startedAtMs, endedAtMs, steps } = record
  const left = leftOf(record).length
  const state = running ? 'running' : left === 0 ? 'done' : 'stopped'
  return {
    state,
    id,
    startedAtMs,
    endedAtMs,
    total: steps.length,
    revoked: steps.filter(({ outcome }) => outcome === 'revoked').length,
    refused: steps.filter(({ outcome }) => outcome === 'refused').length,
    left,
    waitsFor: state === 'stopped' ? (stoppedFor ?? 'restart') : null,
  }
}
