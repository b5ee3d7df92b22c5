import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import { heldBack } from '../../store/journal/held-back.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { IntentBook } from '../engine/intent-book.ts'
import { ticketOf } from '../prepare/compare-signed.ts'
import type { OrderCalls } from '../prepare/order-calls.ts'

/** The service's words for an intent that it already took, and for one that came too late. */
const alreadyRelayed = /ALREADY_(RELAYED|SUBMITTED|EXECUTED)|DUPLICATE_INTENT/
const expired = /EXPIRED/

export interface RelayDeps {
  readonly journal: Pick<Journal, 'state' | 'trouble'>
  readonly book: IntentBook
  readonly calls: OrderCalls
  /** Asks the service what became of an intent whose answer was lost. */
  readonly lookUp: (ref: string) => Promise<IntentRow>
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
      await book.move(ref, 'SIGNED', { reason: 'The disk filled up before it was sent. Nothing was sent; the signature is kept.' })
      return fail(heldBack(journal))
    }
    const answer = await calls.relay({ wallet: row.wallet, intentId, signature }, ref, ending ? 'exit' : 'user')
    if (answer.ok) {
      const { txHash, state } = answer.value
      if (txHash === null) return unknown(ref, 'The relay answered without a transaction hash.')
      const submitted = await book.move(ref, 'SUBMITTED', { txHash, finality: state === 'submitted' ? null : state }, `relay: ${state ?? 'no state'}`)
      return ok(book.view(submitted))
    }

    const { failure } = answer.failure
    switch (outcomeOf(answer.failure)) {
      case 'not_sent':
        await book.move(ref, 'SIGNED', { reason: 'The relay was not reached. Nothing was sent; the signature is kept.' }, failure.kind)
        return fail(failure)
      case 'unknown':
        return unknown(
          ref,
          failure.kind === 'unreadable'
            ? 'The relay took the order, and its answer cannot be read.'
            : 'The answer of the relay was lost. It may have taken the order.',
        )
      case 'refused': {
        if (failure.kind === 'rate_limited') {
          await book.move(ref, 'SIGNED', { reason: 'The relay asked to wait. The signature is kept.' }, failure.kind)
          return fail(failure)
        }
        const code = failure.kind === 'refused' ? (failure.code ?? '') : ''
        if (alreadyRelayed.test(code)) return unknown(ref, 'The relay says that it has this intent already.')
        const late = failure.kind === 'refused' && (failure.status === 410 || expired.test(code))
        await book.move(
          ref,
          late ? 'EXPIRED' : 'REFUSED',
          { reason: late ? 'The relay refused it: it came after its deadline.' : `The relay refused it${code === '' ? '' : `: ${code}`}.` },
          code,
        )
        return fail(failure)
      }
    }
  }

  async function unknown(ref: string, reason: string): Promise<Result<Intent, Failure>> {
    await book.move(ref, 'UNKNOWN', { reason }, reason)
    return ok(book.view(await lookUp(ref)))
  }
}
