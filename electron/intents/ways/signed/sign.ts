import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { endsRisk } from '../../../../shared/ticket/actions/check-action.ts'
import { outcomeOf } from '../../../service/api/call-outcome.ts'
import { heldBack, type IntentRow, type Journal } from '../../../store/journal/journal.ts'
import { createWalletRequests, type Declined, meaningOf, type WalletRequest } from '../../../wallet/requests/wallet-requests.ts'
import { agreeTo, type Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { ticketOf } from '../../engine/intent-facts.ts'
import type { OrderParts } from '../../prepare/prepare.ts'

export interface Signing {
  ask(ref: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>>
  asked(ref: string, topic: string, requestId: string): Promise<Result<Record<never, never>, Failure>>
  /** What the wallet gave: a signature, or the hash of the transaction that it broadcast. */
  answered(ref: string, answer: string): Promise<Result<Intent, Failure>>
  declined(ref: string, why: Declined, detail: string | null): Promise<Result<Intent, Failure>>
  resume(ref: string, action: 'relay' | 'drop'): Promise<Result<Intent, Failure>>
}

const method = 'eth_signTypedData_v4'

const declinedReasons = {
  rejected: 'rejected_on_phone',
  cancelled: 'cancelled_before_signing',
  expired: 'request_expired',
  unreachable: 'wallet_unreachable',
  failed: 'wallet_failed',
} as const

/** From a preparation to a signature on its way. Every step is one at a time per intent, and journalled before it is taken. */
export function createSigning(parts: OrderParts, relay: (row: IntentRow) => Promise<Result<Intent, Failure>>): Signing {
  const { journal, book, locks, chain, pins, guards, assess, clock } = parts
  const requests = createWalletRequests(parts)

  const isHeldBack = (row: IntentRow): boolean => !journal.takesNewRisk() && !endsRisk(ticketOf(row))

  const ended = async ({ ref, deadlineMs }: IntentRow, what: 'intent' | 'signature', code: PlainReason): Promise<Failure> => {
    await book.move(ref, 'EXPIRED', { reason: { code } }, noteOf({ code }))
    return { kind: 'expired', what, atMs: deadlineMs ?? clock.now() }
  }
  /** Ends an intent whose deadline has passed; nothing is signed or sent after it (ORD-12). */
  const inTime = async (row: IntentRow, what: 'intent' | 'signature', code: PlainReason): Promise<Result<IntentRow, Failure>> => {
    return row.deadlineMs !== null && clock.now() < row.deadlineMs ? ok(row) : fail(await ended(row, what, code))
  }

  const read = async (row: IntentRow, typed: Typed): ReturnType<WalletRequest['read']> => {
    if (isHeldBack(row)) return fail(heldBack(journal))
    if (row.state === 'EXPIRED') return fail({ kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? row.updatedAtMs })
    const assessed = await assess.again(row)
    if (assessed !== null && !assessed.ready && !assessed.expired && assessed.blocked === null)
      return fail({ kind: 'not_executable', status: assessed.status, reason: assessed.reason?.raw ?? null, intentRef: row.ref })
    if (assessed !== null && assessed.blocked !== null) return fail({ kind: 'signing_refused', sentence: assessed.blocked })
    if (row.state !== 'PREPARED' && row.state !== 'ASKED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
    const open = await inTime(row, 'intent', 'not_signed_in_time')
    if (!open.ok) return open
    if (assessed === null || assessed.typedData === null || assessed.compared === null || assessed.router === null)
      return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
    // A rail may have been tightened since it was prepared.
    const rail = await guards.check(ticketOf(row), row.wallet)
    if (rail !== null) return fail(rail)
    // What ends risk by a signature needs nothing of the chain.
    const elsewhere = endsRisk(ticketOf(row)) ? null : await chain.mismatch()
    if (elsewhere !== null) return fail(elsewhere)
    const { compared, contracts, typedData } = assessed
    const agreed = agreeTo(pins, row.action, { compared, contracts }, typed)
    if (!agreed.ok) return agreed
    const blockNumber = await chain.blockNumber()
    const begin = () => (row.state === 'PREPARED' ? book.move(row.ref, 'ASKED', { blockNumber, reason: null }) : row)
    return ok({ asked: { method, typedData }, begin })
  }

  const ask: Signing['ask'] = async (ref, phrase, router) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const { wallet, deadlineMs } = known.value
    return requests.ask({
      wallet,
      expiresAtMs: deadlineMs ?? 0,
      read: () => read(known.value, { phrase, router }),
      over: () => ended(known.value, 'intent', 'not_signed_in_time'),
    })
  }

  const answered: Signing['answered'] = async (ref, signature) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const row = known.value
    if (row.state === 'EXPIRED') {
      book.remark(row, { code: 'signature_too_late' })
      return fail({ kind: 'expired', what: 'signature', atMs: row.deadlineMs ?? row.updatedAtMs })
    }
    // An answer may come after the app gave up waiting for it: then the intent is back in PREPARED.
    const late = row.state === 'PREPARED' && row.blockNumber !== null
    if (row.state !== 'ASKED' && !late) return fail({ kind: 'wrong_state', state: row.state, wanted: 'ASKED' })
    const open = await inTime(row, 'signature', 'signature_too_late')
    if (!open.ok) return open
    if (isHeldBack(row)) return fail(heldBack(journal))
    const assessed = await assess.again(row)
    if (assessed === null || assessed.digest === null) return fail({ kind: 'wrong_state', state: row.state, wanted: 'ASKED' })
    if (assessed.blocked !== null) return fail({ kind: 'signing_refused', sentence: assessed.blocked })
    const verified = await requests.verified(row.wallet, assessed.digest, signature)
    if (!verified.ok) return verified
    if (late) await book.move(ref, 'ASKED', {}, { code: 'late_answer' })
    if (assessed.nonce !== null) assess.rememberNonce(row, assessed.nonce)
    await book.keepSignature(ref, verified.value)
    return relay(await book.move(ref, 'SIGNED', { reason: null }))
  }

  const declined: Signing['declined'] = async (ref, why, detail) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const { state, deadlineMs } = known.value
    if (state !== 'ASKED' && state !== 'PREPARED') return ok(book.view(known.value))
    const reason: IntentReason = { code: declinedReasons[why] }
    const note = said(detail ?? why)
    if (meaningOf(method, why, true) === 'over') return ok(book.view(await book.move(ref, 'CANCELLED', { reason }, note)))
    if (deadlineMs === null || clock.now() >= deadlineMs) return ok(book.view(await book.move(ref, 'EXPIRED', { reason: { code: 'no_answer_in_time' } }, note)))
    return ok(book.view(state === 'ASKED' ? await book.move(ref, 'PREPARED', { reason }, note) : known.value))
  }

  const resume: Signing['resume'] = async (ref, action) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const row = known.value
    if (row.state !== 'SIGNED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'SIGNED' })
    if (action === 'drop') return ok(book.view(await book.move(ref, 'CANCELLED', { reason: { code: 'signature_dropped' } })))
    const open = await inTime(row, 'signature', 'not_relayed_in_time')
    if (!open.ok) return open
    return relay(row)
  }

  return {
    ask: (ref, ...typed) => locks.run(ref, () => ask(ref, ...typed)),
    asked: async (ref, topic, requestId) => {
      const known = book.find(ref)
      if (!known.ok) return known
      book.change(ref, { topic, walletRequestId: requestId })
      return ok({})
    },
    answered: (ref, signature) => locks.run(ref, () => answered(ref, signature)),
    declined: (ref, ...given) => locks.run(ref, () => declined(ref, ...given)),
    resume: (ref, action) => locks.run(ref, () => resume(ref, action)),
  }
}

