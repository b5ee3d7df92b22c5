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

/** The result of reading an answer. If the answer is unreadable, `issues` lists what is missing, and where. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly Issue[] }

/** Reads an endpoint's answers in whichever shape the service sends. Methods throw only where their comment says so. */
export interface AnswerReader<T> {
  read(json: unknown, context?: ReadContext): Reading<T>
  /** Reads a value that the app stored earlier, after reading it successfully. Throws if the stored value is not readable. */
  parse(json: unknown): T
  /**
   * Lists the parts of the answer that the app reads, the parts that it does not read, and suggestions for missing fields. Used by the service
   * check.
   */
  inspect(json: unknown, fieldMap?: FieldMap): readonly Inspection[]
}

export type AnswerOf<R> = R extends AnswerReader<infer T> ? T : never

/** The records of a list that the app could not read. The list is then incomplete, and the app must say so. */
export interface Unreadable {
  readonly count: number
  /** The first of the unreadable records. `why`: the reason. `raw`: the record as received, bounded and without secrets. */
  readonly samples: readonly { readonly why: string; readonly raw: string }[]
}

/** Maximum number of rows that the app reads from one answer. No requested answer needs more (candles: 50,000 in total). */
const mostRows = 50_000
const mostSamples = 5
const longestSample = 2_000

type Look = (json: unknown, fieldMap: FieldMap | undefined) => readonly Inspection[]

/** Creates an `AnswerReader`. `read` reads the answer's JSON, and returns `undefined` if the answer is unreadable. */
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

/** Finds and reads one record of a resource, inside any wrappers of the answer. */
export function recordIn<F extends Fields, T>(of: Resource<F, T>, json: unknown, complain: Complain, context: ReadContext): T | undefined {
  const { inner, outer } = unwrap(json, of.words, of.matcher)
  const around = Object.assign({}, ...outer) as Readonly<Record<string, unknown>> // the cast is safe: `outer` contains only objects
  const { items } = readRecords(of, [inner], { ...context, around }, ([, ...path], issue) => complain(path, issue))
  return items[0]
}

export const oneOf = <F extends Fields, T>(of: Resource<F, T>): AnswerReader<T> =>
  answerReader(
    (json, complain, context) => recordIn(of, json, complain, context),
    (json, fieldMap) => [inspectRecords(of, [unwrap(json, of.words, of.matcher).inner], fieldMap)],
  )

export interface ListRead<T> {
  readonly items: T[]
  /** The records as the service sent them. If the service sent values without names, the app has converted them to objects with names. */
  readonly sources: readonly unknown[]
  /** The records that the app could not read; null if it could read all of them. */
  readonly unreadable: Unreadable | null
  /** The fields of all objects that enclose the list, merged into one object. If a name occurs twice, the inner object's field wins. */
  readonly around: Readonly<Record<string, unknown>>
}

/** Converts rows to objects. Adds names to values that came without names. If the rows are keyed, adds each row's key as a field. */
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

/** Picks a name for a value that the service sent without a name. Prefers an alias without a unit, because the value states no unit. */
const unitlessName = (of: Resource<Fields, unknown>, { aliases, kind }: Field<unknown>): string | undefined =>
  aliases.find((alias) => isUnitless(unitIn(wordsOf(alias, of.matcher.known), kind.family, true).unit)) ?? aliases[0]
const isUnitless = ({ denomination, ratio, scale, hours }: Unit): boolean => denomination === null && ratio === null && scale === null && hours === null

/**
 * Reads rows that are arrays of values without names. Tries the known orders of the values, and uses the first order in which every row is
 * plausible.
 */
function fromTuples<F extends Fields, T>(of: Resource<F, T>, rows: readonly unknown[], tuples: readonly (readonly string[])[]): readonly unknown[] {
  const bestName = new Map(of.fieldNames.map((name, index) => [name, unitlessName(of, of.list[index] as Field<unknown>) ?? name])) // the cast is safe: `of.list` has a field for each name
  const inOrder = (order: readonly string[]) =>
    rows.map((row) => (Array.isArray(row) ? Object.fromEntries(order.map((name, index) => [bestName.get(name) ?? name, row[index]])) : row))
  const { fits } = of
  if (fits === undefined) return inOrder(tuples[0] ?? [])
  const plain: Resource<F, unknown> = { ...of, finish: (found) => (fits(found) ? found : undefined) }
  const found = tuples.map(inOrder).find((named) => readRecords(plain, named, {}, () => {}).items.every((item) => item !== undefined))
  return found ?? inOrder(tuples[0] ?? [])
}

/**
 * Reads a list of a resource in any form, under one of the given names. An unreadable record does not prevent reading the other records. `undefined`
 * if there is no list, or if no record of the list is readable.
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
  const around = Object.assign({}, ...found.outer) as Readonly<Record<string, unknown>> // the cast is safe: `outer` contains only objects
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
 * Finds the rows of a list. If the list is an object, its keys may be record ids that happen to look like field names. A key counts as an id if the
 * record under the key contains the same id.
 */
function rowsOf<F extends Fields, T>(of: Resource<F, T>, names: readonly string[], json: unknown): Rows | null {
  const place = of.keyed === undefined ? -1 : of.fieldNames.indexOf(of.keyed.key)
  const isOwnId = (name: string, row: Readonly<Record<string, unknown>>): boolean =>
    of.planOf(row, undefined).places[place]?.some(({ path }) => valueAt(row, path) === name) === true
  return rowsIn(json, [...names, ...of.words], of.matcher.known, keyedOf(of), isOwnId)
}

const mostInspected = 200

export function inspectList<F extends Fields, T>(of: Resource<F, T>, names: readonly string[], json: unknown, fieldMap: FieldMap | undefined): Inspection {
  const found = rowsOf(of, names, json)
  if (found === null) return inspectRecords(of, [], fieldMap)
  return inspectRecords(of, named(of, found).slice(0, mostInspected), fieldMap, Object.assign({}, ...found.outer))
}

/** Creates a reader for an answer that is a list, possibly with other fields around the list. */
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

/** The error code of `/stream` if the service offers no stream (Errors). The app does not treat this code as a failure. */
export const streamOffCode = 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED'
export const streamRoute = 'GET /stream'

/** Whether a request ended as intended. This includes opening the stream and learning that the service offers no stream. */
export const endedAsMeant = ({ endpoint, outcome }: { readonly endpoint: string; readonly outcome: string }): boolean =>
  outcome === 'ok' || (endpoint === streamRoute && outcome === streamOffCode)
