import { type DelegatedStatus, unknownOfDelegated } from '../../../../shared/api/schemas/intents.ts'
import type { SentField } from '../../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import { type IntentReason, type PlainReason, type StepNote, said } from '../../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { hour, minute } from '../../../../shared/time.ts'
import { outcomeOf, resent } from '../../../service/api/call-outcome.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import { taught } from '../../../service/field-names/named-call.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import { heldBack, type IntentRow, type Journal } from '../../../store/journal/journal.ts'
import type { ExecutionRecord } from '../../../store/records/intent-records.ts'
import type { PartsWith } from '../../engine/engine-parts.ts'
import { createFollowFinality, executionLivesMs } from '../../engine/finality.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { clientOrderIdsOf, endsRiskOf } from '../../engine/intent-facts.ts'
import type { IntentMethod } from '../../engine/tracker.ts'
import { everyMs } from '../signed/signed.ts'

/**
 * How long (ms) after its creation the app may resend an order whose answer was lost. Resending may execute the order, so later only the user may
 * resend it.
 */
const promptMs = minute
/**
 * How long (ms) after its creation the user may resend an order. The service remembers idempotency keys for 24 hours (Idempotency rules 2). An hour
 * is left because clocks may differ.
 */
export const replayableMs = 23 * hour

export interface ExecutorMethodDeps extends PartsWith<'repository' | 'clock' | 'sleep', 'execute'> {
  readonly journal: Pick<Journal, 'state' | 'trouble' | 'records'>
  /**
   * Background calls at the polling rate, which read an order’s progress. To resend an order, the app uses `calls` instead, because the user waits.
   */
  readonly polled: Pick<IntentCalls, 'commandStatus' | 'listsOrder' | 'finality'>
  readonly credentials: Pick<Credentials, 'forKey'>
}

export const recordOf = ({ records }: Pick<Journal, 'records'>, { profileId, ref }: IntentRow): ExecutionRecord | null =>
  records.executions.read({ profile: profileId, ref })

