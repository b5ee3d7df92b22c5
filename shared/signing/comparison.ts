import { canonical, keyOf, wordsOf } from '../api/names/name-words.ts'
import type { BlockReason, ComparisonLine, LineCode, LineValue } from '../ipc/intents/comparison-lines.ts'
import type { Asks, Comparison } from '../ipc/intents/signing.ts'
import { isEmptyValue, type PinnedFormat, ruleOf, storedAsked } from './message/signing-format.ts'
import type { TypedData, TypedLeaf } from './message/typed-data.ts'
import type { PinnedScales, TrustedFormat } from './trust.ts'
import { integerText, visibleText } from './wording.ts'

export interface Compared {
  readonly comparison: Comparison
  /** The signing format to store once the user lets this message go to the wallet. */
  readonly pin: TrustedFormat
}

export const leafValue = (leaf: TypedLeaf): LineValue => {
  if (typeof leaf.value === 'bigint') return integerText(leaf.value)
  if (typeof leaf.value === 'boolean') return { code: leaf.value ? 'yes' : 'no' }
  return leaf.value === '' ? { code: 'empty' } : visibleText(leaf.value)
}

/** The comparison line for a value that the user did not request. */
export const leftOver = (leaf: TypedLeaf): ComparisonLine => ({
  id: `message.${leaf.path}`,
  asked: null,
  signed: leafValue(leaf),
  unit: null,
  field: leaf.path,
  verdict: 'unmatched',
  remark: { code: isEmptyValue(leaf.value) ? 'unasked_empty' : 'unasked' },
  group: 'order',
  code: isEmptyValue(leaf.value) ? 'unasked_empty' : 'unasked',
})

/** The parts of a message or transaction that the comparison shows and stores. */
export type Signable = Pick<TypedData, 'formatHash' | 'primaryType' | 'domain' | 'digest' | 'raw'>

interface Parts {
  readonly compares: Comparison['compares']
  readonly typedData: Signable
  readonly lines: readonly ComparisonLine[]
  /** Signing formats that the user has accepted for this kind of message in this profile. */
  readonly formats: readonly TrustedFormat[]
  readonly scales: PinnedScales
  /** true: the message ends risk, so only values that were not requested need confirmation. Default: false. */
  readonly isExit?: boolean
  /** The selector of a contract call that the app cannot decode and that the user has not accepted; null if there is none. */
  readonly unreadable?: string | null
  /** A reason to block the message regardless of its lines; null if there is none. */
  readonly block: BlockReason | null
}

/**
 * Values that define an order, such as its side. Other values only control how the order is executed. If messages omit one of these values, the user
 * must confirm it each time a new value is requested.
 */
const binding: ReadonlySet<string> = new Set(['pairId', 'side', 'orderType', 'orderValue', 'marginMode', 'leverage', 'positionId', 'orderId', 'size', 'amount'])

/** Comparison lines about the whole message instead of the order. A signing format either always contains these values or never does. */
const ofEnvelope: ReadonlySet<string> = new Set(['wallet', 'nonce', 'deadline'])

/**
 * Whether the user accepted that messages in this format omit the requested value. Always true for a format that the app stored before it recorded
 * what fields mean.
 */
function agreedUnsaid({ id, asked }: ComparisonLine, format: PinnedFormat | null): boolean {
  if (format === null || ofEnvelope.has(id)) return true
  return Object.hasOwn(format.unsaid, id) && (!binding.has(id) || (asked !== null && format.unsaid[id] === storedAsked(asked)))
}

/**
 * Decides whether the user must confirm an unmatched line. No confirmation is needed if the user has already accepted the line with its format, or
 * if a question would only delay an order that ends risk.
 */
function settle(line: ComparisonLine, pinned: TrustedFormat | null, isExit: boolean): ComparisonLine {
  if (line.verdict !== 'unmatched' || line.code === 'not_pinned') return line
  const absent = { ...line, verdict: 'absent' } as const
  if (isExit) {
    // If the messages of a format name no position, the user confirms this once, and not for each position.
    const isAgreed = pinned !== null && (agreedUnsaid(line, pinned.format) || (line.id === 'positionId' && pinned.format?.unsaid[line.id] !== undefined))
    if (line.code === 'needed') return isAgreed ? absent : line
    const holdsMore = line.signed !== null && line.code !== 'unasked_empty' && line.code !== 'ambiguous' && !line.id.startsWith('payload.')
    return holdsMore ? line : absent
  }
  if (pinned === null) return line
  if (line.code === 'unasked_empty') return absent
  if (line.signed !== null) return line
  return agreedUnsaid(line, pinned.format) ? absent : { ...line, code: 'unsaid' }
}

