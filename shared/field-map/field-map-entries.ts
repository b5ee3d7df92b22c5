import type { FieldMap } from '../api/reader/field.ts'

/**
 * Where an entry comes from. you: the user entered it. check: a service check suggested it. refusal: the service refused the app's name. file: an
 * imported file.
 */
export type MapOrigin = 'you' | 'check' | 'refusal' | 'file'

/**
 * The field that an entry changes, under the app's own names. In the part `answers`: a resource and its field. In the part `payloads`: a request and
 * its field.
 */
export interface MapKey {
  readonly part: 'answers' | 'payloads'
  readonly of: string
  readonly field: string
}

export interface MapEntry extends MapKey {
  /** For an answer field: the path from the record's root to the field, joined by dots: `prices.mark`. For a request field: the name to send. */
  readonly at: string
  /**
   * The unit of an answer field: `usdc`, `percent`, `usdc e6`. null: the field's name states the unit. Always null for a request field, because a
   * new name never changes the unit.
   */
  readonly unit: string | null
  readonly from: MapOrigin
}

/** For each request: the service's field names, keyed by the app's own field names. */
export type RequestNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * The version of field map files that this app writes, and the newest version that it reads. Files of version 1 have no version number, and contain
 * only names of request fields.
 */
export const fieldMapVersion = 2

export const mapLimits = {
  fileBytes: 256 * 1_024,
  depth: 64,
  entries: 2_000,
  issues: 100,
  pathCharacters: 200,
  nameCharacters: 64,
  unitCharacters: 32,
} as const

export const keyOfEntry = ({ part, of, field }: MapKey): string => `${part}/${of}/${field}`

/** Sorts entries in the order in which the app shows and writes them. */
export const sortedEntries = (entries: readonly MapEntry[]): readonly MapEntry[] =>
  [...entries].sort((a, b) => (keyOfEntry(a) < keyOfEntry(b) ? -1 : keyOfEntry(a) > keyOfEntry(b) ? 1 : 0))

/** Adds the entries in `changed`, which replace entries with the same key. Deletes the entries in `removed`. */
export function mergedEntries(entries: readonly MapEntry[], changed: readonly MapEntry[], removed: readonly MapKey[] = []): readonly MapEntry[] {
  const byKey = new Map(entries.map((entry) => [keyOfEntry(entry), entry]))
  for (const key of removed) byKey.delete(keyOfEntry(key))
  for (const entry of changed) {
    const before = byKey.get(keyOfEntry(entry))
    // If the entry did not change, keep the existing entry with its origin.
    if (before === undefined || before.at !== entry.at || before.unit !== entry.unit) byKey.set(keyOfEntry(entry), entry)
  }
  return sortedEntries([...byKey.values()])
}

/** Replaces all entries with `entries`; an unchanged entry keeps its origin. */
export function replacedEntries(before: readonly MapEntry[], entries: readonly MapEntry[]): readonly MapEntry[] {
  const keys = new Set(entries.map(keyOfEntry))
  return mergedEntries(
    before.filter((entry) => keys.has(keyOfEntry(entry))),
    entries,
  )
}

export interface MapChanges {
  readonly added: readonly MapEntry[]
  readonly changed: readonly { readonly before: MapEntry; readonly after: MapEntry }[]
  readonly removed: readonly MapEntry[]
}

export function changesBetween(before: readonly MapEntry[], after: readonly MapEntry[]): MapChanges {
  const was = new Map(before.map((entry) => [keyOfEntry(entry), entry]))
  const is = new Map(after.map((entry) => [keyOfEntry(entry), entry]))
  return {
    added: after.filter((entry) => !was.has(keyOfEntry(entry))),
    changed: after.flatMap((entry) => {
      const old = was.get(keyOfEntry(entry))
      return old === undefined || (old.at === entry.at && old.unit === entry.unit) ? [] : [{ before: old, after: entry }]
    }),
    removed: before.filter((entry) => !is.has(keyOfEntry(entry))),
  }
}

/** Groups the entries of one part, `payloads` or `answers`: `{request or resource: {field: value}}`. `what` returns the value for an entry. */
export function entriesByField<T>(
  entries: readonly MapEntry[],
  part: MapKey['part'],
  what: (entry: MapEntry) => T,
): Readonly<Record<string, Readonly<Record<string, T>>>> {
  const grouped = new Map<string, Map<string, T>>()
  for (const entry of entries) {
    if (entry.part !== part) continue
    const fields = grouped.get(entry.of) ?? new Map<string, T>()
    fields.set(entry.field, what(entry))
    grouped.set(entry.of, fields)
  }
  return Object.fromEntries([...grouped].map(([of, fields]) => [of, Object.fromEntries(fields)]))
}

/** Returns the part of the map about answer fields, in the form that the answer reader uses; `undefined` if the map has no such entries. */
export function answerPlacesOf(entries: readonly MapEntry[]): FieldMap | undefined {
  const places = entriesByField(entries, 'answers', ({ at, unit }) => (unit === null ? { path: at } : { path: at, unit }))
  return Object.keys(places).length === 0 ? undefined : places
}

export const requestNamesOf = (entries: readonly MapEntry[]): RequestNames => entriesByField(entries, 'payloads', ({ at }) => at)

/** Returns the field map as the text of a file. Leaves out the origins of the entries, because they are private. */
export const fieldMapText = (entries: readonly MapEntry[]): string =>
  `${JSON.stringify(
    {
      version: fieldMapVersion,
      answers: answerPlacesOf(entries) ?? {},
      payloads: requestNamesOf(entries),
    },
    null,
    2,
  )}\n`

const entryIssues = [
  'unknown_request',
  /** The API document shows the whole request, so its field names cannot be changed. */
  'documented_request',
  'unknown_resource',
  'unknown_field',
  /** The API document shows this field, so the app always reads it under its documented name. */
  'documented_field',
  /** The app compares the field's value before the wallet signs, so an imported file must not change where the app reads the field. */
  'guarded_field',
  'too_long',
  'hidden_characters',
  'reserved_name',
  'bad_name',
  'bad_path',
  /** The service check did not suggest this path for the field. */
  'not_offered',
  /** Another field of the request already has this name, in the map or in the app. */
  'taken',
  /** The same request has a documented field with this name. */
  'documented_name',
  /** The new name states another unit than the value that the app sends. */
  'other_unit',
  'bad_unit',
  /** The field cannot have a unit, because it is a request field or not a number. */
  'no_unit',
] as const
export type EntryIssue = (typeof entryIssues)[number]

/** Problems of a line in a field map file. */
export const fileIssueCodes = [
  ...entryIssues,
  'not_json',
  'too_deep',
  'too_large',
  'not_a_map',
  /** The file is the report of a service check. Users may confuse it with a field map, because the same screen saves both. */
  'check_report',
  'newer_version',
  'bad_version',
  /** The file contains something that could harm the user if it came from an attacker, such as signing formats or contracts. */
  'forbidden_part',
  'unknown_part',
  'not_an_object',
  'not_text',
  'twice',
  'too_many',
] as const
export type FileIssueCode = (typeof fileIssueCodes)[number]

export interface FileIssue {
  readonly code: FileIssueCode
  /** Line number, starting at 1; null if the problem concerns no particular line. */
  readonly line: number | null
  /** Path from the root of the file. Hidden characters are made visible. */
  readonly path: readonly string[]
  /** The text that caused the problem, shortened, such as the version or the name; null if there is nothing to show. */
  readonly given: string | null
}
