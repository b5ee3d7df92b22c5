import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { endsRisk } from '../../../../shared/ticket/actions/check-action.ts'
import { outcomeOf } from '../../../service/api/call-outcome.ts'
import { heldBack } from '../../../store/journal/held-back.ts'
import type { IntentRow, Journal } from '../../../store/journal/journal.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { OrderCalls } from '../../engine/order-calls.ts'
import { ticketOf } from '../../prepare/compare-signed.ts'

/** The service's words for an intent that it already took, and for one that came too late. */
const alreadyRelayed = /ALREADY_(RELAYED|SUBMITTED|EXECUTED)|DUPLICATE_INTENT/
const expired = /EXPIRED/

export interface RelayDeps {
  readonly journal: Pick<Journal, 'state' | 'trouble'>
  readonly book: IntentBook
  readonly calls: OrderCalls
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
