import { isSecret } from '../../../shared/api/redact.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { SecretIndex } from '../journal/journal.ts'
import type { Records } from '../records/registry.ts'
import type { LeavingSecret } from './leaving-secret.ts'
import { type KeychainFailure, type SecretKind, type SecretStore, secretAccounts } from './secret-store.ts'

/** A secret to store. `keyId` is the ID of the key or webhook, `label` the name that the user sees. */
export interface StoredSecret {
  readonly wallet: string
  readonly keyId: string
  readonly label: string
  readonly secret: Secret
}

/**
 * A stored secret without its value. `storedAtMs` is when this value was stored, as Unix ms; a rotation changes it. null if the secret is only in
 * memory.
 */
export interface KnownSecret extends Omit<StoredSecret, 'secret'> {
  readonly storedAtMs: number | null
}

export interface FoundSecret {
  readonly account: string
  readonly secret: Secret
}

/** The secrets of one kind (keys or webhooks) that this computer stores: in the keychain, with an index, or only in memory if the keychain failed. */
export interface StoredSecrets {
  /** Where the secret of a key or webhook is now. */
  whereIs(keyId: string): 'keychain' | 'memory' | 'elsewhere'
  /** Reads a secret; null if it is not stored on this computer. */
  secretOf(keyId: string): Promise<Result<Secret | null, KeychainFailure>>
  /**
   * Writes a new secret to the keychain entry `account` and reads it back as a check. The key continues to use its current secret, which is in
   * another entry.
   */
  stage(account: string, secret: Secret): Promise<Result<void, KeychainFailure>>
  /** Reads a secret by its keychain entry; null if the entry does not exist. */
  staged(account: string): Promise<Result<Secret | null, KeychainFailure>>
  /** Starts to use a staged secret. The keychain entry of the former secret stays until `dropFormer`. */
  promote(entry: StoredSecret & { readonly account: string }): void
  /** Removes the previous secret of a key after `promote`. Call it once the new secret has worked. */
  dropFormer(keyId: string): Promise<void>
  /** Keeps a secret only in memory, until the app ends. */
  keepInMemory(entry: StoredSecret): void
  inMemory(): readonly StoredSecret[]
  /** Every secret stored here, listed once and without its value. */
  entries(): readonly KnownSecret[]
  /** Removes the stored secret. Call it after the service confirmed that the secret is no longer valid. */
  forget(keyId: string): Promise<Result<void, KeychainFailure>>
  /** Returns the keychain entry for the next secret. It is never the entry in use, so a rotation does not overwrite the old secret. */
  newAccount(keyId: string): string
  /**
   * Clears from memory the secrets that were read from the keychain, which still stores them. Keeps secrets that the keychain refused, because
   * memory has their only copy.
   */
  rest(): void
  /** Reads the secrets in the keychain entries of this ID, even if the index doesn't list them. */
  inKeychain(keyId: string): Promise<Result<readonly FoundSecret[], KeychainFailure>>
}

export interface StoredSecretsDeps {
  readonly kind: SecretKind
  readonly profileId: string
  readonly index: SecretIndex
  readonly records: Pick<Records, 'formerKeys' | 'formerWebhooks'>
  readonly secrets: SecretStore
  /** True if a secret that was read from the keychain may stay in memory; false while the app is locked. */
  readonly mayKeep?: () => boolean
}

/**
 * The failure for an entry whose text isn't a secret of this app, because another program wrote it. The app must not write that text to a file or
 * send it to a server.
 */
const notASecret: KeychainFailure = { kind: 'keychain', code: 'invalid', detail: 'foreign_entry' }

