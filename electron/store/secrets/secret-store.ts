import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { SecretOperationLog, SecretOperationRow } from '../journal/journal.ts'

/** A failure of the keychain. locked: the user must unlock the keychain. failed: another problem, which `detail` describes. */
export interface KeychainFailure {
  readonly kind: 'keychain'
  readonly code: 'unavailable' | 'locked' | 'timeout' | 'invalid' | 'failed'
  readonly detail: string | null
}

/**
 * The system's keychain. Each kind of profile has its own service name. `account` is, for example, `key/<profile>/<key id>`.
 * Windows limits an entry to 2,560 bytes, so it contains only API keys, webhook signing secrets and the vault's key.
 */
export interface SecretStore {
  /**
   * Reads an entry; null if it does not exist. If you expect the entry to exist, call `probe` after null, because keytar also returns null if the
   * keychain is locked.
   */
  get(account: string): Promise<Result<Secret | null, KeychainFailure>>
  set(account: string, secret: Secret): Promise<Result<void, KeychainFailure>>
  delete(account: string): Promise<Result<boolean, KeychainFailure>>
  /** Writes a test entry, reads it and removes it. If this succeeds, the keychain accepts a secret now. */
  probe(): Promise<Result<void, KeychainFailure>>
  close(): Promise<void>
}

/** Whose secret it is: an API key's, or a webhook's. A webhook's secret signs its deliveries. */
export type SecretKind = 'key' | 'webhook'

/**
 * The names of the two keychain entries that a key or webhook may have. There are two, so that a rotation doesn't overwrite the old secret. The
 * names depend only on the ID, so the app can find a secret that its index doesn't list.
 */
export const secretAccounts = (kind: SecretKind, profileId: string, id: string): readonly [string, string] => {
  const name = `${kind}/${profileId}/${id}`
  return [`${name}/1`, `${name}/2`]
}

/**
 * At the app's start, ends the operations that the previous run did not finish. An operation that was only planned becomes FAILED. An operation that
 * was sent becomes UNKNOWN, because the service may have carried it out.
 */
export function settleStopped(operations: SecretOperationLog, profileId: string, isOurs: (operation: SecretOperationRow) => boolean): void {
  for (const row of operations.unsettled(profileId).filter(isOurs)) {
    if (row.state === 'PLANNED') operations.move(row.id, 'FAILED', { note: 'stopped_before_sent' })
    if (row.state === 'SENT' && row.kind === 'import') operations.move(row.id, 'FAILED', { note: 'stopped_before_stored' })
    else if (row.state === 'SENT') operations.move(row.id, 'UNKNOWN', { note: 'stopped_before_answer_stored' })
  }
}

/** One use of a secret, for the audit log. Does not contain the secret. */
export interface SecretUse {
  readonly use: 'copied' | 'revealed' | 'saved' | 'run' | 'handed_over'
  readonly profileId: string
  /** Whose secret it is. Left out if it is a key's secret. */
  readonly of?: SecretKind
  readonly keyId: string
  readonly label: string
  /** Where the secret went: a path, a command line or a URL. null if it was only shown on the screen. */
  readonly to: string | null
  readonly by: 'app' | 'terminal'
  /** unknown: the secret left the app, and may have arrived. */
  readonly outcome: 'done' | 'failed' | 'denied' | 'unknown'
}

export type NoteSecretUse = (use: SecretUse) => void
