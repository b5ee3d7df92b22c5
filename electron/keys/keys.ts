import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { Parsing } from '../kernel/parsing/parsing.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Credentials, KeyFacts } from '../service/credentials/credentials.ts'
import type { FieldMapService } from '../service/field-names/field-map.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { Vault } from '../store/journal/journal.ts'
import type { StoredDraft } from '../store/records/key-records.ts'
import { LeavingSecret } from '../store/secrets/leaving-secret.ts'
import type { KeychainFailure, NoteSecretUse } from '../store/secrets/secret-store.ts'
import type { HoldKey } from '../store/secrets/stored-secrets.ts'
import type { Chain } from '../wallet/chain/chain.ts'
import type { Trust } from '../wallet/trusted-contracts/trust.ts'
import { createKeyCalls } from './calls/key-calls.ts'
import { createExpiry, createRevocation, type Revocation } from './calls/key-changes.ts'
import { answeredNothing, createKeyList, createKeyNotes, createSeenAddress, type KeyParts } from './calls/key-list.ts'
import type { SecretOutlets } from './delivery/secret-handlers.ts'
import { createKeyImport, type ImportSources } from './imported/key-import.ts'
import { type BotReady, createBotReady } from './issuance/bot-ready.ts'
import { type CustomKeys, createConsoleKey, createCustomKeys } from './issuance/custom-key.ts'
import { createGrantCheck } from './issuance/grant-check.ts'
import { createIssuance, createKeyDraftStore, type KeyDraftStore } from './issuance/issuance.ts'
import { createRotation, createStoreSecret, type StoreSecret } from './issuance/issue-secret.ts'
import { createReindex, createUnmatchedKeys } from './issuance/unmatched-keys.ts'

export interface KeysDeps extends Omit<KeyParts, 'calls' | 'list'> {
  readonly api: ApiClient
  readonly fieldMap: Pick<FieldMapService, 'names'>
  readonly vault: Vault
  readonly trust: Trust
  readonly chain: Chain
  /** Copies a secret to the clipboard. Returns the time (Unix ms) at which the app clears it. */
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly outlets: Pick<SecretOutlets, 'unlocked'>
  readonly importSources: ImportSources
  readonly parsing: Parsing
  readonly note: NoteSecretUse
}

/** The parts of key management that replacements and "revoke all" also use. */
export interface KeyWork extends KeyParts {
  readonly drafts: KeyDraftStore
  readonly storeSecret: StoreSecret
  readonly botReady: BotReady
  readonly custom: CustomKeys
  readonly revocation: Revocation
}

export interface Keys {
  readonly work: KeyWork
  /** Corrects the state of operations that the previous run of the app left unfinished. Call once, before using the handlers. */
  recover(): Promise<void>
  /** The wallet's prepared key, if it has not been created yet and the user can still resume its creation. */
  draftOf(wallet: string): StoredDraft | null
  /** Reads a key's secret for a permitted use outside the app, for example an export. */
  readonly holdKey: HoldKey
  /** Clears secrets from memory, except those that a running operation needs. */
  rest(): void
  readonly handlers: HandlersOf<'keys'>
}

