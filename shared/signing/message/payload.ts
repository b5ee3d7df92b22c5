import { limits } from '../../api/limits.ts'
import { marginModes, orderTypes, sides, timesInForce, type WordClass } from '../../api/names/name-words.ts'
import { absolute, compare, divide, equals, formatDecimal, fromUnits, isDecimal, isZero, multiply, parseDecimal, subtract } from '../../decimal.ts'
import type { Against, ComparisonLine, LineCode } from '../../ipc/intents/comparison-lines.ts'
import { sameId } from '../../same-id.ts'
import { differ, match, ratioRemark, type Said } from '../answers.ts'
import type { AskedOrder } from '../asked-order.ts'
import { leafValue, leftOver } from '../comparison.ts'
import type { Question } from '../question-kinds.ts'
import { candidateScales, type ScaleKind } from '../scales.ts'
import { sameAddress, type TrustedFormat } from '../trust.ts'
import { visibleText } from '../wording.ts'
import { fieldAt, isEmptyValue, keepsRule, ruleOf } from './signing-format.ts'
import type { TypedLeaf } from './typed-data.ts'

/** One difference between the service's normalised payload and the payload that the app sent (ORD-17). */
export interface PayloadDifference {
  /** Path in the payload, for example `order_value_usdc`. */
  readonly field: string
  /** The value that the app sent; null if none. */
  readonly sent: string | null
  /** The value that the service returned; null if none. */
  readonly returned: string | null
  /** The verdict on the difference. differ: blocks the message. unmatched: the service added an unknown field, which the user must confirm. */
  readonly verdict: 'differ' | 'unmatched'
}

/** Defaults that the service may fill in for an `open_position`, according to the API document. */
const defaults: Readonly<Record<string, readonly unknown[]>> = {
  order_type: ['market'],
  margin_mode: ['cross'],
  time_in_force: ['ioc', 'gtc'],
  rest_if_unfilled: [false],
  post_only: [false],
  reduce_only: [false],
  limit_price: ['0'],
  trigger_price: ['0'],
  take_profit: ['0'],
  stop_loss: ['0'],
}

const numeric = (value: unknown): string | null => {
  if (typeof value === 'number' && Number.isFinite(value) && isDecimal(String(value))) return String(value)
  return typeof value === 'string' && isDecimal(value) ? value : null
}

