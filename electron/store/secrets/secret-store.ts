import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { SecretOperationLog, SecretOperationRow } from '../journal/journal.ts'

/** locked: the keychain exists and asks for its password. failed: it reported something else; see `detail`. */
export interface KeychainFailure {
  readonly kind: 'keychain'
  readonly code: 'unavailable' | 'locked' | 'timeout' | 'invalid' | 'failed'
  readonly detail: string | null
}

/**
 * The OS keychain. One service name per profile kind; `account` is for example `key/<profile>/<key id>`. Windows limits an entry to 2,560 bytes: only
 * keys, signing secrets and the vault's own key go here.
 */
export interface SecretStore {
  /** null if there is no such entry. For a known entry, check null with `probe` first, because keytar also returns null for "locked". */
  get(account: string): Promise<Result<Secret | null, KeychainFailure>>
  set(account: string, secret: Secret): Promise<Result<void, KeychainFailure>>
  delete(account: string): Promise<Result<boolean, KeychainFailure>>
  /** Writes a canary, reads it back and removes it: proof that the keychain accepts a secret now. */
  probe(): Promise<Result<void, KeychainFailure>>
  close(): Promise<void>
}

/** Whose secret it is: an API key's, or a webhook's, which signs deliveries with it. */
export type SecretKind = 'key' | 'webhook'

/**
 * The two keychain accounts that may contain a secret. There are two, so that a rotation doesn't overwrite the secret that it replaces.
 * The names depend only on the ID, so that a secret missing from the index can be found without searching the keychain.
 */
export const secretAccounts = (kind: SecretKind, profileId: string, id: string): readonly [string, string] => {
  const name = `${kind}/${profileId}/${id}`
  return [`${name}/1`, `${name}/2`]
}

/** At start, updates the state of operations that the last run left unfinished. A sent operation may have happened; a planned one didn't. */
export function settleStopped(operations: SecretOperationLog, profileId: string, isOurs: (operation: SecretOperationRow) => boolean): void {
  for (const row of operations.unsettled(profileId).filter(isOurs)) {
    if (row.state === 'PLANNED') operations.move(row.id, 'FAILED', { note: 'stopped_before_sent' })
    if (row.state === 'SENT' && row.kind === 'import') operations.move(row.id, 'FAILED', { note: 'stopped_before_stored' })
    else if (row.state === 'SENT') operations.move(row.id, 'UNKNOWN', { note: 'stopped_before_answer_stored' })
  }
}

/** One use of a secret, for the audit log. Contains no secrets. */
export interface SecretUse {
  readonly use: 'copied' | 'revealed' | 'saved' | 'run' | 'handed_over'
  readonly profileId: string
  /** Absent for a key. */
  readonly of?: SecretKind
  /** ID of the key or webhook. */
  readonly keyId: string
  readonly label: string
  /** Where the secret went: a path, a command line or a target. null if it went only to the screen. */
  readonly to: string | null
  readonly by: 'app' | 'terminal'
  readonly outcome: 'done' | 'failed' | 'denied'
}

export type NoteSecretUse = (use: SecretUse) => void
