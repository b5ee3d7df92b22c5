import type { Failure } from '../../../../shared/ipc/failure.ts'
import { type IntentReason, signingRefused } from '../../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { IntentRow, TransactionRow } from '../../../store/journal/journal.ts'
import { costsOf, hindranceOf } from '../../../wallet/chain/transaction-costs.ts'
import type { WalletTransaction } from '../../../wallet/chain/transactions.ts'
import { meaningOf, type WalletRequest } from '../../../wallet/requests/wallet-requests.ts'
import type { Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import type { WalletMethod } from '../../engine/conversation.ts'
import { isOnChain, receiptOf, type SendingRepository } from '../../engine/sending-repository.ts'
import type { OrderParts } from '../../prepare/prepare.ts'
import type { Receipts } from './receipts.ts'
import type { SendingFollow } from './sending-follow.ts'

/** The transactions for the wallet, parsed from the journalled preparation and compared with the ticket. */
export interface ToSend {
  /** Why the app must not request any of these transactions from the wallet; null if nothing is wrong. */
  readonly blocked: IntentReason | null
  /** The transactions in the order in which the wallet must send them. */
  readonly steps: readonly { readonly transaction: WalletTransaction | null; agree(typed: Typed): Result<void, Failure> }[]
}

interface Deps {
  readonly sendings: SendingRepository
  readonly following: SendingFollow
  readonly receipts: Receipts
  /** Returns the transactions for the wallet; null if the service has prepared none. */
  readonly toSend: (row: IntentRow) => Promise<ToSend | null>
  readonly endsRisk: (row: IntentRow) => boolean
}

const method = 'eth_sendTransaction'
const txHashForm = /^0x[0-9a-fA-F]{64}$/
const unreached: Failure = { kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: 'rpc' }

/** Requests an intent’s transactions from the wallet in order. Requests a transaction only once the previous one is in a block (FLOW-03). */
export function createSending(
  { journal, repository, chain, transactions, broadcasts, clock }: OrderParts,
  { sendings, following, receipts, toSend, endsRisk }: Deps,
): WalletMethod {
  /** The next transaction to request from the wallet; null if the app may request none now. */
  const nextOf = async (row: IntentRow): Promise<{ readonly row: IntentRow; readonly next: TransactionRow } | null> => {
    const before = sendings.of(row.ref).some(isOnChain)
    const fresh = before ? await following.lookUp(row) : row
    const all = sendings.of(row.ref)
    const next = all.find(({ state }) => state === 'waiting')
    return fresh.state === 'PREPARED' && next !== undefined && all.slice(0, next.position).every(isOnChain) ? { row: fresh, next } : null
  }

  const ask = async (given: IntentRow, steps: ToSend['steps'], typed: Typed): ReturnType<WalletRequest['read']> => {
    const { ref } = given
    const ending = endsRisk(given)
    // A transaction that ends risk (cancel, close) does not wait for another intent’s transaction.
    const other = ending ? null : broadcasts.inTheWay(given)
    if (other !== null) return fail({ kind: 'held_back', why: 'unknown_intent', intentRef: other.ref })
    const now = await nextOf(given)
    const step = now === null ? undefined : steps[now.next.position]
    if (now === null || step === undefined || step.transaction === null)
      return fail({ kind: 'wrong_state', state: journal.intents.get(ref)?.state ?? given.state, wanted: 'PREPARED' })
    const { row, next } = now
    const agreed = step.agree(typed)
    if (!agreed.ok) return agreed
    const elsewhere = ending ? null : await chain.mismatch()
    if (elsewhere !== null) return fail(elsewhere)
    const hindrance = hindranceOf(await costsOf(transactions, step.transaction))
    if (hindrance !== null) return fail({ kind: 'not_executable', ...hindrance, intentRef: ref })

    // Store the block number and nonce first, because after a crash the app needs them to find the transaction. If they cannot be read, do not ask
    // the wallet.
    const [blockNumber, nonce] = await Promise.all([chain.blockNumber(), transactions.nonce(row.wallet)])
    if (blockNumber === null || nonce === null) return fail((await chain.mismatch()) ?? unreached)
    const begin = () =>
      // Keep the block number of the first request, because the wallet may still send the first transaction late.
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

  return {
    endsRisk,
    askable: ['PREPARED'],
    // Send one request at a time per wallet. Otherwise, the checks of the second request would not include the effects of the first.
    inQueue: broadcasts.oneAtATime,
    verify: async (row) => {
      const prepared = await toSend(row)
      if (prepared === null) return null
      const { blocked, steps } = prepared
      return { refused: blocked === null ? null : signingRefused(blocked), ask: (typed) => ask(row, steps, typed) }
    },
    overReason: ({ ref }) => following.overReason(ref),
    left: (row, topic, walletRequestId) => {
      const it = sendings.of(row.ref).find(({ state }) => state === 'asked')
      return it === undefined ? null : sendings.change(row, it.position, { topic, walletRequestId })
    },
    take: async (row, txHash) => {
      if (!txHashForm.test(txHash)) return fail({ kind: 'bad_input', field: 'txHash', issue: 'not_a_tx_hash' })
      const all = sendings.of(row.ref)
      if (all.some((each) => each.txHash?.toLowerCase() === txHash.toLowerCase())) return ok(row)
      // The wallet sent a transaction that the app had requested. Follow the transaction even if the user had rejected the request or the request
      // had expired.
      const open = all.find(({ state }) => state === 'asked' || state === 'unknown')
      const late = row.state === 'PREPARED' ? all.find(({ state, blockNumber }) => state === 'waiting' && blockNumber !== null) : undefined
      const it = open ?? late
      if (it === undefined) {
        if (row.state !== 'EXPIRED') return fail({ kind: 'wrong_state', state: row.state, wanted: 'ASKED' })
        repository.remark(row, { code: 'late_transaction', txHash })
        return fail({ kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? row.updatedAtMs })
      }
      if (open === undefined) await sendings.change(row, it.position, { state: 'asked' }, { code: 'late_answer' })
      const submitted = await sendings.change(
        row,
        it.position,
        { state: 'submitted', txHash, reason: null, receipt: receiptOf(row) },
        { code: 'sent_by_wallet' },
      )
      const followed = await following.lookUp(submitted)
      receipts.report(followed)
      return ok(followed)
    },
    declined: async (row, why, note) => {
      const it = sendings.of(row.ref).find(({ state }) => state === 'asked')
      if (it === undefined) return row
      // If the request has no wallet topic, it never left the app, so the phone did not show it.
      const meaning = meaningOf(method, why, it.topic !== null)
      if (meaning === 'over') {
        const reason: IntentReason = { code: it.position === 0 ? 'rejected_on_phone' : 'rejected_after_approval' }
        return sendings.end(row, it.position, { state: 'cancelled', reason: { code: 'rejected_on_phone' } }, 'CANCELLED', reason, note)
      }
      if (meaning === 'again') return sendings.change(row, it.position, { state: 'waiting', reason: { code: 'wallet_not_asked' } }, note)
      // The phone may still send the transaction, so only the chain can show the outcome.
      return following.lookUp(await sendings.change(row, it.position, { state: 'unknown', reason: { code: 'wallet_silent' } }, note))
    },
  }
}