const unknownCodes: ReadonlySet<LineCode | undefined> = new Set<LineCode>(['unasked', 'new_field', 'foreign_address'])

/** Returns what the user must confirm next because of unmatched lines; null if nothing. */
function asksOf(
  open: readonly ComparisonLine[],
  formatKnown: boolean,
  { isExit = false, unreadable = null }: Pick<Parts, 'isExit' | 'unreadable'>,
): Asks | null {
  if (unreadable !== null) return { kind: 'unreadable_call', selector: unreadable }
  if (isExit) {
    const [first] = open
    return first === undefined ? null : { kind: 'exit_extra', field: first.field ?? first.id, value: first.signed }
  }
  const unknown = open.find(({ code }) => unknownCodes.has(code))
  if (unknown !== undefined) return { kind: 'unknown_field', field: unknown.field ?? unknown.id, value: unknown.signed ?? '' }
  return formatKnown && open.length === 0 ? null : { kind: 'format', complete: open.length === 0 }
}

/**
 * Derives the verdict from the comparison lines. A difference always blocks the message. An unmatched line or a new signing format needs
 * confirmation.
 */
export function conclude(parts: Parts): Compared {
  const { typedData, formats, scales, isExit = false } = parts
  const pinned = formats.find((pin) => pin.hash === typedData.formatHash) ?? null
  const newScale =
    pinned !== null && (['usdcScale', 'priceScale', 'leverageScale', 'sizeScale'] as const).some((kind) => pinned[kind] === null && scales[kind] !== null)
  const formatKnown = pinned !== null && !newScale
  const lines = parts.lines.map((line) => settle(line, formatKnown ? pinned : null, isExit))
  const differing = lines.find((line) => line.verdict === 'differ')
  const unmatched = lines.filter((line) => line.verdict === 'unmatched')
  const blocked = parts.block ?? (differing === undefined ? null : { code: 'line' as const, of: parts.compares, line: differing })
  const asks =
    blocked !== null
      ? null
      : asksOf(
          unmatched.filter(({ code }) => code !== 'not_pinned'),
          formatKnown,
          parts,
        )
  const verdict = blocked !== null ? 'block' : asks === null && unmatched.length === 0 ? 'pass' : 'confirm'
  return {
    comparison: {
      compares: parts.compares,
      primaryType: [typedData.primaryType, [typedData.domain.name, typedData.domain.version].filter((part) => part !== undefined).join(' ')]
        .filter((part) => part !== '')
        .join(', '),
      lines,
      matched: lines.filter((line) => line.verdict === 'match').length,
      total: lines.length,
      verdict,
      asks,
      blocked,
      formatHash: typedData.formatHash,
      formatKnown,
      earlierFormats: formatKnown ? [] : formats.map(({ hash }) => hash),
      digest: typedData.digest,
      raw: typedData.raw,
    },
    pin: {
      hash: typedData.formatHash,
      usdcScale: pinned?.usdcScale ?? scales.usdcScale,
      priceScale: pinned?.priceScale ?? scales.priceScale,
      leverageScale: pinned?.leverageScale ?? scales.leverageScale,
      sizeScale: pinned?.sizeScale ?? scales.sizeScale,
      format: pinned?.format ?? null,
    },
  }
}

/**
 * Returns the comparison of an exit, which may be blocked. `again` compares without accepted formats. If every value that blocks the exit then
 * matches the request, for example at another scale, the user must confirm these values, and the app then learns the format again.
 * Otherwise one wrong answer of the service, or a market with another scale, could block every later exit: the app accepts the first exit in a
 * format without a question.
 */
export function despiteFormat(compared: Compared, again: () => Compared): Compared {
  if (compared.comparison.blocked?.code !== 'line') return compared
  const fresh = again()
  if (fresh.comparison.verdict === 'block' || fresh.comparison.asks?.kind === 'unreadable_call') return compared
  const differing = compared.comparison.lines.filter(({ verdict }) => verdict === 'differ')
  const before = (line: ComparisonLine) => differing.find(({ field }) => field === line.field)
  const isMatch = ({ verdict, code }: ComparisonLine): boolean => verdict === 'match' || code === 'ambiguous' || code === 'ambiguous_more'
  const { lines } = fresh.comparison
  if (!differing.every(({ field }) => lines.some((line) => line.field === field && isMatch(line)))) return compared
  const shown = lines.map((line): ComparisonLine => {
    const { signed = null, unit = null } = before(line) ?? {}
    if (signed === null) return line
    const other = typeof signed === 'string' ? signed : 'value' in signed ? signed.value : null
    return { ...line, verdict: 'unmatched', remark: other === null ? line.remark : { code: 'also', value: other, unit }, code: 'ambiguous_more' }
  })
  const open = shown.find(({ verdict }) => verdict === 'unmatched')
  if (open === undefined) return compared
  const matched = shown.filter(({ verdict }) => verdict === 'match').length
  const asks = { kind: 'exit_extra', field: open.field ?? open.id, value: open.signed } as const
  return { ...fresh, comparison: { ...fresh.comparison, lines: shown, matched, verdict: 'confirm', asks } }
}

