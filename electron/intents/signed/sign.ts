import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, said } from '../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'
import { heldBack } from '../../store/journal/held-back.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { agreeTo } from '../../wallet/trusted-contracts/agreement.ts'
import type { OrderParts } from '../engine/order-parts.ts'
import { ticketOf } from '../prepare/compare-signed.ts'

export interface Signing {
  ask(ref: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>>
  asked(ref: string, topic: string, requestId: string): Promise<Result<Record<never, never>, Failure>>
  signed(ref: string, signature: string): Promise<Result<Intent, Failure>>
  declined(ref: string, why: 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed', detail: string | null): Promise<Result<Intent, Failure>>
  resume(ref: string, action: 'relay' | 'drop'): Promise<Result<Intent, Failure>>
}

const declinedReasons = {
  rejected: 'rejected_on_phone',
  cancelled: 'cancelled_before_signing',
  expired: 'request_expired',
  unreachable: 'wallet_unreachable',
  failed: 'wallet_failed',
} as const

/** From a preparation to a signature on its way. Every step is one at a time per intent, and journalled before it is taken. */
export function createSigning(parts: OrderParts, relay: (row: IntentRow) => Promise<Result<Intent, Failure>>): Signing {
  const { journal, book, locks, wallet, chain, pins, guards, assess, clock } = parts

  const isHeldBack = (row: IntentRow): boolean => !journal.takesNewRisk() && !endsRisk(ticketOf(row))

  /** Ends an intent whose deadline has passed; nothing is signed or sent after it (ORD-12). */
  const inTime = async (row: IntentRow, what: 'intent' | 'signature', code: PlainReason): Promise<Result<IntentRow, Failure>> => {
    if (row.deadlineMs !== null && clock.now() < row.deadlineMs) return ok(row)
    await book.move(row.ref, 'EXPIRED', { reason: { code } }, noteOf({ code }))
    return fail({ kind: 'expired', what, atMs: row.deadlineMs ?? clock.now() })
  }

  const ask: Signing['ask'] = async (ref, typedPhrase, typedRouter) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const signer = wallet.signer(known.value.wallet)
    if (!signer.ok) return signer
    const row = known.value
    if (isHeldBack(row)) return fail(heldBack(journal))
    if (row.state === 'EXPIRED') return fail({ kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? row.updatedAtMs })
    const assessed = await assess.again(row)
    if (assessed !== null && !assessed.ready && !assessed.expired && assessed.blocked === null)
      return fail({ kind: 'not_executable', status: assessed.status, reason: assessed.reason?.raw ?? null, intentRef: ref })
    if (assessed !== null && assessed.blocked !== null) return fail({ kind: 'signing_refused', sentence: assessed.blocked })
    if (row.state !== 'PREPARED' && row.state !== 'ASKED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
    const open = await inTime(row, 'intent', 'not_signed_in_time')
    if (!open.ok) return open
    if (assessed === null || assessed.typedData === null || assessed.compared === null || assessed.router === null || row.deadlineMs === null)
      return fail({ kind: 'wrong_state', state: row.state, wanted: 'PREPARED' })
    // A rail may have been tightened since it was prepared.
    const rail = await guards.check(ticketOf(row), row.wallet)
    if (rail !== null) return fail(rail)
    // What ends risk by a signature needs nothing of the chain.
    const elsewhere = endsRisk(ticketOf(row)) ? null : await chain.mismatch()
    if (elsewhere !== null) return fail(elsewhere)
    const { compared, contracts } = assessed
    const agreed = agreeTo(pins, row.action, { compared, contracts }, { phrase: typedPhrase, router: typedRouter })
    if (!agreed.ok) return agreed

    const blockNumber = await chain.blockNumber()
    // The wallet may have moved to another chain or account while the RPC was asked.
    const still = wallet.signer(row.wallet)
    if (!still.ok) return still
    if (row.state === 'PREPARED') await book.move(ref, 'ASKED', { blockNumber, reason: null })
    return ok({ method: 'eth_signTypedData_v4', wallet: row.wallet, chainId: baseChainId, typedData: assessed.typedData, expiresAtMs: row.deadlineMs })
  }

  const signed: Signing['signed'] = async (ref, signature) => {
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
    // Over our own copy of the message: a signature of anything else never leaves.
    const verdict = await chain.verify(row.wallet, assessed.digest, signature)
    if (!verdict.ok) return verdict
    if (!verdict.value.valid) return fail({ kind: 'signature_invalid', expected: row.wallet, recovered: verdict.value.recovered })
    if (late) await book.move(ref, 'ASKED', {}, { code: 'late_answer' })
    if (assessed.nonce !== null) assess.rememberNonce(row, assessed.nonce)
    await book.keepSignature(ref, verdict.value.signature)
    return relay(await book.move(ref, 'SIGNED', { reason: null }))
  }

  const declined: Signing['declined'] = async (ref, why, detail) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const { state, deadlineMs } = known.value
    if (state !== 'ASKED' && state !== 'PREPARED') return ok(book.view(known.value))
    const reason: IntentReason = { code: declinedReasons[why] }
    const note = said(detail ?? why)
    const ended = why === 'rejected' || why === 'cancelled'
    if (ended) return ok(book.view(await book.move(ref, 'CANCELLED', { reason }, note)))
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
    signed: (ref, signature) => locks.run(ref, () => signed(ref, signature)),
    declined: (ref, ...given) => locks.run(ref, () => declined(ref, ...given)),
    resume: (ref, action) => locks.run(ref, () => resume(ref, action)),
  }
}
