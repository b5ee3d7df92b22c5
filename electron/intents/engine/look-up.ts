import { type IntentReason, sameReason } from '../../../shared/ipc/intents/reasons.ts'
import { minute } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { IntentBook } from './intent-book.ts'
import { lastDeadline } from './last-deadline.ts'
import type { IntentSighting, OrderCalls } from './order-calls.ts'

/**
 * How long after its last deadline an intent that nobody saw is taken for dead: the executor cannot use it after the deadline, blocks that hold
 * it need to be indexed first.
 */
const lookUpMarginMs = minute

/** Whether nothing can execute an intent any more, and blocks that did are indexed. A computer whose clock is wrong must not give up what is alive. */
export const isDead = (row: IntentRow, clock: ServiceClock): boolean => clock.known() && clock.now() > lastDeadline(row) + lookUpMarginMs

export interface LookUpDeps {
  readonly book: IntentBook
  readonly calls: Pick<OrderCalls, 'sighting' | 'trace'>
  readonly clock: ServiceClock
}

/**
 * Asks what became of an UNKNOWN intent: `/orders/by-client-id`, then `/transactions` (FLOW-07). With a transaction it goes on to be
 * followed; one that the service calls carried out without naming a transaction is settled by what the account shows for a minute; unseen beyond its last deadline and a margin it is EXPIRED; otherwise it stays UNKNOWN and says why. Sends nothing.
 */
export function createLookUp({ book, calls, clock }: LookUpDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.state !== 'UNKNOWN') return row
    const answer = await calls.sighting(row)
    if (!answer.ok) {
      return book.note(row, { code: 'not_looked_up' })
    }
    const sighting = answer.value
    if (sighting.txHash !== null) return book.move(row.ref, 'SUBMITTED', { txHash: sighting.txHash, reason: null }, { code: 'found', state: sighting.state })
    if (sighting.state === 'reverted') return book.move(row.ref, 'REVERTED', { reason: { code: 'listed_as_reverted' } }, { code: 'found_reverted' })

    const taken = carriedOut.has(sighting.state ?? '')
    if (taken || isDead(row, clock)) {
      const trace = await calls.trace(row)
      const shown = trace.ok ? trace.value : { by: null, txHash: null, whole: false }
      if (shown.txHash !== null) return book.move(row.ref, 'SUBMITTED', { txHash: shown.txHash, reason: null }, { code: 'found_in_trades' })
      const code = shown.by === null ? (taken ? 'listed_as_done' : null) : shownReasons[shown.by]
      if (code !== null) {
        const reason: IntentReason = { code }
        // What a reorganisation may still take is gone from the lists by then.
        const stands = sameReason(row.reason, reason) && clock.now() - row.updatedAtMs > minute
        return stands ? book.move(row.ref, 'FINAL', { reason }, { code: 'settled_by_account' }) : book.note(row, reason)
      }
      if (isDead(row, clock) && neverSent(sighting)) {
        if (!sighting.whole || !shown.whole) return book.note(row, { code: 'lists_incomplete' })
        return book.move(row.ref, 'EXPIRED', { reason: { code: 'shown_nowhere' } }, { code: 'looked_up', state: sighting.state })
      }
    }
    return book.note(row, waiting(sighting))
  }
}

/** The service's words for an intent that was carried out. Its states are not shown. */
const carriedOut: ReadonlySet<string> = new Set(
  'confirmed complete completed executed filled final finalised finalized mined settled succeeded success'.split(' '),
)
const shownReasons = { trade: 'in_trades', order: 'in_orders' } as const

const neverSent = ({ state }: IntentSighting): boolean => state === null || state === 'prepared' || state === 'expired'

function waiting({ state }: IntentSighting): IntentReason {
  if (state === null) return { code: 'not_listed' }
  if (state === 'prepared' || state === 'expired') return { code: 'listed_unsent', state }
  return { code: 'listed_without_transaction', state }
}
