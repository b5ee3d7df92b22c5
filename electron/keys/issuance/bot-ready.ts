import { limits } from '../../../shared/api/limits.ts'
import { defaultScopes } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import { type BotReadyRequest, KeyDraft, type KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { markedLabel } from '../../service/credentials/credentials.ts'
import { heldBack, type SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredDraft } from '../../store/records/key-records.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import { shownRouter } from '../../wallet/trusted-contracts/agreement.ts'
import { type KeyParts, quotaIssue } from '../calls/key-list.ts'
import { unlisted } from './custom-key.ts'
import { agentBeside, createGrantEnds, createGrantSigning, type GrantCheck } from './grant-check.ts'
import { type Issuance, type KeyDraftStore, lostCreation, type MayLeave } from './issuance.ts'

export type BotReady = ReturnType<typeof createBotReady>

interface BotReadyDeps {
  readonly parts: KeyParts
  readonly drafts: KeyDraftStore
  readonly grants: GrantCheck
  readonly chain: Chain
  readonly issuance: Issuance
}

/**
 * Creates a bot-ready key in three steps: the service prepares a grant, the wallet signs the grant, and the app sends the signature to create the
 * key. Before the third step no key exists, so the user can leave and resume at any earlier point (KEY-10).
 */
export function createBotReady({ parts, drafts, grants, chain, issuance }: BotReadyDeps) {
  const { profile, journal, secrets, credentials, calls, wallet, signIn, clock, newId } = parts
  const operations = journal.secretOperations
  const signing = createGrantSigning<StoredDraft>({
    ...{ wallet, chain, clock, grants, find: drafts.byId, check: grants.check, signatures: { of: drafts.signatureOf, keep: drafts.keepSignature } },
    unasked: 'prepared',
    asked: (draft) => drafts.save({ ...draft, state: draft.state === 'prepared' ? 'asked' : draft.state }),
  })
  const ends = createGrantEnds({ profile, records: journal.records })

  const view = async (draft: StoredDraft): Promise<Result<KeyDraft, Failure>> => {
    const checked = await grants.check(draft)
    if (!checked.ok) return checked
    const { grant, compared, router } = checked.value
    return ok(KeyDraft.parse({ ...draft, grant, comparison: compared.comparison, router: shownRouter(router) }))
  }

  return {
    /**
     * Prepares a grant for a new key, and drops the draft of the wallet's previous attempt. `replacement`: the replacement for which the new key is
     * made; null if there is none. Fails with `wrong_wallet` if another wallet than the replacement's is open now. `keepsDraft`: fails with
     * `wrong_state` instead of dropping the draft of another key. `mayLeave`: see `MayLeave`.
     */
    prepare: async (
      request: BotReadyRequest,
      replacement: { readonly id: string; readonly wallet: string } | null,
      keepsDraft = false,
      mayLeave?: MayLeave,
    ): Promise<Result<KeyDraft, Failure>> => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const address = signed.value.wallet
      if (replacement !== null && replacement.wallet !== address) return fail({ kind: 'wrong_wallet', wallet: address, expected: replacement.wallet })
      const issue = quotaIssue(request.quotas ?? [])
      if (issue !== null) return fail(issue)
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      // Test the keychain first. A call that returns a one-time secret must not start while the keychain cannot store the secret.
      const canary = await secrets.probe()
      if (!canary.ok) return canary

      const marker = issuance.newMarker()
      const sentLabel = markedLabel(request.label, marker)
      const stopped = mayLeave?.() ?? null
      if (stopped !== null) return fail(stopped)
      const answer = await calls.prepare(signed.value.session, request, sentLabel)
      if (!answer.ok) return fail(answer.failure.failure)
      const { preparationId, typedData, expiresAtMs } = answer.value
      const now = clock.now()
      const former = drafts.current(address)
      if (keepsDraft && former !== null && former.replacementId !== replacement?.id)
        return fail({ kind: 'wrong_state', state: former.state, wanted: 'no_draft' })
      if (former !== null) await drafts.drop(former)
      return view(
        drafts.save({
          id: newId(),
          wallet: address,
          request,
          sentLabel,
          marker,
          preparationId,
          agent: agentBeside(answer.value, address),
          typedData: JSON.stringify(typedData),
          preparedAtMs: now,
          expiresAtMs: Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, now + limits.keyPreparationMs),
          state: 'prepared',
          operationId: null,
          replacementId: replacement?.id ?? null,
        }),
      )
    },

    draft: async (): Promise<Result<KeyDraft | null, Failure>> => {
      const address = wallet.current()?.address
      const draft = address === undefined ? null : drafts.current(address)
      return draft === null ? ok(null) : view(draft)
    },

    ask: signing.ask,

    create: async (draftId: string, given: string): Promise<Result<KeySummary, Failure>> => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet: address } = signed.value
      const found = signing.alive(draftId, address)
      if (!found.ok) return found
      const taken = await signing.take(found.value, address, given)
      if (!taken.ok) return taken
      const { grant, signature } = taken.value
      let draft = drafts.save({ ...found.value, state: found.value.state === 'unknown' ? 'unknown' : 'signed' })
      const agent = draft.agent === null ? null : { address: draft.agent, granted: true }

      const made = await issuance.issue({
        operationId: null,
        session,
        wallet: address,
        label: draft.request.label,
        marker: draft.marker,
        // The API document (Endpoints, Developer routes) gives a bot-ready key the default scopes.
        asked: { scopes: defaultScopes, allowlist: draft.request.ipAllowlist, agent },
        draft: draft.id,
        before: (listing) => {
          // Another call may have finished the creation in the meantime. Then the draft no longer exists, or is dropped in a moment.
          const current = drafts.byId(draftId, address)
          const earlier = current?.operationId == null ? null : operations.get(current.operationId)
          if (current === null || isMade(earlier)) return { kind: 'not_found', what: 'draft' }
          if (earlier?.state !== 'UNKNOWN') return null
          // The lost request may have made a key. Send the request again only if the key lists prove that it made none. This needs a complete list
          // from before the request and a complete current list.
          if (listing?.whole !== true || !earlier.keyIdsWhole || listing.keys.some(({ id }) => !earlier.keyIdsBefore.includes(id))) return lostCreation
          operations.move(earlier.id, 'SETTLED', { note: 'no_new_key_sent_again' })
          return null
        },
        planned: ({ id }) => {
          draft = drafts.save({ ...draft, operationId: id })
        },
        send: () => calls.create(session, draft.request, { label: draft.sentLabel, preparationId: draft.preparationId, signature }),
      })
      if (!made.ok) {
        if (leavesUnknown(made.failure)) drafts.save({ ...draft, state: 'unknown' })
        return made
      }
      const { keyId, where, summary } = made.value
      const endsAtMs = grant.grant.expiresAtMs
      if (endsAtMs !== null) ends.remember({ keyId, wallet: address, agent: draft.agent, endsAtMs, storedAtMs: clock.now() })
      await drafts.drop(draft)
      return ok(summary ?? { ...unlisted(keyId, draft.request, null), agent, secret: where, inUse: credentials.inUse(address) === keyId })
    },

    leave: async (draftId: string): Promise<Result<Record<never, never>, Failure>> => {
      const address = wallet.current()?.address
      const draft = address === undefined ? null : drafts.byId(draftId, address)
      if (draft !== null) await drafts.drop(draft)
      return ok({})
    },
  }
}

/** Whether a creation was answered with a key, or was sent and its outcome is not yet recorded. */
const isMade = (creation: SecretOperationRow | null): boolean => creation !== null && ['SENT', 'STORED', 'VERIFIED'].includes(creation.state)