/** Sends executor orders, follows their progress, and finds the outcome of orders whose answer was lost. */
export function createExecutorMethod({ journal, repository, calls, polled, credentials, clock, sleep }: ExecutorMethodDeps) {
  const { executions } = journal.records
  const followFinality = createFollowFinality({ repository, calls: polled, clock })

  /** Stores the service’s results for each action. Returns whether anything has changed except the time of reading. */
  const learn = (row: IntentRow, status: DelegatedStatus, readAtMs: number): boolean => {
    const before = recordOf(journal, row)
    if (before === null) return false
    const next: ExecutionRecord = {
      ...before,
      state: status.state,
      reason: status.reason,
      // If the service does not number the results, use their position in the list.
      items: (status.results ?? []).map(({ index, state, reason, orderId, positionId }, place) => ({
        ...{ index: index ?? place, state, reason, orderId, positionId },
      })),
      unknownFields: unknownOfDelegated(status),
      readAtMs: before.readAtMs,
    }
    if (JSON.stringify(next) === JSON.stringify(before) && before.readAtMs !== null) return false
    executions.write({ profile: row.profileId, ref: row.ref }, { ...next, readAtMs })
    return true
  }

  const accepted = (ref: string, { delegated }: { readonly delegated: { readonly commandId: string | null; readonly txHash: string | null } | null }) => {
    const { commandId, txHash } = delegated ?? { commandId: null, txHash: null }
    if (commandId === null && txHash === null) return repository.move(ref, 'UNKNOWN', { reason: { code: 'execution_untraceable' } })
    const note: StepNote = commandId === null ? { code: 'taken_without_command' } : { code: 'command', id: commandId }
    return repository.move(ref, 'SUBMITTED', { commandId, txHash, reason: null }, note)
  }

  /**
   * Sends the same bytes again for an UNKNOWN intent (Idempotency rules 6). A refusal of this second request proves nothing about the first one
   * (Idempotency rules 5).
   */
  const replay = async (row: IntentRow, credential: KeyCredential): Promise<IntentRow> => {
    const answer = await calls.execute(row, credential, 'user')
    if (!answer.ok) return repository.note(row, { code: 'execution_asked_again' })
    const { delegated } = answer.value.value
    return delegated?.commandId == null && delegated?.txHash == null ? row : accepted(row.ref, answer.value.value)
  }

  /** The key that sent the execution; null if it is no longer usable on this computer. */
  const keyOf = async (row: IntentRow): Promise<KeyCredential | null> => {
    const record = recordOf(journal, row)
    const key = record === null ? null : await credentials.forKey(row.wallet, record.keyId)
    return key?.ok === true ? key.value : null
  }

  /**
   * Reads a command’s status, stores the result of each action, and follows the transaction to FINAL (Flow rules 6, FLOW-06). The window shows an
   * unknown state unchanged. Neither an unknown state nor a failed call changes the intent’s state.
   */
  const follow = async (row: IntentRow): Promise<IntentRow> => {
    if (row.commandId === null) return followFinality(row)
    const answer = await polled.commandStatus(row, row.commandId)
    if (!answer.ok) {
      const { kind } = answer.failure.failure
      if (row.state === 'SUBMITTED' && (kind === 'api_key_required' || kind === 'scope_missing')) return repository.note(row, { code: 'no_key_to_read' })
      return followFinality(row)
    }
    const status = answer.value.value
    const isNew = learn(row, status, answer.value.receivedAtMs)
    const hash = status.txHash ?? row.txHash
    const known = isNew || hash !== row.txHash ? repository.change(row.ref, { txHash: hash }) : row
    const { state } = status
    if (state?.toLowerCase() !== 'failed') {
      const partly = partialReason(status)
      const followed = await followFinality(known, partly)
      return partly !== null && (followed.state === 'CONFIRMING' || followed.state === 'FINAL') ? repository.note(followed, partly) : followed
    }
    const raw = status.reason ?? status.results?.find(({ reason }) => reason !== null)?.reason ?? null
    const reason: IntentReason = { code: 'nothing_executed', raw }
    // An execution without a transaction hash never reached the chain, so a reorganisation cannot affect it.
    if (known.txHash === null) return known.state === 'SUBMITTED' ? repository.move(row.ref, 'REFUSED', { reason }, said(state)) : known
    return known.state === 'REVERTED' ? known : repository.move(row.ref, 'REVERTED', { reason }, said(state))
  }

  /**
   * Finds the outcome of an UNKNOWN execution. In the first minute, the app sends the same bytes again. The exchange then repeats its first answer,
   * or executes a request that never arrived. Later, the app sends nothing automatically, because an order must not be executed hours later.
   * Instead, it searches the wallet’s orders, and the user may resend the request. The lists contain no transaction, so an order that has been
   * listed for a minute counts as final. The execution expires once the service has forgotten its idempotency key.
   */
  const lookUp = async (row: IntentRow): Promise<IntentRow> => {
    const age = clock.now() - row.createdAtMs
    const answered = row.reason?.code === 'execution_unreadable' || row.reason?.code === 'execution_listed'
    // Never resend an order that came from a backup (`restored`). The computer that made the backup may still resend it.
    if (age < promptMs && !answered && row.reason?.code !== 'restored') {
      const key = await keyOf(row)
      if (key !== null) return replay(row, key)
    }
    const ids = clientOrderIdsOf(row)
    const listed = ids.length === 0 ? null : await polled.listsOrder(row, ids)
    if (listed?.ok === true && listed.value) {
      // The list contains no block number. An order that is still listed after a minute counts as final, because the list would drop an order that
      // a reorganisation removed.
      const isLasting = row.reason?.code === 'execution_listed' && clock.now() - row.updatedAtMs > minute
      if (!isLasting) return repository.note(row, { code: 'execution_listed' })
      return repository.move(row.ref, 'FINAL', { reason: { code: 'execution_listed_final' } }, { code: 'found_in_orders' })
    }
    if (age > executionLivesMs && clock.known()) return repository.move(row.ref, 'EXPIRED', { reason: { code: 'execution_over' } })
    return row.reason?.code === 'execution_unreadable' || row.reason?.code === 'restored' ? row : repository.note(row, { code: 'execution_awaited' })
  }

  const method: IntentMethod = {
    everyMs,
    lookUp: (row) => (row.state === 'UNKNOWN' ? lookUp(row) : follow(row)),
    // An execution has no deadline of its own. It stays open until the service forgets its idempotency key, after a day.
    late: async (row) => row,
    recover: async (row) => {
      if (row.state === 'PLANNED') return repository.found(row, 'CANCELLED', 'stopped_before_execution')
      return row.state === 'SENT' ? repository.found(row, 'UNKNOWN', 'stopped_before_execution_answer') : row
    },
  }
  return {
    ...method,
    keyOf,
    replay,
    /** Sends a PLANNED intent for the first time. `sent`: the fields of the request whose names the API document does not show. */
    send: async (row: IntentRow, credential: KeyCredential, sent: readonly SentField[]): Promise<Result<IntentRow, Failure>> => {
      const { ref } = row
      // Write the journal before sending the request, because from then on the executor may have the order.
      await repository.move(ref, 'SENT', { reason: null }, { code: 'to_executor' })
      if (journal.state() === 'memory_only' && !endsRiskOf(row)) {
        await repository.move(ref, 'CANCELLED', { reason: { code: 'execution_disk_full' } })
        return fail(heldBack(journal))
      }
      const pressed = endsRiskOf(row) ? 'exit' : 'user'
      const { answer, lost } = await resent(pressed, (urgency) => calls.execute(row, credential, urgency), sleep)
      if (answer.ok) return ok(await accepted(ref, answer.value.value))
      const { failure } = answer.failure
      const outcome = outcomeOf(answer.failure)
      // The service validates the body before it checks the idempotency key. So if it refuses a retry, the lost first request may still have
      // succeeded.
      if (lost || outcome === 'unknown') {
        // After an unreadable answer, the app does not resend the request, because it would get the same answer. It only looks for the outcome.
        const code = failure.kind === 'unreadable' ? 'execution_unreadable' : 'execution_lost'
        return ok(await repository.move(ref, 'UNKNOWN', { reason: { code } }, said(failure.kind)))
      }
      if (outcome === 'not_sent') {
        await repository.move(ref, 'CANCELLED', { reason: { code: 'execution_not_reached' } }, said(failure.kind))
        return fail(failure)
      }
      await repository.move(ref, 'REFUSED', { reason: refusedFor(failure) }, said(failure.kind))
      return fail(taught(answer.failure, sent))
    },
  }
}

function partialReason({ state, results }: DelegatedStatus): IntentReason | null {
  if (state?.toLowerCase() !== 'partially_executed') return null
  const all = results ?? []
  if (all.length === 0) return { code: 'execution_unnamed_part' }
  const failed = all.filter((result) => result.state?.toLowerCase() === 'failed')
  return { code: 'partly_executed', actions: all.length, failed: failed.length, raw: failed[0]?.reason ?? null }
}

/** The reasons for refusals that the app can explain. */
const refusals: Partial<Readonly<Record<Failure['kind'], PlainReason>>> = {
  executor_required: 'no_executor',
  idempotency_conflict: 'execution_key_conflict',
  rate_limited: 'execution_rate_limited',
}

function refusedFor(failure: Failure): IntentReason {
  const code = refusals[failure.kind]
  return code === undefined ? { code: 'execution_refused', by: failure.kind === 'refused' ? failure.code : null } : { code }
}
