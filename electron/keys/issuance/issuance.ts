import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import { markerLength } from '../../service/credentials/credentials.ts'
import type { ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'
import type { SecretOperationRow, Vault } from '../../store/journal/journal.ts'
import type { StoredDraft } from '../../store/records/key-records.ts'
import type { IssuedKey } from '../calls/key-calls.ts'
import { answeredNothing, type KeyListing, type KeyParts } from '../calls/key-list.ts'
import { createSecretIssuer, type StoreSecret } from './issue-secret.ts'

/** Called directly before a request; a failure stops it. */
export type MayLeave = () => Failure | null

export interface Issue {
  /** The id under which the journal records the creation; null to choose a new id. */
  readonly operationId: string | null
  readonly session: SessionCredential
  readonly wallet: string
  /** The label as the user typed it, without the marker that the app appends. */
  readonly label: string
  readonly marker: string
  /** The properties that the app requested for the key. They apply until the service's list reports the key's actual properties. */
  readonly asked: { readonly scopes: readonly string[]; readonly allowlist: readonly string[]; readonly agent: KeySummary['agent'] }
  /** The id of the key draft or of the replacement for which the app creates the key. The journal stores this id with the operation. */
  readonly draft: string | null
  /**
   * Checks the existing keys before the call. `listing` is null if the key list is unusable. If `before` returns a failure, the app sends no
   * request.
   */
  readonly before?: (listing: KeyListing | null) => Failure | null
  /** Called after the operation is saved, before any request is sent. */
  readonly planned?: (operation: SecretOperationRow) => void
  readonly send: () => Promise<Result<IssuedKey, ApiFailure>>
}

export interface IssuedHere {
  readonly keyId: string
  readonly where: 'keychain' | 'memory'
  /** The new key as the list showed it after the call; null if the list could not be read. */
  readonly summary: KeySummary | null
}

export interface Issuance {
  /**
   * Creates one key and never loses its secret (KEY-05, KEY-16). First tests that the keychain can store a secret. Then saves the ids of the
   * existing keys and the marker for the new key's label, and only then makes the call. Fails with `keychain` or `journal` before it sends
   * anything, with the service's refusal, or with `outcome_unknown` or `unreadable`. In the last two cases the operation is UNKNOWN, and
   * `UnmatchedKeys` lists the keys that it may have created.
   */
  issue(order: Issue): Promise<Result<IssuedHere, Failure>>
  /** Returns a new marker: a short random text that the app appends to a key's label, to recognise the key if the response is lost. */
  newMarker(): string
}

/** The failure to report when the response to a key creation was lost or names no key. */
export const lostCreation: Failure = { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys' }

/**
 * Finds the key that an operation created: the only new key whose label contains the operation's marker. If no label contains the marker, takes the
 * only new key, provided that it has no label.
 */
function newKeyIn({ keys, sentLabels }: KeyListing, { keyIdsBefore, keyIdsWhole, marker }: SecretOperationRow): string | null {
  const fresh = keys.filter(({ id }) => !keyIdsBefore.includes(id))
  const marked = fresh.filter(({ id }) => sentLabels.get(id)?.includes(marker) === true)
  if (marked.length === 0 && !keyIdsWhole) return null
  const [only, ...more] = marked.length > 0 ? marked : fresh.filter(({ id }) => sentLabels.get(id) == null)
  return only !== undefined && more.length === 0 && (marked.length > 0 || fresh.length === 1) ? only.id : null
}

export function createIssuance({ profile, journal, secrets, credentials, list, newId }: KeyParts, storeSecret: StoreSecret): Issuance {
  const issuer = createSecretIssuer({ profile, journal, newId, secrets, storeSecret, lost: { mayExist: 'key_may_exist', failure: lostCreation } })

  return {
    newMarker: () => newId().slice(0, markerLength),
    issue: async (order) => {
      const { session, wallet, label, marker, draft, asked } = order
      const issued = await issuer.issue<IssuedKey>({
        plan: async () => {
          const before = await list.read(session, wallet)
          if (!before.ok && !answeredNothing(before.failure)) return before
          const listing = before.ok ? before.value : null
          const stopped = order.before?.(listing) ?? null
          if (stopped !== null) return fail(stopped)
          const known = listing === null ? credentials.known(wallet).map(({ keyId }) => keyId) : listing.keys.map(({ id }) => id)
          const idsBefore = { keyIdsBefore: known, keyIdsWhole: listing?.whole === true }
          return ok({ id: order.operationId ?? newId(), kind: 'create', label, keyId: null, wallet, ...idsBefore, marker, draft })
        },
        ...(order.planned !== undefined && { planned: order.planned }),
        send: order.send,
        idOf: async ({ record }, operation) => {
          if (record !== null) return record.id
          const after = await list.read(session, wallet)
          return after.ok ? newKeyIn(after.value, operation) : null
        },
      })
      if (!issued.ok) return issued
      const { id: keyId, where } = issued.value
      credentials.made({ keyId, wallet, label, agent: asked.agent, askedScopes: asked.scopes, allowlist: asked.allowlist })
      const after = await list.read(session, wallet)
      return ok({ keyId, where, summary: after.ok ? (after.value.keys.find(({ id }) => id === keyId) ?? null) : list.known(keyId, wallet) })
    },
  }
}

export type KeyDraftStore = ReturnType<typeof createKeyDraftStore>

export function createKeyDraftStore({ profile, journal, vault, clock }: Pick<KeyParts, 'profile' | 'journal' | 'clock'> & { readonly vault: Vault }) {
  const { keyDrafts } = journal.records
  const { keyGrantSignatures } = vault
  const of = (wallet: string) => ({ profile: profile.id, wallet })
  const signatureKey = ({ id }: StoredDraft) => ({ profile: profile.id, draftId: id })

  return {
    /** Returns the wallet’s prepared key that has not been created yet. Returns null if no such key exists, or if the service no longer accepts it. */
    current: (wallet: string): StoredDraft | null => {
      const draft = keyDrafts.read(of(wallet))
      return draft === null || draft.expiresAtMs <= clock.now() ? null : draft
    },
    byId: (draftId: string, wallet: string): StoredDraft | null => {
      const draft = keyDrafts.read(of(wallet))
      return draft?.id === draftId ? draft : null
    },
    save: (draft: StoredDraft): StoredDraft => {
      keyDrafts.write(of(draft.wallet), draft)
      return draft
    },
    /** Forgets the draft of a key, and erases the signature that was stored for it. */
    drop: async (draft: StoredDraft): Promise<void> => {
      keyDrafts.delete(of(draft.wallet))
      await keyGrantSignatures.delete(signatureKey(draft))
    },
    keepSignature: (draft: StoredDraft, signature: Secret): Promise<void> => keyGrantSignatures.write(signatureKey(draft), signature),
    signatureOf: (draft: StoredDraft): Promise<Secret | null> => keyGrantSignatures.read(signatureKey(draft)),
  }
}
