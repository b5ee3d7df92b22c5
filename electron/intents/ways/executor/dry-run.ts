import { namedDelegated, sentByExecute, sentName } from '../../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { DryRun } from '../../../../shared/ipc/intents/execution.ts'
import { leavesUnknown } from '../../../../shared/ipc/intents/leaves-unknown.ts'
import type { DelegatedTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { delegatedBody } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import type { FieldMapBook } from '../../../service/field-names/field-map.ts'
import { taught } from '../../../service/field-names/taught.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import type { ExecutionCalls } from './execution-calls.ts'

interface DryRunDeps {
  readonly calls: ExecutionCalls
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
