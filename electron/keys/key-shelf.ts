import type { Result } from '../../shared/result.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Credentials, KeyFacts } from '../service/credentials/credentials.ts'
import type { KeychainFailure } from '../store/secrets/secret-store.ts'

/** A key whose secret is on this computer, as it was last listed. */
export interface ShelfKey extends Pick<KeyFacts, 'keyId' | 'wallet' | 'label' | 'scopes' | 'status' | 'createdAtMs' | 'expiresAtMs'> {
  /** When its secret was stored; null: it is in memory. */
  readonly storedAtMs: number | null
}

/** The keys of a profile, of whatever wallet: what a bot needs when no phone is at hand. */
export interface KeyShelf {
  list(): ShelfKey[]
  /** null: it is not here any more. */
  secretOf(keyId: string): Promise<Result<Secret | null, KeychainFailure>>
}

export function createKeyShelf(credentials: Pick<Credentials, 'facts' | 'entries' | 'secretOf'>): KeyShelf {
  return {
    list: () =>
      credentials.entries().map(
        ({ keyId, wallet, label, storedAtMs }): ShelfKey => ({
          ...(credentials.facts(keyId) ?? { keyId, wallet, label, scopes: null, status: 'unknown', createdAtMs: null, expiresAtMs: null }),
          storedAtMs,
        }),
      ),
    secretOf: credentials.secretOf,
  }
}
