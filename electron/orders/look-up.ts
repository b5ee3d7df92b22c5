import { minute } from '../../shared/time.ts'
import type { IntentRow } from '../journal/journal.ts'
import type { ServiceClock } from '../session/service-clock.ts'
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
  readonly calls: Pick<OrderCalls, 'sighting'>
  readonly clock: ServiceClock
}

/**
 * Asks what became of an UNKNOWN intent: `/orders/by-client-id`, then `/transactions` (FLOW-07). With a transaction it goes on to be
 * followed; unseen beyond its last deadline and a margin it is EXPIRED; otherwise it stays UNKNOWN and says why. Sends nothing.
 */
export function createLookUp({ book, calls, clock }: LookUpDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.state !== 'UNKNOWN') return row
    const answer = await calls.sighting(row)
    if (!answer.ok) {
      return book.note(row, 'It could not be looked up: the service did not answer. It is looked up again by itself.')
    }
    const sighting = answer.value
    if (sighting.txHash !== null)
      return book.move(row.ref, 'SUBMITTED', { txHash: sighting.txHash, reason: null }, `found: ${sighting.state ?? 'with a transaction'}`)
    if (sighting.state === 'reverted') return book.move(row.ref, 'REVERTED', { reason: 'It was sent and reverted on chain.' }, 'found: reverted')

    if (isDead(row, clock) && neverSent(sighting)) {
      return book.move(
        row.ref,
        'EXPIRED',
        { reason: 'The relay never took it, and it can no longer be executed.' },
        `looked up: ${sighting.state ?? 'not there'}`,
      )
    }
    return book.note(row, waiting(sighting))
  }
}

const neverSent = ({ state }: IntentSighting): boolean => state === null || state === 'prepared' || state === 'expired'

function waiting({ state }: IntentSighting): string {
  if (state === null) return 'The service does not list it. Until its deadline and a margin have passed it may still appear.'
  if (state === 'prepared' || state === 'expired')
    return `The service lists it as ${state}. Until its deadline and a margin have passed it may still be executed.`
  return `The service lists it as ${state}, without a transaction yet.`
}
