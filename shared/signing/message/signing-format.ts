import { limits } from '../../api/limits.ts'
import type { LineValue } from '../../ipc/intents/comparison-lines.ts'
import { messageTime } from '../wording.ts'
import type { TypedLeaf } from './typed-data.ts'

/** In what a number counts. `bps`: hundredths of a percent. */
export type FieldUnit = 'usdc' | 'price' | 'times' | 'base' | 'bps'

/**
 * What a value that nobody asked for may be from then on. empty: nothing. fixed: what it was. random: bytes that differ each time, such as a salt. time:
 * a time of about now. Anything else needs the user again.
 */
type ValueRule = 'empty' | 'fixed' | 'random' | 'time'

/** What one field of a signing format means, as it was agreed to (FLOW-02). */
export interface PinnedField {
  /** For example `order.value`; `arg[2]` in calldata. */
  readonly path: string
  readonly type: string
  /** The field of the ticket that it carries; null: nobody asked for it. */
  readonly role: string | null
  readonly unit: FieldUnit | null
  /** Decimals of an integer; null: it has none, or none was seen yet. */
  readonly scale: number | null
  /** What its numbers stand for, for example `{ '0': 'long' }`; null: it carries no word, or writes it out. */
  readonly words: Readonly<Record<string, string>> | null
  /** Of a field without a role. */
  readonly rule: ValueRule | null
  /** For `fixed`: the value as text, as it was agreed to last. */
  readonly value: string | null
  /** The same by the kind of order, where they differ: a number may stand for a word. */
  readonly values?: Readonly<Record<string, string>>
}

/** A signing format with the meaning of all its fields. */
export interface PinnedFormat {
  /** The kinds of order that were agreed to in it, for example `market`; each has fields of its own. */
  readonly variants: readonly string[]
  readonly fields: readonly PinnedField[]
  /** What was asked for and is not said in it, by ticket field: another value of these needs the user again. */
  readonly unsaid: Readonly<Record<string, string>>
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Says nothing: 0, false, no text, the zero address, zero bytes. */
export const isEmptyValue = (value: TypedLeaf['value']): boolean =>
  value === 0n || value === false || value === '' || value === zeroAddress || (typeof value === 'string' && /^0x0*$/.test(value))

/** No amount that exists is as large: such a number was made by chance. */
const smallestRandom = 2n ** 128n

/** When it was made, or until when it counts. */
function isAboutNow(value: bigint, nowMs: number): boolean {
  const atMs = messageTime(value)
  const span = 2 * limits.preparedLifetimeMs.signedIntent
  return atMs !== null && atMs >= nowMs - span && atMs <= nowMs + span
}

/** What a value that nobody asked for may be, judged by its first one. */
export function ruleOf({ type, value }: Pick<TypedLeaf, 'type' | 'value'>, nowMs: number): ValueRule {
  if (isEmptyValue(value)) return 'empty'
  if (type === 'bytes32' && typeof value === 'string') return BigInt(value) >= smallestRandom && !/(?:00){8}$/.test(value) ? 'random' : 'fixed'
  if (typeof value !== 'bigint') return 'fixed'
  return isAboutNow(value, nowMs) ? 'time' : 'fixed'
}

/** Whether a value is within what was agreed to. */
export function keepsRule(
  { rule, value, values }: PinnedField,
  leaf: TypedLeaf,
  { nowMs, variant }: { readonly nowMs: number; readonly variant: string },
): boolean {
  switch (rule) {
    case null:
      return false
    case 'empty':
      return isEmptyValue(leaf.value)
    case 'fixed':
      return String(leaf.value) === (values !== undefined && Object.hasOwn(values, variant) ? values[variant] : value)
    case 'random':
      return ruleOf(leaf, nowMs) === 'random'
    case 'time':
      return typeof leaf.value === 'bigint' && isAboutNow(leaf.value, nowMs)
  }
}

export const fieldAt = (format: PinnedFormat | null | undefined, { path, type }: Pick<TypedLeaf, 'path' | 'type'>): PinnedField | null =>
  format?.fields.find((field) => field.path === path && field.type === type) ?? null

/** What numbers of a ticket field were agreed to mean, wherever it stands. */
export const wordsOf = (format: PinnedFormat | null | undefined, role: string): Readonly<Record<string, string>> =>
  Object.assign({}, ...(format?.fields ?? []).filter((field) => field.role === role).map(({ words }) => words ?? {}))

/**
 * How a format stores what a message did not say, to recognise it the next time. Formats are kept across versions: never change a spelling here.
 */
export function storedAsked(value: LineValue): string {
  if (typeof value === 'string') return value
  switch (value.code) {
    case 'about':
      return `About ${value.value}`
    case 'at_most':
      return `At most ${value.value}`
    case 'gives':
      return value.gives === 'trading' ? 'Trading only' : 'Trading and collateral'
    case 'pair':
      return value.symbol ?? `Market ${value.pairId}`
    default:
      return Object.hasOwn(storedWords, value.code) ? (storedWords[value.code] ?? value.code) : JSON.stringify(value)
  }
}

const storedWords: Readonly<Record<string, string>> = {
  ...{ yes: 'Yes', no: 'No', none: 'None', long: 'Long', short: 'Short', market: 'Market', limit: 'Limit', stop: 'Stop' },
  ...{ cross: 'Cross', isolated: 'Isolated', as_it_is: 'As it is', whole_position: 'The whole position' },
  ...{ gtc: 'Good till cancelled', ioc: 'Immediate or cancel', fok: 'Fill or kill' },
}
