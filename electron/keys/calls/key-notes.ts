import { KeyNote } from '../../../shared/ipc/keys/keys.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readValue } from '../../store/journal/kept-record.ts'

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
