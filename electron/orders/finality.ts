import type { IntentState } from '../../shared/ipc/orders.ts'
import { type Finality, readFinality } from '../../shared/signing/prepared-action.ts'
import type { IntentRow } from '../journal/journal.ts'
import type { IntentBook } from './intent-book.ts'
import type { OrderCalls } from './order-calls.ts'

/** Where each finality leads. Transitions among them are not shown: any may follow any (FLOW-06). */
const stateOf: Readonly<Record<Exclude<Finality, 'other'>, IntentState>> = {
  pending: 'SUBMITTED',
  confirming: 'CONFIRMING',
  reverted: 'REVERTED',
  final: 'FINAL',
}

const followable: readonly IntentState[] = ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED']

/**
 * Asks for the finality of an intent's transaction and moves it there, also back from FINAL when a reorganisation took the block away.
 * A value outside the document's is kept as the service wrote it and moves nothing. A failed call moves nothing.
 */
export function createFollowFinality({ book, calls }: { readonly book: IntentBook; readonly calls: OrderCalls }) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.txHash === null || !followable.includes(row.state)) return row
    const answer = await calls.finality(row, row.txHash)
    if (!answer.ok) {
      const { failure } = answer.failure
      const unknownNow = failure.kind === 'refused' && failure.status === 404
      if (!unknownNow || row.state === 'SUBMITTED') return row
      return book.move(row.ref, 'SUBMITTED', { confirmations: 0, finality: null, reason: takenBack }, takenBack)
    }
    const { finality, raw, confirmations } = readFinality(answer.value)
    if (finality === 'other') return raw === row.finality && confirmations === row.confirmations ? row : book.change(row.ref, { finality: raw, confirmations })
    const next = stateOf[finality]
    // Settled as it was: more confirmations are no news, and a write would keep it watched for ever.
    if (next === row.state && (next === 'FINAL' || next === 'REVERTED')) return row
    if (next === row.state) return confirmations === row.confirmations && row.finality === null ? row : book.change(row.ref, { confirmations, finality: null })
    const back = row.state === 'FINAL' || row.state === 'REVERTED' || next === 'SUBMITTED'
    const reason = next === 'REVERTED' ? reverted : back && next !== 'FINAL' ? takenBack : null
    return book.move(row.ref, next, { confirmations, finality: null, reason }, reason ?? undefined)
  }
}

const reverted = 'The transaction reverted on chain. Nothing was executed.'
const takenBack = 'The chain took its block back. It is followed again.'