export function createStoredSecrets({ kind, profileId, index, records, secrets, mayKeep = () => true }: StoredSecretsDeps): StoredSecrets {
  const memory = new Map<string, StoredSecret>()
  const read = new Map<string, Secret>()
  const former = kind === 'key' ? records.formerKeys : records.formerWebhooks
  const formerKey = (keyId: string) => ({ profile: profileId, id: keyId })
  const indexed = (keyId: string) => index.list(profileId).find((entry) => entry.keyId === keyId) ?? null

  const stored: StoredSecrets['staged'] = async (account) => {
    const found = await secrets.get(account)
    return found.ok && found.value !== null && !isSecret(kind, found.value.reveal()) ? fail(notASecret) : found
  }

  return {
    whereIs: (keyId) => (memory.has(keyId) ? 'memory' : indexed(keyId) === null ? 'elsewhere' : 'keychain'),
    secretOf: async (keyId) => {
      const held = memory.get(keyId)?.secret ?? read.get(keyId)
      if (held !== undefined) return ok(held)
      const entry = indexed(keyId)
      if (entry === null) return ok(null)
      const found = await stored(entry.account)
      if (!found.ok) return found
      if (found.value === null) {
        // The index lists this entry. So null may mean that the entry is missing, or that the keychain is locked. A probe shows which it is.
        const probe = await secrets.probe()
        return probe.ok ? ok(null) : probe
      }
      if (mayKeep()) read.set(keyId, found.value)
      return found
    },
    stage: async (account, secret) => {
      const written = await secrets.set(account, secret)
      if (!written.ok) return written
      const back = await secrets.get(account)
      if (!back.ok) return back
      if (back.value === null || !back.value.equals(secret)) return fail({ kind: 'keychain', code: 'failed', detail: 'not_read_back' })
      return ok(undefined)
    },
    staged: stored,
    promote: ({ wallet, keyId, label, account, secret }) => {
      const before = indexed(keyId)
      if (before !== null && before.account !== account) former.write(formerKey(keyId), before.account)
      index.remember({ profileId, wallet, keyId, account, label })
      memory.delete(keyId)
      read.delete(keyId)
      if (mayKeep()) read.set(keyId, secret)
    },
    dropFormer: async (keyId) => {
      const account = former.read(formerKey(keyId))
      if (account === null) return
      const deleted = await secrets.delete(account)
      if (deleted.ok) former.delete(formerKey(keyId))
    },
    keepInMemory: (entry) => {
      memory.set(entry.keyId, { ...entry })
      read.delete(entry.keyId)
    },
    inMemory: () => [...memory.values()],
    entries: () => {
      const stored = index.list(profileId).map(({ keyId, wallet, label, atMs }): KnownSecret => ({ keyId, wallet, label, storedAtMs: atMs }))
      const waiting = [...memory.values()].map(({ keyId, wallet, label }): KnownSecret => ({ keyId, wallet, label, storedAtMs: null }))
      return [...new Map([...stored, ...waiting].map((entry) => [entry.keyId, entry])).values()]
    },
    forget: async (keyId) => {
      const entry = indexed(keyId)
      if (entry !== null) {
        for (const account of new Set([entry.account, former.read(formerKey(keyId)), ...secretAccounts(kind, profileId, keyId)])) {
          if (account === null) continue
          const deleted = await secrets.delete(account)
          if (!deleted.ok) return deleted
        }
        former.delete(formerKey(keyId))
      }
      memory.delete(keyId)
      read.delete(keyId)
      index.forget(profileId, keyId)
      return ok(undefined)
    },
    rest: () => read.clear(),
    newAccount: (keyId) => {
      const [first, second] = secretAccounts(kind, profileId, keyId)
      return indexed(keyId)?.account === first ? second : first
    },
    inKeychain: async (keyId) => {
      const found: FoundSecret[] = []
      for (const account of secretAccounts(kind, profileId, keyId)) {
        const secret = await secrets.get(account)
        if (!secret.ok) return secret
        if (secret.value !== null && isSecret(kind, secret.value.reveal())) found.push({ account, secret: secret.value })
      }
      return ok(found)
    },
  }
}

/** A key or webhook whose secret is on this computer. */
export interface StoredKey {
  readonly keyId: string
  readonly label: string
  readonly secret: LeavingSecret
}

/** Gets the secret of a key or webhook of the connected wallet, for use outside the app. Fails with `no_wallet`, `not_found` or `keychain`. */
export type HoldKey = (keyId: string) => Promise<Result<StoredKey, Failure>>
