import type { Field, Kind, Vote } from '../reader/field.ts'
import { anything, isRecord } from '../reader/kinds.ts'
import { scaleOf } from '../reader/numbers.ts'
import { unitIn, unitOfText, unitWord } from '../reader/units.ts'
import { keyOf, wordsOf } from './name-words.ts'

/** Limits on how much of one record the app reads. The app skips everything beyond them. */
export const bounds = { depth: 64, nodes: 2_000 } as const
/** Groups with more properties than this are entered last, so that one of them cannot use up the limit before the rest of the record is read. */
const mostUsualNames = 64
/**
 * How much one visited property counts toward the limit `nodes`. A deeply nested property, or one with long names, counts more than once.
 */
const costOf = (depth: number, characters: number): number => 1 + Math.floor(depth ** 2 / 64) + Math.floor(characters / 256)

export interface Node {
  /** The names from the record's root to the property. */
  readonly path: readonly string[]
  /** The words of each name in the path. */
  readonly segments: readonly (readonly string[])[]
  readonly isRecord: boolean
  /** The path of the enclosing amount object, such as `{value, currency, decimals}`, if the property is its number; null otherwise. */
  readonly amountOf: readonly string[] | null
}

const amountNames: ReadonlySet<string> = new Set(['value', 'amount', 'raw', 'val', 'v'])
const besideAmount: ReadonlySet<string> = new Set([
  'unit',
  'units',
  'currency',
  'ccy',
  'denomination',
  'asset',
  'symbol',
  'decimals',
  'scale',
  'exponent',
  'precision',
  'formatted',
  'display',
  'text',
]) // prettier-ignore

/** Returns the name of the number in an amount object such as `{value: "1.5", currency: "USDC"}`; null if the object is not an amount. */
function amountIn(value: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(value)
  if (names.length === 0 || names.length > 6) return null
  const held = names.filter((name) => amountNames.has(name.toLowerCase()))
  const [first] = held
  const fits = held.length === 1 && names.every((name) => amountNames.has(name.toLowerCase()) || besideAmount.has(name.toLowerCase()))
  return fits && first !== undefined && !isRecord(value[first]) ? first : null
}

/**
 * Visits all properties of a record without recursion: parents first, in the record's order, and the contents of large groups last. The result of
 * `visit` says whether to visit the contents of an object.
 */
export function walk(source: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, visit: (node: Node, value: unknown) => boolean): void {
  const waiting: { readonly node: Node; readonly value: unknown; readonly characters: number }[] = []
  const large: (() => void)[] = []
  let spent = 0
  const push = (inner: Readonly<Record<string, unknown>>, above: Node | null, charactersAbove: number): void => {
    const names = Object.keys(inner)
    const left = bounds.nodes - spent
    // With one property more than the limit allows, the walk ends there.
    const reachable = Math.floor(left / costOf((above?.path.length ?? 0) + 1, charactersAbove)) + 1
    for (let index = Math.min(names.length, left, reachable) - 1; index >= 0; index -= 1) {
      const name = names[index] as string // the cast is safe: `index` is below the length of `names`
      const value = inner[name]
      const characters = charactersAbove + name.length
      const path = above === null ? [name] : [...above.path, name]
      const segments = above === null ? [wordsOf(name, known)] : [...above.segments, wordsOf(name, known)]
      const amount = isRecord(value) ? amountIn(value) : null
      if (amount !== null)
        // The object is an amount such as `{value, currency}`. Visit its number instead of the object.
        waiting.push({
          node: { path: [...path, amount], segments, isRecord: false, amountOf: path },
          value: (value as Record<string, unknown>)[amount],
          characters,
        })
      else waiting.push({ node: { path, segments, isRecord: isRecord(value), amountOf: null }, value, characters })
    }
  }
  push(source, null, 0)
  for (;;) {
    const next = waiting.pop()
    if (next === undefined) {
      const enter = large.shift()
      if (enter === undefined) return
      enter()
      continue
    }
    const { node, value, characters } = next
    spent += costOf(node.path.length, characters)
    if (spent > bounds.nodes) return
    if (!visit(node, value) || !isRecord(value) || node.path.length >= bounds.depth) continue
    if (Object.keys(value).length > mostUsualNames) large.push(() => push(value, node, characters))
    else push(value, node, characters)
  }
}

/** Returns the value at a path; `undefined` if the path does not exist. */
export function valueAt(source: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let current: unknown = source
  for (const name of path) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}

/** Units and decimals stated beside a list of records. They apply to the numbers in the records. */
export interface Around {
  /** Number of decimals by which integers are scaled; null if not stated. */
  readonly scale: number | null
  /** The units that the answer states, such as `amount_unit: 'usdc'`. `about`: the words of the number's name (`amount`). `words`: the words of the unit. */
  readonly units: readonly { readonly about: readonly string[]; readonly words: readonly string[] }[]
}

const nothing: Around = { scale: null, units: [] }
/** Maximum number of fields around a list in which the app looks for units. */
const mostAround = 100
const noWords: ReadonlySet<string> = new Set()

export function aroundOf(fields: Readonly<Record<string, unknown>> | undefined): Around {
  if (fields === undefined) return nothing
  const names = Object.keys(fields).slice(0, mostAround)
  let scale: number | null = null
  for (const name of names) {
    const value = fields[name]
    if ((typeof value === 'string' || typeof value === 'number') && /^(amount_?)?(decimals|scale|exponent)$/i.test(name)) scale = scaleOf(value)
  }
  return new AroundFields(scale, fields, names)
}

class AroundFields implements Around {
  readonly scale: number | null
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #names: readonly string[]
  #units: Around['units'] | null = null

  constructor(scale: number | null, fields: Readonly<Record<string, unknown>>, names: readonly string[]) {
    this.scale = scale
    this.#fields = fields
    this.#names = names
  }

