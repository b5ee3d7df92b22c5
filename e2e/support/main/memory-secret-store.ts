import type { Secret } from '../../../electron/kernel/secret.ts'
import type { KeychainFailure, SecretStore } from '../../../electron/store/secrets/secret-store.ts'
import { fail, ok } from '../../../shared/result.ts'

export interface MemorySecretStore extends SecretStore {
  readonly entries: ReadonlyMap<string, Secret>
  /** Makes later writes fail with this code; null makes them work again. */
  failWrites(code: KeychainFailure['code'] | null): void
  /** Makes all writes fail with this code, except the app’s test write (the canary). Simulates a keychain that breaks after the app has tested it. */
  failWritesAfterProbe(code: KeychainFailure['code']): void
}

export function createMemorySecretStore(): MemorySecretStore {
  const entries = new Map<string, Secret>()
  let failing: KeychainFailure['code'] | null = null
  let probeWorks = false
  const refused = (code: KeychainFailure['code']) => fail<KeychainFailure>({ kind: 'keychain', code, detail: null })
  return {
    entries,
    failWrites: (code) => {
      failing = code
      probeWorks = false
    },
    failWritesAfterProbe: (code) => {
      failing = code
      probeWorks = true
    },
    get: async (account) => ok(entries.get(account) ?? null),
    set: async (account, secret) => {
      if (failing !== null) return refused(failing)
      entries.set(account, secret)
      return ok(undefined)
    },
    delete: async (account) => ok(entries.delete(account)),
    probe: async () => (failing === null || probeWorks ? ok(undefined) : refused(failing)),
    close: async () => {},
  }
}
