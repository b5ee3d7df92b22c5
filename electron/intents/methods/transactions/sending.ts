import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { IntentState, SendingEvidence } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote, signingRefused } from '../../../../shared/ipc/intents/reasons.ts'
import type { WalletTransaction } from '../../../../shared/ipc/intents/signing.ts'
import { isPhrase, notSentPhrase } from '../../../../shared/phrases.ts'
import { fail, ok, type Result, valueOrNull } from '../../../../shared/result.ts'
import { second } from '../../../../shared/time.ts'
import type { IntentRow, TransactionRow } from '../../../store/journal/journal.ts'
import { createFollowTransaction, type FollowedState, type FollowedTransaction } from '../../../wallet/chain/follow-transaction.ts'
import { costsOf, hindranceOf } from '../../../wallet/chain/transaction-costs.ts'
import { meaningOf, type WalletRequest } from '../../../wallet/requests/wallet-requests.ts'
import type { Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import type { TrustedTokens } from '../../../wallet/trusted-contracts/trust.ts'
import type { WalletMethod } from '../../engine/conversation.ts'
import type { EngineParts, PartsWith } from '../../engine/engine-parts.ts'
import { lastDeadline } from '../../engine/finality.ts'
import { endsRiskOf, isTradingIntent } from '../../engine/intent-facts.ts'
import { isOnChain } from '../../engine/intent-repository.ts'
import { isQuiet, quietMs } from '../../engine/tracker.ts'
import type { Receipts } from './receipts.ts'

/** The transactions for the wallet, parsed from the journalled preparation and compared with the ticket. */
export interface ToSend {
  /** Why the app must not request any of these transactions from the wallet; null if nothing is wrong. */
  readonly blocked: IntentReason | null
  /** The transactions in the order in which the wallet must send them. */
  readonly steps: readonly { readonly transaction: WalletTransaction | null; agree(typed: Typed): Result<void, Failure> }[]
}

interface Deps {
  readonly following: SendingFollow
  readonly receipts: Receipts
  /** Returns the transactions for the wallet; null if the service has prepared none. */
  readonly toSend: (row: IntentRow) => Promise<ToSend | null>
}

const method = 'eth_sendTransaction'
const txHashForm = /^0x[0-9a-fA-F]{64}$/
const unreached: Failure = { kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: 'rpc' }

/** States in which the wallet may have sent the intent’s transaction while no block contains it yet. */
const underWay: readonly IntentState[] = ['ASKED', 'UNKNOWN', 'SUBMITTED']

/** Requests an intent’s transactions from the wallet in order. Requests a transaction only once the previous one is in a block (FLOW-03). */
export function createSending({ profile, journal, repository, chain, transactions, clock }: EngineParts, { following, receipts, toSend }: Deps): WalletMethod {
  /** Another order or payment of the same wallet whose transaction may not be in a block yet (FLOW-03); undefined if there is none. */
  const inTheWay = ({ ref, wallet }: IntentRow): IntentRow | undefined =>
    journal.intents
      .open(profile.id)
      .find((other) => other.way === 'transactions' && other.wallet === wallet && other.ref !== ref && underWay.includes(other.state))

  /** The next transaction to request from the wallet; null if the app may request none now. */
  const nextOf = async (row: IntentRow): Promise<{ readonly row: IntentRow; readonly next: TransactionRow } | null> => {
    const before = repository.transactionsOf(row.ref).some(isOnChain)
    const fresh = before ? await following.lookUp(row) : row
    const all = repository.transactionsOf(row.ref)
    const next = all.find(({ state }) => state === 'waiting')
    return fresh.state === 'PREPARED' && next !== undefined && all.slice(0, next.position).every(isOnChain) ? { row: fresh, next } : null
  }

  const ask = async (given: IntentRow, steps: ToSend['steps'], typed: Typed): ReturnType<WalletRequest['read']> => {
    const { ref } = given
    const ending = endsRiskOf(given)
    // A transaction that ends risk (cancel, close) does not wait for another intent’s transaction.
    const other = ending ? undefined : inTheWay(given)
    if (other !== undefined) return fail({ kind: 'held_back', why: 'unknown_intent', intentRef: other.ref })
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
      repository.changeTransaction(row, next.position, {
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
    askable: ['PREPARED'],
    // Send one request at a time per wallet. Otherwise, the checks of the second request would not include the effects of the first.
    isSerial: true,
    verify: async (row) => {
      const prepared = await toSend(row)
      if (prepared === null) return null
      const { blocked, steps } = prepared
      return blocked === null ? ok((typed) => ask(row, steps, typed)) : fail(signingRefused(blocked))
    },
    overReason: ({ ref }) => following.overReason(ref),
    left: (row, topic, walletRequestId) => {
      const it = repository.transactionsOf(row.ref).find(({ state }) => state === 'asked')
      return it === undefined ? null : repository.changeTransaction(row, it.position, { topic, walletRequestId })
    },
    take: async (row, txHash) => {
      if (!txHashForm.test(txHash)) return fail({ kind: 'bad_input', field: 'txHash', issue: 'not_a_tx_hash' })
      const all = repository.transactionsOf(row.ref)
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
      if (open === undefined) await repository.changeTransaction(row, it.position, { state: 'asked' }, { code: 'late_answer' })
      const submitted = await repository.changeTransaction(row, it.position, { state: 'submitted', txHash, reason: null }, { code: 'sent_by_wallet' })
      const followed = await following.lookUp(submitted)
      receipts.report(followed)
      return ok(followed)
    },
    declined: async (row, why, note) => {
      const it = repository.transactionsOf(row.ref).find(({ state }) => state === 'asked')
      if (it === undefined) return row
      // If the request has no wallet topic, it never left the app, so the phone did not show it.
      const meaning = meaningOf(method, why, it.topic !== null)
      if (meaning === 'over') {
        const reason: IntentReason = { code: it.position === 0 ? 'rejected_on_phone' : 'rejected_after_approval' }
        return repository.endTransaction(row, it.position, 'CANCELLED', reason, note, { code: 'rejected_on_phone' })
      }
      if (meaning === 'again') return repository.changeTransaction(row, it.position, { state: 'waiting', reason: { code: 'wallet_not_asked' } }, note)
      // The phone may still send the transaction, so only the chain can show the outcome.
      return following.lookUp(await repository.changeTransaction(row, it.position, { state: 'unknown', reason: { code: 'wallet_silent' } }, note))
    },
  }
}

export type SendingFollow = ReturnType<typeof createSendingFollow>

interface FollowDeps extends PartsWith<'repository' | 'transactions' | 'chain' | 'clock', 'finality' | 'observation'> {
  readonly tokens: TrustedTokens
  /** Converts an intent that an earlier version of the app stored in another form. */
  readonly adopt: (row: IntentRow) => void
}

/** The time from one lookup of an intent to the next in other states, in ms. Shorter times could overload a public RPC node. */
const followMs = 2 * second
const followed: readonly string[] = ['submitted', 'confirming', 'final', 'reverted', 'unknown'] satisfies FollowedState[]
const isFollowed = (row: TransactionRow): row is TransactionRow & { readonly state: FollowedState } => followed.includes(row.state)

const followedOf = (row: IntentRow, it: TransactionRow & { readonly state: FollowedState }, tokens: TrustedTokens): FollowedTransaction => ({
  ...it,
  askedAtMs: it.askedAtMs ?? it.updatedAtMs,
  ...(isTradingIntent(row)
    ? {
        deadlineMs: Math.max(lastDeadline(row), it.deadlineMs ?? 0),
        tokens: [tokens.USDC.pinned(), tokens.own.pinned()].filter((token) => token !== null),
        reverted: { code: 'reverted' },
      }
    : // A payment’s own transaction already calls the token contract, so no other token contract needs a check.
      { deadlineMs: row.deadlineMs, tokens: [], reverted: { code: 'payment_reverted' } }),
})

/** Follows the transactions of intents on the chain and sends none. While the RPC does not answer, all states stay unchanged. */
export function createSendingFollow(deps: FollowDeps) {
  const { repository, calls, tokens, adopt } = deps
  const follow = createFollowTransaction(deps)

  const lookUp = async (given: IntentRow): Promise<IntentRow> => {
    let row = given
    for (const it of repository.transactionsOf(row.ref)) {
      if (!isFollowed(it)) continue
      const at = row
      const step = await follow(
        followedOf(at, it, tokens),
        async (hash) => valueOrNull(await calls.finality(at, hash)),
        // The service’s record of an intent contains only the hash of the last transaction, so this lookup can find no other transaction.
        async () =>
          it.position !== repository.transactionsOf(at.ref).length - 1 || at.intentId === null
            ? null
            : (valueOrNull(await calls.observation(at))?.txHash ?? null),
      )
      if (step?.change.state === 'cancelled') row = await repository.endTransaction(row, it.position, 'EXPIRED', step.change.reason ?? null, step.note)
      else if (step !== null) row = await repository.changeTransaction(row, it.position, step.change, step.note)
    }
    return row
  }

  const unknownOf = async (row: IntentRow): Promise<{ readonly position: number; readonly shown: SendingEvidence } | null> => {
    const it = repository.transactionsOf(row.ref).find(({ state }) => state === 'unknown')
    if (it === undefined || !isFollowed(it)) return null
    const shown = await follow.evidence(followedOf(row, it, tokens))
    return shown === null ? null : { position: it.position, shown }
  }

  /** The reason to record if the intent’s deadline has passed. */
  const overReason = (ref: string): IntentReason => ({ code: repository.transactionsOf(ref).some(isOnChain) ? 'deposit_not_sent_in_time' : 'not_sent_in_time' })

  const lost = (row: IntentRow, code: PlainReason, note?: StepNote): Promise<IntentRow> => {
    const it = repository.transactionsOf(row.ref).find(({ state }) => state === 'asked')
    return it === undefined ? Promise.resolve(row) : repository.changeTransaction(row, it.position, { state: 'unknown', reason: { code } }, note)
  }

  return {
    lookUp,
    // Except in quiet states, a transaction may be pending, so look it up more often.
    everyMs: (state: IntentState) => (isQuiet(state) ? quietMs : followMs),
    late: (row: IntentRow) =>
      row.state === 'PREPARED' ? repository.move(row.ref, 'EXPIRED', { reason: overReason(row.ref) }) : lost(row, 'no_answer_searched'),
    recover: async (row: IntentRow) => {
      if (row.state === 'PLANNED') return repository.found(row, 'CANCELLED', 'stopped_before_prepared')
      adopt(row)
      // The phone may have broadcast the transaction while the app was not running.
      return row.state === 'ASKED' ? lost(row, 'stopped_while_asked_searched', { code: 'found_at_start' }) : row
    },
    overReason,
    /**
     * What the chain shows about the intent’s UNKNOWN transaction. null if no transaction is UNKNOWN, if the wallet is no contract wallet, or if the
     * RPC does not answer.
     */
    evidence: async (row: IntentRow): Promise<SendingEvidence | null> => (await unknownOf(row))?.shown ?? null,
    /**
     * Ends an intent because the user states that its lost transaction was never sent. Fails while the phone could still send the transaction. If
     * the chain shows the transaction, the app ignores the user’s statement.
     */
    notSent: async (row: IntentRow, typed: string): Promise<Result<IntentRow, Failure>> => {
      if (!isPhrase(typed, notSentPhrase)) return fail({ kind: 'bad_input', field: 'typed', issue: `type_word ${notSentPhrase}` })
      const fresh = await lookUp(row)
      const found = await unknownOf(fresh)
      if (found === null || !found.shown.over) return fail({ kind: 'wrong_state', state: fresh.state, wanted: 'UNKNOWN' })
      const { upTo, hashes } = found.shown
      const reason: IntentReason = { code: 'user_not_sent', upToBlock: upTo, alike: hashes.length }
      return ok(await repository.endTransaction(fresh, found.position, 'EXPIRED', reason, noteOf(reason)))
    },
  }
}
