import { z } from 'zod'
import type { KeyRecord } from '../../shared/api/schemas/keys.ts'
import { defaultScopes } from '../../shared/api/scopes.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { KeyCredential } from '../api/api-client.ts'
import type { Journal } from '../journal/journal.ts'
import type { Secret } from '../secrets/secret.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import { secretAccounts } from './secret-accounts.ts'

export interface CredentialsDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'secretIndex' | 'values'>
  readonly secrets: SecretStore
  readonly clock: Clock
}

/** What is remembered of a key between listings, so that a start without a sign-in knows what its secret may do. */
const KeyFacts = z.object({
  keyId: z.string(),
  wallet: z.string(),
  label: z.string(),
  scopes: z.array(z.string()).nullable(),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  allowlist: z.array(z.string()).nullable().default(null),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable().default(null),
  /** Its secret was here and was removed after the key was revoked. */
  removed: z.boolean(),
})
export type KeyFacts = z.infer<typeof KeyFacts>

export interface HeldSecret {
  readonly wallet: string
  readonly keyId: string
  readonly label: string
  readonly secret: Secret
}

export interface StandingSecret {
  readonly account: string
  readonly secret: Secret
}

export interface Credentials {
  /** Where the secret of a key is now. */
  whereIs(keyId: string): 'keychain' | 'memory' | 'elsewhere'
  /** The secret of a key held here; null when it is not. */
  secretOf(keyId: string): Promise<Result<Secret | null, KeychainFailure>>
  /** Writes a secret to the keychain under `account` and reads it back. The key's former entry stays and stays in use. */
  stage(account: string, secret: Secret): Promise<Result<void, KeychainFailure>>
  /** The secret under an account of the keychain; null when there is none. */
  staged(account: string): Promise<Result<Secret | null, KeychainFailure>>
  /** Makes a staged secret the key's own. The former entry stays until `dropFormer`. */
  promote(entry: HeldSecret & { readonly account: string }): void
  /** Removes the secret that a promoted one replaced: once the new one was seen working. */
  dropFormer(keyId: string): Promise<void>
  /** Keeps a secret for this run only. */
  keepInMemory(entry: HeldSecret): void
  inMemory(): readonly HeldSecret[]
  /** Removes the secret here: after the service confirmed that the key is revoked. */
  forget(keyId: string): Promise<Result<void, KeychainFailure>>
  /** Remembers scopes, status and expiry as the service's list says them. */
  learn(wallet: string, keys: readonly (KeyRecord & { readonly label: string })[]): void
  facts(keyId: string): KeyFacts | null
  /** Of every key of a wallet that was ever listed. */
  known(wallet: string): KeyFacts[]
  /** When the wallet's keys were last listed in this run; null: not yet. */
  listedAtMs(wallet: string): number | null
  /** The user's choice of the key for the app's own calls; null goes back to the newest. */
  use(wallet: string, keyId: string | null): void
  /** The key that the app's own calls for a wallet go with, whatever its scopes. */
  inUse(wallet: string): string | null
  /**
   * The credential for a call of this wallet that needs `scope`. Keys of other wallets are never looked at (Authentication 3).
   * Fails with `api_key_required` where the wallet has no usable key here, `scope_missing` where none has the scope, or `keychain`.
   */
  forScope(wallet: string, scope: string): Promise<Result<KeyCredential, Failure>>
  /** The name in the keychain for a key's next secret: not the one in use, so that the old secret outlives the change. */
  newAccount(keyId: string): string
  /** Secrets that stand in the keychain under a key's names, whatever the index says. */
  standing(keyId: string): Promise<Result<readonly StandingSecret[], KeychainFailure>>
}

