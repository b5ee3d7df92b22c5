import { marginModes, orderTypes, sides, timesInForce, type WordClass } from '../../api/names/word-class.ts'
import { equals, isDecimal, isZero } from '../../decimal.ts'
import type { ComparisonLine } from '../../ipc/intents/signing.ts'
import { sameId } from '../../same-id.ts'
import { visibleText } from '../visible-text.ts'
import { readableName } from '../wording.ts'

/** One value in which the service's normalised payload is not what was sent (ORD-17). */
export interface PayloadDifference {
  /** Path in the payload, for example `order_value_usdc`. */
  readonly field: string
  /** null: it was not sent. */
  readonly sent: string | null
  /** null: it did not come back. */
  readonly returned: string | null
  /** differ blocks. unmatched is a value that nobody sent and that this app does not know. */
  readonly verdict: 'differ' | 'unmatched'
}

/** What the document lets the service fill in, for an `open_position`. */
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
/** A yes or no in any spelling; null: neither. */
const boolean = (value: unknown): boolean | null => {
  const written = String(value).trim().toLowerCase()
  return yes.includes(written) ? true : no.includes(written) ? false : null
}

const address = /^0x[0-9a-fA-F]{40}$/
/** Words of the document's enums: letters alone, in any case and with any mark between them. */
const enumWord = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replace(/[\s_-]/g, '')
const enumFields: Readonly<Record<string, WordClass<string>>> = { side: sides, order_type: orderTypes, margin_mode: marginModes, time_in_force: timesInForce }

/** Equal as what they say: `"25000.00"` and 25000 are, and so are `"long"` and `"LONG"`, `"7"` and 7, an address in any case. */
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

/** The words of a field's name, however it is written: `order_id` of `orderId`, `OrderID` and `order-id`. */
const nameInWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

/** What came back, each value under the name that this app has for it. A name that is written twice keeps both values. */
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
 * Compares the normalised `payload` of a preparation with what was sent. Defaults that the document names may have been
 * filled in, empty values may have been left out; anything else that differs is told. `wallet` is the one that may stand
 * in it. The idempotency key belongs to the request, not to the order. `fills` says of further fields which values the service
 * may fill in, for example the size of a whole position.
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

/** The differences as lines of a comparison. */
export const payloadLines = (differences: readonly PayloadDifference[]): readonly ComparisonLine[] =>
  differences.map(({ field, sent, returned, verdict }) => ({
    id: `payload.${field}`,
    label: `${readableName(field)}, as prepared`,
    asked: sent,
    signed: returned,
    unit: null,
    field: `payload.${field}`,
    verdict,
    remark: { code: returned === null ? 'left_out' : sent === null ? 'added' : 'changed' },
    group: 'order',
  }))

export const payloadSentence = ({ field, asked, signed }: ComparisonLine): string => {
  const name = readableName(field?.replace(/^payload\./, '') ?? '').toLowerCase()
  const article = /^[aeiou]/.test(name) ? 'an' : 'a'
  if (signed === null) return `The service prepared your order without its ${name} (${asked}).`
  return asked === null
    ? `The service prepared your order with ${article} ${name} of ${signed}, which you did not ask for.`
    : `The service prepared your order with ${article} ${name} of ${signed}. Your ticket says ${asked}.`
}
