import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { subjectOf } from '../../../shared/ticket/actions/check-action.ts'
import { day, minute } from '../../../shared/time.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import type { PartsWith } from './engine-parts.ts'
import { lastDeadline } from './finality.ts'
import { isTradingIntent, subjectsOfDelegated } from './intent-facts.ts'

/** How long (ms) after an UNKNOWN order’s last deadline the user must wait before deciding its outcome. */
const resolvableMs = 10 * minute

/**
 * The time (Unix ms) from which the user may decide the order’s outcome: `resolvableMs` after its last deadline. At the latest, a day plus
 * `resolvableMs` after its creation.
 */
export const resolvableAt = (row: IntentRow): number => Math.min(lastDeadline(row), row.createdAtMs + day) + resolvableMs

const passKey = ({ profileId, ref }: IntentRow) => ({ profile: profileId, ref })
/** Whether the user allowed further orders although this order’s outcome is unknown. */
export const isPassed = (journal: Pick<Journal, 'records'>, row: IntentRow): boolean => journal.records.passed.read(passKey(row)) !== null

/**
 * Handles UNKNOWN orders whose outcome the app cannot find: shows the evidence to the user and stores the user’s decision (FLOW-07). `look` looks up
 * the order once, which may show the order’s outcome.
 */
export function createResolveUnknown(
  { journal, repository, calls, clock }: PartsWith<'journal' | 'repository' | 'clock', 'observation' | 'trace' | 'positions'>,
  look: (row: IntentRow) => Promise<IntentRow>,
) {
  const evidence = async (row: IntentRow): Promise<OrderEvidence> => {
    const [observation, trace, positions] = await Promise.all([
      row.intentId === null ? null : calls.observation(row),
      calls.trace(row),
      row.pairId === null ? null : calls.positions(row),
    ])
    const last = lastDeadline(row)
    const matching =
      positions?.ok === true ? (positions.value?.filter(({ pairId, side }) => pairId === row.pairId && (row.side === null || side === row.side)) ?? null) : null
    const isRead = observation?.ok === true && (observation.value.state !== null || observation.value.whole)
    return {
      listed: observation === null ? null : observation.ok ? { read: isRead, state: observation.value.state } : { read: false, state: null },
      shownAs: trace.ok ? (trace.value.by ?? (trace.value.whole ? 'nothing' : 'unread')) : 'unread',
      positions: matching === null ? null : matching.map(({ side, size }) => ({ side, size })),
      usableUntilMs: Number.isFinite(last) ? last : null,
      resolvableFromMs: resolvableAt(row),
      passed: isPassed(journal, row),
    }
  }

  const resolve = async (given: IntentRow, outcome: 'carried_out' | 'not_carried_out' | 'pass'): Promise<Result<Intent, Failure>> => {
    if (given.state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state: given.state, wanted: 'UNKNOWN' })
    if (!clock.known() || clock.now() < resolvableAt(given)) return fail({ kind: 'too_early', fromMs: resolvableAt(given) })
    if (outcome === 'pass') {
      journal.records.passed.write(passKey(given), clock.now())
      return ok(repository.view(repository.remark(given, { code: 'user_passed' })))
    }
    // Look up the order first, because the service’s report takes precedence over the user’s answer.
    const row = await look(given)
    if (row.state !== 'UNKNOWN') return ok(repository.view(row))
    if (outcome === 'not_carried_out') {
      const trace = await calls.trace(row)
      if (trace.ok && trace.value.by !== null) return fail({ kind: 'contradicted', by: trace.value.by })
    }
    const isDone = outcome === 'carried_out'
    const reason: IntentReason = { code: isDone ? 'user_carried_out' : 'user_not_carried_out' }
    const open = repository.transactionsOf(row.ref).find(({ state }) => state === 'unknown')
    const ended =
      open === undefined
        ? repository.move(row.ref, isDone ? 'FINAL' : 'EXPIRED', { reason }, noteOf(reason))
        : isDone
          ? repository.changeTransaction(row, open.position, { state: 'final', reason }, noteOf(reason))
          : repository.endTransaction(row, open.position, 'EXPIRED', reason, noteOf(reason))
    return ok(repository.view(await ended))
  }

  return { evidence, resolve }
}

/** Whether an intent changes one of these positions and orders. True if its ticket is unreadable, because the intent may then change any of them. */
function changesOneOf(row: IntentRow, subjects: readonly string[]): boolean {
  if (row.way === 'executor') {
    const delegated = readRecord(DelegatedTicket, row.ticket)
    return delegated === null || subjectsOfDelegated(delegated).some((subject) => subjects.includes(subject))
  }
  const ticket = readRecord(OrderTicket, row.ticket)
  const subject = ticket === null ? null : subjectOf(ticket)
  return ticket === null || (subject !== null && subjects.includes(subject))
}

/**
 * The failure for a new order that the UNKNOWN order `row` blocks. It asks the user to wait. After `resolvableAt`, it asks the user to decide the
 * outcome of the UNKNOWN order (`intents.resolve`).
 */
export const heldByUnknown = (row: IntentRow, nowMs: number): Failure => ({
  ...{ kind: 'held_back', why: row.state === 'UNKNOWN' && nowMs >= resolvableAt(row) ? 'unknown_intent_old' : 'unknown_intent', intentRef: row.ref },
})

/**
 * Finds an intent of the wallet that changes one of these positions or orders and whose outcome is unknown. `journal` must contain the intents of
 * all execution methods.
 */
export function unresolvedIntent(
  journal: Pick<Journal, 'intents' | 'records'>,
  profileId: string,
  wallet: string,
  subjects: readonly string[],
): IntentRow | null {
  if (subjects.length === 0) return null
  const unresolved = (row: IntentRow) =>
    row.wallet === wallet && (row.state === 'UNKNOWN' || row.state === 'SENT') && isTradingIntent(row) && !isPassed(journal, row)
  return journal.intents.open(profileId).find((row) => unresolved(row) && changesOneOf(row, subjects)) ?? null
}
