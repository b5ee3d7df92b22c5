import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, type PlainReason, sameReason } from '../../../../shared/ipc/intents/reasons.ts'
import { minute, second } from '../../../../shared/time.ts'
import type { ServiceClock } from '../../../service/api/vital-signs.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import { createFollowFinality, type FinalityDeps, isDead } from '../../engine/finality.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { IntentCalls, IntentSighting } from '../../engine/intent-calls.ts'
import type { Way } from '../../engine/tracker.ts'

/** States in which the service is asked what became of an intent that another one broadcasts, and how often. */
const pace: Partial<Readonly<Record<IntentState, number>>> = {
  SUBMITTED: second,
  CONFIRMING: second,
  FINAL: 5 * second,
  REVERTED: 5 * second,
  UNKNOWN: 5 * second,
}
export const everyMs = (state: IntentState): number | null => pace[state] ?? null

const lateReasons: Partial<Readonly<Record<IntentState, PlainReason>>> = {
  PREPARED: 'not_signed_in_time',
  ASKED: 'no_answer_in_time',
  SIGNED: 'signature_not_sent_in_time',
}

/**
 * What the wallet signs and the relay broadcasts. After a crash what was SENT may have been taken and is UNKNOWN until the service was asked; what was
 * SIGNED waits for the user's word; what was only asked for may still be answered until its deadline.
 */
export function createSignedWay(deps: FinalityDeps & LookUpDeps): Way {
  const { book } = deps
  const followFinality = createFollowFinality(deps)
  const lookUp = createLookUp(deps)
  return {
    everyMs,
    lookUp: (row) => (row.state === 'UNKNOWN' ? lookUp(row) : followFinality(row)),
    late: async (row) => {
      const code = lateReasons[row.state]
      return code === undefined ? row : book.move(row.ref, 'EXPIRED', { reason: { code } })
    },
    recover: async (row: IntentRow) => {
      switch (row.state) {
        case 'PLANNED':
          return book.move(row.ref, 'CANCELLED', { reason: { code: 'stopped_before_prepared' } }, { code: 'found_at_start' })
        case 'ASKED':
          // A signature kept a moment before the crash was not journalled as such: the wallet's late answer brings it again.
          await book.dropSignature(row.ref)
          return book.note(row, { code: 'stopped_while_asked' })
        case 'SIGNED':
          return book.note(row, { code: 'stopped_before_relay' })
        case 'SENT':
          return book.move(row.ref, 'UNKNOWN', { reason: { code: 'stopped_before_relay_answer' } }, { code: 'found_at_start' })
        default:
          return row
      }
    },
  }
}

interface LookUpDeps {
  readonly book: IntentBook
  readonly calls: Pick<IntentCalls, 'sighting' | 'trace'>
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
