import { z } from 'zod'
import { parseDecimal } from '../decimal.ts'
import { canonical, createFieldPlans, type FieldPlan } from './field-plan.ts'
import { redact } from './redact.ts'
import { boundFields } from './unknown-fields.ts'

/**
 * Reading of answers whose shape is not documented (ERR-02): names are looked up by aliases, what is missing
 * becomes null and never 0, what is not known is kept. Strictness is chosen per field: `must` or `may`.
 */

/** Says why a value was not readable, with the path below it. */
export type Complain = (path: readonly PropertyKey[], issue: string) => void
/** undefined: not readable as T. */
export type Reader<T> = (value: unknown, complain: Complain) => T | undefined

export interface LooseField<T> {
  readonly aliases: readonly string[]
  readonly read: Reader<T>
  readonly required: boolean
}

type Shape = Readonly<Record<string, LooseField<unknown>>>
type Read<S extends Shape> = { -readonly [K in keyof S]: S[K] extends LooseField<infer T> ? T : never }
export type LooseOutput<S extends Shape> = Read<S> & {
  /** Fields that this app does not know, as JSON text, bounded (`boundFields`); null where there are none. */
  unknownFields: string | null
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first alias that the object has with a value other than null, under the name that the object gives it. */
export function findField(source: Readonly<Record<string, unknown>>, aliases: readonly string[]): { readonly name: string; readonly value: unknown } | null {
  const names = Object.keys(source)
  for (const alias of aliases) {
    const wanted = canonical(alias)
    const name = Object.hasOwn(source, alias) ? alias : names.find((candidate) => canonical(candidate) === wanted)
    if (name === undefined) continue
    const value = source[name]
    if (value !== null && value !== undefined) return { name, value }
  }
  return null
}

/** The value under the first alias found, or undefined. */
export const readField = (source: Readonly<Record<string, unknown>>, aliases: readonly string[]): unknown => findField(source, aliases)?.value

export const must = <T>(aliases: readonly string[], read: Reader<T>): LooseField<T> => ({ aliases, read, required: true })
/** Missing or unreadable becomes null; an unreadable value is kept among the unknown fields. */
export const may = <T>(aliases: readonly string[], read: Reader<T>): LooseField<T | null> => ({ aliases, read, required: false })

// Readers

export const text: Reader<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined)

/** An id, which some services write as a number. */
export const identifier: Reader<string> = (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value, () => {}))

export const wholeNumber: Reader<number> = (value) => {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** A number or text to normalised decimal text. */
export const decimal: Reader<string> = (value) => {
  if (typeof value === 'string') return parseDecimal(value) ?? undefined
  return typeof value === 'number' && Number.isFinite(value) ? (parseDecimal(String(value)) ?? undefined) : undefined
}

export const flag: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 ? false : undefined
}

/** Numbers below this are seconds: as milliseconds it is March 1973, as seconds the year 5138. */
const secondsBelow = 100_000_000_000
/** Numbers from this on are microseconds. */
const microsecondsFrom = 100_000_000_000_000

