import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { SendingEvidence } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote, sameReason } from '../../../../shared/ipc/intents/reasons.ts'
import { notSentPhrase } from '../../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { isPhrase } from '../../../../shared/signing/confirmation-phrase.ts'
import { second } from '../../../../shared/time.ts'
import type { IntentRow, TransactionRow } from '../../../store/journal/journal.ts'
import type { ContractEvidence, FollowedState, FollowedTransaction, FollowStep, FollowTransaction } from '../../../wallet/chain/follow-transaction.ts'
import { lastDeadline } from '../../engine/finality.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { isTradingIntent } from '../../engine/intent-facts.ts'
import type { IntentRepository } from '../../engine/intent-repository.ts'
import { isOnChain, receiptOf, type SendingRepository } from '../../engine/sending-repository.ts'
import type { IntentMethod } from '../../engine/tracker.ts'

/** Follows the transactions of intents on the chain and sends none. While the RPC does not answer, all states stay unchanged. */
export interface SendingFollow extends IntentMethod {
  /**
   * What the chain shows about the intent’s UNKNOWN transaction. null if no transaction is UNKNOWN, if the wallet is no contract wallet, or if the
   * RPC does not answer.
   */
  evidence(row: IntentRow): Promise<SendingEvidence | null>
  /**
   * Ends an intent because the user states that its lost transaction was never sent. Fails while the phone could still send the transaction. If the
   * chain shows the transaction, the app ignores the user’s statement.
   */
  notSent(row: IntentRow, typed: string): Promise<Result<IntentRow, Failure>>
  /** The reason to record if the intent’s deadline has passed. */
  overReason(ref: string): IntentReason
}

interface Deps {
  readonly repository: IntentRepository
  readonly sendings: SendingRepository
  readonly calls: Pick<IntentCalls, 'finality' | 'observation'>
  /** Returns the function that follows a transaction on the chain. The function depends on the intent’s action. */
  readonly followTransaction: (row: IntentRow) => FollowTransaction
  /** Converts an intent that an earlier version of the app stored in another form. */
  readonly adopt: (row: IntentRow) => void
}

/**
 * The time from one lookup of an intent to the next, in ms. `watchMs` applies in the states FINAL, REVERTED and UNKNOWN, `followMs` in all other
 * states. Shorter times could overload a public RPC node.
 */
const intervals = { followMs: 2 * second, watchMs: 5 * second }
const followed: readonly string[] = ['submitted', 'confirming', 'final', 'reverted', 'unknown'] satisfies FollowedState[]
const isFollowed = (row: TransactionRow): row is TransactionRow & { readonly state: FollowedState } => followed.includes(row.state)

const followedOf = (
  row: IntentRow,
  {
    from,
    to,
    data,
    value,
    state,
    txHash,
    confirmations,
    blockNumber,
    nonce,
    deadlineMs,
    askedAtMs,
    updatedAtMs,
  }: TransactionRow & { readonly state: FollowedState },
): FollowedTransaction => ({
  transaction: { from, to, data, value },
  ...{ state, txHash, confirmations, blockNumber, nonce },
  deadlineMs: isTradingIntent(row) ? Math.max(lastDeadline(row), deadlineMs ?? 0) : row.deadlineMs,
  askedAtMs: askedAtMs ?? updatedAtMs,
})

