import { type DelegatedStatus, unknownOfDelegated } from '../../../../shared/api/schemas/intents.ts'
import { type IntentReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import { minute } from '../../../../shared/time.ts'
import type { ServiceClock } from '../../../service/api/vital-signs.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import type { ExecutionRecord } from '../../../store/records/intent-records.ts'
import type { Records } from '../../../store/records/registry.ts'
import { executionLivesMs } from '../../engine/finality.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { clientOrderIdsOf } from '../../engine/intent-facts.ts'
import { promptMs, type Sending } from './send-execution.ts'

export interface ExecutionRecords {
  of(ref: string): ExecutionRecord | null
  /** Before anything is sent: a replay takes the same key (Idempotency rules 2). */
  begin(ref: string, key: Pick<ExecutionRecord, 'keyId' | 'keyLabel' | 'executor'>): void
  /** Gives whether anything but the time is new. */
  learn(ref: string, status: DelegatedStatus, readAtMs: number): boolean
}

const unread = { state: null, reason: null, items: [], unknownFields: null, readAtMs: null }

export function createExecutionRecords({ records, profileId }: { readonly records: Records; readonly profileId: string }): ExecutionRecords {
  const of = (ref: string): ExecutionRecord | null => records.executions.read({ profile: profileId, ref })
  const save = (ref: string, record: ExecutionRecord): void => records.executions.write({ profile: profileId, ref }, record)
  return {
    of,
    begin: (ref, key) => save(ref, { ...unread, ...key }),
    learn: (ref, status, readAtMs) => {
      const before = of(ref)
      if (before === null) return false
      const next: ExecutionRecord = {
        ...before,
        state: status.state,
        reason: status.reason,
        // By its place where the service does not number them.
        items: (status.results ?? []).map(({ index, state, reason, orderId, positionId }, place) => ({
          ...{ index: index ?? place, state, reason, orderId, positionId },
        })),
        unknownFields: unknownOfDelegated(status),
        readAtMs: before.readAtMs,
      }
      if (JSON.stringify(next) === JSON.stringify(before) && before.readAtMs !== null) return false
      save(ref, { ...next, readAtMs })
      return true
    },
  }
}

interface FollowDeps {
  readonly book: IntentBook
  readonly calls: Pick<IntentCalls, 'commandStatus'>
  readonly records: ExecutionRecords
  /** Asks for the finality of its transaction, and moves it there. */
  readonly followFinality: (row: IntentRow, finalReason?: IntentReason | null) => Promise<IntentRow>
}

/**
 * Asks what became of a command, keeps what it says of each action, then follows its transaction to FINAL (Flow rules 6, FLOW-06). A state that is
 * none of those assumed moves nothing and is shown as the service wrote it. A failed call moves nothing.
 */
export function createFollowCommand({ book, calls, records, followFinality }: FollowDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.commandId === null) return followFinality(row)
    const answer = await calls.commandStatus(row, row.commandId)
    if (!answer.ok) {
      const { kind } = answer.failure.failure
      if (row.state === 'SUBMITTED' && (kind === 'api_key_required' || kind === 'scope_missing')) return book.note(row, { code: 'no_key_to_read' })
      return followFinality(row)
    }
    const status = answer.value.value
    const isNew = records.learn(row.ref, status, answer.value.receivedAtMs)
    const hash = status.txHash ?? row.txHash
    const known = isNew || hash !== row.txHash ? book.change(row.ref, { txHash: hash }) : row
    if (status.state?.toLowerCase() !== 'failed') {
      const partly = partialReason(status)
      const followed = await followFinality(known, partly)
      return partly !== null && (followed.state === 'CONFIRMING' || followed.state === 'FINAL') ? book.note(followed, partly) : followed
    }
    const raw = status.reason ?? status.results?.find(({ reason }) => reason !== null)?.reason ?? null
    const reason: IntentReason = { code: 'nothing_executed', raw }
    // Without a transaction it never reached the chain, and no block can bring it back.
    if (known.txHash === null)
      return known.state === 'SUBMITTED' ? book.move(row.ref, 'REFUSED', { reason }, status.state === null ? undefined : said(status.state)) : known
    return known.state === 'REVERTED' ? known : book.move(row.ref, 'REVERTED', { reason }, status.state === null ? undefined : said(status.state))
  }
}

function partialReason({ state, results }: DelegatedStatus): IntentReason | null {
  if (state?.toLowerCase() !== 'partially_executed') return null
  const all = results ?? []
  if (all.length === 0) return { code: 'execution_unnamed_part' }
  const failed = all.filter((result) => result.state?.toLowerCase() === 'failed')
  return { code: 'partly_executed', actions: all.length, failed: failed.length, raw: failed[0]?.reason ?? null }
}

interface LookUpDeps {
  readonly book: IntentBook
  readonly calls: Pick<IntentCalls, 'listsOrder'>
  readonly records: ExecutionRecords
  readonly credentials: Credentials
  readonly replay: Sending['replay']
  readonly clock: ServiceClock
}

/** The key that an execution went with, as long as it can be used here. */
export async function keyOf(row: IntentRow, { records, credentials }: Pick<LookUpDeps, 'records' | 'credentials'>): Promise<KeyCredential | null> {
  const record = records.of(row.ref)
  if (record === null) return null
  const key = await credentials.forKey(row.wallet, record.keyId)
  return key.ok ? key.value : null
}

/**
 * What became of an UNKNOWN execution. While it is fresh the same bytes are sent again: the exchange gives its first answer, or carries out now
 * what it never got. Later nothing is sent by itself, since an order must not come to life hours after it was given: the wallet's orders are
 * looked through, and the user may have it sent again. An order that stands there a minute is final, as 8 blocks are: no list tells its transaction.
 * Once its key is forgotten it is over.
 */
export function createLookUpExecution({ book, calls, records, credentials, replay, clock }: LookUpDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.state !== 'UNKNOWN') return row
    const age = clock.now() - row.createdAtMs
    const answered = row.reason?.code === 'execution_unreadable' || row.reason?.code === 'execution_listed'
    if (age < promptMs && !answered) {
      const key = await keyOf(row, { records, credentials })
      if (key !== null) return replay(row, key)
    }
    const ids = clientOrderIdsOf(row)
    const listed = ids.length === 0 ? null : await calls.listsOrder(row, ids)
    if (listed?.ok === true && listed.value) {
      // Of an order no block is told: what a reorganisation may still take is gone from the list by then.
      const stands = row.reason?.code === 'execution_listed' && clock.now() - row.updatedAtMs > minute
      if (!stands) return book.note(row, { code: 'execution_listed' })
      return book.move(row.ref, 'FINAL', { reason: { code: 'execution_listed_final' } }, { code: 'found_in_orders' })
    }
    if (age > executionLivesMs && clock.known()) return book.move(row.ref, 'EXPIRED', { reason: { code: 'execution_over' } })
    return row.reason?.code === 'execution_unreadable' ? row : book.note(row, { code: 'execution_awaited' })
  }
}
