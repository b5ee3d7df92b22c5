import { Scope } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { StoredReplacement } from '../../store/records/key-records.ts'
import { settledAfterMs } from '../calls/key-calls.ts'
import type { KeyListing } from '../calls/key-list.ts'
import type { MayLeave } from '../issuance/issuance.ts'
import { creationsOf, customDraft, type ReplacementParts } from './conclude.ts'

export type Step = (replacement: StoredReplacement) => Promise<Result<StoredReplacement, Failure>>

export const wrongState = (state: string, wanted: string): { readonly ok: false; readonly failure: Failure } => fail({ kind: 'wrong_state', state, wanted })

/**
 * The replacement steps that call the service. Every step is safe to repeat. After a failure, the replacement is either in the same state as before
 * or in the next one.
 */
export function createSteps(parts: ReplacementParts) {
  const { profile, journal, credentials, calls, list, signIn, clock, newId, store, conclude } = parts

  /** Reads and saves the service's key list. Fails with `wrong_wallet` if the signed-in wallet is not the wallet of the replacement. */
  const listed = async ({ wallet }: StoredReplacement): Promise<Result<KeyListing, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    if (signed.value.wallet !== wallet) return fail({ kind: 'wrong_wallet', wallet: signed.value.wallet, expected: wallet })
    return list.read(signed.value.session, wallet)
  }

  /** Reads the replacement's state again. Another call may have changed the state while this call waited for the service. */
  const again = (replacement: StoredReplacement): StoredReplacement => conclude(store.byId(replacement.id) ?? replacement)

  /** `keepsDraft`: fails with `wrong_state` instead of dropping the draft of another key. `mayLeave`: see `MayLeave`. */
  const begin = async (replacement: StoredReplacement, keepsDraft = false, mayLeave?: MayLeave): ReturnType<Step> => {
    if (replacement.now.state !== 'planned') return wrongState(replacement.now.state, 'planned')
    const listing = await listed(replacement)
    if (!listing.ok) return listing
    const old = listing.value.keys.find(({ id }) => id === replacement.oldKeyId)
    if (old === undefined || old.status === 'revoked') return ok(store.move(replacement, { state: 'stuck', at: 'planned', reason: 'old_key_gone' }))
    if (listing.value.active !== null && listing.value.active >= listing.value.limit)
      return ok(store.move(replacement, { state: 'stuck', at: 'planned', reason: 'no_room' }))
    return replacement.plan.agent === 'with_key' ? prepare(replacement, keepsDraft, mayLeave) : create(replacement, mayLeave)
  }

  const prepare = async (replacement: StoredReplacement, keepsDraft: boolean, mayLeave?: MayLeave): ReturnType<Step> => {
    const { label, expiresInDays, ipAllowlist, quotas } = replacement.plan
    const draft = await parts.botReady.prepare({ label, expiresInDays, ipAllowlist, quotas }, replacement, keepsDraft, mayLeave)
    if (!draft.ok) return draft
    // The draft contains the replacement's id, so `again` can find the draft and update the replacement's state.
    return ok(again(replacement))
  }

  const create = async (replacement: StoredReplacement, mayLeave?: MayLeave): ReturnType<Step> => {
    const { label, expiresInDays, ipAllowlist, quotas } = replacement.plan
    const operationId = newId()
    const begun = store.save({ ...replacement, operationId })
    const scopes = replacement.plan.scopes.flatMap((scope) => Scope.safeParse(scope).data ?? [])
    const made = await parts.custom.create(
      { label, expiresInDays, ipAllowlist, quotas, scopes },
      { operationId, draft: customDraft(replacement.id), wallet: replacement.wallet, mayLeave },
    )
    const after = again(begun)
    return made.ok || after.now.state !== 'planned' ? ok(after) : made
  }

  const check: Step = async (replacement) => {
    const listing = await listed(replacement)
    if (!listing.ok) return listing
    let now = again(replacement)
    const key = listing.value.keys.find(({ id }) => id === now.newKeyId)
    if (now.now.state === 'granting' && now.now.by === 'agent' && key?.agent?.granted === true)
      now = store.move({ ...now, agentSettled: true }, { state: 'created' }, 'agent_granted')
    return ok(now)
  }

  const withoutAgent: Step = async (replacement) => {
    const { now } = replacement
    if (now.state !== 'granting' || now.by !== 'agent') return wrongState(now.state, 'granting')
    return ok(store.move({ ...replacement, agentSettled: true }, { state: 'created' }, 'without_agent'))
  }

  const bindExecutor = async (replacement: StoredReplacement, mayLeave?: MayLeave): ReturnType<Step> => {
    const { executor } = replacement.plan
    if (executor === null) return ok(replacement)
    const listing = await listed(replacement)
    if (!listing.ok) return listing
    const key = listing.value.keys.find(({ id }) => id === replacement.newKeyId)
    if (key === undefined) return fail({ kind: 'not_found', what: 'key' })
    if (key.executor === executor) return ok(replacement)
    const bound = await parts.bindExecutor(key.id, executor, key.executor, key.label, mayLeave)
    return bound.ok ? ok(replacement) : bound
  }

  /** `mayLeave`: see `MayLeave`; asked before the executor is bound. */
  const probe = async (replacement: StoredReplacement, mayLeave?: MayLeave): ReturnType<Step> => {
    const { now, newKeyId, plan } = replacement
    if ((now.state !== 'created' && now.state !== 'probed') || newKeyId === null) return wrongState(now.state, 'created')
    const bound = await bindExecutor(replacement, mayLeave)
    if (!bound.ok) return bound
    const secret = await credentials.secretOf(newKeyId)
    if (!secret.ok) return secret
    if (secret.value === null) return ok(store.move(replacement, { state: 'stuck', at: 'created', reason: 'secret_lost' }))
    const verdict = await calls.probe({ kind: 'key', keyId: newKeyId, label: plan.label, apiKey: secret.value }, plan.scopes)
    return ok(
      verdict === 'dead'
        ? store.move(replacement, { state: 'stuck', at: 'created', reason: 'new_key_dead' })
        : store.move(replacement, { state: 'probed', verdict }),
    )
  }

  const handOver = async (replacement: StoredReplacement, note: OperationNote = 'by_your_word'): ReturnType<Step> =>
    replacement.now.state === 'probed' ? ok(store.move(replacement, { state: 'handed_over' }, note)) : wrongState(replacement.now.state, 'probed')

  /** `mayLeave`: see `Revocation`. */
  const revokeOld = async (replacement: StoredReplacement, mayLeave?: (operationId: string) => Failure | null): ReturnType<Step> => {
    const { now, oldKeyId } = replacement
    if (now.state !== 'handed_over' && now.state !== 'revoking') return wrongState(now.state, 'handed_over')
    const revoked = await parts.revocation.revoke(oldKeyId, null, (operationId) => {
      const current = again(replacement)
      // The new key may have ended meanwhile. Then the bot needs the old one.
      if (current.now.state === 'stuck') return wrongState('stuck', 'handed_over').failure
      const stopped = mayLeave?.(operationId) ?? null
      if (stopped === null && current.now.state === 'handed_over') store.move(current, { state: 'revoking' })
      return stopped
    })
    return revoked.ok ? ok(store.move(again(replacement), { state: 'done' }, 'confirmed')) : revoked
  }

  /**
   * Whether a creation whose response was lost may have made a key in this list. Such a key has the operation's marker in its label, or is new and
   * has no label.
   */
  const mayExist = (replacement: StoredReplacement, { keys, sentLabels }: KeyListing): boolean =>
    creationsOf({ profile, journal }, replacement).some(({ marker, keyIdsBefore }) =>
      keys.some(({ id, status }) => {
        const label = sentLabels.get(id) ?? null
        return status !== 'revoked' && !keyIdsBefore.includes(id) && (label === null ? credentials.whereIs(id) === 'elsewhere' : label.includes(marker))
      }),
    )

  const retry: Step = async (replacement) => {
    if (replacement.now.state !== 'stuck') return wrongState(replacement.now.state, 'stuck')
    const listing = await listed(replacement)
    if (!listing.ok) return listing
    const current = again(replacement)
    if (current.now.state !== 'stuck') return ok(current)
    const { reason } = current.now
    const old = listing.value.keys.find(({ id }) => id === current.oldKeyId)
    const fresh = listing.value.keys.find(({ id }) => id === current.newKeyId)
    const replanned = { ...current, newKeyId: null, draftId: null, operationId: null, agentSettled: false }
    switch (reason) {
      case 'no_room':
        return ok(store.move(current, { state: 'planned' }))
      case 'old_key_gone':
        return old !== undefined && old.status !== 'revoked' ? ok(store.move(current, { state: 'planned' })) : wrongState(reason, 'old_key')
      case 'creation_unknown':
        return wrongState(reason, 'settled_under_keys')
      case 'creation_unnamed': {
        // The last request to create the new key may still reach the service and create a key. So do not plan another creation yet.
        const [last] = creationsOf({ profile, journal }, current)
        if (last !== undefined && clock.now() < last.updatedAtMs + settledAfterMs) return wrongState(reason, 'nothing_on_its_way')
        if (mayExist(current, listing.value)) return wrongState(reason, 'no_key_listed')
        const draft = current.draftId === null ? null : parts.drafts.byId(current.draftId, current.wallet)
        if (draft !== null) await parts.drafts.drop(draft)
        return ok(store.move(replanned, { state: 'planned' }, 'lost_creation_empty'))
      }
      case 'new_key_gone':
        return fresh?.status === 'expired' ? wrongState(reason, 'later_end') : ok(store.move(replanned, { state: 'planned' }, 'new_key_missing'))
      case 'new_key_dead':
        return ok(store.move(current, { state: 'created' }))
      case 'secret_lost':
        return wrongState(reason, 'secret_here')
    }
  }

  return { begin, check, withoutAgent, probe, handOver, revokeOld, retry }
}
