import { z } from 'zod'
import { PanicRow, type PanicState } from '../../../shared/ipc/intents/panic.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { createKeptRecord, type KeptRecord } from '../../store/journal/kept-record.ts'

/** One panic as it is kept: every key, and what became of it. */
export const PanicRecord = z.object({
  id: z.string(),
  wallet: z.string(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  rows: z.array(PanicRow),
})
export type PanicRecord = z.infer<typeof PanicRecord>

export type PanicMemory = KeptRecord<PanicRecord>

export const createPanicMemory = ({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): PanicMemory =>
  createKeptRecord({ name: `panic/${profile.id}`, schema: PanicRecord, values })

/** Keys that are still to be asked for. */
export const leftOf = ({ rows }: PanicRecord): PanicRow[] => rows.filter(({ outcome }) => outcome === 'waiting' || outcome === 'unknown')

export type WaitsFor = Exclude<PanicState, { state: 'idle' }>['waitsFor']

/** `running`: this run of the app is at it. `stoppedFor`: why it is not, null where the app was closed meanwhile. */
export function panicState(record: PanicRecord | null, running: boolean, stoppedFor: WaitsFor): PanicState {
  if (record === null) return { state: 'idle' }
  const { id, startedAtMs, endedAtMs, rows } = record
  const left = leftOf(record).length
  const state = running ? 'running' : left === 0 ? 'done' : 'stopped'
  return {
    state,
    id,
    startedAtMs,
    endedAtMs,
    total: rows.length,
    revoked: rows.filter(({ outcome }) => outcome === 'revoked').length,
    refused: rows.filter(({ outcome }) => outcome === 'refused').length,
    left,
    waitsFor: state === 'stopped' ? (stoppedFor ?? 'restart') : null,
  }
}
