import { type Matcher, sureness } from '../names/match.ts'
import { keyOf, wordsOf } from '../names/name-words.ts'
import { fromColumns, fromLists, listNames } from '../names/walk.ts'
import { isRecord } from './kinds.ts'

const mostWrappers = 8

const noWords: ReadonlySet<string> = new Set()
const wrappers: ReadonlySet<string> = new Set(['data', 'result', 'response', 'payload', 'body', 'content', 'answer', 'output', 'ret', 'value'])
/** Names that may appear beside a wrapped answer. They belong to the envelope, not to the answer's content. */
const beside: ReadonlySet<string> = new Set(
  [
    'success',
    'ok',
    'status',
    'state',
    'code',
    'ret_code',
    'ret_msg',
    'message',
    'error',
    'errors',
    'request_id',
    'trace_id',
    'id',
    'jsonrpc',
    'version',
    'api_version',
    'schema',
    'time',
    'timestamp',
    'server_time',
    'now',
    'as_of',
    'took',
    'took_ms',
    'meta',
    'metadata',
    'paging',
    'pagination',
    'page',
    'page_info',
    'links',
    'count',
    'total',
    'cursor',
    'next_cursor',
    'has_more',
    'limit',
    'offset',
    'warnings',
    'warning',
    'network',
    'chain_id',
    'type',
    'kind',
    'object',
    'rate_limit',
    'ext_info',
    'ret_ext_info',
    'sequence',
    'block_number',
  ].map((name) => keyOf(wordsOf(name, noWords))),
) // prettier-ignore

type Fields = Readonly<Record<string, unknown>>

/**
 * The record in an answer, and the objects that enclose the record, outermost first. Each enclosing object is listed without the part that contains
 * the record.
 */
export interface Unwrapped {
  readonly inner: unknown
  readonly outer: readonly Fields[]
}

const without = (source: Fields, name: string): Fields => Object.fromEntries(Object.entries(source).filter(([key]) => key !== name))

/** Removes the nested wrappers of an answer: `data`, `result`, or a key named after the resource. */
export function unwrap(value: unknown, names: readonly string[], matcher: Matcher): Unwrapped {
  const own = new Set(names.map((name) => keyOf(wordsOf(name, matcher.known))))
  const outer: Fields[] = []
  let inner = value
  for (let depth = 0; depth < mostWrappers && isRecord(inner); depth += 1) {
    const source: Fields = inner
    const keys = Object.keys(source)
    if (keys.length > 64) break
    const held = keys.filter((name) => {
      const words = keyOf(wordsOf(name, matcher.known))
      return isRecord(source[name]) && (wrappers.has(name.toLowerCase()) || own.has(words))
    })
    const name = held[0] ?? onlyUnknown(source, matcher)
    if (name === undefined || held.length > 1) break
    const others = keys.filter((key) => key !== name && source[key] !== null)
    const saysNothing = others.every((key) => beside.has(keyOf(wordsOf(key, matcher.known))))
    const isSubject = (key: string) =>
      matcher
        .matches({ path: [key], segments: [wordsOf(key, matcher.known)], isRecord: isRecord(source[key]), amountOf: null })
        .some(({ level }) => level <= sureness.words)
    const isUsual = wrappers.has(name.toLowerCase())
    const isOwn = isUsual || own.has(keyOf(wordsOf(name, matcher.known)))
    if (!isUsual && isGroup(source, name, isOwn, matcher)) break
    if (!saysNothing && (!isOwn || others.some((key) => isSubject(key) && !beside.has(keyOf(wordsOf(key, matcher.known)))))) break
    outer.push(without(source, name))
    inner = source[name]
  }
  return { inner, outer }
}

const mostGrouped = 64

