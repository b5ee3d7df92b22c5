import { multiply } from '../../decimal.ts'
import { wordsOf } from '../names/name-words.ts'
import { type Around, valueAt } from '../names/walk.ts'
import { isPlainName, redact, redactText } from '../redact.ts'
import { boundFields, createBoundedFields, unknownFieldsBounds, withReason } from '../unknown-fields.ts'
import type { Numeric, Reason } from './field.ts'
import { fromScale, readNumber, scaleOf, toHourly, toPercent, type WrittenNumber, wholeDigits } from './numbers.ts'
import type { Place, Plan } from './plan.ts'
import { joinUnits, noUnit, readTime, type Unit, unitOfText } from './units.ts'

/** What all numbers of an answer together show about how the service formats amounts. */
export interface Evidence {
  /** Whether any number has a decimal point. If so, the app does not scale integers by decimals. */
  pointed: boolean
  /** Whether any integer is large enough to be scaled by decimals. */
  large: boolean
  /** Whether any integer is too large for an unscaled amount or price. */
  huge: boolean
}

export type EvidenceOf = Record<Numeric['target'], Evidence>

export const noEvidence = (): EvidenceOf => {
  const none = (): Evidence => ({ pointed: false, large: false, huge: false })
  return { usdc: none(), base: none(), tokens: none(), price: none(), percent: none(), hourly: none(), factor: none() }
}

/**
 * The result of reading a number. `read`: a value in the field's own unit. `open`: the unit is still unknown, but other figures may show it. `usdc`:
 * a value in USDC, although the field has another unit. `unclear`: the unit cannot be found.
 */
export type NumberRead =
  | { readonly kind: 'read'; readonly value: string }
  | { readonly kind: 'open'; readonly value: string }
  | { readonly kind: 'usdc'; readonly value: string }
  | { readonly kind: 'unclear'; readonly reason: Reason }

/** Integers with this many digits must be scaled by decimals, because neither prices nor USDC amounts are this large. */
const hugeDigits = 8

const unclear = (reason: Reason): NumberRead => ({ kind: 'unclear', reason })
const noWords: ReadonlySet<string> = new Set()

/** What the whole answer shows about the unit and scale of a single number. */
export interface NumberContext {
  readonly evidence: EvidenceOf
  readonly scaleless: ReadonlySet<Numeric['target']> | null
  readonly around: Around
}

/** Reads a number in its field's unit. If no neighbouring property states the scale, all numbers of the answer together decide it. */
export function readNumeric(
  value: unknown,
  { target, sure, digits }: Numeric,
  place: Pick<Place, 'unit' | 'beside'>,
  source: Readonly<Record<string, unknown>>,
  { evidence, scaleless, around }: NumberContext,
): NumberRead {
  const written = readNumber(value)
  if (written === undefined) return unclear('form')
  let unit: Unit | null = place.unit
  let soft: number | null = null
  if (written.suffix !== null) unit = joinUnits(unit, written.suffix === '%' ? { ...noUnit, ratio: 'percent' } : unitOfText(wordsOf(written.suffix, noWords)))
  for (const { path, says } of place.beside) {
    const said = valueAt(source, path)
    if (said === null || said === undefined || unit === null) continue
    if (says === 'unit') unit = typeof said === 'string' ? joinUnits(unit, unitOfText(wordsOf(said, noWords))) : unit
    else if (says === 'scale') unit = joinUnits(unit, { ...noUnit, scale: scaleOf(said) })
    else soft ??= scaleOf(said)
  }
  if (unit === null) return unclear('conflict')
  if (isAmount(target)) soft ??= around.scale
  if (written.value === '0') return { kind: 'read', value: '0' }

  // `marked_at` may contain a price or a time. A value that reads as a time is not a price.
  if (target === 'price' && unit.scale === null && wholeDigits(written.value) > 9 && typeof readTime(value) === 'number') return unclear('form')
  const scaled = unit.cents && unit.scale === null ? multiply(written.value, '0.01') : scaledBy(written, unit.scale, soft)
  if (scaled === 'unclear') return unclear('scale')
  if (scaled === null && isAmount(target)) {
    const told = evidence[target]
    if (written.pointed || written.value.includes('.')) told.pointed = true
    else if (wholeDigits(written.value) >= digits) told.large = true
    if (!told.pointed && !told.huge) told.huge = wholeDigits(written.value) >= Math.max(digits, hugeDigits)
    if (scaleless?.has(target) === true && !written.pointed) return unclear('scale')
  }
  return inUnit(scaled ?? written.value, target, sure, unit)
}

const isAmount = (target: Numeric['target']): boolean => target === 'usdc' || target === 'base' || target === 'tokens' || target === 'price'

/**
 * Applies the decimals that the answer states for an integer; null if it states none. `hard`: decimals that certainly describe this number. `soft`:
 * decimals that may be meant only for display.
 */
function scaledBy(written: WrittenNumber, hard: number | null, soft: number | null): string | null | 'unclear' {
  if (hard !== null) return written.pointed && hard > 0 && written.value.includes('.') ? 'unclear' : fromScale(written, hard)
  if (soft === null || soft === 0 || written.pointed) return null
  // Soft decimals, which may be meant only for display, apply only if the integer is at least one whole token. A smaller integer is ambiguous.
  return wholeDigits(written.value) > soft ? fromScale(written, soft) : 'unclear'
}

