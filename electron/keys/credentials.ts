import { z } from 'zod'
import type { KeyRecord } from '../../shared/api/schemas/keys.ts'
import { defaultScopes } from '../../shared/api/scopes.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { KeyCredential } from '../api/api-client.ts'
import type { Journal } from '../journal/journal.ts'
import { createHeldSecrets, type HeldSecrets } from '../secrets/held-secrets.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

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
  executor: z.string().nullable().default(null),
  /** Its secret was here and was removed after the key was revoked. */
  removed: z.boolean(),
})
export type KeyFacts = z.infer<typeof KeyFacts>

export interface Credentials extends HeldSecrets {
  /** Remembers scopes, status and expiry as the service's list says them. */
  learn(wallet: string, keys: readonly (KeyRecord & { readonly label: string })[]): void
  facts(keyId: string): KeyFacts | null
  /** Of every key of a wallet that was ever listed. */
  known(wallet: string): KeyFacts[]
  /** When the wallet's keys were last listed in this run; null: not yet. */
  listedAtMs(wallet: string): number | null
  /** The user's choice of the key for the app's own calls; null goes back to the newest. */
  use(wallet: string, keyId: string | null): void
  /** The key that the app reads with, and does nothing else with; null: none was made or chosen. */
  consoleKey(wallet: string): string | null
  readWith(wallet: string, keyId: string | null): void
  /** The key that the app's own calls for a wallet go with, whatever its scopes. */
  inUse(wallet: string): string | null
  /**
   * The credential for a call of this wallet that needs `scope`. Keys of other wallets are never looked at (Authentication 3).
   * Fails with `api_key_required` where the wallet has no usable key here, `scope_missing` where none has the scope, or `keychain`.
   */
  forScope(wallet: string, scope: string): Promise<Result<KeyCredential, Failure>>
  /** Keys of the wallet whose secret is here and that may still work, the preferred first. */
  usable(wallet: string): readonly KeyFacts[]
  /** The credential of this very key of the wallet; `api_key_required` where it cannot be used here. */
  forKey(wallet: string, keyId: string): Promise<Result<KeyCredential, Failure>>
}

const readScopes: ReadonlySet<string> = new Set(['market:read', 'account:read'])

/** The secrets of API keys that this computer holds, and which of them the app itself uses. */
export function createCredentials({ profile, journal, secrets, clock }: CredentialsDeps): Credentials {
  const held = createHeldSecrets({ kind: 'key', profileId: profile.id, index: journal.secretIndex, values: journal.values, secrets })
  const listedAt = new Map<string, number>()
  const factsName = (keyId: string) => `key/${profile.id}/facts/${keyId}`
  const consoleName = (wallet: string) => `key/${profile.id}/console/${wallet}`
  const chosenName = (wallet: string) => `key/${profile.id}/chosen/${wallet}`

  const facts = (keyId: string): KeyFacts | null => {
    const text = journal.values.get(factsName(keyId))
    return text === null ? null : KeyFacts.parse(JSON.parse(text))
  }

  /** Keys of the wallet whose secret is here and that may still work, the preferred first. */
  const usable = (wallet: string): KeyFacts[] => {
    const now = clock.now()
    const chosen = journal.values.get(chosenName(wallet))
    // It may only read: it is nobody's first choice for anything else.
    const console = journal.values.get(consoleName(wallet))
    return held
      .entries()
      .filter((entry) => entry.wallet === wallet)
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
            executor: null,
            removed: false,
          },
      )
      .filter((key) => (key.status === 'active' || key.status === 'unknown') && (key.expiresAtMs === null || key.expiresAtMs > now))
      .sort(
        (a, b) =>
          Number(b.keyId === chosen) - Number(a.keyId === chosen) ||
          Number(a.keyId === console) - Number(b.keyId === console) ||
          (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0),
      )
  }

  /** Of the first of these keys whose secret is here. */
  const firstHeld = async (keys: readonly KeyFacts[]): Promise<Result<KeyCredential, KeychainFailure> | null> => {
    for (const { keyId, label, wallet, allowlist } of keys) {
      const secret = await held.secretOf(keyId)
      if (!secret.ok) return secret
      if (secret.value !== null) return ok({ kind: 'key', keyId, label, apiKey: secret.value, wallet, allowlist: allowlist ?? [] })
    }
    return null
  }

  return {
    ...held,
    forget: async (keyId) => {
      const forgotten = await held.forget(keyId)
      if (!forgotten.ok) return forgotten
      const known = facts(keyId)
      if (known !== null) journal.values.set(factsName(keyId), JSON.stringify({ ...known, removed: true }))
      return ok(undefined)
    },
    listedAtMs: (wallet) => listedAt.get(wallet) ?? null,
    learn: (wallet, keys) => {
      listedAt.set(wallet, clock.now())
      for (const { id, label, scopes, status, createdAtMs, expiresAtMs, allowlist, agent, executor } of keys) {
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
          executor,
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
    consoleKey: (wallet) => journal.values.get(consoleName(wallet)),
    readWith: (wallet, keyId) => journal.values.set(consoleName(wallet), keyId),
    use: (wallet, keyId) => journal.values.set(chosenName(wallet), keyId),
    inUse: (wallet) => usable(wallet)[0]?.keyId ?? null,
    forScope: async (wallet, scope) => {
      const keys = usable(wallet)
      const preferred = keys[0]
      if (preferred === undefined) return fail({ kind: 'api_key_required', scope })
      // A key whose scopes nobody has told yet was made here, with the default ones.
      const able = keys.filter((key) => (key.scopes ?? defaultScopes).some((held) => held === scope))
      // What only reads goes with the key that can do nothing else.
      const console = readScopes.has(scope) ? journal.values.get(consoleName(wallet)) : null
      able.sort((a, b) => Number(b.keyId === console) - Number(a.keyId === console))
      if (able.length === 0) return fail({ kind: 'scope_missing', scope, keyLabel: preferred.label })
      return (await firstHeld(able)) ?? fail({ kind: 'api_key_required', scope })
    },
    usable,
    forKey: async (wallet, keyId) => {
      const found = await firstHeld(usable(wallet).filter((key) => key.keyId === keyId))
      return found ?? fail({ kind: 'api_key_required', scope: null })
    },
  }
}