/** API keys of the connected wallet: their list, bot-ready creation, rotation, revocation, and unmatched keys. */
export function createKeys({ api, fieldMap, vault, trust, chain, copySecret, outlets, importSources, parsing, note, ...given }: KeysDeps): Keys {
  const { profile, journal, credentials, wallet, signIn, clock } = given
  const calls = createKeyCalls({ api, fieldMap })
  const notes = createKeyNotes({ profile, records: journal.records })
  const list = createKeyList({ profile, journal, credentials, calls, notes })
  const parts: KeyParts = { ...given, calls, list }
  const drafts = createKeyDraftStore({ profile, journal, vault, clock })
  const storeSecret = createStoreSecret({ kind: 'key', profileId: profile.id, journal, stored: credentials, emit: given.emit })
  const rotation = createRotation(parts, storeSecret)
  const revocation = createRevocation(parts)
  const reindex = createReindex(parts)
  const unmatched = createUnmatchedKeys(parts, { storeSecret, rotation, revocation, drafts, reindex })
  const issuance = createIssuance(parts, storeSecret)
  const botReady = createBotReady({ parts, drafts, grants: createGrantCheck({ trust, clock }), chain, issuance })
  const custom = createCustomKeys(parts, issuance)
  const expiry = createExpiry(parts)
  const seenAddress = createSeenAddress(parts, api)
  const imports = createKeyImport(parts, { api, sources: importSources, parsing, storeSecret, rotation, mayKeep: outlets.unlocked })

  const read = async () => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const listing = await list.read(signed.value.session, signed.value.wallet)
    // Return the list only if the wallet that requested it is still connected (Authentication 3).
    const now = wallet.current()?.address ?? 'none'
    return now === signed.value.wallet ? listing : fail<Failure>({ kind: 'wrong_wallet', wallet: now, expected: signed.value.wallet })
  }

  /**
   * Lists the keys from the app's own records if the service's list is unusable. The user can still revoke these keys, because a revocation needs
   * only the key's id.
   */
  const unlisted = (failure: Failure) => {
    const connected = wallet.connected()
    if (!connected.ok || !answeredNothing(failure)) return fail(failure)
    const known = list.allKnown(connected.value.address)
    return known.length === 0
      ? fail(failure)
      : ok({
          keys: known,
          active: null,
          limit: limits.activeKeysPerWallet,
          readAtMs: credentials.listedAtMs(connected.value.address),
          missing: { unreadable: 0, more: false },
          unread: failure,
        })
  }

  /** Returns the connected wallet's address if the key belongs to that wallet; otherwise fails with `not_found`. */
  const own = (keyId: string): Result<string, Failure> => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const owner = credentials.facts(keyId)?.wallet ?? credentials.inMemory().find((entry) => entry.keyId === keyId)?.wallet
    return owner === address ? ok(address) : fail({ kind: 'not_found', what: 'key' })
  }

  const holdKey: HoldKey = async (keyId) => {
    const owner = own(keyId)
    if (!owner.ok) return owner
    const secret = await credentials.secretOf(keyId)
    if (!secret.ok) return secret
    if (secret.value === null) return fail({ kind: 'not_found', what: 'secret' })
    const label = credentials.facts(keyId)?.label ?? credentials.inMemory().find((entry) => entry.keyId === keyId)?.label ?? keyId
    return ok({ keyId, label, secret: new LeavingSecret(secret.value, outlets.unlocked) })
  }

  return {
    work: { ...parts, drafts, storeSecret, botReady, custom, revocation },
    recover: unmatched.recover,
    draftOf: drafts.current,
    holdKey,
    rest: () => {
      imports.rest()
      credentials.rest()
    },
    handlers: {
      ...createConsoleKey({ credentials, wallet, create: custom.create }),
      'keys.list': async () => {
        let listing = await read()
        if (listing.ok && (await reindex.run(wallet.current()?.address ?? 'none', listing.value.keys))) listing = await read()
        if (!listing.ok) return unlisted(listing.failure)
        await revocation.reconcile(listing.value.keys)
        expiry.reconcile(listing.value.keys)
        const { sentLabels: _, whole: __, ...shown } = listing.value
        return ok({ ...shown, unread: null })
      },
      'keys.prepare': (request) => botReady.prepare(request, null),
      'keys.draft': () => botReady.draft(),
      'keys.ask': ({ draftId, typedPhrase, typedRouter }) => botReady.ask(draftId, typedPhrase, typedRouter),
      'keys.create': ({ draftId, signature }) => botReady.create(draftId, signature),
      'keys.leave': ({ draftId }) => botReady.leave(draftId),
      'keys.createCustom': (request) => custom.create(request),
      'keys.setExpiry': ({ keyId, days }) => expiry.set(keyId, days),
      'keys.annotate': ({ keyId, note }) => {
        const owner = own(keyId)
        if (!owner.ok) return owner
        notes.set(keyId, note)
        return ok({})
      },
      'keys.seenAddress': async () => ok(await seenAddress()),
      'keys.rotate': ({ keyId, confirmLabel }) => rotation.rotate(keyId, confirmLabel),
      'keys.adopt': async ({ keyId, confirmLabel }) => {
        const where = credentials.whereIs(keyId)
        return where === 'elsewhere' ? rotation.rotate(keyId, confirmLabel) : fail({ kind: 'wrong_state', state: where, wanted: 'elsewhere' })
      },
      'keys.importRead': ({ source }) => imports.read(source),
      'keys.importPick': ({ importId, entry }) => imports.pick(importId, entry),
      'keys.importStore': ({ importId, keyId }) => imports.store(importId, keyId),
      'keys.importLeave': ({ importId }) => {
        imports.leave(importId)
        return ok({})
      },
      'keys.revoke': ({ keyId, confirmLabel }) => revocation.revoke(keyId, confirmLabel),
      'keys.unmatched': () => unmatched.read(),
      'keys.resolveUnmatched': ({ operationId, keyId, action }) => unmatched.resolve(operationId, keyId, action),
      'keys.retryStore': async ({ keyId }) => {
        const owner = own(keyId)
        if (!owner.ok) return owner
        const stored = await storeSecret.retry(keyId)
        if (!stored.ok) return stored
        if (stored.value?.kind === 'create') journal.secretOperations.move(stored.value.id, 'VERIFIED')
        else if (stored.value !== null) await rotation.verify(stored.value)
        const listing = await read()
        if (!listing.ok) return listing
        const key = listing.value.keys.find(({ id }) => id === keyId)
        return key === undefined ? fail({ kind: 'not_found', what: 'key' }) : ok(key)
      },
      'keys.copySecret': async ({ keyId }) => {
        const key = await holdKey(keyId)
        const taken = key.ok ? key.value.secret.take() : key
        const copied = taken.ok ? ok({ clearsAtMs: await copySecret(taken.value) }) : taken
        const label = credentials.facts(keyId)?.label ?? keyId
        note({ use: 'copied', profileId: profile.id, keyId, label, to: null, by: 'app', outcome: copied.ok ? 'done' : 'failed' })
        return copied
      },
      'keys.use': async ({ keyId }) => {
        const owner = own(keyId)
        if (!owner.ok) return owner
        if (credentials.whereIs(keyId) === 'elsewhere') return fail({ kind: 'not_found', what: 'secret' })
        credentials.use(owner.value, keyId)
        return ok({})
      },
    },
  }
}

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