const isEmpty = (value: unknown): boolean => {
  const number = numeric(value)
  return (
    value === null ||
    value === undefined ||
    value === false ||
    value === '' ||
    (number !== null && isZero(number)) ||
    (Array.isArray(value) && value.length === 0)
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

const yes = ['true', '1', 'yes']
const no = ['false', '0', 'no']
const boolean = (value: unknown): boolean | null => {
  const written = String(value).trim().toLowerCase()
  return yes.includes(written) ? true : no.includes(written) ? false : null
}

const address = /^0x[0-9a-fA-F]{40}$/
/** Normalises a word for comparison: case, spaces, hyphens and underscores do not matter. */
const enumWord = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replace(/[\s_-]/g, '')
const enumFields: Readonly<Record<string, WordClass<string>>> = { side: sides, order_type: orderTypes, margin_mode: marginModes, time_in_force: timesInForce }

/** Whether two values mean the same: `"25000.00"` and 25000, `"long"` and `"LONG"`, `"7"` and 7, an address in any case. */
function sameValue(field: string, sent: unknown, returned: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(returned))
    return sent.length === returned.length && sent.every((item, index) => sameValue(field, item, returned[index]))
  if (isObject(sent) && isObject(returned)) return comparePayload(sent, returned).length === 0
  if (isIdField(field)) return sameId(sent, returned) || sent === returned
  if (typeof sent === 'boolean') return boolean(returned) === sent
  const [a, b] = [numeric(sent), numeric(returned)]
  if (a !== null && b !== null) return equals(a, b)
  if (typeof sent !== 'string' || typeof returned !== 'string') return sent === returned
  const words = Object.hasOwn(enumFields, field) ? enumFields[field] : undefined
  if (words !== undefined) return enumWord(sent) === enumWord(returned) || (words(sent) !== undefined && words(sent) === words(returned))
  return address.test(sent) && address.test(returned) ? sent.toLowerCase() === returned.toLowerCase() : sent === returned
}

const text = (value: unknown): string => visibleText(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

/** Normalises a field name: `orderId`, `OrderID` and `order-id` become `order_id`. */
const nameInWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

/** Groups the returned values by the app's field names. If the service uses two spellings of one name, both values are kept. */
function underKnownNames(returned: Readonly<Record<string, unknown>>, known: readonly string[]): ReadonlyMap<string, readonly unknown[]> {
  const knownAs = new Map(known.map((name) => [nameInWords(name), name]))
  const found = new Map<string, unknown[]>()
  for (const [name, value] of Object.entries(returned)) {
    const field = known.includes(name) ? name : (knownAs.get(nameInWords(name)) ?? name)
    found.set(field, [...(found.get(field) ?? []), value])
  }
  return found
}

const isIdField = (name: string): boolean => name === 'idempotency_key' || name === 'id' || name.endsWith('_id')

/**
 * Compares the payload that the app sent with the normalised payload that the service returned (ORD-17). The service may fill in defaults that the
 * API document states, and may omit empty values. All other differences are returned. The returned payload may also contain the user's own `wallet`,
 * and may lack the idempotency key, because the key belongs to the request and not to the order. `fills`: further values that the service may fill
 * in, by field, for example the size of a whole position.
 */
export function comparePayload(
  sent: Readonly<Record<string, unknown>>,
  returned: Readonly<Record<string, unknown>>,
  wallet: string | null = null,
  fills: Readonly<Record<string, (value: unknown) => boolean>> = {},
): readonly PayloadDifference[] {
  const differences: PayloadDifference[] = []
  const answered = underKnownNames(returned, [...Object.keys(sent), ...Object.keys(defaults), ...Object.keys(fills), 'idempotency_key', 'client_order_id'])
  for (const [field, value] of Object.entries(sent)) {
    const values = answered.get(field)
    if (values === undefined) {
      if (field !== 'idempotency_key' && !isEmpty(value)) differences.push({ field, sent: text(value), returned: null, verdict: 'differ' })
      continue
    }
    const others = values.filter((one) => !sameValue(field, value, one) && !(isEmpty(value) && isEmpty(one)))
    for (const other of others) differences.push({ field, sent: text(value), returned: text(other), verdict: 'differ' })
  }
  for (const [field, value] of [...answered].flatMap(([name, values]) => values.map((one) => [name, one] as const))) {
    if (Object.hasOwn(sent, field) || isEmpty(value)) continue
    if (wallet !== null && typeof value === 'string' && value.toLowerCase() === wallet.toLowerCase()) continue
    if (field === 'idempotency_key' || (field === 'client_order_id' && typeof value === 'string')) continue
    const allowed = Object.hasOwn(defaults, field) ? defaults[field] : undefined
    const fill = Object.hasOwn(fills, field) ? fills[field] : undefined
    if (allowed?.some((one) => sameValue(field, one, value)) || fill?.(value)) continue
    differences.push({ field, sent: null, returned: text(value), verdict: allowed === undefined && fill === undefined ? 'unmatched' : 'differ' })
  }
  return differences
}

/** Converts payload differences to comparison lines for the user. */
export const payloadLines = (differences: readonly PayloadDifference[]): readonly ComparisonLine[] =>
  differences.map(({ field, sent, returned, verdict }) => ({
    id: `payload.${field}`,
    asked: sent,
    signed: returned,
    unit: null,
    field: `payload.${field}`,
    verdict,
    remark: { code: returned === null ? 'left_out' : sent === null ? 'added' : 'changed' },
    group: 'order',
  }))

interface Known {
  readonly wallet: string
  /** Contracts whose addresses may appear in the message. */
  readonly trusted: readonly string[]
  readonly nowMs: number
  readonly isExit: boolean
  /** The kind of order, such as `market`. */
  readonly variant: string
  /** The agreed signing format to compare the message with; null: none. */
  readonly reference: TrustedFormat | null
}

type Harmless = 'own_wallet' | 'trusted_contract' | 'as_agreed' | 'chain_id' | 'empty' | 'time_of_now' | 'by_chance'

/** Matches the name of a field that states a chain. Under any other name, the number of Base could be a fee or an amount. */
const chainName = /(?:chain|network)_?(?:id)?$/i

const isAddress = ({ type, value }: TypedLeaf): boolean => type === 'address' && !isEmptyValue(value)

/** The comparison line for a value that the user did not request: already accepted, harmless, or still to be confirmed. */
export function leftOverLine(leaf: TypedLeaf, { wallet, trusted, nowMs, isExit, variant, reference }: Known): ComparisonLine {
  const line = leftOver(leaf)
  const settled = (code: Harmless): ComparisonLine => ({ ...line, verdict: 'absent', remark: { code }, code: 'agreed' })
  const open = (code: LineCode): ComparisonLine => ({ ...line, code })
  const written = String(leaf.value)
  if (isAddress(leaf)) {
    if (sameAddress(written, wallet)) return settled('own_wallet')
    if (trusted.some((address) => sameAddress(address, written))) return settled('trusted_contract')
  }
  const pinned = fieldAt(reference?.format, leaf)
  if (pinned !== null && keepsRule(pinned, leaf, { nowMs, variant })) return settled('as_agreed')
  // A message that only ends risk needs no further address, so an unknown address blocks the message.
  if (isAddress(leaf)) return isExit ? { ...line, verdict: 'differ', code: 'foreign_address' } : open('foreign_address')
  if (leaf.value === BigInt(limits.chainId) && chainName.test(leaf.names.at(-1) ?? '')) return settled('chain_id')
  const harmless = ruleOf(leaf, nowMs)
  if (reference?.format != null) return harmless === 'empty' && pinned !== null && pinned.rule !== 'fixed' ? settled('empty') : open('new_field')
  if (harmless === 'empty') return open('unasked_empty')
  return harmless === 'fixed' ? open('unasked') : settled(harmless === 'time' ? 'time_of_now' : 'by_chance')
}

/**
 * The largest allowed difference between two calculated values, as a fraction. The service and the app calculate with different prices and rounding.
 */
const tolerance = '0.05'

export const isNear = (value: string, asked: string): boolean => compare(absolute(subtract(value, asked)), absolute(multiply(asked, tolerance))) <= 0

/** The first scale (number of decimals) at which an integer is near the expected value; null: none. */
const nearScale = (units: bigint, asked: string, scales: readonly number[] = candidateScales): number | null =>
  isZero(asked) ? null : (scales.find((scale) => isNear(fromUnits(units, scale), asked)) ?? null)

interface Near<Role extends string> {
  readonly role: Role
  readonly unit: string | null
  /**
   * The value that the app calculated from the request, for example size × price. null if the app cannot calculate it; the user must then confirm
   * the value in the message.
   */
  readonly asked: string | null
  readonly noun: Against
  readonly kind: ScaleKind
  /** The scale (number of decimals) that the user agreed to for values of this kind; null: none yet. */
  readonly pinned: number | null
  readonly leaves: readonly TypedLeaf[]
  /** true: another value in the message already fixes the amount and matches the request. So this value cannot change the amount at any scale. */
  readonly isBacked: boolean
}

/**
 * Compares a value that the app can calculate from the request, such as the USDC value of a close. The message may omit the value. If present, it
 * must be close to the calculated value.
 */
export function nearQuestion<Role extends string>(given: Near<Role>): { readonly question: Question<Role>; readonly scale: number | null } {
  const { role, unit, asked, noun, kind, pinned, leaves, isBacked } = given
  const show = (value: string): string => formatDecimal(value, { minDecimals: unit === 'USDC' ? 2 : 0 })
  const native = pinned ?? kind.native
  const scaleOf = (leaf: TypedLeaf | undefined): number | null => {
    if (asked === null || typeof leaf?.value !== 'bigint') return null
    return pinned === null
      ? nearScale(leaf.value, asked, native === null ? candidateScales : [native, ...candidateScales])
      : nearScale(leaf.value, asked, [pinned])
  }
  const said = (leaf: TypedLeaf): Said => {
    if (asked === null) return { value: leafValue(leaf), verdict: 'unmatched', remark: { code: 'nothing_known' } }
    const written = typeof leaf.value === 'string' ? parseDecimal(leaf.value) : null
    if (written !== null) return isNear(written, asked) ? match(show(written)) : differ(show(written), ratioRemark(asked, written, noun))
    if (typeof leaf.value !== 'bigint') return differ(leafValue(leaf))
    const scale = scaleOf(leaf)
    const reading = fromUnits(leaf.value, native ?? kind.fallback)
    if (scale === null) return differ(show(reading), ratioRemark(asked, reading, noun))
    const isPossible = native !== null && pinned === null && scale !== native && compare(reading, kind.largest) <= 0
    if (isPossible && !isBacked) return { ...differ(show(reading), { code: 'two_scales' }), code: 'two_scales' }
    return match(show(fromUnits(leaf.value, scale)))
  }
  return {
    question: { role, asked: asked === null ? { code: 'as_it_is' } : { code: 'about', value: show(asked) }, unit, unused: false, optional: true, said },
    scale: pinned ?? scaleOf(leaves[0]),
  }
}

/**
 * Returns the size of an order in units of the market's base asset, such as BTC. Uses the order's limit price, else its trigger price, else the
 * reference price; null if the order has none of these.
 */
export function sizeOf({ orderValueUsdc, referencePrice, limitPrice, triggerPrice }: AskedOrder): string | null {
  const price = limitPrice ?? triggerPrice ?? referencePrice
  return price === null || isZero(price) ? null : divide(orderValueUsdc, price, 18)
}