function inUnit(value: string, target: Numeric['target'], sure: boolean, unit: Unit): NumberRead {
  switch (target) {
    case 'usdc':
      if (unit.denomination === 'base') return unclear('unit')
      return unit.denomination === 'usdc' || sure ? { kind: 'read', value } : { kind: 'open', value }
    case 'base':
      if (unit.denomination === 'usdc') return { kind: 'usdc', value }
      return unit.denomination === 'base' ? { kind: 'read', value } : { kind: 'open', value }
    case 'percent':
      return unit.ratio === null ? { kind: 'open', value } : { kind: 'read', value: toPercent(value, unit.ratio) }
    case 'hourly':
      return unit.ratio === null || unit.hours === null ? unclear('unit') : { kind: 'read', value: toHourly(toPercent(value, unit.ratio), unit.hours) }
    case 'price':
    case 'tokens':
      return { kind: 'read', value }
    case 'factor':
      return unit.ratio === null ? { kind: 'read', value } : unclear('unit')
  }
}

/** A property that matches a field by its name, but whose value the app could not read, with the reason. */
export interface Unclear {
  readonly name: string
  readonly reason: Reason
}

/**
 * For each entry of the plan's list `unread`: whether the app leaves it out of the unknown fields of this record. True if the app read a field
 * from the entry, or if it never lists the entry. Needed only if a field was not read from the best property in `places`.
 */
export function knownOf(
  fieldNames: readonly string[],
  { known, places, sought }: Plan,
  output: Readonly<Record<string, unknown>>,
  source: Readonly<Record<string, unknown>>,
  unclear: readonly Pick<Unclear, 'name'>[],
): readonly boolean[] {
  const read = known.slice()
  const unread = new Set(unclear.map(({ name }) => name))
  for (const index of sought) {
    const used = places[index]?.find(({ path }) => valueAt(source, path) != null)
    if (used === undefined || unread.has(used.name)) continue
    if (output[fieldNames[index] ?? ''] !== undefined) read[used.tells] = true
  }
  return read
}

const unescaped = /^[ !#-[\]-~]*$/

/** Faster `JSON.stringify` for short text, which most unknown fields contain. */
const jsonOf = (value: unknown): string => (typeof value === 'string' && unescaped.test(value) ? `"${value}"` : JSON.stringify(value))

/** Returns a record's unknown fields as JSON text, without secrets (because the app shows this text) and without nulls. */
export function unknownText(
  source: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  { unread: told, labels }: Plan,
  known: readonly boolean[],
  unclear: readonly Unclear[],
): string | null {
  const long = told.length > mostWhole && labels !== null ? longText(source, values, told, known) : null
  if (long !== null) return withReasons(long, unclear)
  let written = ''
  for (let index = 0; index < told.length; index += 1) {
    const part = told[index]
    if (known[index] || part === undefined) continue
    const value = part.path.length === 1 ? values[part.top] : valueAt(source, part.path)
    if (value === null || value === undefined) continue
    if (labels === null) return unknownOf(source, told, known, unclear)
    written += `${written === '' ? '{' : ','}${labels[index]}:${jsonOf(redact(value, [], unknownFieldsBounds.characters))}`
  }
  return withReasons(written === '' ? null : boundFields(`${written}}`), unclear)
}

/** The text of more unknown fields than this is certainly too long, so the app writes only those that fit. */
const mostWhole = unknownFieldsBounds.characters / 4

/** The bounded text of thousands of unknown fields. null if it may fit whole, or if some names are numbers, which come first in a JSON object. */
function longText(source: Readonly<Record<string, unknown>>, values: readonly unknown[], told: Plan['unread'], known: readonly boolean[]): string | null {
  const held = told.flatMap((part, index): [name: string, value: unknown][] => {
    const value = part.path.length === 1 ? values[part.top] : valueAt(source, part.path)
    return known[index] || value === null || value === undefined ? [] : [[part.name, value]]
  })
  if (held.length <= mostWhole || held.some(([name]) => /^\d+$/.test(name))) return null
  const bounded = createBoundedFields()
  for (const [name, value] of held) if (!bounded.add(name, redact(value, [], unknownFieldsBounds.characters))) break
  return bounded.text(held.length)
}

/** Like `unknownText`, for records in which property names may also contain secrets. */
const unknownOf = (source: Readonly<Record<string, unknown>>, told: Plan['unread'], known: readonly boolean[], unclear: readonly Unclear[]): string | null => {
  const rest: [name: string, value: unknown][] = []
  for (const [index, { path, name }] of told.entries()) {
    const value = valueAt(source, path)
    if (known[index] || value === null || value === undefined) continue
    // The last name of the path decides whether the value is a secret, for example `api_key`.
    const clean = redactNamed(path.at(-1) ?? name, value)
    rest.push([redactText(name), path.length > 1 ? redactNamed(name, clean) : clean])
  }
  return withReasons(boundFields(JSON.stringify(Object.fromEntries(rest))), unclear)
}

/** The value of a field without secrets. If the name is that of a secret, nothing of the value remains. */
const redactNamed = (name: string, value: unknown): unknown =>
  isPlainName(name)
    ? redact(value, [], unknownFieldsBounds.characters)
    : Object.values(redact({ [name]: value }, [], unknownFieldsBounds.characters) as Record<string, unknown>)[0] // the cast is safe: `redact` returns an object for an object

const withReasons = (text: string | null, unclear: readonly Unclear[]): string | null =>
  // If a value has the wrong form, the raw value alone explains the problem. Any other reason is added in words.
  unclear.length === 0 ? text : unclear.reduce((so, { name, reason }) => (reason === 'form' ? so : withReason(so, name, undefined, reason)), text)
