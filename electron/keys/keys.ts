import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { Chain } from '../chain/chain.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Vault } from '../journal/journal.ts'
import type { Pins } from '../pins/pins.ts'
import type { Secret } from '../secrets/secret.ts'
import { createBotReady } from './bot-ready.ts'
import { createGrantCheck } from './grant-check.ts'
import { createKeyCalls } from './key-calls.ts'
import type { KeyParts } from './key-deps.ts'
import { createKeyDraftStore, type StoredDraft } from './key-draft-store.ts'
import { createKeyList } from './key-list.ts'
import { createOrphans } from './orphans.ts'
import { createRevocation } from './revoke.ts'
import { createRotation } from './rotate.ts'
import { createTakeIn } from './take-in.ts'

export interface KeysDeps extends Omit<KeyParts, 'calls' | 'list'> {
  readonly api: ApiClient
  readonly vault: Vault
  readonly pins: Pins
  readonly chain: Chain
  /** Puts a secret on the clipboard; gives the Unix ms at which it is cleared. */
  readonly copySecret: (secret: Secret) => Promise<number>
}

export interface Keys {
  /** Gives what the last run left half done its true state. Once, before the handlers are used. */
  recover(): Promise<void>
  /** The wallet's draft that can be taken up again. */
  draftOf(wallet: string): StoredDraft | null
  readonly handlers: Handlers<
    | 'keys.list'
    | 'keys.prepare'
    | 'keys.draft'
    | 'keys.ask'
    | 'keys.create'
    | 'keys.leave'
    | 'keys.rotate'
    | 'keys.revoke'
    | 'keys.orphans'
    | 'keys.settleOrphan'
    | 'keys.retryStore'
    | 'keys.copySecret'
    | 'keys.use'
  >
}

/** API keys of the connected wallet: their list, bot-ready creation, rotation, revocation, and what became of lost ones. */
export function createKeys({ api, vault, pins, chain, copySecret, ...given }: KeysDeps): Keys {
  const { profile, journal, credentials, wallet, signIn, clock } = given
  const calls = createKeyCalls({ api })
  const list = createKeyList({ profile, journal, credentials, calls })
  const parts: KeyParts = { ...given, calls, list }
  const drafts = createKeyDraftStore({ profile, journal, vault, clock })
  const takeIn = createTakeIn(parts)
  const rotation = createRotation(parts, takeIn)
  const revocation = createRevocation(parts)
  const orphans = createOrphans(parts, { takeIn, rotation, revocation, drafts })
  const botReady = createBotReady({ parts, drafts, grants: createGrantCheck({ pins, clock }), chain, takeIn })

  const read = async () => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const listing = await list.read(signed.value.session, signed.value.wallet)
    // The answer belongs to the wallet that was connected when it was asked for (Authentication 3).
    const now = wallet.current()?.address ?? 'none'
    return now === signed.value.wallet ? listing : fail<Failure>({ kind: 'wrong_wallet', wallet: now, expected: signed.value.wallet })
  }

  /** A key of the connected wallet, whose secret this computer may hold. */
  const own = (keyId: string): Result<string, Failure> => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const owner = credentials.facts(keyId)?.wallet ?? credentials.inMemory().find((entry) => entry.keyId === keyId)?.wallet
    return owner === address ? ok(address) : fail({ kind: 'not_found', what: 'key' })
  }

  return {
    recover: orphans.recover,
    draftOf: drafts.current,
    handlers: {
      'keys.list': async () => {
        const listing = await read()
        if (!listing.ok) return listing
        await revocation.settle(listing.value.keys)
        const { sentLabels: _, ...shown } = listing.value
        return ok(shown)
      },
      'keys.prepare': (request) => botReady.prepare(request),
      'keys.draft': () => botReady.draft(),
      'keys.ask': ({ draftId, typedPhrase, typedRouter }) => botReady.ask(draftId, typedPhrase, typedRouter),
      'keys.create': ({ draftId, signature }) => botReady.create(draftId, signature),
      'keys.leave': ({ draftId }) => botReady.leave(draftId),
      'keys.rotate': ({ keyId, confirmLabel }) => rotation.rotate(keyId, confirmLabel),
      'keys.revoke': ({ keyId, confirmLabel }) => revocation.revoke(keyId, confirmLabel),
      'keys.orphans': () => orphans.read(),
      'keys.settleOrphan': ({ operationId, keyId, action }) => orphans.settle(operationId, keyId, action),
      'keys.retryStore': async ({ keyId }) => {
        const owner = own(keyId)
        if (!owner.ok) return owner
        const stored = await takeIn.retry(keyId)
        if (!stored.ok) return stored
        if (stored.value?.kind === 'create') journal.secretOperations.move(stored.value.id, 'VERIFIED')
        else if (stored.value !== null) await rotation.verify(stored.value)
        const listing = await read()
        if (!listing.ok) return listing
        const key = listing.value.keys.find(({ id }) => id === keyId)
        return key === undefined ? fail({ kind: 'not_found', what: 'key' }) : ok(key)
      },
      'keys.copySecret': async ({ keyId }) => {
        const owner = own(keyId)
        if (!owner.ok) return owner
        const secret = await credentials.secretOf(keyId)
        if (!secret.ok) return secret
        return secret.value === null ? fail({ kind: 'not_found', what: 'secret' }) : ok({ clearsAtMs: await copySecret(secret.value) })
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
