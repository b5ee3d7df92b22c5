import { z } from 'zod'
import { SweepBy, SweepKind, SweepStep } from '../../shared/ipc/sweeps.ts'
import type { Values } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

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

export interface SweepMemory {
  read(): SweepRecord | null
  /** Never throws: what the journal does not take stays in memory for this run. */
  keep(record: SweepRecord): void
}

export function createSweepMemory({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): SweepMemory {
  const name = `sweep/${profile.id}`
  let kept: SweepRecord | null | undefined

  const stored = (): SweepRecord | null => {
    try {
      const text = values.get(name)
      return text === null ? null : SweepRecord.parse(JSON.parse(text))
    } catch {
      return null
    }
  }

  return {
    read: () => {
      if (kept === undefined) kept = stored()
      return kept
    },
    keep: (record) => {
      kept = record
      try {
        values.set(name, JSON.stringify(record))
      } catch {
        // Nothing on this computer holds a closing back.
      }
    },
  }
}

const endedStates: ReadonlySet<SweepStep['state']> = new Set(['done', 'gone', 'skipped'])
const underWay: ReadonlySet<SweepStep['state']> = new Set(['asking', 'sent', 'unknown'])

export const isEnded = ({ state }: SweepStep): boolean => endedStates.has(state)
export const isUnderWay = ({ state }: SweepStep): boolean => underWay.has(state)
