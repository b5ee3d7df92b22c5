import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Values } from '../journal/journal.ts'

/** What is kept of a profile. Its RPC's URL may hold a key and stands in the vault. */
export const StoredProfile = z.object({
  id: z.string(),
  name: z.string(),
  hostUrl: z.string(),
  rpcHost: z.string().nullable(),
  secondHostUrl: z.string().nullable().default(null),
  createdAtMs: z.number(),
})
export type StoredProfile = z.infer<typeof StoredProfile>

export const practiceId = 'practice'
export const practiceName = 'Practice'

/** The live profiles and which one is active. */
export interface ProfileStore {
  list(): StoredProfile[]
  get(id: string): StoredProfile | null
  save(profile: StoredProfile): void
  remove(id: string): void
  activeId(): string | null
  setActive(id: string | null): void
  newId(): string
  practiceUsesSecondHost(): boolean
  setPracticeUsesSecondHost(uses: boolean): void
}

const prefix = 'profile/'
const activeName = 'profiles.active'
const practiceSecondName = 'profiles.practice.second'

export function createProfileStore(values: Values): ProfileStore {
  const read = (text: string): StoredProfile => StoredProfile.parse(JSON.parse(text))
  return {
    list: () =>
      values
        .withPrefix(prefix)
        .map(({ value }) => read(value))
        .sort((a, b) => a.createdAtMs - b.createdAtMs),
    get(id) {
      const text = values.get(`${prefix}${id}`)
      return text === null ? null : read(text)
    },
    save: (profile) => values.set(`${prefix}${profile.id}`, JSON.stringify(profile)),
    remove: (id) => values.set(`${prefix}${id}`, null),
    activeId: () => values.get(activeName),
    setActive: (id) => values.set(activeName, id),
    practiceUsesSecondHost: () => values.get(practiceSecondName) !== null,
    setPracticeUsesSecondHost: (uses) => values.set(practiceSecondName, uses ? 'on' : null),
    newId: () => `p${randomBytes(5).toString('hex')}`,
  }
}
