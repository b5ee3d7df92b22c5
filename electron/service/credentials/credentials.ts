import type { KeyRecord } from '../../../shared/api/schemas/keys/key-resources.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { StoredFacts } from '../../store/records/key-records.ts'
import type { KeychainFailure, SecretStore } from '../../store/secrets/secret-store.ts'
import { createStoredSecrets, type StoredSecrets } from '../../store/secrets/stored-secrets.ts'
import type { KeyCredential } from '../transport/api-client.ts'

export interface CredentialsDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'secretIndex' | 'records'>
  readonly secrets: SecretStore
  readonly clock: Clock
  /** True if a secret that the app has read may stay in memory; `false` while the app is locked. */
  readonly mayKeep?: () => boolean
}

export interface KeyFacts extends Omit<StoredFacts, 'askedScopes'> {
  /** The scopes that the service listed for the key, or else the scopes that this app requested; `null` if unknown. */
  readonly scopes: string[] | null
  readonly scopesFrom: 'service' | 'asked' | null
}

/** The facts about a key that this app created. They apply until the service lists the key. */
export interface MadeKey extends Pick<KeyFacts, 'keyId' | 'wallet' | 'label' | 'agent'> {
  readonly askedScopes: readonly string[]
  readonly allowlist: readonly string[]
}

export interface Credentials extends StoredSecrets {
  /** Stores scopes, status and expiry of keys from the service's key list. */
  learn(wallet: string, keys: readonly (KeyRecord & { readonly label: string })[]): void
  /** Stores the terms that the app requested for a new key. They apply until the service lists the key. */
  made(key: MadeKey): void
  /** Stores which executor the service bound to a key. This record is needed because the service's key list may not name the executor. */
  bound(keyId: string, executor: string): void
  facts(keyId: string): KeyFacts | null
  /** Returns the facts about all keys that the service has ever listed for a wallet. */
  known(wallet: string): KeyFacts[]
  /** The time (Unix ms) at which the wallet's keys were last listed since the app started; `null` if they have not been listed yet. */
  listedAtMs(wallet: string): number | null
  /** Chooses the key for the app's own calls. With `null`, the app uses the newest key again. */
  use(wallet: string, keyId: string | null): void
  /** The key that the app uses only for reading; `null` if no such key was created or chosen. */
  consoleKey(wallet: string): string | null
  readWith(wallet: string, keyId: string | null): void
  /** The id of the key that the app uses for the wallet's calls, even if the key lacks a needed scope. `null` if the wallet has no usable key. */
  inUse(wallet: string): string | null
  /**
   * The credential for a call of this wallet that needs `scope`. Never uses a key of another wallet (Authentication 3). Fails with `api_key_required`
   * if the wallet has no usable key on this computer, with `scope_missing` if no usable key has the scope, or with `keychain`.
   */
  forScope(wallet: string, scope: string): Promise<Result<KeyCredential, Failure>>
  /** Returns the wallet's keys whose secret is on this computer and may still work, with the preferred keys first. */
  usable(wallet: string): readonly KeyFacts[]
  /** Returns the credential of exactly this key. Fails with `api_key_required` if the key is not usable on this computer. */
  forKey(wallet: string, keyId: string): Promise<Result<KeyCredential, Failure>>
}

const factsOf = ({ askedScopes, ...said }: StoredFacts): KeyFacts => ({
  ...said,
  scopes: said.scopes ?? askedScopes,
  scopesFrom: said.scopes !== null ? 'service' : askedScopes !== null ? 'asked' : null,
})

const readScopes: ReadonlySet<string> = new Set(['market:read', 'account:read'])

