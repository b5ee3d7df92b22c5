import { isRecord } from '../api/reader/kinds.ts'
import { fail, ok, type Result } from '../result.ts'
import { visibleText } from '../signing/wording.ts'
import type { AnswerFields } from './answer-fields.ts'
import { mapIssues, reservedNames } from './check-entry.ts'
import { type FileIssue, type FileIssueCode, fieldMapVersion, type MapEntry, mapLimits, sortedEntries } from './field-map-entries.ts'

const forbidden = /sign|typed|layout|format|contract|router|pin|address|chain|domain|token|key|secret|scope|limit|host|url|rpc/i
const longestShown = 64

const shown = (text: string): string => {
  const visible = visibleText(text)
  return visible.length > longestShown ? `${visible.slice(0, longestShown)}…` : visible
}

interface Reading {
  readonly json: LinedJson
  readonly issues: FileIssue[]
  readonly entries: { readonly entry: MapEntry; readonly path: readonly string[] }[]
}

const complain = ({ json, issues }: Reading, code: FileIssueCode, path: readonly string[], given: string | null = null): void => {
  issues.push({ code, line: json.lineOf(path), path: path.map(shown), given: given === null ? null : shown(given) })
}

const given = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Reads the part of the file with names of request fields: `{request: {field: name}}`. */
function readPayloads(reading: Reading, value: unknown, above: readonly string[]): void {
  if (!isRecord(value)) {
    complain(reading, 'not_an_object', above)
    return
  }
  for (const [of, names] of Object.entries(value)) {
    const path = [...above, of]
    if (reservedNames.includes(of)) complain(reading, 'reserved_name', path, of)
    else if (!isRecord(names)) complain(reading, 'not_an_object', path)
    else
      for (const [field, at] of Object.entries(names)) {
        if (typeof at !== 'string') complain(reading, 'not_text', [...path, field], given(at))
        // Skips an entry with the app's own field name, because it would change nothing.
        else if (at !== field) reading.entries.push({ entry: { part: 'payloads', of, field, at, unit: null, from: 'file' }, path: [...path, field] })
      }
  }
}

/**
 * Reads the part of the file with answer fields: `{resource: {field: {path, unit?}}}`. The path may also be written directly:
 * `{resource: {field: path}}`.
 */
function readAnswers(reading: Reading, value: unknown, above: readonly string[]): void {
  if (!isRecord(value)) {
    complain(reading, 'not_an_object', above)
    return
  }
  for (const [of, fields] of Object.entries(value)) {
    const path = [...above, of]
    if (reservedNames.includes(of)) complain(reading, 'reserved_name', path, of)
    else if (!isRecord(fields)) complain(reading, 'not_an_object', path)
    else
      for (const [field, place] of Object.entries(fields)) {
        const at = isRecord(place) ? place.path : place
        const unit = isRecord(place) ? (place.unit ?? null) : null
        const foreign = isRecord(place) ? Object.keys(place).find((key) => key !== 'path' && key !== 'unit') : undefined
        if (foreign !== undefined) complain(reading, 'unknown_part', [...path, field, foreign], foreign)
        else if (typeof at !== 'string') complain(reading, 'not_text', [...path, field], given(at))
        else if (unit !== null && typeof unit !== 'string') complain(reading, 'not_text', [...path, field, 'unit'], given(unit))
        else reading.entries.push({ entry: { part: 'answers', of, field, at, unit, from: 'file' }, path: [...path, field] })
      }
  }
}

function readParts(reading: Reading, value: Readonly<Record<string, unknown>>): void {
  const { version } = value
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) complain(reading, 'bad_version', ['version'], given(version))
  else if (version > fieldMapVersion) complain(reading, 'newer_version', ['version'], String(version))
  else
    for (const [part, inner] of Object.entries(value)) {
      if (part === 'payloads') readPayloads(reading, inner, [part])
      else if (part === 'answers') readAnswers(reading, inner, [part])
      else if (part !== 'version') complain(reading, forbidden.test(part) ? 'forbidden_part' : 'unknown_part', [part], part)
    }
}

/** Whether the file has no version number. Such a file contains only names of request fields. */
const isUnversioned = (value: Readonly<Record<string, unknown>>): boolean => !['version', 'answers', 'payloads'].some((part) => Object.hasOwn(value, part))

const whole = (code: FileIssueCode, line: number | null = null): Result<never, readonly FileIssue[]> => fail([{ code, line, path: [], given: null }])

