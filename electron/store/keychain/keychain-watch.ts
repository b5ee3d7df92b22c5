import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'

export interface KeychainEvidence {
  readonly state: 'ready' | 'locked' | 'unavailable'
  /** Monotonic ms. */
  readonly at: number
}

/** A keychain that remembers what it last showed of itself. */
export interface WatchedKeychain extends SecretStore {
  /** null: it was not used yet. */
  evidence(): KeychainEvidence | null
}

/**
 * A failure of any call speaks against it, and only a write that it took speaks for it: a locked one may answer that it holds no such entry.
 * `opened` is told when it works again after it did not.
 */
export function watchKeychain(secrets: SecretStore, clock: Clock, opened: () => void = () => {}): WatchedKeychain {
  let evidence: KeychainEvidence | null = null
  const see = async <T>(asked: Promise<Result<T, KeychainFailure>>, proves: boolean): Promise<Result<T, KeychainFailure>> => {
    const answer = await asked
    if (!answer.ok) evidence = { state: answer.failure.code === 'locked' ? 'locked' : 'unavailable', at: clock.monotonic() }
    else if (proves) {
      const before = evidence
      evidence = { state: 'ready', at: clock.monotonic() }
      if (before !== null && before.state !== 'ready') opened()
    }
    return answer
  }
  return {
    evidence: () => evidence,
    get: (account) => see(secrets.get(account), false),
    set: (account, secret) => see(secrets.set(account, secret), true),
    delete: (account) => see(secrets.delete(account), false),
    probe: () => see(secrets.probe(), true),
    close: () => secrets.close(),
  }
}
