import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, said, sameReason, signingRefused } from '../../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { minute, second } from '../../../../shared/time.ts'
import { outcomeOf } from '../../../service/api/call-outcome.ts'
import { heldBack, type IntentRow } from '../../../store/journal/journal.ts'
import { createWalletRequests, meaningOf } from '../../../wallet/requests/wallet-requests.ts'
import { agreeTo } from '../../../wallet/trusted-contracts/agreement.ts'
import { endOver, isInTime, type WalletMethod } from '../../engine/conversation.ts'
import type { PartsWith } from '../../engine/engine-parts.ts'
import { createFollowFinality, isDead } from '../../engine/finality.ts'
import type { IntentObservation } from '../../engine/intent-calls.ts'
import { endsRiskOf, ticketOf } from '../../engine/intent-facts.ts'
import { type IntentMethod, isQuiet, quietMs } from '../../engine/tracker.ts'
import type { OrderParts } from '../../prepare/prepare.ts'

/** How often (ms) the app looks up an intent that the relay broadcasts, or whose order the executor carries out. */
export const everyMs = (state: IntentState): number | null => (state === 'SUBMITTED' || state === 'CONFIRMING' ? second : isQuiet(state) ? quietMs : null)

const lateReasons: Partial<Readonly<Record<IntentState, PlainReason>>> = {
  PREPARED: 'not_signed_in_time',
  ASKED: 'no_answer_in_time',
  SIGNED: 'signature_not_sent_in_time',
}

const method = 'eth_signTypedData_v4'

const declinedReasons = {
  rejected: 'rejected_on_phone',
  cancelled: 'cancelled_before_signing',
  expired: 'request_expired',
  unreachable: 'wallet_unreachable',
  failed: 'wallet_failed',
} as const

/**
 * Patterns of the service’s error codes. `alreadyRelayed`: the relay has already accepted the intent. `expired`: the intent reached the relay after
 * its deadline.
 */
const alreadyRelayed = /ALREADY_(RELAYED|SUBMITTED|EXECUTED)|DUPLICATE_INTENT/
const expired = /EXPIRED/

/**
 * Handles an intent from its preparation until the app relays its signature. Journals every step before doing it. `look` looks up an intent whose
 * answer was lost.
 */
