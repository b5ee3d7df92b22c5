import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { subjectOf } from '../../../shared/ticket/actions/check-action.ts'
import { factsOfDelegated } from '../../../shared/ticket/delegated/delegated-facts.ts'
import { day, minute } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import { lastDeadline } from './finality.ts'
import type { IntentBook } from './intent-book.ts'
import type { IntentCalls } from './intent-calls.ts'
import { isTradingIntent } from './intent-facts.ts'
import type { SendingBook } from './sending-book.ts'

/** How long after its last deadline the user may settle an UNKNOWN order. */
const wayOutMs = 10 * minute

/** When the user may settle the order, Unix ms. A message without a deadline delays this by a day at most. */
export const wayOutAt = (row: IntentRow): number => Math.min(lastDeadline(row), row.createdAtMs + day) + wayOutMs

const passKey = ({ profileId, ref }: IntentRow) => ({ profile: profileId, ref })
/** Whether the user allowed new orders despite this UNKNOWN one. */
export const isPassed = (journal: Pick<Journal, 'records'>, row: IntentRow): boolean => journal.records.passed.read(passKey(row)) !== null

interface WayOutDeps {
  /** The whole journal, because it covers orders of every execution method. */
  readonly journal: Pick<Journal, 'records'>
  readonly book: IntentBook
  readonly sendings: Pick<SendingBook, 'of' | 'change' | 'end'>
  readonly calls: Pick<IntentCalls, 'observation' | 'trace' | 'positions'>
  /** Looks the order up once, which may settle it. */
  readonly look: (row: IntentRow) => Promise<IntentRow>
  readonly clock: ServiceClock
}

/** Lets the user settle an UNKNOWN order whose outcome can't be found: shows the evidence and records the user's answer (FLOW-07). */
export function createWayOut({ journal, book, sendings, calls, look, clock }: WayOutDeps) {
  const evidence = async (row: IntentRow): Promise<OrderEvidence> => {
    const [observation, trace, positions] = await Promise.all([
      row.intentId === null ? null : calls.observation(row),
      calls.trace(row),
      row.pairId === null ? null : calls.positions(row),
    ])
    const last = lastDeadline(row)
    const held =
      positions?.ok === true ? (positions.value?.filter(({ pairId, side }) => pairId === row.pairId && (row.side === null || side === row.side)) ?? null) : null
    const isRead = observation?.ok === true && (observation.value.state !== null || observation.value.whole)
    return {
      listed: observation === null ? null : observation.ok ? { read: isRead, state: observation.value.state } : { read: false, state: null },
      shownAs: trace.ok ? (trace.value.by ?? (trace.value.whole ? 'nothing' : 'unread')) : 'unread',
      positions: held === null ? null : held.map(({ side, size }) => ({ side, size })),
      usableUntilMs: Number.isFinite(last) ? last : null,
      settleFromMs: wayOutAt(row),
      passed: isPassed(journal, row),
    }
  }

  const settle = async (given: IntentRow, outcome: 'carried_out' | 'not_carried_out' | 'pass'): Promise<Result<Intent, Failure>> => {
    if (given.state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state: given.state, wanted: 'UNKNOWN' })
    if (!clock.known() || clock.now() < wayOutAt(given)) return fail({ kind: 'too_early', fromMs: wayOutAt(given) })
    if (outcome === 'pass') {
      journal.records.passed.write(passKey(given), clock.now())
      return ok(book.view(book.remark(given, { code: 'user_passed' })))
    }
    // What the service can say by now outweighs the user's answer.
    const row = await look(given)
    if (row.state !== 'UNKNOWN') return ok(book.view(row))
    if (outcome === 'not_carried_out') {
      const trace = await calls.trace(row)
      if (trace.ok && trace.value.by !== null) return fail({ kind: 'contradicted', by: trace.value.by })
    }
    const to = outcome === 'carried_out' ? 'FINAL' : 'EXPIRED'
    const reason: IntentReason = { code: outcome === 'carried_out' ? 'user_carried_out' : 'user_not_carried_out' }
    const open = sendings.of(row.ref).find(({ state }) => state === 'unknown')
    if (open === undefined) return ok(book.view(await book.move(row.ref, to, { reason }, noteOf(reason))))
    return ok(
      book.view(
        to === 'FINAL'
          ? await sendings.change(row, open.position, { state: 'final', reason }, noteOf(reason))
          : await sendings.end(row, open.position, { state: 'cancelled', reason }, 'EXPIRED', reason, noteOf(reason)),
      ),
    )
  }

  return { evidence, settle }
}

/** null if the ticket can't be read, so the intent may do anything. */
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

/** The failure for an order that an UNKNOWN one blocks: wait, or, after `wayOutAt`, ask the user once (`intents.settle`). */
export const heldByUnknown = (row: IntentRow, nowMs: number): Failure => ({
  ...{ kind: 'held_back', why: row.state === 'UNKNOWN' && nowMs >= wayOutAt(row) ? 'unknown_intent_old' : 'unknown_intent', intentRef: row.ref },
})

/**
 * An intent of the wallet, by any execution method, that acts on one of these subjects and whose outcome is unknown. `journal` must be the whole
 * journal.
 */
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
