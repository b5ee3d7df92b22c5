import type { FieldMap } from '../api/reader/field.ts'

/** Who set an entry. you: the user. check: a service check. refusal: the service, when it refused another name. file: an imported file. */
export type MapOrigin = 'you' | 'check' | 'refusal' | 'file'

/** The field that an entry is about. `answers`: a resource and its field; `payloads`: a request and its field. Both use the app's own names. */
export interface MapKey {
  readonly part: 'answers' | 'payloads'
  readonly of: string
  readonly field: string
}

/** One line of a field map. */
export interface MapEntry extends MapKey {
  /** For an answer: the path from the record down to the field, joined by dots: `prices.mark`. For a request: the name to send. */
  readonly at: string
  /**
   * Unit words: `usdc`, `percent`, `usdc e6`. null: the field's name states the unit. Always null for a request, because names never change a unit.
   */
  readonly unit: string | null
  readonly from: MapOrigin
}

/** For each request: the app's own field names mapped to the service's names. */
export type RequestNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The file version that this app writes, and the newest that it reads. Version 1 files had no version number, and only names of requests. */
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

/** Adds the `changed` entries, replacing entries with the same key, and drops the `removed` ones. */
export function mergedEntries(entries: readonly MapEntry[], changed: readonly MapEntry[], removed: readonly MapKey[] = []): readonly MapEntry[] {
  const byKey = new Map(entries.map((entry) => [keyOfEntry(entry), entry]))
  for (const key of removed) byKey.delete(keyOfEntry(key))
  for (const entry of changed) {
    const before = byKey.get(keyOfEntry(entry))
    // An unchanged entry keeps its first origin.
    if (before === undefined || before.at !== entry.at || before.unit !== entry.unit) byKey.set(keyOfEntry(entry), entry)
  }
  return sortedEntries([...byKey.values()])
}

/** Replaces all entries by `entries`; an unchanged entry keeps its origin. */
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

/** Returns the differences between two field maps. */
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

/** Groups the entries of one part of the map as `{of: {field: value}}`. */
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

/** Returns the paths and units of the map's answer fields as the `FieldMap` that the reader needs; `undefined` if there are none. */
export function answerPlacesOf(entries: readonly MapEntry[]): FieldMap | undefined {
  const places = entriesByField(entries, 'answers', ({ at, unit }) => (unit === null ? { path: at } : { path: at, unit }))
  return Object.keys(places).length === 0 ? undefined : places
}

export const requestNamesOf = (entries: readonly MapEntry[]): RequestNames => entriesByField(entries, 'payloads', ({ at }) => at)

/** Returns the map as the text of a file, without the origins, which are private. */
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

/** Problems of a single entry. */
const entryIssues = [
  'unknown_request',
  /** The API document shows this whole request, so its names cannot change. */
  'documented_request',
  'unknown_resource',
  'unknown_field',
  /** The API document shows this field, so the app always reads it under its documented name. */
  'documented_field',
  /** The app compares this field before anything is signed, so an imported file must not change where the app reads it. */
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
  /** The API document shows another field with this name in the same request. */
  'documented_name',
  /** The name states a unit other than the one in which the app sends the value. */
  'other_unit',
  'bad_unit',
  /** The field cannot have a unit: it is a request field, or an answer field that is not a number. */
  'no_unit',
] as const
export type EntryIssue = (typeof entryIssues)[number]

/** Problems of a line in a file. */
export const fileIssueCodes = [
  ...entryIssues,
  'not_json',
  'too_deep',
  'too_large',
  'not_a_map',
  /** The file is the report of a service check, not a field map. Users may confuse the two, because the same screen saves both. */
  'check_report',
  'newer_version',
  'bad_version',
  /** The file contains parts such as signing formats or contracts, with which someone else could harm the user. */
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
  /** Line number, counted from 1; null if the issue has no line. */
  readonly line: number | null
  /** Path from the root of the file, with hidden characters made visible. */
  readonly path: readonly string[]
  /** The affected text, shortened, for example the version, the name or the part; null if there is nothing to show. */
  readonly given: string | null
}
