import { limits } from '../../../shared/api/limits.ts'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { parseTypedData, type TypedLeaf } from '../../../shared/signing/message/typed-data.ts'
import { type Finality, latestDeadline, readFinality } from '../../../shared/signing/prepared-action.ts'
import { day, hour, minute } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import { takenBack } from '../../wallet/chain/follow-transaction.ts'
import type { IntentBook } from './intent-book.ts'
import type { IntentCalls } from './intent-calls.ts'

/** Words of a field that says until when a message may be used. The types of a message are not shown, so one too many only waits longer. */
const endWords: ReadonlySet<string> = new Set(['deadline', 'expiry', 'expire', 'expires', 'expiration', 'until', 'till', 'end', 'ends', 'after'])

const isEndName = (names: readonly string[]): boolean =>
  names.some((name) =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split('_')
      .some((part) => endWords.has(part)),
  )

/** Years 2001 to 2262, in seconds. */
const calendar = { from: 978_307_200n, to: 9_223_372_036n } as const
const scales = [1n, 1_000n, 1_000_000n, 1_000_000_000n]

/** Unix seconds, milliseconds, microseconds or nanoseconds, told apart by size, in milliseconds; null: no time. */
function timeOf(value: bigint): number | null {
  const scale = scales.find((each) => value >= calendar.from * each && value <= calendar.to * each)
  return scale === undefined ? null : Number((value * 1_000n) / scale)
}

function integerOf(value: TypedLeaf['value']): bigint | null {
  if (typeof value === 'bigint') return value
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : null
}

/** The end that a field of this name sets; `Infinity`: none. */
function endOf(value: string | bigint, fromMs: number): number {
  const written = integerOf(value)
  if (written === 0n || (written !== null && written > calendar.to * 1_000_000_000n)) return Number.POSITIVE_INFINITY
  const atMs = written === null ? Date.parse(String(value)) : timeOf(written)
  // A span, the number of a block or another word: no honest message is good for longer than a day.
  return atMs === null || Number.isNaN(atMs) ? fromMs + day : atMs
}

/** The ends that a message sets itself, by the names of its fields; without such a name, by values that read as a time soon after `fromMs`. */
function endsOfMessage(leaves: readonly TypedLeaf[], fromMs: number): readonly number[] {
  const written = leaves.flatMap(({ names, value }) => (typeof value === 'boolean' ? [] : [{ names, value }]))
  const named = written.filter(({ names }) => isEndName(names))
  if (named.length > 0) return named.map(({ value }) => endOf(value, fromMs))
  return written.flatMap(({ value }) => {
    const integer = integerOf(value)
    const atMs = integer === null ? null : timeOf(integer)
    return atMs !== null && atMs >= fromMs && atMs <= fromMs + day ? [atMs] : []
  })
}

/**
 * When an intent can no longer be executed, in Unix ms of the service's time: the latest of `expires_at_ms`, `execution.deadline`, the deadlines of its
 * transactions and the one in the message that was signed (States and transitions). At least the longest documented lifetime after it was made.
 * `Infinity`: its message has no end.
 */
export function lastDeadline({ prepared, typedData, createdAtMs }: Pick<IntentRow, 'prepared' | 'typedData' | 'createdAtMs'>): number {
  const read = readRecord(PreparedAction, prepared)
  // Damaged, it may have said anything that a message may.
  const told = read !== null ? latestDeadline(read) : prepared === null ? null : createdAtMs + day
  const message = typedData === null ? null : parseTypedData(typedData)
  const ends = message?.ok === true ? endsOfMessage(message.value.leaves, createdAtMs) : []
  return Math.max(createdAtMs + limits.preparedLifetimeMs.signedIntent, told ?? 0, ...ends)
}

/**
 * How long after its last deadline an intent that nobody saw is taken for dead: the executor cannot use it after the deadline, blocks that hold
 * it need to be indexed first.
 */
const lookUpMarginMs = minute

/** Whether nothing can execute an intent any more, and blocks that did are indexed. A computer whose clock is wrong must not give up what is alive. */
export const isDead = (row: IntentRow, clock: ServiceClock): boolean => clock.known() && clock.now() > lastDeadline(row) + lookUpMarginMs

/** Where each finality leads. Transitions among them are not shown: any may follow any (FLOW-06). */
const stateOf: Readonly<Record<Exclude<Finality, 'other'>, IntentState>> = {
  pending: 'SUBMITTED',
  confirming: 'CONFIRMING',
  reverted: 'REVERTED',
  final: 'FINAL',
}

/** Beyond the 24 hours of its key an executor takes an order no more, and one that was lost is not carried out any more (Idempotency rules 2). */
export const executionLivesMs = day + hour

export interface FinalityDeps {
  readonly book: IntentBook
  readonly calls: Pick<IntentCalls, 'finality'>
  readonly clock: ServiceClock
}

const followable: readonly IntentState[] = ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED']

/**
 * Asks for the finality of an intent's transaction and moves it there, also back from FINAL when a reorganisation took the block away.
 * Where no node knows the transaction any more and the router would not take the intent any more either, it is EXPIRED.
 * `finalReason` is what is to be said of a FINAL that is not all of it. A value outside the document's is kept as the service wrote it and moves nothing. A failed call moves nothing.
 */
export function createFollowFinality({ book, calls, clock }: FinalityDeps) {
  /**
   * Beyond what the router holds to its last deadline, and what an executor took without a command that could tell its end. A computer whose clock
   * is wrong must not give up what is alive.
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
      const { failure } = answer.failure
      const unknownNow = failure.kind === 'refused' && failure.status === 404
      if (!unknownNow) return row
      if (row.state === 'SUBMITTED')
        return isOver(row) ? book.move(row.ref, 'EXPIRED', { reason: { code: 'gone_from_chain' } }, { code: 'unknown_to_nodes' }) : row
      return book.move(row.ref, 'SUBMITTED', { confirmations: 0, finality: null, reason: takenBack }, noteOf(takenBack))
    }
    const { finality, raw, confirmations } = readFinality(answer.value)
    if (finality === 'other') return raw === row.finality && confirmations === row.confirmations ? row : book.change(row.ref, { finality: raw, confirmations })
    const next = stateOf[finality]
    // Settled as it was: more confirmations are no news, and a write would keep it watched for ever.
    if (next === row.state && (next === 'FINAL' || next === 'REVERTED')) return row
    if (next === row.state) return confirmations === row.confirmations && row.finality === null ? row : book.change(row.ref, { confirmations, finality: null })
    const back = row.state === 'FINAL' || row.state === 'REVERTED' || next === 'SUBMITTED'
    const reason: IntentReason | null = next === 'REVERTED' ? { code: 'reverted' } : next === 'FINAL' ? finalReason : back ? takenBack : null
    return book.move(row.ref, next, { confirmations, finality: null, reason }, reason === null ? undefined : noteOf(reason))
  }
}
