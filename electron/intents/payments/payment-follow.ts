import type { ExecutionReport } from '../../../shared/api/schemas/intents.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { IntentChange, IntentRow } from '../../store/journal/journal.ts'
import { createFollowTransaction, type FollowedState, type FollowedTransaction, type FollowStep } from '../../wallet/chain/follow-transaction.ts'
import { type PaymentParts, paymentQueries } from './payment-parts.ts'

export interface PaymentFollow {
  /** Takes a payment one step on by what the chain says now. Sends nothing. A silent RPC moves nothing. */
  follow(row: IntentRow): Promise<IntentRow>
  /** Moves, and tells the window that payments changed. */
  move(row: IntentRow, to: IntentState, change?: IntentChange, note?: string): Promise<IntentRow>
}

interface Deps extends Pick<PaymentParts, 'book' | 'records' | 'transactions' | 'chain' | 'emit'> {
  readonly clock: ServiceClock
  /** What the service says of a transaction, by a key of its wallet; null: no key can ask, or it did not answer. */
  readonly finality: (row: IntentRow, txHash: string) => Promise<ExecutionReport | null>
}

const stateOf = {
  submitted: 'SUBMITTED',
  confirming: 'CONFIRMING',
  final: 'FINAL',
  reverted: 'REVERTED',
  unknown: 'UNKNOWN',
} as const satisfies Record<FollowedState, IntentState>

/** Follows payments on the chain itself, and by the service's word where the RPC is silent (FLOW-06). */
export function createPaymentFollow({ book, records, transactions, chain, clock, emit, finality }: Deps): PaymentFollow {
  const followTransaction = createFollowTransaction({
    transactions,
    chain,
    clock,
    // What is paid calls the token itself.
    tokens: () => [],
    reverted: 'The transaction reverted on chain. Nothing was paid, and no right was given.',
  })
  const told = <T>(value: T): T => {
    emit({ type: 'invalidate', queries: [...paymentQueries] })
    return value
  }
  const move: PaymentFollow['move'] = async (row, to, change, note) => told(await book.move(row.ref, to, change, note))

  /** null: it is not with the wallet or the chain. */
  const followed = (row: IntentRow): FollowedTransaction | null => {
    const record = records.of(row.ref)
    const state = (Object.keys(stateOf) as FollowedState[]).find((each) => stateOf[each] === row.state)
    if (record === null || state === undefined) return null
    const { to, data, value, nonce, askedAtMs } = record
    return {
      transaction: { from: row.wallet, to, data, value: value ?? '0x0' },
      state,
      txHash: row.txHash,
      confirmations: row.confirmations,
      blockNumber: row.blockNumber,
      nonce,
      deadlineMs: row.deadlineMs,
      askedAtMs: askedAtMs ?? row.updatedAtMs,
    }
  }

  const apply = async (row: IntentRow, step: FollowStep): Promise<IntentRow> => {
    switch (step.kind) {
      case 'stays':
        return row
      case 'confirmations':
        return told(book.change(row.ref, { confirmations: step.confirmations }))
      case 'hash':
        return told(book.change(row.ref, { txHash: step.txHash, reason: null }))
      case 'note':
        return told(book.note(row, step.reason))
      case 'moves': {
        const { to, txHash, confirmations, reason, note } = step
        return move(row, stateOf[to], { confirmations, finality: null, reason, ...(txHash === undefined ? {} : { txHash }) }, note ?? undefined)
      }
      case 'dead':
        return move(row, 'EXPIRED', { reason: step.reason }, step.note)
    }
  }

  return {
    move,
    follow: async (row) => {
      const now = followed(row)
      return now === null ? row : apply(row, await followTransaction(now, (txHash) => finality(row, txHash)))
    },
  }
}
