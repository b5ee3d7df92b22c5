import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { endsRisk } from '../../../../shared/ticket/actions/check-action.ts'
import { heldBack } from '../../../store/journal/held-back.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import { createWalletRequests, type Declined, meaningOf, type WalletRequest } from '../../../wallet/requests/wallet-requests.ts'
import { agreeTo, type Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import { ticketOf } from '../../prepare/compare-signed.ts'
import type { OrderParts } from '../../prepare/order-parts.ts'

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
