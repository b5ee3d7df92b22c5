import { KeyNote } from '../../shared/ipc/keys.ts'
import type { Values } from '../journal/journal.ts'
import { readValue } from '../journal/kept-record.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

export interface KeyNotes {
  of(keyId: string): KeyNote | null
  /** null, and a note without a word, takes it away. */
  set(keyId: string, note: KeyNote | null): void
}

/** The user's own notes on keys, on this computer only. They outlive a key's revocation, since they say whose it was. */
export function createKeyNotes({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): KeyNotes {
  const name = (keyId: string) => `key/${profile.id}/note/${keyId}`
  return {
    of: (keyId) => readValue(values, name(keyId), KeyNote),
    set: (keyId, note) => {
      const empty = note === null || Object.values(note).every((text) => text.trim() === '')
      values.set(name(keyId), empty ? null : JSON.stringify(note))
    },
  }
}
