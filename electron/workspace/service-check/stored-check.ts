import { z } from 'zod'
import { Failure } from '../../../shared/ipc/failure.ts'
import { CheckOutcome } from '../../../shared/ipc/host/service-check.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/journal/kept-record.ts'

const StoredStep = z.object({
  outcome: CheckOutcome,
  scope: z.string().nullable(),
  failure: Failure.nullable(),
  checkedAtMs: z.number(),
  /** What it was prepared from, to be held against its answer again. */
  asked: z.object({ ticket: z.string(), body: z.string(), clientOrderId: z.string().nullable(), symbol: z.string().nullable() }).nullable(),
})
export type StoredStep = z.infer<typeof StoredStep>

const version = 1
const StoredCheck = z.object({
  version: z.literal(version),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  dryRuns: z.boolean(),
  steps: z.record(z.string(), StoredStep),
})
export type StoredCheck = z.infer<typeof StoredCheck>

/** Answers beyond that are not kept: their step is asked again when it matters. */
const longestAnswer = 262_144

/** The progress of the check of one wallet, and the answers that it goes by, secrets cut out: kept over a restart. */
export function createStoredCheck({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }) {
  const name = (wallet: string) => `service-check/${profile.id}/${wallet.toLowerCase()}`
  const answerName = (wallet: string, step: string) => `${name(wallet)}/answer/${step}`
  return {
    read: (wallet: string): StoredCheck | null => {
      // Damaged, or of another version: the check begins again, which costs nothing but its time.
      return readRecord(StoredCheck, values.get(name(wallet)))
    },
    write: (wallet: string, check: StoredCheck): void => values.set(name(wallet), JSON.stringify(check)),
    begin: (wallet: string, startedAtMs: number, dryRuns: boolean): StoredCheck => {
      for (const { name: answer } of values.withPrefix(`${name(wallet)}/answer/`)) values.set(answer, null)
      return { version, startedAtMs, endedAtMs: null, dryRuns, steps: {} }
    },
    /** As JSON text; null: none is kept. */
    answer: (wallet: string, step: string): string | null => values.get(answerName(wallet, step)),
    keepAnswer: (wallet: string, step: string, raw: string | null): void =>
      values.set(answerName(wallet, step), raw === null || raw.length > longestAnswer ? null : raw),
    dismissed: () => values.get(`service-check/${profile.id}/dismissed`) !== null,
    dismiss: (isSo: boolean): void => values.set(`service-check/${profile.id}/dismissed`, isSo ? 'yes' : null),
  }
}
export type CheckStore = ReturnType<typeof createStoredCheck>