/** The secrets of API keys on this computer, and the choice of the key that the app uses for its own calls. */
export function createCredentials({ profile, journal, secrets, clock, mayKeep }: CredentialsDeps): Credentials {
  const held = createStoredSecrets({
    kind: 'key',
    profileId: profile.id,
    index: journal.secretIndex,
    records: journal.records,
    secrets,
    ...(mayKeep && { mayKeep }),
  })
  const listedAt = new Map<string, number>()
  const { keyFacts, consoleKeys, chosenKeys } = journal.records
  const of = (wallet: string) => ({ profile: profile.id, wallet })
  const consoleOf = (wallet: string): string | null => consoleKeys.read(of(wallet))

  const stored = (keyId: string): StoredFacts | null => keyFacts.read({ profile: profile.id, keyId })
  const facts = (keyId: string): KeyFacts | null => {
    const found = stored(keyId)
    return found === null ? null : factsOf(found)
  }
  const keep = (next: StoredFacts) => keyFacts.write({ profile: profile.id, keyId: next.keyId }, next)

  const usable = (wallet: string): KeyFacts[] => {
    const now = clock.now()
    const chosen = chosenKeys.read(of(wallet))
    // Do not prefer the key that is reserved for reading, because this list also serves calls that change something.
    const console = consoleOf(wallet)
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
            scopesFrom: null,
            status: 'unknown',
            createdAtMs: null,
            expiresAtMs: null,
            allowlist: null,
            agent: null,
            executor: null,
            removed: false,
          },
      )
      .filter((key) => isLiveKey(key) && (key.expiresAtMs === null || key.expiresAtMs > now))
      .sort(
        (a, b) =>
          Number(b.keyId === chosen) - Number(a.keyId === chosen) ||
          Number(a.keyId === console) - Number(b.keyId === console) ||
          (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0),
      )
  }

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
      const known = stored(keyId)
      if (known !== null) keep({ ...known, removed: true })
      return ok(undefined)
    },
    listedAtMs: (wallet) => listedAt.get(wallet) ?? null,
    learn: (wallet, keys) => {
      listedAt.set(wallet, clock.now())
      const namesExecutors = keys.some(({ executor }) => executor !== null)
      for (const { id, label, scopes, status, createdAtMs, expiresAtMs, allowlist, agent, executor } of keys) {
        const before = stored(id)
        keep({
          keyId: id,
          wallet,
          label,
          scopes: scopes ?? before?.scopes ?? null,
          askedScopes: before?.askedScopes ?? null,
          status,
          createdAtMs,
          expiresAtMs,
          allowlist: allowlist ?? before?.allowlist ?? null,
          agent: agent === undefined ? (before?.agent ?? null) : agent,
          executor: namesExecutors ? executor : (before?.executor ?? null),
          removed: before?.removed ?? false,
        })
      }
    },
    made: ({ keyId, askedScopes, allowlist, ...about }) => {
      const unsaid = { scopes: null, status: 'unknown', createdAtMs: null, expiresAtMs: null, executor: null, removed: false } as const
      keep({ ...unsaid, ...about, allowlist: [...allowlist], ...stored(keyId), keyId, askedScopes: [...askedScopes] })
    },
    bound: (keyId, executor) => {
      const before = stored(keyId)
      if (before !== null) keep({ ...before, executor })
    },
    facts,
    known: (wallet) =>
      keyFacts
        .list({ profile: profile.id })
        .map(({ record }) => factsOf(record))
        .filter((key) => key.wallet === wallet),
    consoleKey: consoleOf,
    readWith: (wallet, keyId) => (keyId === null ? consoleKeys.delete(of(wallet)) : consoleKeys.write(of(wallet), keyId)),
    use: (wallet, keyId) => (keyId === null ? chosenKeys.delete(of(wallet)) : chosenKeys.write(of(wallet), keyId)),
    inUse: (wallet) => usable(wallet)[0]?.keyId ?? null,
    forScope: async (wallet, scope) => {
      const keys = usable(wallet)
      const preferred = keys[0]
      if (preferred === undefined) return fail({ kind: 'api_key_required', scope })
      // Also try keys whose scopes are unknown, but after all others. The service then decides whether the scope is sufficient.
      const able = keys.filter((key) => key.scopes?.includes(scope) ?? true)
      // For a scope that only reads, prefer the key that is reserved for reading.
      const console = readScopes.has(scope) ? consoleOf(wallet) : null
      able.sort((a, b) => Number(a.scopes === null) - Number(b.scopes === null) || Number(b.keyId === console) - Number(a.keyId === console))
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

/**
 * Appends a unique marker to the label of a new key. If the response to the creation is lost, the marker identifies the key in the service's list.
 */
export const markedLabel = (label: string, marker: string): string => `${label} #${marker}`

export const markerLength = 6

/**
 * How many recent key operations to search for markers. The app does not recognise the marker of an older operation, and then shows the label with
 * it.
 */
const mostRecent = 500

/** Returns the markers that this app has appended to the labels of new keys. An operation that created no key has no marker. */
export const markersOf = ({ secretOperations }: Pick<Journal, 'secretOperations'>, profileId: string): ReadonlySet<string> =>
  new Set(
    secretOperations
      .list(profileId, mostRecent)
      .map(({ marker }) => marker)
      .filter((marker) => marker !== ''),
  )

/** Returns the label as the user typed it, by removing a marker that is in `known`. */
export function withoutMarker(label: string, known: ReadonlySet<string>): string {
  const at = label.lastIndexOf(' #')
  return at > 0 && known.has(label.slice(at + 2)) ? label.slice(0, at) : label
}