/**
 * Reads a field map from a file. Reports the problems of all lines together. If one line is wrong, nothing is imported. Never throws on any text,
 * and takes linear time.
 */
export function readFieldMapFile(text: string, answers: AnswerFields): Result<readonly MapEntry[], readonly FileIssue[]> {
  if (new TextEncoder().encode(text).byteLength > mapLimits.fileBytes) return whole('too_large')
  const json = readLinedJson(text, mapLimits.depth)
  if (!json.ok) return whole(json.failure.code, json.failure.line)
  const { value } = json.value
  if (!isRecord(value)) return whole('not_a_map', 1)
  if (Array.isArray(value.steps) && Object.hasOwn(value, 'startedAt')) return whole('check_report', 1)
  const reading: Reading = { json: json.value, issues: [], entries: [] }
  for (const { path, line } of json.value.twice) reading.issues.push({ code: 'twice', line, path: path.map(shown), given: null })
  if (isUnversioned(value)) readPayloads(reading, value, [])
  else readParts(reading, value)
  if (reading.entries.length > mapLimits.entries) return whole('too_many')
  const entries = reading.entries.map(({ entry }) => entry)
  for (const [place, code] of mapIssues(entries, answers)) {
    const read = reading.entries[place]
    if (read !== undefined) complain(reading, code, read.path, code === 'bad_unit' || code === 'no_unit' ? read.entry.unit : read.entry.at)
  }
  if (reading.issues.length > 0) return fail(reading.issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, mapLimits.issues))
  return ok(sortedEntries(entries))
}

interface LinedJson {
  readonly value: unknown
  /** The line of the last key in the path; null if the path does not exist. */
  lineOf(path: readonly string[]): number | null
  /** Keys that occur twice in the same object. `JSON.parse` would silently keep only the last of them. */
  readonly twice: readonly { readonly path: readonly string[]; readonly line: number }[]
}

interface JsonTrouble {
  readonly code: 'not_json' | 'too_deep'
  readonly line: number | null
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/**
 * Returns the position at which JSON exceeds `most` levels of nesting; null if it never does. Works without recursion, because deeply nested text
 * could overflow the stack.
 */
function tooDeepAt(text: string, most: number): number | null {
  let depth = 0
  let quoted = false
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place]
    if (quoted) {
      if (character === '\\') place += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > most) return place
    } else if (character === '}' || character === ']') depth -= 1
  }
  return null
}

const keyText = (path: readonly string[]): string => JSON.stringify(path)

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|\n|[^\s{}[\],:"]+/g

interface Level {
  /** The current key in an object, or the current index in a list. */
  at: string
  readonly list: boolean
  readonly seen: Set<string>
}

/** Finds the line of every key in text that is valid JSON. */
function linesIn(text: string): Pick<LinedJson, 'lineOf' | 'twice'> {
  const lines = new Map<string, number>()
  const twice: { path: string[]; line: number }[] = []
  const levels: Level[] = []
  let line = 1
  let wantsKey = false
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1)
    if (part === '\n') line += 1
    else if (part === '{' || part === '[') {
      levels.push({ at: part === '[' ? '0' : '', list: part === '[', seen: new Set() })
      wantsKey = part === '{'
    } else if (part === '}' || part === ']') {
      levels.pop()
      wantsKey = false
    } else if (part === ',' && level !== undefined) {
      if (level.list) level.at = String(Number(level.at) + 1)
      wantsKey = !level.list
    } else if (part.startsWith('"') && wantsKey && level !== undefined) {
      wantsKey = false
      level.at = String(JSON.parse(part))
      const path = levels.map(({ at }) => at)
      if (level.seen.has(level.at)) twice.push({ path, line })
      level.seen.add(level.at)
      lines.set(keyText(path), line)
    }
  }
  return { lineOf: (path) => lines.get(keyText(path)) ?? null, twice }
}

/** Parses JSON with at most `depth` levels of nesting. Takes linear time, so the caller must limit the length. */
function readLinedJson(text: string, depth: number): Result<LinedJson, JsonTrouble> {
  const json = text.replace(/^\ufeff/, '')
  const deep = tooDeepAt(json, depth)
  if (deep !== null) return fail({ code: 'too_deep', line: lineAt(json, deep) })
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    return fail({ code: 'not_json', line: lineAt(json, position === undefined ? json.length : Number(position)) })
  }
  return ok({ value, ...linesIn(json) })
}
