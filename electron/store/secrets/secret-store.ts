import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { SecretOperationLog, SecretOperationRow } from '../journal/journal.ts'

/** locked: the keychain is there and asks for its password. failed: it reported something else; see `detail`. */
export interface KeychainFailure {
  readonly kind: 'keychain'
  readonly code: 'unavailable' | 'locked' | 'timeout' | 'invalid' | 'failed'
  readonly detail: string | null
}

/**
 * The OS keychain. One service name per profile kind; `account` is for example `key/<profile>/<key id>`.
 * Windows caps an entry at 2,560 bytes: only keys, signing secrets and the vault's own key go here.
 */
export interface SecretStore {
  /** null: there is no such entry. A known entry that answers null is looked at again by `probe` first, since keytar says null for "locked" too. */
  get(account: string): Promise<Result<Secret | null, KeychainFailure>>
  set(account: string, secret: Secret): Promise<Result<void, KeychainFailure>>
  delete(account: string): Promise<Result<boolean, KeychainFailure>>
  /** Writes a canary, reads it back, removes it: proof that the keychain will take a secret now. */
  probe(): Promise<Result<void, KeychainFailure>>
  close(): Promise<void>
}

/** What a secret is for: an API key, or a webhook whose deliveries are signed with it. */
export type SecretKind = 'key' | 'webhook'

/**
 * The names in the keychain under which a secret may stand. Two, so that a rotation writes beside the secret that it replaces. They follow
 * from the id alone: a secret whose index was lost is found again without ever searching the keychain.
 */
export const secretAccounts = (kind: SecretKind, profileId: string, id: string): readonly [string, string] => {
  const name = `${kind}/${profileId}/${id}`
  return [`${name}/1`, `${name}/2`]
}

/** At start: what the last run left half done is given its true state. What was sent may have happened; what was only planned has not. */
export function settleStopped(operations: SecretOperationLog, profileId: string, isOurs: (operation: SecretOperationRow) => boolean): void {
  for (const row of operations.unsettled(profileId).filter(isOurs)) {
    if (row.state === 'PLANNED') operations.move(row.id, 'FAILED', { note: 'stopped_before_sent' })
    if (row.state === 'SENT' && row.kind === 'import') operations.move(row.id, 'FAILED', { note: 'stopped_before_stored' })
    else if (row.state === 'SENT') operations.move(row.id, 'UNKNOWN', { note: 'stopped_before_answer_stored' })
  }
}

/** One use of a secret, for the audit. Nothing in it is secret. */
export interface SecretUse {
  readonly use: 'copied' | 'revealed' | 'saved' | 'run' | 'handed_over'
  readonly profileId: string
  /** Absent: of a key. */
  readonly of?: SecretKind
  /** Of the key, or of the webhook. */
  readonly keyId: string
  readonly label: string
  /** Where it went: a path, a command's words, a target. null: nowhere beyond the screen. */
  readonly to: string | null
  readonly by: 'app' | 'terminal'
  readonly outcome: 'done' | 'failed' | 'denied'
}

export type NoteSecretUse = (use: SecretUse) => void