export function createSendingFollow({ repository, sendings, calls, followTransaction, adopt }: Deps): SendingFollow {
  const apply = (row: IntentRow, { position, reason: before }: TransactionRow, step: FollowStep): Promise<IntentRow> | IntentRow => {
    switch (step.kind) {
      case 'stays':
        return row
      case 'confirmations':
        return sendings.change(row, position, { confirmations: step.confirmations })
      case 'hash':
        return sendings.change(row, position, { txHash: step.txHash, reason: null, receipt: receiptOf(row) })
      case 'note':
        return sameReason(before, step.reason) ? row : sendings.change(row, position, { reason: step.reason })
      case 'moves': {
        const { to, confirmations, reason, note, txHash } = step
        const hash = txHash === undefined ? {} : { txHash, receipt: txHash === null ? null : receiptOf(row) }
        return sendings.change(row, position, { state: to, confirmations, reason, ...hash }, note ?? undefined)
      }
      case 'dead':
        return sendings.end(row, position, { state: 'cancelled', reason: step.reason }, 'EXPIRED', step.reason, step.note)
    }
  }

  const lookUp: SendingFollow['lookUp'] = async (given) => {
    let row = given
    for (const it of sendings.of(row.ref)) {
      if (!isFollowed(it)) continue
      const at = row
      const step = await followTransaction(at)(
        followedOf(at, it),
        async (hash) => {
          const answer = await calls.finality(at, hash)
          return answer.ok ? answer.value : null
        },
        // The service’s record of an intent contains only the hash of the last transaction, so this lookup can find no other transaction.
        async () => {
          if (it.position !== sendings.of(at.ref).length - 1 || at.intentId === null) return null
          const answer = await calls.observation(at)
          return answer.ok ? answer.value.txHash : null
        },
      )
      row = await apply(row, it, step)
    }
    return row
  }

  const unknownOf = async (row: IntentRow): Promise<{ readonly position: number; readonly shown: ContractEvidence } | null> => {
    const it = sendings.of(row.ref).find(({ state }) => state === 'unknown')
    if (it === undefined || !isFollowed(it)) return null
    const shown = await followTransaction(row).evidence(followedOf(row, it))
    return shown === null ? null : { position: it.position, shown }
  }

  const overReason = (ref: string): IntentReason => ({ code: sendings.of(ref).some(isOnChain) ? 'deposit_not_sent_in_time' : 'not_sent_in_time' })

  const lost = (row: IntentRow, code: PlainReason, note?: StepNote): Promise<IntentRow> => {
    const it = sendings.of(row.ref).find(({ state }) => state === 'asked')
    return it === undefined ? Promise.resolve(row) : sendings.change(row, it.position, { state: 'unknown', reason: { code } }, note)
  }

  return {
    lookUp,
    evidence: async (row) => {
      const found = await unknownOf(row)
      if (found === null) return null
      const { hashes, fromBlock, upTo, over } = found.shown
      return { hashes: [...hashes], fromBlock, upTo, over }
    },
    notSent: async (row, typed) => {
      if (!isPhrase(typed, notSentPhrase)) return fail({ kind: 'bad_input', field: 'typed', issue: `type_word ${notSentPhrase}` })
      const fresh = await lookUp(row)
      const found = await unknownOf(fresh)
      if (found === null || !found.shown.over) return fail({ kind: 'wrong_state', state: fresh.state, wanted: 'UNKNOWN' })
      const { upTo, hashes } = found.shown
      const reason: IntentReason = { code: 'user_not_sent', upToBlock: upTo, alike: hashes.length }
      return ok(await sendings.end(fresh, found.position, { state: 'cancelled', reason }, 'EXPIRED', reason, noteOf(reason)))
    },
    overReason,
    // Except in FINAL, REVERTED and UNKNOWN, a transaction may be pending, so look it up more often.
    everyMs: (state) => (state === 'FINAL' || state === 'REVERTED' || state === 'UNKNOWN' ? intervals.watchMs : intervals.followMs),
    late: (row) => (row.state === 'PREPARED' ? repository.move(row.ref, 'EXPIRED', { reason: overReason(row.ref) }) : lost(row, 'no_answer_searched')),
    recover: async (row) => {
      if (row.state === 'PLANNED') return repository.move(row.ref, 'CANCELLED', { reason: { code: 'stopped_before_prepared' } }, { code: 'found_at_start' })
      adopt(row)
      // The phone may have broadcast the transaction while the app was not running.
      return row.state === 'ASKED' ? lost(row, 'stopped_while_asked_searched', { code: 'found_at_start' }) : row
    },
  }
}
