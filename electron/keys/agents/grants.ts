import { limits } from '../../../shared/api/limits.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { AgentDraft } from '../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result, valueOrNull } from '../../../shared/result.ts'
import { heldBack } from '../../store/journal/journal.ts'
import type { GrantDraft } from '../../store/records/key-records.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import { blockOf, shownRouter } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'
import { createRecordedCalls } from '../calls/key-changes.ts'
import { agentBeside, type CheckedGrant, createGrantCheck, createGrantSigning, type GrantEnds } from '../issuance/grant-check.ts'
import { type AgentParts, activeKey, createGrantDrafts, listedKey, lostForGoodMs } from './agent-parts.ts'

export type AgentGrants = ReturnType<typeof createAgentGrants>

const nothingToSign: Failure = { kind: 'wrong_state', state: 'nothing_to_sign', wanted: 'to_sign' }
const lost: Failure = { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys/{key_id}/agent/grant' }

/** Gives an existing key a trading agent by a signed grant (KEY-11). Each key has at most one pending grant. */
export function createAgentGrants(parts: AgentParts, { trust, chain, ends }: { readonly trust: Trust; readonly chain: Chain; readonly ends: GrantEnds }) {
  const { journal, calls, list, wallet, clock } = parts
  const drafts = createGrantDrafts(parts)
  const grants = createGrantCheck({ trust, clock })
  const operations = journal.secretOperations
  const recorded = createRecordedCalls(parts)

  /** Checks the grant in a draft. Fails if the service offered no grant. */
  const check = async (draft: GrantDraft): Promise<Result<CheckedGrant, Failure>> => {
    const { typedData, keyEndsAtMs, keyScopes, agentKnown } = draft
    if (typedData === null) return fail(nothingToSign)
    const existingKey = { endsAtMs: keyEndsAtMs, agentKnown }
    return grants.check({ ...draft, typedData, request: { expiresInDays: limits.keyExpiryDays.max }, scopes: keyScopes, existingKey })
  }

  const wasLost = ({ operationId }: GrantDraft): boolean => {
    const state = operationId === null ? null : operations.get(operationId)?.state
    return state === 'UNKNOWN' || state === 'SENT'
  }

  const view = async (draft: GrantDraft): Promise<Result<AgentDraft, Failure>> => {
    const nothing = draft.state === 'nothing_to_sign'
    const checked = await check(draft)
    // If the wallet need not sign anything, an unreadable grant is no failure. The user then only sees that there is nothing to sign.
    if (!checked.ok && !nothing) return checked
    const found = checked.ok ? checked.value : null
    const shown = AgentDraft.parse({
      ...draft,
      state: wasLost(draft) ? 'unknown' : draft.state,
      grant: found?.grant ?? null,
      comparison: nothing ? null : (found?.compared.comparison ?? null),
      router: nothing ? null : shownRouter(found?.router ?? null),
      renews: draft.grantedBefore && !nothing,
    })
    return ok(shown)
  }

  const rememberEnd = (draft: GrantDraft, checked: CheckedGrant | null): void => {
    const endsAtMs = checked?.grant.expiresAtMs ?? null
    if (checked === null || endsAtMs === null || blockOf(checked.compared) !== null) return
    ends.remember({ keyId: draft.keyId, wallet: draft.wallet, agent: draft.agent, endsAtMs, storedAtMs: clock.now() })
  }

  const signing = createGrantSigning<GrantDraft>({
    ...{ wallet, chain, clock, grants, find: drafts.find, signatures: { of: drafts.signatureOf, keep: drafts.keepSignature } },
    check: async (draft) => (draft.state === 'nothing_to_sign' ? fail(nothingToSign) : check(draft)),
    held: () => (journal.takesNewRisk() ? null : heldBack(journal)),
    unasked: 'to_sign',
    asked: (draft) => drafts.save({ ...draft, state: draft.state === 'to_sign' ? 'asked' : draft.state }),
  })

  /** Uses the listed key to find out whether grants whose answers were lost were stored. Deletes expired grant drafts. */
  const reconcile = async (key: KeySummary): Promise<void> => {
    for (const { operation } of recorded.unanswered('grant', [key])) {
      const draft = valueOrNull(signing.alive(key.id, operation.wallet))
      const theirs = draft?.operationId === operation.id ? draft : null
      if (key.agent?.granted === true && theirs?.grantedBefore !== true) {
        operations.move(operation.id, 'SETTLED', { note: 'grant_listed' })
        if (theirs === null) continue
        rememberEnd(theirs, valueOrNull(await check(theirs)))
        await drafts.drop(key.id)
      } else if (theirs === null && clock.now() > operation.updatedAtMs + lostForGoodMs)
        // The app has deleted the draft and its signature, so it cannot send the grant again. Record in the journal that the key list shows no
        // grant.
        operations.move(operation.id, 'SETTLED', { note: 'grant_not_listed' })
    }
  }

  return {
    /** Creates the key’s agent or returns the existing one, with the grant to sign. The agent has no rights before the wallet signs the grant. */
    open: async (keyId: string): Promise<Result<AgentDraft, Failure>> => {
      const active = await activeKey(parts, keyId)
      if (!active.ok) return active
      const { session, wallet: address, key } = active.value
      await reconcile(key)
      const answer = await calls.open(session, keyId)
      if (!answer.ok) return fail(answer.failure.failure)
      const { agent, typedData, beside } = answer.value
      const offered = typedData === null ? null : JSON.stringify(typedData)
      const former = valueOrNull(signing.alive(keyId, address))
      const granted = agent?.granted === true || offered === null
      // The service offered the same grant again, so a saved signature of this grant is still valid.
      if (!granted && former !== null && former.typedData === offered) return view(former)
      if (former !== null) await drafts.drop(keyId)
      const now = clock.now()
      const draft = drafts.save({
        keyId,
        label: key.label,
        wallet: address,
        agent: agentBeside({ agent: agent?.address ?? null, beside }, address) ?? key.agent?.address ?? null,
        agentKnown: key.agent !== null,
        grantedBefore: key.agent?.granted === true,
        keyEndsAtMs: key.expiresAtMs,
        keyScopes: key.scopes,
        typedData: offered,
        openedAtMs: now,
        expiresAtMs: now + limits.keyPreparationMs,
        state: granted ? 'nothing_to_sign' : 'to_sign',
        operationId: null,
      })
      if (granted) rememberEnd(draft, valueOrNull(await check(draft)))
      return view(draft)
    },

    draft: async (keyId: string): Promise<Result<AgentDraft | null, Failure>> => {
      const address = wallet.current()?.address
      const draft = address === undefined ? null : drafts.find(keyId, address)
      if (draft === null) return ok(null)
      if (draft.expiresAtMs > clock.now()) return view(draft)
      await drafts.drop(keyId)
      return ok(null)
    },

    ask: signing.ask,

    /**
     * Sends the grant’s signature to the service. If `given` is empty, sends the stored signature again, because the answer to the first attempt was
     * lost. The app deletes the stored signature thirty minutes after the grant was prepared.
     */
    store: async (keyId: string, given: string): Promise<Result<KeySummary, Failure>> => {
      const listed = await listedKey(parts, keyId)
      if (!listed.ok) return listed
      const { session, wallet: address, key } = listed.value
      const found = signing.alive(keyId, address)
      if (!found.ok) return found
      const taken = await signing.take(found.value, address, given)
      if (!taken.ok) return taken
      const { grant, signature } = taken.value
      let draft = drafts.save({ ...found.value, state: 'signed' })

      if (wasLost(draft)) {
        await reconcile(key)
        // The key list shows that the service stored the grant although its answer was lost. So send nothing again.
        if (drafts.find(keyId, address) === null) return ok(key)
        if (draft.operationId !== null) operations.move(draft.operationId, 'SETTLED', { note: 'signature_sent_again' })
      }
      const answer = await recorded.call({
        operation: { kind: 'grant', label: draft.label, keyId, wallet: address },
        planned: ({ id }) => {
          draft = drafts.save({ ...draft, operationId: id })
        },
        // With a full disk, a crash would lose a signed grant.
        needsDisk: true,
        send: () => calls.store(session, keyId, signature),
        notes: { unanswered: 'grant_lost', unread: 'grant_unread' },
        lost,
        settled: () => 'grant_stored',
      })
      if (!answer.ok) return answer
      rememberEnd(draft, grant)
      await drafts.drop(keyId)
      const after = await list.read(session, address)
      const now = after.ok ? after.value.keys.find(({ id }) => id === keyId) : undefined
      return ok(now ?? { ...key, agent: { address: draft.agent, granted: true } })
    },

    leave: async (keyId: string): Promise<Result<Record<never, never>, Failure>> => {
      const address = wallet.current()?.address
      if (address !== undefined && drafts.find(keyId, address) !== null) await drafts.drop(keyId)
      return ok({})
    },
  }
}