export function createSigning(parts: OrderParts, look: (row: IntentRow) => Promise<IntentRow>) {
  const { journal, repository, calls, chain, trust, riskLimits, verify, clock } = parts
  const requests = createWalletRequests(parts)

  const unknown = async (ref: string, code: PlainReason): Promise<Result<IntentRow, Failure>> =>
    ok(await look(await repository.move(ref, 'UNKNOWN', { reason: { code } }, noteOf({ code }))))

  /**
   * Sends a SIGNED intent to the relay once (Flow rules 2). The body contains wallet, intent and signature, and the call needs no credential
   * (AUTH-10).
   * - If the relay accepted, the intent becomes SUBMITTED.
   * - If the request certainly never arrived, or the relay asked the app to wait, the intent becomes SIGNED again.
   * - If the relay refused, the intent becomes REFUSED or EXPIRED.
   * - If the answer was lost, the intent becomes UNKNOWN. The app looks it up and never sends it again (FLOW-07).
   */
  const relay = async (row: IntentRow): Promise<Result<IntentRow, Failure>> => {
    const { ref, intentId } = row
    const signature = await repository.signatureOf(ref)
    if (intentId === null || signature === null) return fail({ kind: 'wrong_state', state: row.state, wanted: 'SIGNED' })

    // Write the journal before sending the request, because from then on the relay may have the signature.
    await repository.move(ref, 'SENT', { reason: null })
    const ending = endsRiskOf(row)
    if (journal.state() === 'memory_only' && !ending) {
      await repository.move(ref, 'SIGNED', { reason: { code: 'relay_disk_full' } })
      return fail(heldBack(journal))
    }
    const answer = await calls.relay(row, intentId, signature, ending ? 'exit' : 'user')
    if (answer.ok) {
      const { txHash, state } = answer.value
      if (txHash === null) return unknown(ref, 'relay_without_hash')
      return ok(await repository.move(ref, 'SUBMITTED', { txHash, finality: state === 'submitted' ? null : state }, { code: 'relayed', state }))
    }

    const { failure } = answer.failure
    const outcome = outcomeOf(answer.failure)
    if (outcome === 'unknown') return unknown(ref, failure.kind === 'unreadable' ? 'relay_unreadable' : 'relay_lost')
    if (outcome === 'not_sent' || failure.kind === 'rate_limited') {
      await repository.move(ref, 'SIGNED', { reason: { code: outcome === 'not_sent' ? 'relay_not_reached' : 'relay_asked_to_wait' } }, said(failure.kind))
      return fail(failure)
    }
    const code = failure.kind === 'refused' ? (failure.code ?? '') : ''
    if (alreadyRelayed.test(code)) return unknown(ref, 'relay_has_it')
    const late = failure.kind === 'refused' && (failure.status === 410 || expired.test(code))
    const reason: IntentReason = late ? { code: 'relay_too_late' } : { code: 'relay_refused', by: code === '' ? null : code }
    await repository.move(ref, late ? 'EXPIRED' : 'REFUSED', { reason }, said(code))
    return fail(failure)
  }

  const ofWallet: WalletMethod = {
    askable: ['PREPARED', 'ASKED'],
    verify: async (row) => {
      const checked = await verify.again(row)
      if (checked === null) return null
      const { ready, expired: isOver, blocked, status, reason, typedData, compared, router, contracts } = checked
      const notReady: Failure | null = ready || isOver ? null : { kind: 'not_executable', status, reason: reason?.raw ?? null, intentRef: row.ref }
      const refused = blocked === null ? notReady : signingRefused(blocked)
      if (refused !== null) return fail(refused)
      return ok(async (typed) => {
        if (typedData === null || compared === null || router === null) return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
        // Check the risk limits again, because the user may have lowered a limit since the preparation.
        const rail = await riskLimits.check(ticketOf(row), row.wallet)
        if (rail !== null) return fail(rail)
        // Do not check the chain for an intent that ends risk (cancel, close), so that an unreachable RPC cannot delay it.
        const elsewhere = endsRiskOf(row) ? null : await chain.mismatch()
        if (elsewhere !== null) return fail(elsewhere)
        const agreed = agreeTo(trust, row.action, { compared, contracts }, typed)
        if (!agreed.ok) return agreed
        const blockNumber = await chain.blockNumber()
        const begin = () => (row.state === 'PREPARED' ? repository.move(row.ref, 'ASKED', { blockNumber, reason: null }) : row)
        return ok({ asked: { method, typedData }, begin })
      })
    },
    overReason: () => ({ code: 'not_signed_in_time' }),
    left: ({ ref }, topic, walletRequestId) => repository.change(ref, { topic, walletRequestId }),
    take: async (row, signature) => {
      const { ref, state } = row
      if (state === 'EXPIRED') {
        repository.remark(row, { code: 'signature_too_late' })
        return fail({ kind: 'expired', what: 'signature', atMs: row.deadlineMs ?? row.updatedAtMs })
      }
      // A late signature: the app had stopped waiting and moved the intent back to PREPARED. The stored block number shows that the wallet was
      // asked.
      const late = state === 'PREPARED' && row.blockNumber !== null
      if (state !== 'ASKED' && !late) return fail({ kind: 'wrong_state', state, wanted: 'ASKED' })
      if (!isInTime(row, clock)) return fail(await endOver(parts, row, 'signature', { code: 'signature_too_late' }))
      if (!journal.takesNewRisk() && !endsRiskOf(row)) return fail(heldBack(journal))
      const checked = await verify.again(row)
      if (checked === null || checked.digest === null) return fail({ kind: 'wrong_state', state, wanted: 'ASKED' })
      if (checked.blocked !== null) return fail(signingRefused(checked.blocked))
      const verified = await requests.verified(row.wallet, checked.digest, signature)
      if (!verified.ok) return verified
      if (late) await repository.move(ref, 'ASKED', {}, { code: 'late_answer' })
      if (checked.nonce !== null) verify.rememberNonce(row, checked.nonce)
      await repository.keepSignature(ref, verified.value)
      return relay(await repository.move(ref, 'SIGNED', { reason: null }))
    },
    declined: async (row, why, note) => {
      const { ref, state } = row
      if (state !== 'ASKED' && state !== 'PREPARED') return row
      const reason: IntentReason = { code: declinedReasons[why] }
      if (meaningOf(method, why, true) === 'over') return repository.move(ref, 'CANCELLED', { reason }, note)
      if (!isInTime(row, clock)) return repository.move(ref, 'EXPIRED', { reason: { code: 'no_answer_in_time' } }, note)
      return state === 'ASKED' ? repository.move(ref, 'PREPARED', { reason }, note) : row
    },
  }
  return {
    ...ofWallet,
    /** Sends a stored signature to the relay, or deletes it. */
    resume: async (row: IntentRow, action: 'relay' | 'drop'): Promise<Result<IntentRow, Failure>> => {
      if (row.state !== 'SIGNED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'SIGNED' })
      if (action === 'drop') return ok(await repository.move(row.ref, 'CANCELLED', { reason: { code: 'signature_dropped' } }))
      return isInTime(row, clock) ? relay(row) : fail(await endOver(parts, row, 'signature', { code: 'not_relayed_in_time' }))
    },
  }
}

/**
 * Handles intents that the wallet signs and the relay broadcasts. After a crash, a SENT intent may have reached the relay, so it becomes UNKNOWN
 * until the service answers. A SIGNED intent waits for the user’s decision. An ASKED intent still accepts the wallet’s answer until its deadline.
 */
export function createSignedMethod(deps: PartsWith<'repository' | 'clock', 'finality' | 'observation' | 'trace'>): IntentMethod {
  const { repository, calls, clock } = deps
  const followFinality = createFollowFinality(deps)

  /**
   * Looks up an UNKNOWN intent without sending anything: first by `/orders/by-client-id`, then by `/transactions` (FLOW-07).
   * - If the service lists a transaction, the app follows it.
   * - If the service reports execution without a transaction, the intent is FINAL once the account has shown the order for a minute.
   * - If the service still does not list the intent some time after its last deadline, the intent is EXPIRED.
   * - Otherwise, the intent stays UNKNOWN with a reason.
   */
  const lookUp = async (row: IntentRow): Promise<IntentRow> => {
    const answer = await calls.observation(row)
    if (!answer.ok) return repository.note(row, { code: 'not_looked_up' })
    const observation = answer.value
    if (observation.txHash !== null)
      return repository.move(row.ref, 'SUBMITTED', { txHash: observation.txHash, reason: null }, { code: 'found', state: observation.state })
    if (observation.state === 'reverted') return repository.move(row.ref, 'REVERTED', { reason: { code: 'listed_as_reverted' } }, { code: 'found_reverted' })

    const taken = carriedOut.test(observation.state ?? '')
    if (taken || isDead(row, clock)) {
      const trace = await calls.trace(row)
      const shown = trace.ok ? trace.value : { by: null, txHash: null, whole: false }
      if (shown.txHash !== null) return repository.move(row.ref, 'SUBMITTED', { txHash: shown.txHash, reason: null }, { code: 'found_in_trades' })
      const code = shown.by === null ? (taken ? 'listed_as_done' : null) : shownReasons[shown.by]
      if (code !== null) {
        const reason: IntentReason = { code }
        // An order that is still listed after a minute counts as final, because the lists would drop an order that a reorganisation removed.
        const isLasting = sameReason(row.reason, reason) && clock.now() - row.updatedAtMs > minute
        return isLasting ? repository.move(row.ref, 'FINAL', { reason }, { code: 'settled_by_account' }) : repository.note(row, reason)
      }
      if (isDead(row, clock) && neverSent(observation)) {
        if (!observation.whole || !shown.whole) return repository.note(row, { code: 'lists_incomplete' })
        return repository.move(row.ref, 'EXPIRED', { reason: { code: 'shown_nowhere' } }, { code: 'looked_up', state: observation.state })
      }
    }
    return repository.note(row, waiting(observation))
  }

  return {
    everyMs,
    lookUp: (row) => (row.state === 'UNKNOWN' ? lookUp(row) : followFinality(row)),
    late: async (row) => {
      const code = lateReasons[row.state]
      return code === undefined ? row : repository.move(row.ref, 'EXPIRED', { reason: { code } })
    },
    recover: async (row: IntentRow) => {
      switch (row.state) {
        case 'PLANNED':
          return repository.found(row, 'CANCELLED', 'stopped_before_prepared')
        case 'ASKED':
          // The app crashed after storing this signature and before journalling SIGNED. Delete the signature, because the wallet sends it again
          // with its late answer.
          await repository.dropSignature(row.ref)
          return repository.note(row, { code: 'stopped_while_asked' })
        case 'SIGNED':
          return repository.note(row, { code: 'stopped_before_relay' })
        case 'SENT':
          return repository.found(row, 'UNKNOWN', 'stopped_before_relay_answer')
        default:
          return row
      }
    },
  }
}

/** Words with which a service may report that an intent was executed. The API document does not list the states. */
const carriedOut = /^(confirmed|completed?|executed|filled|final|finali[sz]ed|mined|settled|succeeded|success)$/
const shownReasons = { trade: 'in_trades', order: 'in_orders' } as const

const neverSent = ({ state }: IntentObservation): boolean => state === null || state === 'prepared' || state === 'expired'

function waiting({ state }: IntentObservation): IntentReason {
  if (state === null) return { code: 'not_listed' }
  if (state === 'prepared' || state === 'expired') return { code: 'listed_unsent', state }
  return { code: 'listed_without_transaction', state }
}
