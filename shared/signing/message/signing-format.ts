import { limits } from '../../api/limits.ts'
import { spelledWords } from '../../api/names/name-words.ts'
import type { LineValue } from '../../ipc/intents/comparison-lines.ts'
import { messageTime } from '../wording.ts'
import type { TypedLeaf } from './typed-data.ts'

/** The unit of a number. `bps`: basis points (hundredths of a percent). */
export type FieldUnit = 'usdc' | 'price' | 'times' | 'base' | 'bps'

/**
 * For a field that the user did not request: which values later messages may contain without a new question. empty: only an empty value. fixed: only
 * the accepted value. random: any bytes, such as a salt, because they differ each time. time: any time close to now.
 */
type ValueRule = 'empty' | 'fixed' | 'random' | 'time'

/** What the user accepted as the meaning of one field in a signing format (FLOW-02). */
export interface PinnedField {
  /** Path of the field, for example `order.value`; in a contract call, `arg[2]`. */
  readonly path: string
  readonly type: string
  /** The requested value that this field contains, such as `side`; null if the user did not request the field's value. */
  readonly role: string | null
  readonly unit: FieldUnit | null
  /** Number of decimals of the field's integer; null if the field is not an integer, or if no message has contained a value yet. */
  readonly scale: number | null
  /** The words that the field's numbers represent, for example `{ '0': 'long' }`; null if the field contains no word, or contains words as text. */
  readonly words: Readonly<Record<string, string>> | null
  /** For a field without a role: which values later messages may contain. null if the field has a role. */
  readonly rule: ValueRule | null
  /** For the rule `fixed`: the value that the user accepted last, as text. */
  readonly value: string | null
  /**
   * Only for the rule `fixed`: the agreed value for each kind of order, if the values differ. They may differ because the number can represent a
   * word.
   */
  readonly values?: Readonly<Record<string, string>>
}

/** A signing format with the meaning of all its fields. */
export interface PinnedFormat {
  /** The kinds of order that the user accepted in this format, for example `market`. Each kind has its own fields. */
  readonly variants: readonly string[]
  readonly fields: readonly PinnedField[]
  /**
   * Requested values that messages in this format omit, keyed by role. If the user later requests a different value for the role, the app asks
   * again.
   */
  readonly unsaid: Readonly<Record<string, string>>
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Whether a value is empty: 0, false, an empty text, the zero address, or zero bytes. */
export const isEmptyValue = (value: TypedLeaf['value']): boolean =>
  value === 0n || value === false || value === '' || value === zeroAddress || (typeof value === 'string' && /^0x0*$/.test(value))

/** Smallest number that counts as random: it is larger than any amount and any address. */
export const smallestRandom = 2n ** 160n

/** Words of a name that may state a time. Under any other name, such a number could be a fee or an amount. */
const timeWords: ReadonlySet<string> = new Set([
  ...['time', 'timestamp', 'ts', 'date', 'at', 'deadline', 'expiry', 'expire', 'expiration', 'valid', 'validity', 'until', 'since', 'after', 'before'],
  ...['issued', 'created', 'signed', 'sent', 'start', 'end', 'epoch', 'nonce', 'salt'],
])

function isAboutNow(value: bigint, nowMs: number): boolean {
  const atMs = messageTime(value)
  const span = 2 * limits.preparedLifetimeMs.signedIntent
  return atMs !== null && atMs >= nowMs - span && atMs <= nowMs + span
}

/** Returns the rule for a value that the user did not request. Derived from the first message with this value. */
export function ruleOf(leaf: TypedLeaf, nowMs: number): ValueRule {
  const { type, value } = leaf
  if (isEmptyValue(value)) return 'empty'
  if (type === 'bytes32' && typeof value === 'string') return BigInt(value) >= smallestRandom && !/(?:00){8}$/.test(value) ? 'random' : 'fixed'
  if (typeof value !== 'bigint') return 'fixed'
  // The arguments of an unknown contract function have no names.
  return isAboutNow(value, nowMs) && (type === 'word' || spelledWords(leaf.names.at(-1) ?? '').some((word) => timeWords.has(word))) ? 'time' : 'fixed'
}

/** Whether a value follows the rule that the user agreed to for its field. */
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

/** Returns the words that the numbers in one field represent. */
export type WordsOf = (leaf: Pick<TypedLeaf, 'path' | 'type'>) => Readonly<Record<string, string>>

/**
 * Returns the words that numbers represent for a role such as the side, according to the accepted format. Each field has its own numbers: 1 may mean
 * short in `side` and long in `isBuy`. A field that the format does not contain may have those of any field with the role.
 */
export const wordsOf =
  (format: PinnedFormat | null | undefined, role: string): WordsOf =>
  (leaf) => {
    const own = fieldAt(format, leaf)
    if (own?.role === role) return own.words ?? {}
    return Object.assign({}, ...(format?.fields ?? []).filter((field) => field.role === role).map(({ words }) => words ?? {}))
  }

/**
 * Returns the text under which a signing format stores a requested value that its messages omit. The app compares this text with later requests, and
 * must also understand texts stored by older versions. So never change a text here.
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