/** The service's words for an intent that it already took, and for one that came too late. */
const alreadyRelayed = /ALREADY_(RELAYED|SUBMITTED|EXECUTED)|DUPLICATE_INTENT/
const expired = /EXPIRED/

interface RelayDeps {
  readonly journal: Pick<Journal, 'state' | 'trouble'>
  readonly book: IntentBook
  readonly calls: IntentCalls
  /** Asks the service what became of an intent whose answer was lost. */
  readonly lookUp: (row: IntentRow) => Promise<IntentRow>
}

/**
 * Sends a SIGNED intent to the relay, once (Flow rules 2; AUTH-10: wallet, intent and signature in the body, no credential).
 *
 * Ends SUBMITTED; SIGNED again where the relay was provably not reached or asked to wait; REFUSED or EXPIRED where it said no; or UNKNOWN
 * where the answer was lost. An UNKNOWN one is looked up and never sent again (FLOW-07).
 */
export function createRelay({ journal, book, calls, lookUp }: RelayDeps) {
  return async (row: IntentRow): Promise<Result<Intent, Failure>> => {
    const { ref, intentId } = row
    const signature = await book.signatureOf(ref)
    if (intentId === null || signature === null) return fail({ kind: 'wrong_state', state: row.state, wanted: 'SIGNED' })

    // On disk before the request: whatever happens from here, the relay may have it.
    await book.move(ref, 'SENT', { reason: null })
    const ending = endsRisk(ticketOf(row))
    if (journal.state() === 'memory_only' && !ending) {
      await book.move(ref, 'SIGNED', { reason: { code: 'relay_disk_full' } })
      return fail(heldBack(journal))
    }
    const answer = await calls.relay({ wallet: row.wallet, intentId, signature }, ref, ending ? 'exit' : 'user')
    if (answer.ok) {
      const { txHash, state } = answer.value
      if (txHash === null) return unknown(ref, 'relay_without_hash')
      const submitted = await book.move(ref, 'SUBMITTED', { txHash, finality: state === 'submitted' ? null : state }, { code: 'relayed', state })
      return ok(book.view(submitted))
    }

    const { failure } = answer.failure
    switch (outcomeOf(answer.failure)) {
      case 'not_sent':
        await book.move(ref, 'SIGNED', { reason: { code: 'relay_not_reached' } }, said(failure.kind))
        return fail(failure)
      case 'unknown':
        return unknown(ref, failure.kind === 'unreadable' ? 'relay_unreadable' : 'relay_lost')
      case 'refused': {
        if (failure.kind === 'rate_limited') {
          await book.move(ref, 'SIGNED', { reason: { code: 'relay_asked_to_wait' } }, said(failure.kind))
          return fail(failure)
        }
        const code = failure.kind === 'refused' ? (failure.code ?? '') : ''
        if (alreadyRelayed.test(code)) return unknown(ref, 'relay_has_it')
        const late = failure.kind === 'refused' && (failure.status === 410 || expired.test(code))
        const reason: IntentReason = late ? { code: 'relay_too_late' } : { code: 'relay_refused', by: code === '' ? null : code }
        await book.move(ref, late ? 'EXPIRED' : 'REFUSED', { reason }, said(code))
        return fail(failure)
      }
    }
  }

  async function unknown(ref: string, code: PlainReason): Promise<Result<Intent, Failure>> {
    return ok(book.view(await lookUp(await book.move(ref, 'UNKNOWN', { reason: { code } }, noteOf({ code })))))
  }
}
