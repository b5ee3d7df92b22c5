import { namedDelegated, type SentField, sentByExecute, sentName } from '../../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { DryRun } from '../../../../shared/ipc/intents/execution.ts'
import { leavesUnknown } from '../../../../shared/ipc/intents/leaves-unknown.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { DelegatedTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { delegatedBody } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import { hour, minute } from '../../../../shared/time.ts'
import { outcomeOf, resent } from '../../../service/api/call-outcome.ts'
import type { FieldMapBook } from '../../../service/field-names/field-map.ts'
import { taught } from '../../../service/field-names/named-call.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import { heldBack, type IntentRow, type Journal } from '../../../store/journal/journal.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { delegatedOf, endsRiskOnly } from '../../engine/intent-facts.ts'

/**
 * For so long after it was made an order whose answer was lost is sent again by itself. If the first sending never arrived, the replay is what
 * carries it out: later than this, that is the user's word, not the app's.
 */
export const promptMs = minute
/** Until then it may be sent again at all: the service remembers a key 24 hours, and clocks differ (Idempotency rules 2). */
export const replayableMs = 23 * hour

export interface Sending {
  /** The first sending of a PLANNED intent. `sent`: its fields whose names the document does not show. */
  send(row: IntentRow, credential: KeyCredential, sent: readonly SentField[]): Promise<Result<Intent, Failure>>
  /** The same bytes again, for an UNKNOWN one (Idempotency rules 6). Whatever refuses them says nothing of the first sending (rules 5). */
  replay(row: IntentRow, credential: KeyCredential): Promise<IntentRow>
}

interface SendingDeps {
  readonly journal: Pick<Journal, 'state' | 'trouble'>
  readonly book: IntentBook
  readonly calls: Pick<IntentCalls, 'execute'>
  readonly sleep: (ms: number) => Promise<void>
}

export function createSending({ journal, book, calls, sleep }: SendingDeps): Sending {
  const accepted = (ref: string, { delegated }: { readonly delegated: { readonly commandId: string | null; readonly txHash: string | null } | null }) => {
    const commandId = delegated?.commandId ?? null
    const txHash = delegated?.txHash ?? null
    return commandId === null && txHash === null
      ? book.move(ref, 'UNKNOWN', { reason: { code: 'execution_untraceable' } })
      : book.move(
          ref,
          'SUBMITTED',
          { commandId, txHash, reason: null },
          commandId === null ? { code: 'taken_without_command' } : { code: 'command', id: commandId },
        )
  }

  return {
    send: async (row, credential, sent) => {
      const { ref } = row
      // On disk before the request: whatever happens from here, the executor may have it.
      await book.move(ref, 'SENT', { reason: null }, { code: 'to_executor' })
      if (journal.state() === 'memory_only' && !endsRiskOnly(delegatedOf(row))) {
        await book.move(ref, 'CANCELLED', { reason: { code: 'execution_disk_full' } })
        return fail(heldBack(journal))
      }
      const pressed = endsRiskOnly(delegatedOf(row)) ? 'exit' : 'user'
      const { answer, lost } = await resent(pressed, (urgency) => calls.execute(row, credential, urgency), sleep)
      if (answer.ok) return ok(book.view(await accepted(ref, answer.value.value)))
      const { failure } = answer.failure
      const outcome = outcomeOf(answer.failure)
      // The body is validated before the key is looked up: a refused repetition proves nothing about a first sending that was lost.
      if (lost || outcome === 'unknown') {
        // Asking again for what was answered would bring the same answer: then it is only read what came of it.
        const code = failure.kind === 'unreadable' ? 'execution_unreadable' : 'execution_lost'
        return ok(book.view(await book.move(ref, 'UNKNOWN', { reason: { code } }, said(failure.kind))))
      }
      if (outcome === 'not_sent') {
        await book.move(ref, 'CANCELLED', { reason: { code: 'execution_not_reached' } }, said(failure.kind))
        return fail(failure)
      }
      await book.move(ref, 'REFUSED', { reason: refusedFor(failure) }, said(failure.kind))
      return fail(taught(answer.failure, sent))
    },
    replay: async (row, credential) => {
      const answer = await calls.execute(row, credential, 'user')
      if (!answer.ok) return book.note(row, { code: 'execution_asked_again' })
      const { delegated } = answer.value.value
      return delegated?.commandId == null && delegated?.txHash == null ? row : accepted(row.ref, answer.value.value)
    },
  }
}

