import { foreign } from '../../../foreign/foreign.ts'
import { readJson } from '../../../foreign/parse-json.ts'
import { sureness } from '../../names/match.ts'
import { wordsOf } from '../../names/name-words.ts'
import type { Fields, ReadContext } from '../../reader/field.ts'
import { isRecord } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import type { Resource } from '../../reader/resource.ts'
import { readTime } from '../../reader/units.ts'

/**
 * The functions of this file recognise the grant and related parts of an answer by their form, because the API document does not name their fields.
 */

type Path = readonly string[]

/** The most levels and values to search. An answer beyond this cannot be a reply to a request for one grant. */
const bounds = { depth: 32, nodes: 2_000 } as const

/** Visits every value in an answer, outermost first. `visit` decides whether to look inside a value. */
export function walk(source: unknown, visit: (value: unknown, path: Path) => boolean): void {
  const waiting: { readonly value: unknown; readonly path: Path }[] = [{ value: source, path: [] }]
  for (let place = 0; place < waiting.length && place < bounds.nodes; place += 1) {
    const { value, path } = waiting[place] as (typeof waiting)[number] // the cast is safe: `place` is below the length of `waiting`
    if (!visit(value, path) || typeof value !== 'object' || value === null || path.length >= bounds.depth) continue
    for (const [name, inner] of Object.entries(value)) waiting.push({ value: inner, path: [...path, name] })
  }
}

const asObject = (value: unknown): unknown => (typeof value === 'string' && value.trimStart().startsWith('{') ? readJson(foreign(value)) : value)

/** The parts of typed data that EIP-712 requires. Wallets refuse typed data without them. */
const typedDataParts: readonly string[] = ['domain', 'types', 'primaryType', 'message']
const isTypedData = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && isRecord(value.domain) && isRecord(value.types) && (isRecord(value.message) || typeof value.primaryType === 'string')

interface Found {
  /** The typed data as received, for `parseTypedData`. */
  readonly typedData: Readonly<Record<string, unknown>>
  /** The path to the typed data in the answer, outermost name first. */
  readonly at: Path
}

/**
 * Finds typed data anywhere in the answer, under any name, also as JSON text. `undefined` if there is none, or if the answer contains two different
 * pieces of typed data.
 */
export function typedDataIn(body: unknown): Found | undefined {
  const found: Found[] = []
  walk(body, (value, at) => {
    const typedData = asObject(value)
    if (!isTypedData(typedData)) return true
    found.push({ typedData, at })
    return false
  })
  const [first, ...others] = found
  const text = JSON.stringify(first?.typedData)
  return others.every(({ typedData }) => JSON.stringify(typedData) === text) ? first : undefined
}

/** Returns the answer without its typed data. The app compares typed data with the rest of the answer, because typed data must not confirm itself. */
export function besideTypedData(body: unknown, depth = 0): unknown {
  const read = asObject(body)
  if (typeof read !== 'object' || read === null) return body
  if (depth > bounds.depth) return null
  if (Array.isArray(read)) return read.map((inner) => besideTypedData(inner, depth + 1))
  const parts = isTypedData(read) ? typedDataParts : []
  return Object.fromEntries(Object.entries(read).flatMap(([name, inner]) => (parts.includes(name) ? [] : [[name, besideTypedData(inner, depth + 1)]])))
}

export const isAddress = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

export function addressesIn(body: unknown): readonly string[] {
  const found = new Map<string, string>()
  walk(body, (value) => {
    if (isAddress(value)) found.set(value.toLowerCase(), value)
    return true
  })
  return [...found.values()]
}

/** Words in the names of values that describe the request or the requested key. Such a value is not the preparation's id. */
const otherWords: ReadonlySet<string> = new Set(['request', 'trace', 'correlation', 'span', 'server', 'label', 'title', 'version', 'schema', 'wallet', 'agent'])
/** The smallest number that can be an id of the service. A number below it is a count. */
const smallestHandle = 1_000

function isHandle(value: unknown): value is string | number {
  if (readTime(value) !== undefined) return false
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= smallestHandle
  if (typeof value !== 'string' || !/^[\w.:~-]{6,256}$/.test(value) || /^0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/.test(value)) return false
  return /\d/.test(value) || isScrambled(value)
}

/** Whether a text looks random and not like words. About a third of the letters in words are vowels; random text has fewer. */
function isScrambled(text: string): boolean {
  const letters = text.match(/[a-z]/gi)?.length ?? 0
  const vowels = text.match(/[aeiou]/gi)?.length ?? 0
  return letters >= 12 && vowels * 4 < letters
}

/**
 * Finds the preparation's id, which the app must send back together with the signature. The id is the only text or number in the answer that looks
 * generated. `undefined` if there is no such value, or more than one.
 */
export function handleIn(body: unknown): string | undefined {
  const found = new Set<string>()
  walk(body, (value, path) => {
    const words = path.slice(-2).flatMap((name) => wordsOf(name, otherWords))
    if (isHandle(value) && !words.some((word) => otherWords.has(word))) found.add(String(value))
    return true
  })
  const [only, ...more] = found
  return more.length === 0 ? only : undefined
}

/** Maximum depth at which a name still belongs to the record: the names of the record's groups, and the names inside these groups. */
const deepest = 2

/** How many fields of a resource the record itself contains. Fields of enclosing objects do not count. */
const namedBy = <F extends Fields, T>({ planOf }: Resource<F, T>, record: Readonly<Record<string, unknown>>, { fieldMap }: ReadContext): number =>
  planOf(record, fieldMap).places.filter((places) => places.some(({ path, level }) => path.length <= deepest && level <= sureness.words)).length

/**
 * Finds the record of a resource in an answer that also contains other data. The record is the object with the most fields of the resource. null if
 * no record is readable.
 */
export function recordWithin<F extends Fields, T>(of: Resource<F, T>, json: unknown, context: ReadContext): T | null {
  let best: { readonly record: Readonly<Record<string, unknown>>; readonly names: number } | null = null
  walk(json, (value) => {
    if (!isRecord(value)) return true
    const names = namedBy(of, value, context)
    if (names > (best?.names ?? 0)) best = { record: value, names }
    return true
  })
  const found = best as { readonly record: unknown } | null // the cast is needed: the compiler does not see that the walk sets `best`
  return found === null ? null : (readRecords(of, [found.record], context, () => {}).items[0] ?? null)
}
