import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Values } from '../journal/journal.ts'
import { readValue, readValues } from '../journal/kept-record.ts'

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
  return {
    list: () => readValues(values, prefix, StoredProfile).sort((a, b) => a.createdAtMs - b.createdAtMs),
    get: (id) => readValue(values, `${prefix}${id}`, StoredProfile),
    save: (profile) => values.set(`${prefix}${profile.id}`, JSON.stringify(profile)),
    remove: (id) => values.set(`${prefix}${id}`, null),
    activeId: () => values.get(activeName),
    setActive: (id) => values.set(activeName, id),
    practiceUsesSecondHost: () => values.get(practiceSecondName) !== null,
    setPracticeUsesSecondHost: (uses) => values.set(practiceSecondName, uses ? 'on' : null),
    newId: () => `p${randomBytes(5).toString('hex')}`,
  }
}
