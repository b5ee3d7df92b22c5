import type { ReplacementState } from '../../../shared/ipc/keys/replacements.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { StoredReplacement } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'

export type { StoredReplacement }

export interface ReplacementStore {
  byId(id: string): StoredReplacement | null
  all(): StoredReplacement[]
  /** Newest first. */
  ofWallet(wallet: string): StoredReplacement[]
  save(replacement: StoredReplacement): StoredReplacement
  /** To another state, with its line in the timeline. */
  move(replacement: StoredReplacement, now: ReplacementState, note?: OperationNote | null): StoredReplacement
}

export const isOver = ({ now }: StoredReplacement): boolean => now.state === 'done' || now.state === 'abandoned'

export function createReplacementStore({
  profile,
  records,
  clock,
}: {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly clock: Clock
}): ReplacementStore {
  const { replacements } = records
  const all = (): StoredReplacement[] => replacements.list({ profile: profile.id }).map(({ record }) => record)
  const save = (replacement: StoredReplacement): StoredReplacement => {
    const saved = { ...replacement, updatedAtMs: clock.now() }
    replacements.write({ profile: profile.id, id: saved.id }, saved)
    return saved
  }

  return {
    save,
    byId: (id) => replacements.read({ profile: profile.id, id }),
    all,
    ofWallet: (wallet) =>
      all()
        .filter((one) => one.wallet === wallet)
        .sort((a, b) => b.createdAtMs - a.createdAtMs),
    move: (replacement, now, note = null) => {
      const name = now.state === 'stuck' ? `stuck: ${now.reason}` : now.state
      return save({ ...replacement, now, steps: [...replacement.steps, { state: name, atMs: clock.now(), note }] })
    },
  }
}
