import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { heldBack, type IntentRow, type TransactionRow } from '../../../store/journal/journal.ts'
import { costsOf, hindranceOf } from '../../../wallet/chain/transaction-costs.ts'
import type { WalletTransaction } from '../../../wallet/chain/transactions.ts'
import { createWalletRequests, meaningOf, type WalletRequest } from '../../../wallet/requests/wallet-requests.ts'
import type { Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import { isOnChain, receiptOf, type SendingBook } from '../../engine/sending-book.ts'
import type { OrderParts } from '../../prepare/prepare.ts'
import type { Signing } from '../signed/sign.ts'
import type { Receipts } from './receipts.ts'
import type { SendingFollow } from './sending-follow.ts'

/** What the windows may do about an intent that the wallet is asked for. */
export type Sending = Omit<Signing, 'resume'>

/** What the wallet is to send, read again and held against what was asked for. */
export interface ToSend {
  /** Why none of it is sent, in a sentence; null where nothing speaks against it. */
  readonly blocked: string | null
  /** In order. */
  readonly steps: readonly { readonly transaction: WalletTransaction | null; agree(typed: Typed): Result<void, Failure> }[]
}

interface Deps {
  readonly sendings: SendingBook
  readonly following: SendingFollow
  readonly receipts: Receipts
  /** null: nothing was prepared. */
  readonly toSend: (row: IntentRow) => Promise<ToSend | null>
  readonly endsRisk: (row: IntentRow) => boolean
}

const method = 'eth_sendTransaction'
const txHashForm = /^0x[0-9a-fA-F]{64}$/
const unreached: Failure = { kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: 'rpc' }

/** From a preparation to transactions on the chain: one after the other, each asked for when the one before it stands in a block (FLOW-03). */
export function createSending(parts: OrderParts, { sendings, following, receipts, toSend, endsRisk }: Deps): Sending {
  const { journal, book, locks, chain, transactions, broadcasts, clock } = parts
  const requests = createWalletRequests(parts)

  const over = async (row: IntentRow): Promise<Failure> => {
    await book.move(row.ref, 'EXPIRED', { reason: following.overReason(row.ref) })
    return { kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? clock.now() }
  }

  /** The transaction that may be asked for now. */
  const nextOf = async (row: IntentRow): Promise<{ readonly row: IntentRow; readonly next: TransactionRow } | null> => {
    const before = sendings.of(row.ref).some(isOnChain)
    const fresh = before ? await following.lookUp(row) : row
    const all = sendings.of(row.ref)
    const next = all.find(({ state }) => state === 'waiting')
    return fresh.state === 'PREPARED' && next !== undefined && all.slice(0, next.position).every(isOnChain) ? { row: fresh, next } : null
  }

  const read = async (given: IntentRow, typed: Typed): ReturnType<WalletRequest['read']> => {
    const ending = endsRisk(given)
    if (!ending && !journal.takesNewRisk()) return fail(heldBack(journal))
    const { ref, state, deadlineMs } = given
    if (state === 'EXPIRED') return fail({ kind: 'expired', what: 'intent', atMs: deadlineMs ?? given.updatedAtMs })
    const prepared = await toSend(given)
    if (prepared !== null && prepared.blocked !== null) return fail({ kind: 'signing_refused', sentence: prepared.blocked })
    if (state !== 'PREPARED') return fail({ kind: 'wrong_state', state, wanted: 'PREPARED' })
    if (deadlineMs === null || clock.now() >= deadlineMs) return fail(await over(given))
    // What ends risk waits for no other transaction.
    const other = ending ? null : broadcasts.inTheWay(given)
    if (other !== null) return fail({ kind: 'held_back', why: 'unknown_intent', intentRef: other.ref })
    const now = await nextOf(given)
    const step = now === null ? undefined : prepared?.steps[now.next.position]
    if (now === null || step === undefined || step.transaction === null)
      return fail({ kind: 'wrong_state', state: journal.intents.get(ref)?.state ?? state, wanted: 'PREPARED' })
    const { row, next } = now
    const agreed = step.agree(typed)
    if (!agreed.ok) return agreed
    const elsewhere = ending ? null : await chain.mismatch()
    if (elsewhere !== null) return fail(elsewhere)
    const hindrance = hindranceOf(await costsOf(transactions, step.transaction))
    if (hindrance !== null) return fail({ kind: 'not_executable', ...hindrance, intentRef: ref })

    // Without both, a transaction sent while the app is dead could not be found again: then nothing is asked for.
    const [blockNumber, nonce] = await Promise.all([chain.blockNumber(), transactions.nonce(row.wallet)])
    if (blockNumber === null || nonce === null) return fail((await chain.mismatch()) ?? unreached)
    const begin = () =>
      // A first asking's block stays, what it brought may come late.
      sendings.change(row, next.position, {
        state: 'asked',
        blockNumber: next.blockNumber ?? blockNumber,
        nonce: next.nonce ?? nonce,
        askedAtMs: clock.now(),
        topic: null,
        walletRequestId: null,
        reason: null,
      })
    return ok({ asked: { method, transaction: step.transaction }, begin })
  }

  const ask = async (ref: string, phrase: string | null, router: string | null): Promise<Result<SignRequest, Failure>> => {
    const known = book.find(ref)
    if (!known.ok) return known
    const { wallet, deadlineMs } = known.value
    return requests.ask({
      wallet,
      expiresAtMs: deadlineMs ?? 0,
      read: () => read(known.value, { phrase, router }),
      over: () => over(known.value),
    })
  }

  const answered = async (ref: string, txHash: string): Promise<Result<Intent, Failure>> => {
    const known = book.find(ref)
    if (!known.ok) return known
    const row = known.value
    if (!txHashForm.test(txHash)) return fail({ kind: 'bad_input', field: 'txHash', issue: 'not_a_tx_hash' })
    const all = sendings.of(ref)
    if (all.some((each) => each.txHash?.toLowerCase() === txHash.toLowerCase())) return ok(book.view(row))
    // Whatever became of the request, a broadcast that was asked for happened: it is followed, never refused.
    const open = all.find(({ state }) => state === 'asked' || state === 'unknown')
    const late = row.state === 'PREPARED' ? all.find(({ state, blockNumber }) => state === 'waiting' && blockNumber !== null) : undefined
    const it = open ?? late
    if (it === undefined) {
      if (row.state !== 'EXPIRED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'ASKED' })
      book.remark(row, { code: 'late_transaction', txHash })
      return fail({ kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? row.updatedAtMs })
    }
    if (open === undefined) await sendings.change(row, it.position, { state: 'asked' }, { code: 'late_answer' })
    const submitted = await sendings.change(row, it.position, { state: 'submitted', txHash, reason: null, receipt: receiptOf(row) }, { code: 'sent_by_wallet' })
    const followed = await following.lookUp(submitted)
    receipts.report(followed)
    return ok(book.view(followed))
  }

  const declined: Sending['declined'] = async (ref, why, detail) => {
    const known = book.find(ref)
    if (!known.ok) return known
    const row = known.value
    const it = sendings.of(ref).find(({ state }) => state === 'asked')
    if (it === undefined) return ok(book.view(row))
    const note = said(detail ?? why)
    // Without the ids of a request none has left: the phone was not asked.
    const meaning = meaningOf(method, why, it.topic !== null)
    if (meaning === 'over') {
      const reason: IntentReason = { code: it.position === 0 ? 'rejected_on_phone' : 'rejected_after_approval' }
      return ok(book.view(await sendings.end(row, it.position, { state: 'cancelled', reason: { code: 'rejected_on_phone' } }, 'CANCELLED', reason, note)))
    }
    if (meaning === 'again') {
      return ok(book.view(await sendings.change(row, it.position, { state: 'waiting', reason: { code: 'wallet_not_asked' } }, note)))
    }
    // The phone may still show the request, and broadcast: only the chain can tell.
    const unknown = await sendings.change(row, it.position, { state: 'unknown', reason: { code: 'wallet_silent' } }, note)
    return ok(book.view(await following.lookUp(unknown)))
  }

  return {
    ask: (ref, ...typed) => {
      const known = book.find(ref)
      return known.ok ? broadcasts.oneAtATime(known.value.wallet, () => locks.run(ref, () => ask(ref, ...typed))) : Promise.resolve(known)
    },
    asked: async (ref, topic, requestId) => {
      const known = book.find(ref)
      if (!known.ok) return known
      const it = sendings.of(ref).find(({ state }) => state === 'asked')
      if (it !== undefined) await sendings.change(known.value, it.position, { topic, walletRequestId: requestId })
      return ok({})
    },
    answered: (ref, txHash) => locks.run(ref, () => answered(ref, txHash)),
    declined: (ref, ...given) => locks.run(ref, () => declined(ref, ...given)),
  }
}