/** Returns the fields that a record's property names clearly mean. `around`: names of the enclosing groups. */
function fieldsIn(source: Fields, matcher: Matcher, around: readonly string[] = []): ReadonlySet<number> {
  const found = new Set<number>()
  for (const name of Object.keys(source).slice(0, mostGrouped)) {
    const value = source[name]
    if (value === null || saysOk(value)) continue
    const path = [...around, name]
    const segments = path.map((part) => wordsOf(part, matcher.known))
    for (const { field, level } of matcher.matches({ path, segments, isRecord: isRecord(value), amountOf: null })) if (level <= sureness.words) found.add(field)
  }
  return found
}

/** Whether a value only reports success, such as `status: ok`, and is not a field of the record. */
const saysOk = (value: unknown): boolean => typeof value === 'boolean' || /^(?:ok|success|0|200)$/i.test(String(value))

/**
 * Whether an object is a group of the record's fields and not a wrapper around the record. It is a group if at least as many of the record's fields
 * are outside it as inside. If the object's name is a word in the fields' names (`chain` of an execution), one field outside is enough.
 */
function isGroup(source: Fields, name: string, isOwn: boolean, matcher: Matcher): boolean {
  const held = source[name]
  if (!isRecord(held)) return false
  const inside = new Set([...fieldsIn(held, matcher), ...fieldsIn(held, matcher, [name])])
  const outside = new Set<number>()
  for (const [other, value] of Object.entries(source).slice(0, mostGrouped)) {
    if (other === name) continue
    for (const field of isRecord(value) ? fieldsIn(value, matcher, [other]) : fieldsIn({ [other]: value }, matcher)) if (!inside.has(field)) outside.add(field)
  }
  return outside.size > 0 && (outside.size >= inside.size || (!isOwn && matcher.mentions(wordsOf(name, matcher.known))))
}

/**
 * If an answer contains only one object, besides common envelope fields, and the object's name is unknown, returns that name. Otherwise
 * `undefined`.
 */
function onlyUnknown(source: Fields, { known, mentions, matches }: Matcher): string | undefined {
  const content = Object.keys(source).filter((name) => source[name] !== null && !beside.has(keyOf(wordsOf(name, known))))
  const [only, ...more] = content
  const inner = only === undefined ? null : source[only]
  if (only === undefined || more.length > 0 || !isRecord(inner)) return undefined
  const words = wordsOf(only, known)
  const asField = matches({ path: [only], segments: [words], isRecord: true, amountOf: null })
  // An object that contains several fields of the record is the record itself. A group within a record would contain only one.
  const named = Object.keys(inner).flatMap((name) => {
    const sure = matches({ path: [name], segments: [wordsOf(name, known)], isRecord: isRecord(inner[name]), amountOf: null })
    return sure.some(({ level }) => level <= sureness.words) ? [sure] : []
  })
  // The object's name may also mean a field. The object is a wrapper if it contains a property that means the same field, as in
  // `outcome: {state, results}`, because a field does not contain itself.
  if (asField.length > 0) return asField.every(({ field }) => named.flat().some((one) => one.field === field)) ? only : undefined
  return mentions(words) && named.length < 2 ? undefined : only
}

/** The rows of a list, and the objects that enclose the list, outermost first. */
export interface Rows {
  readonly rows: readonly unknown[]
  /** The key of each row, if the service sent the list as an object. */
  readonly keys: readonly string[] | null
  readonly outer: readonly Fields[]
}

/** Unwraps rows such as `{edges: [{node: {…}}]}`. Each row becomes the content of its `node`. */
const unnoded = (rows: readonly unknown[]): readonly unknown[] =>
  rows.length > 0 && rows.every((row) => isRecord(row) && isRecord(row.node)) ? rows.map((row) => (row as { node: unknown }).node) : rows // the cast is safe: the condition tests every row

const ownKeys = new WeakMap<ReadonlySet<string>, Map<string, string>>()

/** The words of one of the app's own names. Each read of a list needs the same few, so they are kept; names that a service sends are not. */
function ownKey(name: string, kept: Map<string, string>, known: ReadonlySet<string>): string {
  const found = kept.get(name)
  if (found !== undefined) return found
  const key = keyOf(wordsOf(name, known))
  kept.set(name, key)
  return key
}

/** Tells whether the key of a record equals the id inside the record. */
type IsOwnId = (name: string, row: Fields) => boolean

