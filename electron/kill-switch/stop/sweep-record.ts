import type { SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { SweepRecord } from '../../store/records/intent-records.ts'
import { createKeptRecord, type KeptRecord } from '../../store/records/kept-record.ts'
import type { Records } from '../../store/records/registry.ts'

export type { SweepRecord }
export type SweepMemory = KeptRecord<SweepRecord>

export const createSweepMemory = ({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): SweepMemory =>
  createKeptRecord(records.sweeps, { profile: profile.id })

const endedStates: ReadonlySet<SweepStep['state']> = new Set(['done', 'gone', 'skipped'])
const underWay: ReadonlySet<SweepStep['state']> = new Set(['asking', 'sent', 'unknown'])

export const isEnded = ({ state }: SweepStep): boolean => endedStates.has(state)
export const isUnderWay = ({ state }: SweepStep): boolean => underWay.has(state)
