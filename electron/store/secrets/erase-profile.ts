import { rm } from 'node:fs/promises'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { SecretIndex } from '../journal/journal.ts'
import { openJournal } from '../journal/tables/sqlite-journal.ts'
import { type SecretKind, type SecretStore, secretAccounts } from './secret-store.ts'

export interface EraseParts {
  readonly folder: string
  readonly journal: string
  readonly profileId: string
  readonly secrets: SecretStore
  readonly clock: Clock
}

/** The keychain entry that holds the encryption key of a profile's vault. */
export const vaultAccount = (profileId: string): string => `vault/${profileId}`

/**
 * Removes everything that this computer stores for a profile: first its secrets from the keychain, then its files. If the keychain fails, keeps the
 * files, because they list the secrets that still exist.
 */
export async function eraseProfile({ folder, journal, profileId, secrets, clock }: EraseParts): Promise<Result<void, Failure>> {
  const opened = openJournal({ file: journal, clock })
  // Remove both keychain entries of a key: a replaced secret may still be stored beside the current one.
  const of = (kind: SecretKind, index: SecretIndex) =>
    index.list(profileId).flatMap(({ account, keyId }) => [account, ...secretAccounts(kind, profileId, keyId)])
  const accounts = new Set([...of('key', opened.secretIndex), ...of('webhook', opened.webhookIndex), vaultAccount(profileId)])
  opened.close()
  for (const account of accounts) {
    const removed = await secrets.delete(account)
    if (!removed.ok) return fail(removed.failure)
  }
  await rm(folder, { recursive: true, force: true })
  return ok(undefined)
}
