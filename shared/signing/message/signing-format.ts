import { limits } from '../../api/limits.ts'
import type { LineValue } from '../../ipc/intents/comparison-lines.ts'
import { messageTime } from '../wording.ts'
import type { TypedLeaf } from './typed-data.ts'

/** The unit of a number. `bps`: hundredths of a percent. */
export type FieldUnit = 'usdc' | 'price' | 'times' | 'base' | 'bps'

/**
 * What a value that was not requested may be in later messages. empty: an empty value. fixed: the same value. random: bytes that differ each time,
 * such as a salt. time: a time close to now. Anything else needs confirmation again.
 */
type ValueRule = 'empty' | 'fixed' | 'random' | 'time'

/** The agreed meaning of one field of a signing format (FLOW-02). */
export interface PinnedField {
  /** For example `order.value`; `arg[2]` in calldata. */
  readonly path: string
  readonly type: string
  /** The ticket field that this field belongs to; null: not requested. */
  readonly role: string | null
  readonly unit: FieldUnit | null
  /** Decimals of an integer; null: not an integer, or no value was seen yet. */
  readonly scale: number | null
  /** What the field's numbers mean, for example `{ '0': 'long' }`; null: the field contains no word, or contains it as text. */
  readonly words: Readonly<Record<string, string>> | null
  /** The rule for a field without a role. */
  readonly rule: ValueRule | null
  /** For `fixed`: the value that was last agreed to, as text. */
  readonly value: string | null
  /** For `fixed`: the value per kind of order, if they differ, because the number may represent a word. */
  readonly values?: Readonly<Record<string, string>>
}

/** A signing format with the meaning of all its fields. */
export interface PinnedFormat {
  /** The kinds of order agreed to in this format, for example `market`. Each kind has its own fields. */
  readonly variants: readonly string[]
  readonly fields: readonly PinnedField[]
  /** Requested values that the format omits, by ticket field. Another value for one of these needs confirmation again. */
  readonly unsaid: Readonly<Record<string, string>>
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Whether a value is empty: 0, false, an empty text, the zero address, or zero bytes. */
export const isEmptyValue = (value: TypedLeaf['value']): boolean =>
  value === 0n || value === false || value === '' || value === zeroAddress || (typeof value === 'string' && /^0x0*$/.test(value))

/** Larger than any real amount, so a number from here on must be random. */
const smallestRandom = 2n ** 128n

/** Whether a number is a time close to now, such as a creation time or a deadline. */
function isAboutNow(value: bigint, nowMs: number): boolean {
  const atMs = messageTime(value)
  const span = 2 * limits.preparedLifetimeMs.signedIntent
  return atMs !== null && atMs >= nowMs - span && atMs <= nowMs + span
}

/** Derives the rule for a value that was not requested from the first value seen. */
export function ruleOf({ type, value }: Pick<TypedLeaf, 'type' | 'value'>, nowMs: number): ValueRule {
  if (isEmptyValue(value)) return 'empty'
  if (type === 'bytes32' && typeof value === 'string') return BigInt(value) >= smallestRandom && !/(?:00){8}$/.test(value) ? 'random' : 'fixed'
  if (typeof value !== 'bigint') return 'fixed'
  return isAboutNow(value, nowMs) ? 'time' : 'fixed'
}

/** Whether a value follows the agreed rule. */
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

/** The agreed meanings of a ticket field's numbers, at any path. */
export const wordsOf = (format: PinnedFormat | null | undefined, role: string): Readonly<Record<string, string>> =>
  Object.assign({}, ...(format?.fields ?? []).filter((field) => field.role === role).map(({ words }) => words ?? {}))

/**
 * Returns how a format stores a requested value that its messages omit, so that the app recognises the value next time. New app versions
 * read old formats, so never change a spelling here.
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
