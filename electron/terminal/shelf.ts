import { existsSync } from 'node:fs'
import { ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import { noteOfUse, noteRow } from '../audit/app-rows.ts'
import { ExpectedFailure } from '../ipc/expected-failure.ts'
import type { Handlers } from '../ipc/handlers.ts'
import { openJournal, type SqliteJournal } from '../journal/sqlite-journal.ts'
import { createCredentials } from '../keys/credentials.ts'
import { createKeyShelf, type KeyShelf, type ShelfKey } from '../keys/key-shelf.ts'
import type { Secret } from '../secrets/secret.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'
import type { NoteSecretUse, SecretUse } from '../secrets/secret-use.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

/** The keys of one profile, open in the app or not. */
export interface OpenShelf {
  /** `{host_url}`. */
  readonly hostUrl: string
  readonly keys: readonly ShelfKey[]
  readonly secretOf: KeyShelf['secretOf']
  readonly note: NoteSecretUse
  /** What needs the profile to be open in the app; null where it is not. */
  readonly handlers: Handlers<'keys.list' | 'keys.rotate' | 'keys.revoke'> | null
}

/** The profile's files, of an app that does not have it open. */
export interface ReadShelfDeps {
  readonly journalFile: string
  readonly profile: ProfileFacts
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly newId: () => string
}

/**
 * Reads a profile that is not open. The journal is held only as long as it is read: the app may want it next. Throws
 * `ExpectedFailure` where another process has it.
 */
export function readShelf(deps: ReadShelfDeps): Pick<OpenShelf, 'keys' | 'secretOf' | 'note'> {
  const { journalFile, profile, secrets, clock } = deps
  if (!existsSync(journalFile)) return { keys: [], secretOf: async () => ok(null), note: () => undefined }
  const journal = openJournal({ file: journalFile, clock })
  try {
    const credentials = createCredentials({ profile, journal, secrets, clock })
    const keys = createKeyShelf({ profileId: profile.id, journal, credentials }).list()
    const accounts = new Map(journal.secretIndex.list(profile.id).map(({ keyId, account }) => [keyId, account]))
    const secretOf = async (keyId: string): Promise<Result<Secret | null, KeychainFailure>> => {
      const account = accounts.get(keyId)
      return account === undefined ? ok(null) : secrets.get(account)
    }
    const note: NoteSecretUse = (use) => {
      const owner = keys.find(({ keyId }) => keyId === use.keyId)?.wallet
      if (owner !== undefined) noteIn(deps, use, owner)
    }
    return { keys, secretOf, note }
  } finally {
    journal.close()
  }
}

/** Where the app has opened the profile meanwhile the use is not written down: the command was allowed before that. */
function noteIn({ journalFile, profile, clock, newId }: ReadShelfDeps, use: SecretUse, wallet: string): void {
  let journal: SqliteJournal
  try {
    journal = openJournal({ file: journalFile, clock })
  } catch (error) {
    if (error instanceof ExpectedFailure) return
    throw error
  }
  try {
    journal.audit.put({ profileId: profile.id, wallet }, [noteRow(noteOfUse(use, wallet), `note:${newId()}`, clock.now())])
  } finally {
    journal.close()
  }
}
