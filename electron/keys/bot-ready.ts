import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { BotReadyRequest, KeyDraft, KeySummary } from '../../shared/ipc/keys.ts'
import type { SignRequest } from '../../shared/ipc/signing.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Chain } from '../chain/chain.ts'
import type { SecretOperationRow } from '../journal/journal.ts'
import { blockOf } from '../pins/agreement.ts'
import { Secret } from '../secrets/secret.ts'
import { outcomeOf } from '../session/call-outcome.ts'
import { heldBack } from '../session/held-back.ts'
import { baseChainId } from '../session/profile-facts.ts'
import type { GrantCheck } from './grant-check.ts'
import type { KeyParts } from './key-deps.ts'
import type { KeyDraftStore, StoredDraft } from './key-draft-store.ts'
import type { TakeIn } from './take-in.ts'

export interface BotReady {
  prepare(request: BotReadyRequest): Promise<Result<KeyDraft, Failure>>
  draft(): Promise<Result<KeyDraft | null, Failure>>
  ask(draftId: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>>
  create(draftId: string, signature: string): Promise<Result<KeySummary, Failure>>
  leave(draftId: string): Promise<Result<Record<never, never>, Failure>>
}

interface BotReadyDeps {
  readonly parts: KeyParts
  readonly drafts: KeyDraftStore
  readonly grants: GrantCheck
  readonly chain: Chain
  readonly takeIn: TakeIn
}

const markerLength = 6

/**
 * A bot-ready key: the service prepares a grant, the wallet signs it once, the signature creates the key. Nothing exists before that last
 * step; up to it everything can be left or taken up again (KEY-10).
 */
export function createBotReady({ parts, drafts, grants, chain, takeIn }: BotReadyDeps): BotReady {
  const { profile, journal, secrets, credentials, calls, list, wallet, signIn, clock, newId } = parts
  const operations = journal.secretOperations

  const view = async (draft: StoredDraft): Promise<Result<KeyDraft, Failure>> => {
    const checked = await grants.check(draft)
    if (!checked.ok) return checked
    const { id, request, agent, preparedAtMs, expiresAtMs, state } = draft
    return ok({ id, request, agent, preparedAtMs, expiresAtMs, state, grant: checked.value.words, comparison: checked.value.compared.comparison })
  }

  /** The draft, if it is this wallet's and the service still knows it. */
  const alive = (draftId: string, address: string): Result<StoredDraft, Failure> => {
    const draft = drafts.byId(draftId, address)
    if (draft === null) return fail({ kind: 'not_found', what: 'draft' })
    if (draft.expiresAtMs <= clock.now()) return fail({ kind: 'expired', what: 'grant', atMs: draft.expiresAtMs })
    return ok(draft)
  }

  return {
    prepare: async (request) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      if (!journal.takesNewRisk()) return fail(heldBack(journal.state()))
      // No call whose answer may end in a one-time secret is begun while the keychain takes none.
      const canary = await secrets.probe()
      if (!canary.ok) return canary

      const marker = newId().slice(0, markerLength)
      const sentLabel = `${request.label} #${marker}`
      const answer = await calls.prepare(signed.value.session, request, sentLabel)
      if (!answer.ok) return fail(answer.failure.failure)
      const { preparationId, agent, typedData, expiresAtMs } = answer.value
      const now = clock.now()
      const former = drafts.current(signed.value.wallet)
      if (former !== null) await drafts.drop(former)
      return view(
        drafts.save({
          id: newId(),
          wallet: signed.value.wallet,
          request,
          sentLabel,
          marker,
          preparationId,
          agent,
          typedData: JSON.stringify(typedData),
          preparedAtMs: now,
          expiresAtMs: Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, now + limits.keyPreparationMs),
          state: 'prepared',
          operationId: null,
        }),
      )
    },

    draft: async () => {
      const address = wallet.current()?.address
      const draft = address === undefined ? null : drafts.current(address)
      return draft === null ? ok(null) : view(draft)
    },

    ask: async (draftId, typedPhrase, typedRouter) => {
      const signer = wallet.signer()
      if (!signer.ok) return signer
      const draft = alive(draftId, signer.value.address)
      if (!draft.ok) return draft
      const checked = await grants.check(draft.value)
      if (!checked.ok) return checked
      const agreed = grants.agree(checked.value, typedPhrase, typedRouter)
      if (!agreed.ok) return agreed
      drafts.save({ ...draft.value, state: draft.value.state === 'prepared' ? 'asked' : draft.value.state })
      return ok({
        method: 'eth_signTypedData_v4',
        wallet: draft.value.wallet,
        chainId: baseChainId,
        typedData: checked.value.typedData,
        expiresAtMs: draft.value.expiresAtMs,
      })
    },

