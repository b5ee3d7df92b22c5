import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { StoredCheck, StoredStep } from '../../store/records/intent-records.ts'
import type { Records } from '../../store/records/registry.ts'

export type { StoredCheck, StoredStep }

/** The longest answer to store, in characters. If a later step needs a longer answer, the check requests it again. */
const longestAnswer = 262_144

/** The progress of one wallet's check and its answers, with secrets removed, stored across restarts. */
export function createStoredCheck({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }) {
  const { serviceChecks, checkAnswers, checkDismissed } = records
  const keyOf = (wallet: string) => ({ profile: profile.id, wallet: wallet.toLowerCase() })
  return {
    read: (wallet: string): StoredCheck | null => serviceChecks.read(keyOf(wallet)),
    write: (wallet: string, check: StoredCheck): void => serviceChecks.write(keyOf(wallet), check),
    begin: (wallet: string, startedAtMs: number, dryRuns: boolean): StoredCheck => {
      for (const { key } of checkAnswers.list(keyOf(wallet))) checkAnswers.delete(key)
      return { version: 1, startedAtMs, endedAtMs: null, dryRuns, steps: {} }
    },
    /** The stored answer of a step as JSON text; null if none is stored. */
    answer: (wallet: string, step: string): string | null => checkAnswers.read({ ...keyOf(wallet), step }),
    keepAnswer: (wallet: string, step: string, raw: string | null): void => {
      const key = { ...keyOf(wallet), step }
      if (raw === null || raw.length > longestAnswer) checkAnswers.delete(key)
      else checkAnswers.write(key, raw)
    },
    dismissed: () => checkDismissed.read({ profile: profile.id }) !== null,
    dismiss: (isSo: boolean): void => (isSo ? checkDismissed.write({ profile: profile.id }, 'yes') : checkDismissed.delete({ profile: profile.id })),
  }
}
export type CheckStore = ReturnType<typeof createStoredCheck>