/** ISO 8601 text, Unix seconds or Unix milliseconds (also as text) to Unix milliseconds. Zero and less mean "none". */
export const time: Reader<number> = (value) => {
  if (typeof value === 'string') {
    const trimmed = value.trim()
    if (/^\d+(\.\d+)?$/.test(trimmed)) return time(Number(trimmed), () => {})
    // Without a zone `Date.parse` would take the computer's own; the service's times are UTC.
    const withZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(trimmed) ? `${trimmed.replace(' ', 'T')}Z` : trimmed
    const parsed = /^\d{4}-\d{2}-\d{2}/.test(withZone) ? Date.parse(withZone) : Number.NaN
    return Number.isNaN(parsed) ? undefined : parsed
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined
  if (value < secondsBelow) return Math.round(value * 1_000)
  return Math.round(value < microsecondsFrom ? value : value / 1_000)
}

export const record: Reader<Readonly<Record<string, unknown>>> = (value) => (isRecord(value) ? value : undefined)

export const anything: Reader<unknown> = (value) => value

/** One of the words, in any case, or through `synonyms`. */
export function word<W extends string>(words: readonly W[], synonyms: Readonly<Record<string, W>> = {}): Reader<W> {
  return (value) => {
    if (typeof value !== 'string') return undefined
    const written = value.trim().toLowerCase()
    return words.find((candidate) => candidate.toLowerCase() === written) ?? (Object.hasOwn(synonyms, written) ? synonyms[written] : undefined)
  }
}

const ignore: Complain = () => {}

/** Every item must be readable: a list with a hole in it would hide something. */
export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value, complain) => {
    if (!Array.isArray(value)) return undefined
    const items: T[] = []
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index]
      const result = read(item, ignore)
      if (result === undefined) {
        // Read again, since only a bad item needs the reasons.
        read(item, (path, issue) => complain([index, ...path], issue))
        complain([index], 'not readable')
        return undefined
      }
      items.push(result)
    }
    return items
  }
}

/** A list, or text with commas. */
export const textList: Reader<string[]> = (value, complain) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : list(text)(value, complain)

/** The first reader that understands the value. */
export function either<A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (value, complain) => first(value, () => {}) ?? second(value, complain)
}

/** Fields that every answer may carry and that say nothing about its subject. */
const envelopeFields = new Set(['success', 'ok', 'request_id', 'requestId'])

/** Reads the fields of the shape; what else the object holds is not looked at. Where it is to be shown: `objectReader`. */
export const fieldsReader = <S extends Shape>(shape: S): Reader<Read<S>> => shapeReader(shape, false)

/** Reads an object of the shape and keeps what it does not know. */
export const objectReader = <S extends Shape>(shape: S): Reader<LooseOutput<S>> => shapeReader(shape, true)

function shapeReader<O>(shape: Shape, keepsUnknown: boolean): Reader<O> {
  const fields = Object.entries(shape).map(([name, field]) => ({ name, ...field }))
  const planOf = createFieldPlans(
    fields.map((field) => field.aliases),
    envelopeFields,
  )
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries([
    ...fields.map(({ name }) => [name, null]),
    ...(keepsUnknown ? [['unknownFields', null]] : []),
  ])

  return (value, complain) => {
    if (!isRecord(value)) return undefined
    const plan = planOf(value)
    const output = { ...blank }
    // All at once: asking for one name after the other costs twice as much.
    const values = Object.values(value)
    const { firsts } = plan
    let usual = true
    for (let index = 0; index < fields.length; index += 1) {
      const field = fields[index] as (typeof fields)[number] // below the length
      const first = firsts[index] as number // one for each field
      if (first < 0 && !field.required) continue
      let held = values[first]
      let place = first
      if (first >= 0 && (held === null || held === undefined)) {
        // Null under a known name is "missing", not unknown: the next best is looked for.
        place = plan.places[index]?.find((choice) => values[choice.place] !== null && values[choice.place] !== undefined)?.place ?? -1
        held = values[place]
        usual &&= place < 0
      }
      const result = place < 0 ? undefined : field.read(held, ignore)
      if (result !== undefined) output[field.name] = result
      else if (field.required) {
        complainOf(field, plan.names[place], held, complain)
        return undefined
      } else usual &&= place < 0
    }
    if (keepsUnknown) output.unknownFields = unknownText(value, plan, usual ? plan.usual : knownOf(value, plan, fields))
    // `blank` and the loop filled every name of the shape; TypeScript cannot follow that.
    return output as O
  }
}

/** Which names of an object were read, where not every field was under its best one. */
function knownOf(source: Readonly<Record<string, unknown>>, { known, places }: FieldPlan, fields: readonly LooseField<unknown>[]): readonly boolean[] {
  const read = known.slice()
  for (const [index, field] of fields.entries()) {
    const used = places[index]?.find(({ called }) => source[called] !== null && source[called] !== undefined)
    if (used !== undefined && field.read(source[used.called], ignore) !== undefined) read[used.place] = true
  }
  return read
}

