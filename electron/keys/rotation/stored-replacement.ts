import { z } from 'zod'
import { Replacement, ReplacementState } from '../../../shared/ipc/keys/replacements.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readValue, readValues } from '../../store/journal/kept-record.ts'

/** A replacement as it is kept: written whole with each step, so that a kill leaves it at one step or the next. */
export const StoredReplacement = z.object({
  id: z.string(),
  wallet: z.string(),
  oldKeyId: z.string(),
  oldLabel: z.string(),
  plan: Replacement.shape.plan,
  now: ReplacementState,
  newKeyId: z.string().nullable(),
  /** Of the creation with chosen scopes, written before it is begun. */
  operationId: z.string().nullable(),
  /** The bot-ready draft that the wallet signs. */
  draftId: z.string().nullable(),
  /** The new key's agent is granted, or the user goes on without it. */
  agentSettled: z.boolean(),
  notBeforeMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  steps: z.array(z.object({ state: z.string(), atMs: z.number(), note: z.string().nullable() })),
})
export type StoredReplacement = z.infer<typeof StoredReplacement>

export interface ReplacementStore {
  byId(id: string): StoredReplacement | null
  all(): StoredReplacement[]
  /** Newest first. */
  ofWallet(wallet: string): StoredReplacement[]
  save(replacement: StoredReplacement): StoredReplacement
  /** To another state, with its line in the timeline. */
  move(replacement: StoredReplacement, now: ReplacementState, note?: string | null): StoredReplacement
}

export const isOver = ({ now }: StoredReplacement): boolean => now.state === 'done' || now.state === 'abandoned'

export function createReplacementStore({
  profile,
  values,
  clock,
}: {
  readonly profile: ProfileFacts
  readonly values: Values
  readonly clock: Clock
}): ReplacementStore {
  const prefix = `replacement/${profile.id}/`
  const all = (): StoredReplacement[] => readValues(values, prefix, StoredReplacement)
  const save = (replacement: StoredReplacement): StoredReplacement => {
    const saved = { ...replacement, updatedAtMs: clock.now() }
    values.set(`${prefix}${saved.id}`, JSON.stringify(saved))
    return saved
  }

  return {
    save,
    byId: (id) => readValue(values, `${prefix}${id}`, StoredReplacement),
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