function refusedFor(failure: Failure): IntentReason {
  switch (failure.kind) {
    case 'executor_required':
      return { code: 'no_executor' }
    case 'idempotency_conflict':
      return { code: 'execution_key_conflict' }
    case 'rate_limited':
      return { code: 'execution_rate_limited' }
    case 'refused':
      return { code: 'execution_refused', by: failure.code }
    default:
      return { code: 'execution_refused', by: null }
  }
}

interface DryRunDeps {
  readonly calls: Pick<IntentCalls, 'dryRun'>
  readonly fieldMap: Pick<FieldMapBook, 'names'>
  readonly newId: () => string
}

type Titled = readonly { readonly index: number; readonly action: string; readonly title: string }[]

/** Has the service validate a ticket without submitting it. The key is its own: one shared with the order would have the order answered with this. */
export function createDryRun({ calls, fieldMap, newId }: DryRunDeps) {
  return async (ticket: DelegatedTicket, titles: Titled, credential: KeyCredential): Promise<Result<DryRun, Failure>> => {
    const names = fieldMap.names()
    const body = delegatedBody(ticket, `desk-dry-${newId()}`, true)
    const answer = await calls.dryRun(namedDelegated(body, names), credential)
    if (answer.ok) {
      const { delegated, unknownFields } = answer.value.value
      const items = titles.map((title) => ({ ...title, verdict: 'valid' as const, issue: null }))
      return ok({ valid: true, failure: null, items, submittedCommandId: delegated?.commandId ?? null, unknownFields })
    }
    const failure = taught(answer.failure, sentByExecute(body, names))
    if (!judges(failure)) return fail(unlost(failure))
    const at = refusedAt(failure, ticket, sentName('batch', 'actions', names))
    return ok({
      valid: false,
      failure,
      items: titles.map((title) =>
        title.index === at
          ? { ...title, verdict: 'refused' as const, issue: failure.kind === 'refused' ? (failure.message ?? failure.code) : null }
          : { ...title, verdict: 'untold' as const, issue: null },
      ),
      submittedCommandId: null,
      unknownFields: null,
    })
  }
}

/** Whether it is about the order, rather than about the call. */
function judges(failure: Failure): boolean {
  switch (failure.kind) {
    case 'price_deviation':
    case 'market_data_stale':
      return true
    case 'refused':
      return failure.status !== 401 && failure.status !== 403 && failure.status < 500
    default:
      return false
  }
}

/** Nothing was to be carried out, so an answer that was lost or cannot be read leaves nothing unknown. */
const unlost = (failure: Failure): Failure =>
  leavesUnknown(failure)
    ? {
        kind: 'unreachable',
        ...(failure.kind === 'unreadable' ? { reason: 'malformed', status: failure.status } : { reason: 'timeout', status: null }),
        ...{ requestId: failure.requestId, route: failure.route },
      }
    : failure

/** The action that a refusal names, for example `payload.actions.1.payload.leverage`; null: it names none. */
function refusedAt(failure: Failure, ticket: DelegatedTicket, list: string): number | null {
  if (ticket.action !== 'batch') return 0
  if (failure.kind !== 'refused') return null
  // A name of letters, digits and underscores.
  const named = new RegExp(`\\b${list}[.[](\\d{1,2})`).exec(`${failure.message ?? ''} ${failure.raw ?? ''}`)?.[1]
  return named === undefined ? null : Number(named)
}
