import { z } from 'zod'
import { SweepBy, SweepKind, SweepStep } from '../../../shared/ipc/intents/sweeps.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { createKeptRecord, type KeptRecord } from '../../store/journal/kept-record.ts'

/** One sweep as it is kept: every step, and what became of it. */
export const SweepRecord = z.object({
  id: z.string(),
  wallet: z.string(),
  kind: SweepKind,
  by: SweepBy,
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  steps: z.array(SweepStep),
  /** null: no key is to be revoked. `panicId` null: not asked yet. */
  revocation: z.object({ keyIds: z.array(z.string()), panicId: z.string().nullable() }).nullable(),
})
export type SweepRecord = z.infer<typeof SweepRecord>

export type SweepMemory = KeptRecord<SweepRecord>

export const createSweepMemory = ({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): SweepMemory =>
  createKeptRecord({ name: `sweep/${profile.id}`, schema: SweepRecord, values })

const endedStates: ReadonlySet<SweepStep['state']> = new Set(['done', 'gone', 'skipped'])
const underWay: ReadonlySet<SweepStep['state']> = new Set(['asking', 'sent', 'unknown'])

export const isEnded = ({ state }: SweepStep): boolean => endedStates.has(state)
export const isUnderWay = ({ state }: SweepStep): boolean => underWay.has(state)
