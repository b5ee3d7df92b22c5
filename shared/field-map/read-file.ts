import { isRecord } from '../api/reader/kinds.ts'
import { fail, ok, type Result } from '../result.ts'
import { visibleText } from '../signing/visible-text.ts'
import type { AnswerFields } from './answer-fields.ts'
import { mapIssues, reservedNames } from './check-entry.ts'
import { fieldMapVersion, type MapEntry, mapLimits, sortedEntries } from './field-map-entries.ts'
import type { FileIssue, FileIssueCode } from './issue-codes.ts'
import { type LinedJson, readLinedJson } from './json-lines.ts'

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

/** `{request: {field: name}}` */
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
        // The app's own name changes nothing.
        else if (at !== field) reading.entries.push({ entry: { part: 'payloads', of, field, at, unit: null, from: 'file' }, path: [...path, field] })
      }
  }
}

/** `{resource: {field: {path, unit?}}}`; a bare text is its path. */
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

/** Before files had a version they were the names of requests alone. */
const isUnversioned = (value: Readonly<Record<string, unknown>>): boolean => !['version', 'answers', 'payloads'].some((part) => Object.hasOwn(value, part))

const whole = (code: FileIssueCode, line: number | null = null): Result<never, readonly FileIssue[]> => fail([{ code, line, path: [], given: null }])

/**
 * Reads a field map that was written elsewhere. All that is wrong with it is told at once, by line; a file with one wrong line changes nothing.
 * Never throws, whatever the text; linear in its length.
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
