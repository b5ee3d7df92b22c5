import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { type Finality, readFinality } from '../../../shared/signing/prepared-action.ts'
import { day, hour } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { takenBack } from '../../wallet/chain/follow-transaction.ts'
import type { IntentBook } from './intent-book.ts'
import { isDead } from './look-up.ts'
import type { OrderCalls } from './order-calls.ts'

/** Where each finality leads. Transitions among them are not shown: any may follow any (FLOW-06). */
const stateOf: Readonly<Record<Exclude<Finality, 'other'>, IntentState>> = {
  pending: 'SUBMITTED',
  confirming: 'CONFIRMING',
  reverted: 'REVERTED',
  final: 'FINAL',
}

/** Beyond the 24 hours of its key an executor takes an order no more, and one that was lost is not carried out any more (Idempotency rules 2). */
export const executionLivesMs = day + hour

export interface FinalityDeps {
  readonly book: IntentBook
  readonly calls: Pick<OrderCalls, 'finality'>
  readonly clock: ServiceClock
}

const followable: readonly IntentState[] = ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED']

/**
 * Asks for the finality of an intent's transaction and moves it there, also back from FINAL when a reorganisation took the block away.
 * Where no node knows the transaction any more and the router would not take the intent any more either, it is EXPIRED.
 * `finalReason` is what is to be said of a FINAL that is not all of it. A value outside the document's is kept as the service wrote it and moves nothing. A failed call moves nothing.
 */
export function createFollowFinality({ book, calls, clock }: FinalityDeps) {
  /**
   * Beyond what the router holds to its last deadline, and what an executor took without a command that could tell its end. A computer whose clock
   * is wrong must not give up what is alive.
   */
  const isOver = (row: IntentRow): boolean => {
    const { way, commandId, createdAtMs } = row
    if (way === 'executor') return commandId === null && clock.known() && clock.now() > createdAtMs + executionLivesMs
    return (way === 'signed_intent' || way === 'permit_deposit') && isDead(row, clock)
  }

  return async (row: IntentRow, finalReason: IntentReason | null = null): Promise<IntentRow> => {
    if (row.txHash === null || !followable.includes(row.state)) return row
    const answer = await calls.finality(row, row.txHash)
    if (!answer.ok) {
      const { failure } = answer.failure
      const unknownNow = failure.kind === 'refused' && failure.status === 404
      if (!unknownNow) return row
      if (row.state === 'SUBMITTED')
        return isOver(row) ? book.move(row.ref, 'EXPIRED', { reason: { code: 'gone_from_chain' } }, { code: 'unknown_to_nodes' }) : row
      return book.move(row.ref, 'SUBMITTED', { confirmations: 0, finality: null, reason: takenBack }, noteOf(takenBack))
    }
    const { finality, raw, confirmations } = readFinality(answer.value)
    if (finality === 'other') return raw === row.finality && confirmations === row.confirmations ? row : book.change(row.ref, { finality: raw, confirmations })
    const next = stateOf[finality]
    // Settled as it was: more confirmations are no news, and a write would keep it watched for ever.
    if (next === row.state && (next === 'FINAL' || next === 'REVERTED')) return row
    if (next === row.state) return confirmations === row.confirmations && row.finality === null ? row : book.change(row.ref, { confirmations, finality: null })
    const back = row.state === 'FINAL' || row.state === 'REVERTED' || next === 'SUBMITTED'
    const reason: IntentReason | null = next === 'REVERTED' ? { code: 'reverted' } : next === 'FINAL' ? finalReason : back ? takenBack : null
    return book.move(row.ref, next, { confirmations, finality: null, reason }, reason === null ? undefined : noteOf(reason))
  }
}