/** Why a required field was not readable. Reads it again, since only a bad answer needs the reasons. */
function complainOf(field: LooseField<unknown> & { readonly name: string }, name: string | undefined, value: unknown, complain: Complain): void {
  let said = false
  if (name !== undefined)
    field.read(value, (path, issue) => {
      said = true
      complain([name, ...path], issue)
    })
  if (!said) complain([name ?? field.aliases[0] ?? field.name], name === undefined ? 'missing' : 'not readable')
}

/** Printable ASCII that JSON writes as it is. */
const unescaped = /^[ !#-[\]-~]*$/

/** `JSON.stringify`, without its own cost for the short words that most unknown fields hold. */
const jsonOf = (value: unknown): string => (typeof value === 'string' && unescaped.test(value) ? `"${value}"` : JSON.stringify(value))

/** Fields of `source` that nobody read, as JSON text, secrets cut out, since they are shown; those that are null carry nothing and are left out. */
function unknownText(source: Readonly<Record<string, unknown>>, { names, labels }: FieldPlan, known: readonly boolean[]): string | null {
  let written = ''
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place]
    if (known[place] || name === undefined) continue
    const value = source[name]
    if (value === null || value === undefined) continue
    if (labels === null) return unknownOf(source, names, known)
    written += `${written === '' ? '{' : ','}${labels[place]}:${jsonOf(redact(value))}`
  }
  return written === '' ? null : boundFields(`${written}}`)
}

/** The same where a name itself needs cutting. */
const unknownOf = (source: Readonly<Record<string, unknown>>, names: readonly string[], known: readonly boolean[]): string =>
  boundFields(
    JSON.stringify(
      redact(
        Object.fromEntries(names.flatMap((name, place) => (known[place] || source[name] === null || source[name] === undefined ? [] : [[name, source[name]]]))),
      ),
    ),
  )

const wrappers = ['data', 'result', 'response']

/** The bodies that an answer may mean: itself, and what a wrapper holds. A wrapper with nothing beside it comes first, since an answer of optional fields only would be read as empty. */
function bodiesOf(value: unknown): readonly unknown[] {
  if (!isRecord(value)) return [value]
  const inner = wrappers.map((name) => value[name]).filter((body) => body !== undefined && body !== null)
  const subjects = Object.keys(value).filter((name) => !envelopeFields.has(name))
  return inner.length === 1 && subjects.length === 1 ? [inner[0], value] : [value, ...inner]
}

/** Wraps a reader as a schema. Bodies inside `data`, `result` or `response` are found too. */
export function schemaOf<T>(read: Reader<T>): z.ZodType<T, unknown> {
  return z.unknown().transform((value, context): T => {
    let issues: { path: PropertyKey[]; message: string }[] = []
    for (const candidate of bodiesOf(value)) {
      const current: typeof issues = []
      const result = read(candidate, (path, message) => current.push({ path: [...path], message }))
      if (result !== undefined) return result
      if (issues.length === 0) issues = current
    }
    if (issues.length === 0) issues = [{ path: [], message: 'not an object of the expected kind' }]
    for (const issue of issues) context.addIssue({ code: 'custom', path: issue.path, message: issue.message })
    return z.NEVER
  })
}

export const looseObject = <S extends Shape>(shape: S): z.ZodType<LooseOutput<S>, unknown> => schemaOf(objectReader(shape))

/** A list by itself, or under one of the names, or under `items`. */
export function listUnder<T>(names: readonly string[], item: Reader<T>): Reader<T[]> {
  return (value, complain) => {
    const source = isRecord(value) ? readField(value, [...names, 'items', 'data', 'result']) : value
    // `{orders: {items: []}}`
    const inner = isRecord(source) ? readField(source, ['items', ...names]) : source
    if (inner === undefined) complain([names[0] ?? 'items'], 'missing')
    return inner === undefined ? undefined : list(item)(inner, (path, issue) => complain([names[0] ?? 'items', ...path], issue))
  }
}
