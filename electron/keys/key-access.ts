import type { Result } from '../../shared/result.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Credentials, KeyFacts } from '../service/credentials/credentials.ts'
import type { KeychainFailure } from '../store/secrets/secret-store.ts'

/** A key whose secret is on this computer, with its properties from the last key list of the service. */
export interface AccessibleKey extends Pick<KeyFacts, 'keyId' | 'wallet' | 'label' | 'scopes' | 'status' | 'createdAtMs' | 'expiresAtMs'> {
  /** When the secret was stored; null if it is only in memory. */
  readonly storedAtMs: number | null
}

/** The keys of all wallets in a profile, for use by bots. A bot must be able to use a key without the user's phone. */
export interface KeyAccess {
  list(): AccessibleKey[]
  /** Returns the key’s secret; null if the secret is no longer on this computer. */
  secretOf(keyId: string): Promise<Result<Secret | null, KeychainFailure>>
}

export function createKeyAccess(credentials: Pick<Credentials, 'facts' | 'entries' | 'secretOf'>): KeyAccess {
  return {
    list: () =>
      credentials.entries().map(
        ({ keyId, wallet, label, storedAtMs }): AccessibleKey => ({
          ...(credentials.facts(keyId) ?? { keyId, wallet, label, scopes: null, status: 'unknown', createdAtMs: null, expiresAtMs: null }),
          storedAtMs,
        }),
      ),
    secretOf: credentials.secretOf,
  }
}
