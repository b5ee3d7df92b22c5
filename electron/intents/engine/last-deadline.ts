import { limits } from '../../../shared/api/limits.ts'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { parseTypedData, type TypedLeaf } from '../../../shared/signing/message/typed-data.ts'
import { latestDeadline } from '../../../shared/signing/prepared-action.ts'
import { day } from '../../../shared/time.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'

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