    create: async (draftId, given) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet: address } = signed.value
      const found = alive(draftId, address)
      if (!found.ok) return found
      let draft = found.value
      // Asking is where the user agrees to a new layout or contract; a signature that nobody asked for is not sent on.
      if (draft.state === 'prepared' || draft.state === 'created') return fail({ kind: 'wrong_state', state: draft.state, wanted: 'asked' })
      const checked = await grants.check(draft)
      if (!checked.ok) return checked
      const blocked = blockOf(checked.value.compared)
      if (blocked !== null) return fail({ kind: 'signing_refused', sentence: blocked })

      // After a lost sending the very same signature is sent again: an empty one means the kept one.
      const kept = await drafts.signatureOf(draft)
      const signature = given === '' && kept !== null ? kept : new Secret(given)
      const verdict = await chain.verify(address, checked.value.digest, signature.reveal())
      if (!verdict.ok) return verdict
      if (!verdict.value.valid) return fail({ kind: 'signature_invalid', expected: address, recovered: verdict.value.recovered })
      await drafts.keepSignature(draft, signature.reveal())
      draft = drafts.save({ ...draft, state: draft.state === 'unknown' ? 'unknown' : 'signed' })

      const canary = await secrets.probe()
      if (!canary.ok) return canary
      const before = await list.read(session, address)
      if (!before.ok) return before
      const earlier = draft.operationId === null ? null : operations.get(draft.operationId)
      if (earlier?.state === 'UNKNOWN') {
        // The lost sending may have made a key: then a second one is never asked for.
        if (before.value.keys.some(({ id }) => !earlier.keyIdsBefore.includes(id))) return fail(lost)
        operations.move(earlier.id, 'SETTLED', { note: 'The service lists no new key. The same signature is sent again.' })
      }

      const planned = operations.plan({
        id: newId(),
        kind: 'create',
        label: draft.request.label,
        keyId: null,
        profileId: profile.id,
        wallet: address,
        keyIdsBefore: before.value.keys.map(({ id }) => id),
        marker: draft.marker,
        draft: draft.id,
      })
      draft = drafts.save({ ...draft, operationId: planned.id })
      const sent = operations.move(planned.id, 'SENT')
      if (journal.state() === 'memory_only') {
        // The disk filled up while this was written down: a key that a crash would forget is not asked for.
        operations.move(planned.id, 'FAILED', { note: 'The disk is full. Nothing was sent.' })
        return fail(heldBack(journal.state()))
      }
      const answer = await calls.create(session, draft.request, { label: draft.sentLabel, preparationId: draft.preparationId, signature })
      if (!answer.ok) {
        if (outcomeOf(answer.failure) === 'unknown') return unknown(draft, sent)
        operations.move(planned.id, 'FAILED', { note: answer.failure.failure.kind })
        return fail(answer.failure.failure)
      }
      return received(draft, sent, answer.value.secret, answer.value.record?.id ?? null)
    },

    leave: async (draftId) => {
      const address = wallet.current()?.address
      const draft = address === undefined ? null : drafts.byId(draftId, address)
      if (draft !== null) await drafts.drop(draft)
      return ok({})
    },
  }

  function unknown(draft: StoredDraft, operation: SecretOperationRow): Result<KeySummary, Failure> {
    operations.move(operation.id, 'UNKNOWN', { note: 'The answer was lost. A key may have been created.' })
    drafts.save({ ...draft, state: 'unknown' })
    return fail(lost)
  }

  async function received(draft: StoredDraft, operation: SecretOperationRow, secret: Secret, toldId: string | null): Promise<Result<KeySummary, Failure>> {
    const signed = await signIn()
    let keyId = toldId
    if (keyId === null && signed.ok) {
      const after = await list.read(signed.value.session, draft.wallet)
      const fresh = after.ok ? after.value.keys.filter(({ id }) => !operation.keyIdsBefore.includes(id)) : []
      keyId = fresh.length === 1 ? (fresh[0]?.id ?? null) : null
    }
    // A secret that belongs to no key that anyone can name is worth nothing: the orphan gets a fresh one by rotation.
    if (keyId === null) return unknown(draft, operation)
    const where = await takeIn.store(operation, keyId, secret)
    if (where === 'keychain') operations.move(operation.id, 'VERIFIED')
    await drafts.drop(draft)
    const after = signed.ok ? await list.read(signed.value.session, draft.wallet) : null
    const listed = after?.ok === true ? after.value.keys.find(({ id }) => id === keyId) : undefined
    return ok(listed ?? { ...bare(keyId, draft), secret: where, inUse: credentials.inUse(draft.wallet) === keyId })
  }
}

const lost: Failure = { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys' }

/** What is known of a key that was created a moment ago and could not be listed. */
const bare = (id: string, { request, agent }: StoredDraft): Omit<KeySummary, 'secret' | 'inUse'> => ({
  id,
  label: request.label,
  scopes: null,
  status: 'unknown',
  createdAtMs: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  allowlist: request.ipAllowlist,
  agent: agent === null ? null : { address: agent, granted: true },
  executor: null,
  masked: 'SVC••••••••',
  unknownFields: null,
})
