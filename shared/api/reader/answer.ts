import { wordsOf } from '../names/name-words.ts'
import { valueAt } from '../names/walk.ts'
import { redact } from '../redact.ts'
import type { Complain, Field, FieldMap, Fields, ReadContext } from './field.ts'
import { type Inspection, inspectRecords } from './inspect.ts'
import { isRecord } from './kinds.ts'
import { readRecords } from './read-records.ts'
import type { Resource } from './resource.ts'
import { type Unit, unitIn } from './units.ts'
import { type Rows, rowsIn, unwrap } from './unwrap.ts'

export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The result of reading an answer. For an unreadable answer: what is missing, and where. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly Issue[] }

/** Reads the answers of an endpoint, regardless of their shape. Methods never throw unless they say so. */
export interface AnswerReader<T> {
  read(json: unknown, context?: ReadContext): Reading<T>
  /** Reads values that the app already read once and then stored. Throws if such a value is not readable now. */
  parse(json: unknown): T
  /**
   * Used by the service check. Lists the parts of the answer that the app reads, the parts that it does not read, and candidates for missing
   * fields.
   */
  inspect(json: unknown, fieldMap?: FieldMap): readonly Inspection[]
}

export type AnswerOf<R> = R extends AnswerReader<infer T> ? T : never

/** Records of a list that the app could not read: the list is incomplete, and the app must say so. */
export interface Unreadable {
  readonly count: number
  /** The first of the unreadable records. `why`: the reason. `raw`: the record as received, bounded and without secrets. */
  readonly samples: readonly { readonly why: string; readonly raw: string }[]
}

/** No answer that the app requests has more rows than this (candles: 50,000 in total). The app does not read further rows. */
const mostRows = 50_000
const mostSamples = 5
const longestSample = 2_000

type Look = (json: unknown, fieldMap: FieldMap | undefined) => readonly Inspection[]

