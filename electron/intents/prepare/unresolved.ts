import type { Failure } from '../../../shared/ipc/failure.ts'
import { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { subjectOf } from '../../../shared/ticket/actions/check-action.ts'
import { factsOfDelegated } from '../../../shared/ticket/delegated/delegated-facts.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import { isTradingIntent } from '../engine/own-intents.ts'
import { isPassed, wayOutAt } from '../engine/way-out.ts'

/** null: what it does cannot be read, so it may be anything. */
function subjectsOf(row: IntentRow): readonly (string | null)[] | null {
  if (row.way === 'executor') {
    const delegated = readRecord(DelegatedTicket, row.ticket)
    return delegated === null ? null : factsOfDelegated(delegated).map(({ subject }) => subject)
  }
  const ticket = readRecord(OrderTicket, row.ticket)
  return ticket === null ? null : [subjectOf(ticket)]
}

const doesOneOf = (row: IntentRow, subjects: readonly string[]): boolean =>
  subjects.length > 0 && (subjectsOf(row)?.some((subject) => subject !== null && subjects.includes(subject)) ?? true)

/** What an order is told that waits for an UNKNOWN one: to wait, or to ask the user once (`intents.settle`). */
export const heldByUnknown = (row: IntentRow, nowMs: number): Failure => ({
  ...{ kind: 'held_back', why: row.state === 'UNKNOWN' && nowMs >= wayOutAt(row) ? 'unknown_intent_old' : 'unknown_intent', intentRef: row.ref },
})

/** An intent of the wallet, by whichever way, that does one of these things and of which nobody knows what became. `journal` is the whole one. */
export function unresolvedIntent(
  journal: Pick<Journal, 'intents' | 'records'>,
  profileId: string,
  wallet: string,
  subjects: readonly string[],
): IntentRow | null {
  const unresolved = (row: IntentRow) =>
    row.wallet === wallet && (row.state === 'UNKNOWN' || row.state === 'SENT') && isTradingIntent(row) && !isPassed(journal, row)
  return journal.intents.open(profileId).find((row) => unresolved(row) && doesOneOf(row, subjects)) ?? null
}
