import type { KeyNote } from '../../../shared/ipc/keys/keys.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'

export interface KeyNotes {
  of(keyId: string): KeyNote | null
  /** null, and a note without a word, takes it away. */
  set(keyId: string, note: KeyNote | null): void
}

/** The user's own notes on keys, on this computer only. They outlive a key's revocation, since they say whose it was. */
export function createKeyNotes({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): KeyNotes {
  const keyOf = (keyId: string) => ({ profile: profile.id, keyId })
  return {
    of: (keyId) => records.keyNotes.read(keyOf(keyId)),
    set: (keyId, note) => {
      if (note === null || Object.values(note).every((text) => text.trim() === '')) records.keyNotes.delete(keyOf(keyId))
      else records.keyNotes.write(keyOf(keyId), note)
    },
  }
}