/** The secrets of API keys that this computer holds, and which of them the app itself uses. */
export function createCredentials({ profile, journal, secrets, clock }: CredentialsDeps): Credentials {
  const memory = new Map<string, HeldSecret>()
  const read = new Map<string, Secret>()
  const listedAt = new Map<string, number>()
  const factsName = (keyId: string) => `key/${profile.id}/facts/${keyId}`
  const formerName = (keyId: string) => `key/${profile.id}/former/${keyId}`
  const chosenName = (wallet: string) => `key/${profile.id}/chosen/${wallet}`

  const indexed = (keyId: string) => journal.secretIndex.list(profile.id).find((entry) => entry.keyId === keyId) ?? null

  const facts = (keyId: string): KeyFacts | null => {
    const text = journal.values.get(factsName(keyId))
    return text === null ? null : KeyFacts.parse(JSON.parse(text))
  }

  /** Keys of the wallet whose secret is here and that may still work, the preferred first. */
  const usable = (wallet: string): KeyFacts[] => {
    const now = clock.now()
    const held = [...journal.secretIndex.list(profile.id), ...memory.values()].filter((entry) => entry.wallet === wallet)
    const chosen = journal.values.get(chosenName(wallet))
    return [...new Map(held.map((entry) => [entry.keyId, entry])).values()]
      .map(
        ({ keyId, label }): KeyFacts =>
          facts(keyId) ?? {
            keyId,
            wallet,
            label,
            scopes: null,
            status: 'unknown',
            createdAtMs: null,
            expiresAtMs: null,
            allowlist: null,
            agent: null,
            removed: false,
          },
      )
      .filter((key) => (key.status === 'active' || key.status === 'unknown') && (key.expiresAtMs === null || key.expiresAtMs > now))
      .sort((a, b) => Number(b.keyId === chosen) - Number(a.keyId === chosen) || (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))
  }

  const secretOf = async (keyId: string): Promise<Result<Secret | null, KeychainFailure>> => {
    const held = memory.get(keyId)?.secret ?? read.get(keyId)
    if (held !== undefined) return ok(held)
    const entry = indexed(keyId)
    if (entry === null) return ok(null)
    const found = await secrets.get(entry.account)
    if (!found.ok) return found
    if (found.value === null) {
      // A known entry that answers null is "locked" as often as "gone": only a probe can tell.
      const probe = await secrets.probe()
      return probe.ok ? ok(null) : probe
    }
    read.set(keyId, found.value)
    return found
  }

  return {
    whereIs: (keyId) => (memory.has(keyId) ? 'memory' : indexed(keyId) === null ? 'elsewhere' : 'keychain'),
    secretOf,
    stage: async (account, secret) => {
      const written = await secrets.set(account, secret)
      if (!written.ok) return written
      const back = await secrets.get(account)
      if (!back.ok) return back
      if (back.value === null || !back.value.equals(secret))
        return fail({ kind: 'keychain', code: 'failed', detail: 'The entry read back is not the one that was written.' })
      return ok(undefined)
    },
    staged: (account) => secrets.get(account),
    promote: ({ wallet, keyId, label, account, secret }) => {
      const former = indexed(keyId)
      if (former !== null && former.account !== account) journal.values.set(formerName(keyId), former.account)
      journal.secretIndex.remember({ profileId: profile.id, wallet, keyId, account, label })
      memory.delete(keyId)
      read.set(keyId, secret)
    },
    dropFormer: async (keyId) => {
      const account = journal.values.get(formerName(keyId))
      if (account === null) return
      const deleted = await secrets.delete(account)
      if (deleted.ok) journal.values.set(formerName(keyId), null)
    },
    keepInMemory: (entry) => {
      memory.set(entry.keyId, { ...entry })
      read.delete(entry.keyId)
    },
    inMemory: () => [...memory.values()],
    forget: async (keyId) => {
      const entry = indexed(keyId)
      if (entry !== null) {
        for (const account of new Set([entry.account, journal.values.get(formerName(keyId)), ...secretAccounts(profile.id, keyId)])) {
          if (account === null) continue
          const deleted = await secrets.delete(account)
          if (!deleted.ok) return deleted
        }
        journal.values.set(formerName(keyId), null)
      }
      memory.delete(keyId)
      read.delete(keyId)
      journal.secretIndex.forget(profile.id, keyId)
      const known = facts(keyId)
      if (known !== null) journal.values.set(factsName(keyId), JSON.stringify({ ...known, removed: true }))
      return ok(undefined)
    },
    listedAtMs: (wallet) => listedAt.get(wallet) ?? null,
    learn: (wallet, keys) => {
      listedAt.set(wallet, clock.now())
      for (const { id, label, scopes, status, createdAtMs, expiresAtMs, allowlist, agent } of keys) {
        const before = facts(id)
        const next: KeyFacts = {
          keyId: id,
          wallet,
          label,
          scopes: scopes ?? before?.scopes ?? null,
          status,
          createdAtMs,
          expiresAtMs,
          allowlist: allowlist ?? before?.allowlist ?? null,
          agent: agent === undefined ? (before?.agent ?? null) : agent,
          removed: before?.removed ?? false,
        }
        const text = JSON.stringify(next)
        if (text !== journal.values.get(factsName(id))) journal.values.set(factsName(id), text)
      }
    },
    facts,
    known: (wallet) =>
      journal.values
        .withPrefix(factsName(''))
        .map(({ value }) => KeyFacts.parse(JSON.parse(value)))
        .filter((key) => key.wallet === wallet),
    use: (wallet, keyId) => journal.values.set(chosenName(wallet), keyId),
    inUse: (wallet) => usable(wallet)[0]?.keyId ?? null,
    forScope: async (wallet, scope) => {
      const keys = usable(wallet)
      const preferred = keys[0]
      if (preferred === undefined) return fail({ kind: 'api_key_required', scope })
      // A key whose scopes nobody has told yet was made here, with the default ones.
      const able = keys.filter((key) => (key.scopes ?? defaultScopes).some((held) => held === scope))
      if (able.length === 0) return fail({ kind: 'scope_missing', scope, keyLabel: preferred.label })
      for (const key of able) {
        const secret = await secretOf(key.keyId)
        if (!secret.ok) return secret
        if (secret.value !== null) return ok({ kind: 'key', keyId: key.keyId, label: key.label, apiKey: secret.value, wallet, allowlist: key.allowlist ?? [] })
      }
      return fail({ kind: 'api_key_required', scope })
    },
    newAccount: (keyId) => {
      const [first, second] = secretAccounts(profile.id, keyId)
      return indexed(keyId)?.account === first ? second : first
    },
    standing: async (keyId) => {
      const found: StandingSecret[] = []
      for (const account of secretAccounts(profile.id, keyId)) {
        const secret = await secrets.get(account)
        if (!secret.ok) return secret
        if (secret.value !== null) found.push({ account, secret: secret.value })
      }
      return ok(found)
    },
  }
}
