import type { IntentState } from '../../../../shared/ipc/intents/orders.ts'
import type { PlainReason } from '../../../../shared/ipc/intents/reasons.ts'
import { second } from '../../../../shared/time.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import { createFollowFinality, type FinalityDeps } from '../../engine/finality.ts'
import { createLookUp, type LookUpDeps } from '../../engine/look-up.ts'
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