  /** Found on request, because few answers contain numbers without a unit, and only these need the units around them. */
  get units(): Around['units'] {
    this.#units ??= unitsAmong(this.#fields, this.#names)
    return this.#units
  }
}

function unitsAmong(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Around['units'] {
  return names.flatMap((name) => {
    const value = fields[name]
    if (typeof value !== 'string' || value.length >= 40) return []
    const words = wordsOf(name, noWords)
    const said = words.find((word) => unitWord.has(word))
    return said === undefined ? [] : [{ about: words.filter((word) => word !== said), words: wordsOf(value, noWords) }]
  })
}

/** Returns the unit that a field around the list states for a number, such as `size_unit`. Used if the record itself does not state the unit. */
export function saidAround({ units }: Around, { kind }: Field<unknown>, path: readonly string[], known: ReadonlySet<string>): Vote {
  if (units.length === 0) return null
  const own = keyOf(
    unitIn(
      path.flatMap((name) => wordsOf(name, known)),
      kind.family,
    ).rest,
  )
  // A one-letter name such as `s` matches any word that starts with this letter, such as `size`.
  const said = units.find(({ about }) => about.length > 0 && (keyOf(about) === own || (own.length === 1 && keyOf(about).startsWith(own))))
  if (said === undefined) return null
  const { denomination, ratio } = unitOfText(said.words)
  if (kind.family === 'ratio') return ratio
  return denomination === null ? null : denomination === kind.numeric?.target ? 'as_named' : 'otherwise'
}

export const listNames: readonly string[] = [
  'items',
  'rows',
  'list',
  'records',
  'results',
  'entries',
  'elements',
  'edges',
  'nodes',
  'docs',
  'data',
  'result',
  'response',
  'payload',
  'content',
  'body',
  'values',
]

type Fields = Readonly<Record<string, unknown>>

const isColumnNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')

const mostColumns = 1_000
const isWide = (source: Fields): boolean => Object.keys(source).length > mostColumns

const columnNames = /^(columns|fields|headers?|keys|names|schema)$/i

/** Converts a table such as `{columns: ["id", "size"], rows: [[1, "2"]]}` to records. */
export function fromColumns(source: Fields): Fields[] | null {
  if (isWide(source)) return null
  const entries = Object.entries(source)
  const columns = entries.find(([name, value]) => Array.isArray(value) && columnNames.test(name) && isColumnNames(value))?.[1]
  if (columns === undefined) return null
  const rows = entries.find(([name, value]) => !columnNames.test(name) && Array.isArray(value) && value.every(Array.isArray))?.[1]
  if (!isColumnNames(columns) || columns.length > mostColumns || !Array.isArray(rows)) return null
  return rows.map((row: readonly unknown[]) => recordOf(columns, row))
}

function recordOf(names: readonly string[], cells: readonly unknown[]): Fields {
  const record: Record<string, unknown> = {}
  const most = Math.min(names.length, cells.length)
  for (let index = 0; index < most; index += 1) {
    const name = names[index] as string // the cast is safe: `index` is below the length of `names`
    if (name === '__proto__') Object.defineProperty(record, name, { value: cells[index], enumerable: true, writable: true, configurable: true })
    else record[name] = cells[index]
  }
  return record
}

/**
 * Minimum number of empty lists in an object that count as the columns of an empty table. An object with fewer empty lists may contain separate
 * lists of different records.
 */
const leastEmptyColumns = 4

/**
 * Converts columns such as `{id: [1, 2], size: ["3", "4"]}` to records. Needs at least two lists, all of the same length. Returns null if the
 * lists do not look like columns. That is so if at least half of them contain lists or objects, or if a list of objects has a usual name for a
 * list of records.
 */
export function fromLists(source: Fields, isOfRecords: (name: string) => boolean): Fields[] | null {
  if (isWide(source)) return null
  const entries = Object.entries(source).filter(([, value]) => Array.isArray(value)) as [string, readonly unknown[]][] // the cast is safe: only arrays pass the filter
  const length = entries[0]?.[1].length
  if (entries.length < 2 || length === undefined || entries.some(([, list]) => list.length !== length)) return null
  if (length === 0) return entries.length < leastEmptyColumns || entries.some(([name]) => isOfRecords(name)) ? null : []
  const held = entries.filter(([, list]) => list.some((cell) => Array.isArray(cell) || (isRecord(cell) && !isAmount(cell))))
  if (held.length * 2 >= entries.length || held.some(([name, list]) => isOfRecords(name) && list.some(isRecord))) return null
  return Array.from({ length }, (_, index) => Object.fromEntries(entries.map(([name, list]) => [name, list[index]])))
}

/** Whether a cell is one amount, such as `{value: "15", decimals: 1}`, and not a record. */
const isAmount = (cell: Fields): boolean => Object.keys(cell).every((name) => /^(value|amount|raw|units?|decimals|scale|exponent|currency)$/i.test(name))

const isRows = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)
    : isRecord(value) && (fromColumns(value) !== null || fromLists(value, () => true) !== null)

/**
 * Whether a value contains several records: as an array of records, as columns such as `{ price: […], size: […] }`, as rows beside the names of their
 * fields, or in one of these forms under a usual name such as `items`.
 */
export function isList(value: unknown): boolean {
  if (isRows(value)) return true
  const [only, ...more] = isRecord(value) ? Object.entries(value) : []
  return only !== undefined && more.length === 0 && listNames.includes(only[0].toLowerCase()) && isRows(only[1])
}

/**
 * A list of records, kept as received. The app finds this list even under an unknown name, if it is the only property of the answer that contains
 * several records.
 */
export const records: Kind<unknown> = { ...anything, name: 'list', says: isList }