/** Creates an `AnswerReader` from a function that reads the answer's JSON. The function returns `undefined` if the answer is unreadable. */
export function answerReader<T>(read: (json: unknown, complain: Complain, context: ReadContext) => T | undefined, inspect: Look = () => []): AnswerReader<T> {
  const reader: AnswerReader<T> = {
    read: (json, context = {}) => {
      const issues: Issue[] = []
      const value = read(json, (path, message) => issues.push({ path: [...path], message }), { ...context, answer: json })
      if (value !== undefined) return { ok: true, value }
      return { ok: false, issues: issues.length === 0 ? [{ path: [], message: 'not an answer of the expected kind' }] : issues }
    },
    parse: (json) => {
      const reading = reader.read(json)
      if (reading.ok) return reading.value
      throw new TypeError(reading.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; '))
    },
    inspect,
  }
  return reader
}

/** Finds one record of a resource inside the wrappers of an answer, and reads it. */
export function recordIn<F extends Fields, T>(of: Resource<F, T>, json: unknown, complain: Complain, context: ReadContext): T | undefined {
  const { inner, outer } = unwrap(json, of.words, of.matcher)
  const around = Object.assign({}, ...outer) as Readonly<Record<string, unknown>> // all are objects
  const { items } = readRecords(of, [inner], { ...context, around }, ([, ...path], issue) => complain(path, issue))
  return items[0]
}

export const oneOf = <F extends Fields, T>(of: Resource<F, T>): AnswerReader<T> =>
  answerReader(
    (json, complain, context) => recordIn(of, json, complain, context),
    (json, fieldMap) => [inspectRecords(of, [unwrap(json, of.words, of.matcher).inner], fieldMap)],
  )

/** The result of reading a list. */
export interface ListRead<T> {
  readonly items: T[]
  /** The records as received, but always as objects: if the list has no names for its values, the app adds them. */
  readonly sources: readonly unknown[]
  /** null if every record was readable. */
  readonly unreadable: Unreadable | null
  /** The fields of all objects around the list, merged into one object. Fields of inner objects override those of outer ones. */
  readonly around: Readonly<Record<string, unknown>>
}

/** Converts rows to objects. Adds names to values that the service sends without names, and the row's key if the rows are keyed. */
function named<F extends Fields, T>(of: Resource<F, T>, { rows, keys }: Rows): readonly unknown[] {
  const { keyed } = of
  if (keys !== null && keyed !== undefined) {
    const place = of.fieldNames.indexOf(keyed.key)
    const name = of.list[place]?.aliases[0] ?? keyed.key
    const valueName = keyed.value === undefined ? 'value' : (unitlessName(of, of.list[of.fieldNames.indexOf(keyed.value)] as Field<unknown>) ?? keyed.value)
    return rows.map((row, index) => {
      const key = keys[index]
      if (!isRecord(row)) return { [name]: key, [valueName]: row }
      return of.planOf(row, undefined).places[place]?.length === 0 ? { ...row, [name]: key } : row
    })
  }
  return of.tuples === undefined || !rows.some(Array.isArray) ? rows : fromTuples(of, rows, of.tuples)
}

/** Picks the name under which to store a value that came without one. A name that states a unit would be wrong, because the value states none. */
const unitlessName = (of: Resource<Fields, unknown>, { aliases, kind }: Field<unknown>): string | undefined =>
  aliases.find((alias) => isUnitless(unitIn(wordsOf(alias, of.matcher.known), kind.family, true).unit)) ?? aliases[0]
const isUnitless = ({ denomination, ratio, scale, hours }: Unit): boolean => denomination === null && ratio === null && scale === null && hours === null

/** Reads rows whose values have no names, only an order: uses the first order in which every row is plausible. */
function fromTuples<F extends Fields, T>(of: Resource<F, T>, rows: readonly unknown[], tuples: readonly (readonly string[])[]): readonly unknown[] {
  const bestName = new Map(of.fieldNames.map((name, index) => [name, unitlessName(of, of.list[index] as Field<unknown>) ?? name])) // one for each name
  const inOrder = (order: readonly string[]) =>
    rows.map((row) => (Array.isArray(row) ? Object.fromEntries(order.map((name, index) => [bestName.get(name) ?? name, row[index]])) : row))
  const { fits } = of
  if (fits === undefined) return inOrder(tuples[0] ?? [])
  const plain: Resource<F, unknown> = { ...of, finish: (found) => (fits(found) ? found : undefined) }
  const found = tuples.map(inOrder).find((named) => readRecords(plain, named, {}, () => {}).items.every((item) => item !== undefined))
  return found ?? inOrder(tuples[0] ?? [])
}

/**
 * Reads a list of a resource, in any form, under one of the given names. An unreadable record does not prevent reading the others.
 * `undefined` if there is no list, or if none of its records is readable.
 */
export function listIn<F extends Fields, T>(
  of: Resource<F, T>,
  names: readonly string[],
  json: unknown,
  complain: Complain,
  context: ReadContext,
): ListRead<T> | undefined {
  const habits = json === context.answer ? context.habits : undefined
  const isEmptyMap = habits?.listsAreMaps === true && keyedOf(of) !== null && isRecord(json) && Object.keys(json).length === 0
  const found = isEmptyMap ? { rows: [], keys: [], outer: [] } : rowsOf(of, names, json)
  const name = names[0] ?? 'items'
  if (found === null) {
    complain([name], 'missing')
    return undefined
  }
  if (habits !== undefined && found.keys !== null && found.outer.length === 0 && found.rows.length > 0) habits.listsAreMaps = true
  const beyond = Math.max(0, found.rows.length - mostRows)
  const sources = named(of, beyond === 0 ? found : { ...found, rows: found.rows.slice(0, mostRows) })
  const issues: Issue[] = []
  const around = Object.assign({}, ...found.outer) as Readonly<Record<string, unknown>> // all are objects
  const { items } = readRecords(of, sources, { ...context, around: { ...context.around, ...around } }, (path, message) =>
    issues.push({ path: [...path], message }),
  )
  const good: T[] = []
  const samples: { why: string; raw: string }[] = []
  items.forEach((item, index) => {
    if (item !== undefined) {
      good.push(item)
      return
    }
    if (samples.length === mostSamples) return
    const issue = issues.find(({ path }) => path[0] === index)
    const why = `${issue?.path.slice(1).map(String).join('.') ?? ''} ${issue?.message ?? 'not readable'}`.trim()
    samples.push({ why, raw: (JSON.stringify(redact(found.rows[index])) ?? '').slice(0, longestSample) })
  })
  if (good.length === 0 && items.length > 0) {
    for (const { path, message } of issues) complain([name, ...path], message)
    return undefined
  }
  const count = items.length - good.length + beyond
  return { items: good, sources, unreadable: count === 0 ? null : { count, samples }, around }
}

const keyedOf = ({ keyed }: Resource<Fields, unknown>): 'records' | 'values' | null =>
  keyed === undefined ? null : keyed.value === undefined ? 'records' : 'values'

/**
 * Finds the rows of a list. If the list is an object, its keys may be record ids that happen to look like field names. A key is an id if the record
 * below it contains the same id.
 */
function rowsOf<F extends Fields, T>(of: Resource<F, T>, names: readonly string[], json: unknown): Rows | null {
  const place = of.keyed === undefined ? -1 : of.fieldNames.indexOf(of.keyed.key)
  const isOwnId = (name: string, row: Readonly<Record<string, unknown>>): boolean =>
    of.planOf(row, undefined).places[place]?.some(({ path }) => valueAt(row, path) === name) === true
  return rowsIn(json, [...names, ...of.words], of.matcher.known, keyedOf(of), isOwnId)
}

const mostInspected = 200

/** Inspects the first rows of a list. */
export function inspectList<F extends Fields, T>(of: Resource<F, T>, names: readonly string[], json: unknown, fieldMap: FieldMap | undefined): Inspection {
  const found = rowsOf(of, names, json)
  if (found === null) return inspectRecords(of, [], fieldMap)
  return inspectRecords(of, named(of, found).slice(0, mostInspected), fieldMap, Object.assign({}, ...found.outer))
}

/** Reader for an answer that consists of a list, possibly with other fields around it. */
export const listOf = <F extends Fields, T, A>(
  of: Resource<F, T>,
  names: readonly string[],
  make: (list: ListRead<T>, context: ReadContext) => A,
): AnswerReader<A> =>
  answerReader(
    (json, complain, context) => {
      const list = listIn(of, names, json, complain, context)
      return list && make(list, context)
    },
    (json, fieldMap) => [inspectList(of, names, json, fieldMap)],
  )

/** The code of `/stream` if the service has no stream (Errors). The app does not treat it as a failure. */
export const streamOffCode = 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED'
export const streamRoute = 'GET /stream'

/** Whether a request ended as intended: the app got what it asked for, or a probe of the stream found that the service has no stream. */
export const endedAsMeant = ({ endpoint, outcome }: { readonly endpoint: string; readonly outcome: string }): boolean =>
  outcome === 'ok' || (endpoint === streamRoute && outcome === streamOffCode)
