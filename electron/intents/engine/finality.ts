import { limits } from '../../../shared/api/limits.ts'
import { spelledWords } from '../../../shared/api/names/name-words.ts'
import { never, readTime } from '../../../shared/api/reader/units.ts'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { stateOfTransaction } from '../../../shared/ipc/intents/intent-states.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { parseTypedData, type TypedLeaf } from '../../../shared/signing/message/typed-data.ts'
import { latestDeadline, readFinality } from '../../../shared/signing/prepared-action.ts'
import { day, hour, minute } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import { takenBack } from '../../wallet/chain/follow-transaction.ts'
import type { PartsWith } from './engine-parts.ts'
import { isUnknown } from './intent-calls.ts'

/**
 * Words in field names that mark a deadline. The API document does not define the messages’ types, so this list is broad. A wrong match only makes
 * the app wait longer.
 */
const endWords: ReadonlySet<string> = new Set(['deadline', 'expiry', 'expire', 'expires', 'expiration', 'until', 'till', 'end', 'ends', 'after'])

const isEndName = (names: readonly string[]): boolean => names.some((name) => spelledWords(name).some((word) => endWords.has(word)))

/** The time (Unix ms) in a field: a number in any unit, or a text. */
const timeOf = (value: TypedLeaf['value']) => readTime(/^\d+$/.test(String(value)) ? Number(value) : value)

/** The deadlines (Unix ms) that a field may state, whose name marks a deadline. `Infinity`: there is no deadline. */
function endsOf(value: TypedLeaf['value'], fromMs: number): readonly number[] {
  const read = timeOf(value)
  if (read === never) return [Number.POSITIVE_INFINITY]
  const date = /^\d+$/.test(String(value)) ? Number.NaN : Date.parse(String(value))
  // The value may be a duration or a block number, so the deadline is unknown. Assume a day, because a genuine message is valid for at most a day.
  return [read ?? fromMs + day, date].filter((atMs) => !Number.isNaN(atMs))
}

/**
 * All deadlines in a message (Unix ms): the values of fields whose names mark a deadline. If no field has such a name, all values that are times
 * within a day of `fromMs`.
 */
function endsOfMessage(leaves: readonly TypedLeaf[], fromMs: number): readonly number[] {
  const written = leaves.filter(({ value }) => typeof value !== 'boolean' && value !== '')
  const named = written.filter(({ names }) => isEndName(names))
  if (named.length > 0) return named.flatMap(({ value }) => endsOf(value, fromMs))
  const times = written.map(({ value }) => timeOf(value)).filter((atMs) => typeof atMs === 'number')
  return times.filter((atMs) => atMs >= fromMs && atMs <= fromMs + day)
}

/**
 * The time (Unix ms, service’s clock) after which an intent cannot be executed. It is the latest of `expires_at_ms`, `execution.deadline`, and the
 * deadlines of the transactions and of the signed message (States and transitions). At the earliest, it is the creation time plus the longest
 * documented lifetime. `Infinity` if the message never expires.
 */
export function lastDeadline({ prepared, typedData, createdAtMs }: Pick<IntentRow, 'prepared' | 'typedData' | 'createdAtMs'>): number {
  const read = readRecord(PreparedAction, prepared)
  // The stored preparation is damaged, so its deadlines are unknown. Assume the longest possible lifetime, a day.
  const named = read !== null ? latestDeadline(read) : prepared === null ? null : createdAtMs + day
  const message = typedData === null ? null : parseTypedData(typedData)
  const ends = message?.ok === true ? endsOfMessage(message.value.leaves, createdAtMs) : []
  return Math.max(createdAtMs + limits.preparedLifetimeMs.signedIntent, named ?? 0, ...ends)
}

/**
 * If an intent is not found, the app looks for it until this long (ms) after its last deadline. The service may still have to index blocks from
 * before the deadline.
 */
const lookUpMarginMs = minute

/**
 * Whether an intent can no longer be executed, and all blocks that may contain it are indexed. False while the service’s time is unknown, because a
 * wrong computer clock must not end an open intent.
 */
export const isDead = (row: IntentRow, clock: ServiceClock): boolean => clock.known() && clock.now() > lastDeadline(row) + lookUpMarginMs

/**
 * How long (ms) an executor order whose answer was lost may still be executed. The service remembers idempotency keys for 24 hours (Idempotency rules
 * 2), plus a margin.
 */
export const executionLivesMs = day + hour

const followable: readonly IntentState[] = ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED']

/**
 * Creates a function that reads the finality of an intent’s transaction and moves the intent to the matching state. After a reorganisation, it
 * moves even a FINAL intent back. If no node knows the transaction and the intent can no longer be executed, the intent becomes EXPIRED. A failed
 * call and an undocumented finality value leave the state unchanged; the value is stored. `finalReason`: why only a part of a FINAL intent was
 * executed; null otherwise.
 */
export function createFollowFinality({ repository, calls, clock }: PartsWith<'repository' | 'clock', 'finality'>) {
  /**
   * Whether the intent can no longer be executed. True for an executor’s order that has no command id and is too old, and for any other intent
   * after its deadline. False while the service’s time is unknown, because a wrong computer clock must not end an open intent.
   */
  const isOver = (row: IntentRow): boolean => {
    const { way, commandId, createdAtMs } = row
    if (way === 'executor') return commandId === null && clock.known() && clock.now() > createdAtMs + executionLivesMs
    return (way === 'signed_intent' || way === 'permit_deposit') && isDead(row, clock)
  }

  return async (row: IntentRow, finalReason: IntentReason | null = null): Promise<IntentRow> => {
    if (row.txHash === null || !followable.includes(row.state)) return row
    const answer = await calls.finality(row, row.txHash)
    if (!answer.ok) {
      if (!isUnknown(answer.failure)) return row
      if (row.state === 'SUBMITTED')
        return isOver(row) ? repository.move(row.ref, 'EXPIRED', { reason: { code: 'gone_from_chain' } }, { code: 'unknown_to_nodes' }) : row
      return repository.move(row.ref, 'SUBMITTED', { confirmations: 0, finality: null, reason: takenBack }, noteOf(takenBack))
    }
    const { finality, raw, confirmations } = readFinality(answer.value)
    if (finality === 'other')
      return raw === row.finality && confirmations === row.confirmations ? row : repository.change(row.ref, { finality: raw, confirmations })
    // The API document does not define the order of the values, so any state may follow any other (FLOW-06).
    const next = stateOfTransaction[finality]
    // Do not store further confirmations of a final or reverted intent. Each write would prolong the time for which the app watches the intent.
    if (next === row.state && (next === 'FINAL' || next === 'REVERTED')) return row
    if (next === row.state)
      return confirmations === row.confirmations && row.finality === null ? row : repository.change(row.ref, { confirmations, finality: null })
    const back = row.state === 'FINAL' || row.state === 'REVERTED' || next === 'SUBMITTED'
    const reason: IntentReason | null = next === 'REVERTED' ? { code: 'reverted' } : next === 'FINAL' ? finalReason : back ? takenBack : null
    return repository.move(row.ref, next, { confirmations, finality: null, reason }, reason === null ? undefined : noteOf(reason))
  }
}