/** Returns the agreed signing format of a message; null: the format is new. */
export const pinFor = (typedData: TypedData, formats: readonly TrustedFormat[]): TrustedFormat | null =>
  formats.find((pin) => pin.hash === typedData.formatHash) ?? null

/** Returns a function that creates comparison lines for one group. A line's unit, field and remark are null by default. */
export const lineIn =
  (group: ComparisonLine['group']) =>
  (part: Pick<ComparisonLine, 'id' | 'asked' | 'signed' | 'verdict'> & Partial<ComparisonLine>): ComparisonLine => ({
    unit: null,
    field: null,
    remark: null,
    group,
    ...part,
  })

export type Aliases<Role extends string> = Readonly<Record<Role, readonly string[]>>

export interface Recognised<Role extends string> {
  readonly found: ReadonlyMap<Role, readonly TypedLeaf[]>
  /** Values whose meaning is unknown, because the app could not assign a role such as wallet or price. */
  readonly rest: readonly TypedLeaf[]
}

const noWords: ReadonlySet<string> = new Set()
/** Matches a word at the end of a field's name that states the number's scale or unit, such as `wei` or `bps`. */
const scaleWord = /^(?:1?[ex]\d{1,2}|x|wei|bps|bp|ms|millis|sec|s|unix)$/
const marketWords: ReadonlySet<string> = new Set(['market', 'perp', 'product', 'contract', 'asset', 'symbol', 'coin', 'underlying'])
const idWords: ReadonlySet<string> = new Set(['id', 'index', 'key', 'code', 'no', 'number'])

/** Normalises a field's name: the order of words and a suffix for the scale do not matter. Every name for a market's id becomes `market id`. */
function keyOfName(name: string): string {
  const words = wordsOf(name, noWords)
  const bare = words.filter((word, place) => place === 0 || !scaleWord.test(word))
  const [what = '', ...rest] = bare
  const isMarket = marketWords.has(what) && rest.length === 1 && rest.every((word) => idWords.has(word))
  return isMarket ? 'market id' : keyOf(bare)
}

/**
 * Whether the value can be the nonce. A field named salt counts only if its value looks random, because a constant salt does not make a message
 * unique.
 */
const isOnce = (leaf: TypedLeaf): boolean =>
  canonical(leaf.names.at(-1) ?? '') !== 'salt' || ruleOf(leaf, 0) === 'random' || (typeof leaf.value === 'bigint' && leaf.value >= 2n ** 64n)

/**
 * Assigns each value of a message to at most one role (such as wallet or price). Compares the last name on the value's path, or the whole path
 * (`order.value` is `orderValue`). Tries the exact spelling first, then the same words in any order.
 */
export function recognise<Role extends string>(leaves: readonly TypedLeaf[], aliases: Aliases<Role>): Recognised<Role> {
  // A cast, because TypeScript types the result of `Object.keys` as `string[]`.
  const roles = Object.keys(aliases) as Role[]
  const spellings = roles.map((role) => ({ role, names: [role, ...aliases[role]] }))
  const written = new Map(spellings.toReversed().flatMap(({ role, names }) => names.map((name) => [canonical(name), role] as const)))
  const worded = new Map(spellings.toReversed().flatMap(({ role, names }) => names.map((name) => [keyOfName(name), role] as const)))
  const found = new Map<Role, TypedLeaf[]>()
  const rest: TypedLeaf[] = []
  for (const leaf of leaves) {
    const names = [leaf.names.at(-1) ?? '', leaf.names.join('_')]
    const byName = names.map((name) => written.get(canonical(name))).find((role) => role !== undefined)
    const role = byName ?? names.map((name) => worded.get(keyOfName(name))).find((role) => role !== undefined)
    if (role === undefined || (role === 'nonce' && !isOnce(leaf))) rest.push(leaf)
    else found.set(role, [...(found.get(role) ?? []), leaf])
  }
  return { found, rest }
}