/**
 * Finds the rows of a list: an array under a name of the resource or under a common name, a table of columns, or an object that maps ids to rows
 * (`keyed: 'values'` also accepts plain values as rows). null if there are none.
 */
export function rowsIn(
  value: unknown,
  names: readonly string[],
  known: ReadonlySet<string>,
  keyed: 'records' | 'values' | null,
  isOwnId: IsOwnId = () => false,
): Rows | null {
  let kept = ownKeys.get(known)
  if (kept === undefined) {
    kept = new Map<string, string>()
    ownKeys.set(known, kept)
  }
  const own = kept
  const wanted = [...names, ...listNames].map((name) => ownKey(name, own, known))
  const keyOfName = (name: string): string => own.get(name) ?? keyOf(wordsOf(name, known))
  const isIdOf = (name: string, row: unknown): boolean => isKey(name) || (isRecord(row) && isOwnId(name, row))
  const outer: Fields[] = []
  let current = value
  for (let depth = 0; depth < mostWrappers; depth += 1) {
    if (Array.isArray(current)) return { rows: unnoded(current), keys: null, outer }
    if (!isRecord(current)) return null
    const source: Fields = current
    const table = fromColumns(source) ?? fromLists(source, (name) => wanted.includes(keyOfName(name)))
    if (table !== null) return { rows: table, keys: null, outer }
    const held = Object.keys(source)
      .slice(0, 1_000)
      .filter((name) => typeof source[name] === 'object' && source[name] !== null)
    const byWords = new Map<string, string>()
    const content: string[] = []
    for (const name of held) {
      const words = keyOfName(name)
      if (!byWords.has(words)) byWords.set(words, name)
      if (!beside.has(words)) content.push(name)
    }
    const nameOf = wanted.find((words) => byWords.has(words))
    const only = nameOf === undefined ? onlyContent(source, content, isIdOf) : byWords.get(nameOf)
    if (only === undefined) {
      const map = fromMap(source, depth > 0, keyed, isIdOf)
      return map === null ? null : { ...map, outer }
    }
    outer.push(without(source, only))
    current = source[only]
  }
  return null
}

/** If an answer’s content, without common envelope fields, is only one list or only one object, returns its name. Otherwise `undefined`. */
function onlyContent(source: Fields, content: readonly string[], isIdOf: IsIdOf): string | undefined {
  const lists = content.filter((name) => Array.isArray(source[name]))
  const [list] = lists
  if (list !== undefined) return lists.length === 1 ? list : undefined
  const [object] = content
  return object !== undefined && content.length === 1 && !isIdOf(object, source[object]) ? object : undefined
}

const isKey = (name: string): boolean => /^(?:[\w:.-]*\d[\w:.-]*|0x[0-9a-fA-F]+|[A-Z0-9]{2,}[-/_:.]?[A-Z0-9]*)$/.test(name)

type IsIdOf = (name: string, row: unknown) => boolean

/**
 * Reads an object that maps ids to records, such as `{"1": {…}, "2": {…}}`. At the top of an answer, the keys must look like ids or equal the ids in
 * the records.
 */
function fromMap(source: Fields, named: boolean, keyed: 'records' | 'values' | null, isIdOf: IsIdOf): Omit<Rows, 'outer'> | null {
  if (keyed === null) return null
  const entries = Object.entries(source)
  const rows: unknown[] = []
  const keys: string[] = []
  let unlike = 0
  for (const [name, value] of entries) {
    if (!named && beside.has(keyOf(wordsOf(name, noWords)))) continue
    if (!isRecord(value) && (keyed === 'records' || typeof value === 'object')) return null
    if (!named && !isIdOf(name, value)) unlike += 1
    // Some market symbols look like field names. If more than a tenth of the keys do, the object is not a list.
    if (unlike * 10 > entries.length) return null
    rows.push(value)
    keys.push(name)
  }
  return (rows.length === 0 && !named) || unlike * 10 > rows.length ? null : { rows, keys }
}
