import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'

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
