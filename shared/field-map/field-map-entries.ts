import type { FieldMap } from '../api/reader/field.ts'

/** Who said it. refusal: the service, when it refused another name. */
export type MapOrigin = 'you' | 'check' | 'refusal' | 'file'

/** Where an entry belongs: `answers`, a resource and its field; `payloads`, a request and its field, under the app's own names. */
export interface MapKey {
  readonly part: 'answers' | 'payloads'
  readonly of: string
  readonly field: string
}

/** One line of a field map. */
export interface MapEntry extends MapKey {
  /** In an answer the path from the record inwards, joined by dots: `prices.mark`. In a request the name that is sent. */
  readonly at: string
  /** As unit words: `usdc`, `percent`, `usdc e6`. null: as the name says. Always null in a request: names never change a unit. */
  readonly unit: string | null
  readonly from: MapOrigin
}

/** By request: the name that the service gives to a field, by the app's own. */
export type RequestNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The version of files that this app writes, and the newest that it reads. Version 1 had no number: names of requests alone. */
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

/** Entries in the order in which they are shown and written. */
export const sortedEntries = (entries: readonly MapEntry[]): readonly MapEntry[] =>
  [...entries].sort((a, b) => (keyOfEntry(a) < keyOfEntry(b) ? -1 : keyOfEntry(a) > keyOfEntry(b) ? 1 : 0))

/** Entries with `changed` in the place of those of the same key. */
export function mergedEntries(entries: readonly MapEntry[], changed: readonly MapEntry[], removed: readonly MapKey[] = []): readonly MapEntry[] {
  const byKey = new Map(entries.map((entry) => [keyOfEntry(entry), entry]))
  for (const key of removed) byKey.delete(keyOfEntry(key))
  for (const entry of changed) {
    const before = byKey.get(keyOfEntry(entry))
    // Who said it first stays the one who did.
    if (before === undefined || before.at !== entry.at || before.unit !== entry.unit) byKey.set(keyOfEntry(entry), entry)
  }
  return sortedEntries([...byKey.values()])
}

/** `entries` in the place of all that stood; what they leave as it was keeps who said it. */
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

/** What differs between two field maps. */
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

/** `{of: {field: what}}` of one part. */
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

/** Where the fields of answers stand, as the reader takes it; undefined: nothing is said of any. */
export function answerPlacesOf(entries: readonly MapEntry[]): FieldMap | undefined {
  const places = entriesByField(entries, 'answers', ({ at, unit }) => (unit === null ? { path: at } : { path: at, unit }))
  return Object.keys(places).length === 0 ? undefined : places
}

export const requestNamesOf = (entries: readonly MapEntry[]): RequestNames => entriesByField(entries, 'payloads', ({ at }) => at)

/** As a file: without who said what, which is nobody else's business. */
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

/** What can be wrong with one entry. */
const entryIssues = [
  'unknown_request',
  /** The document shows all of this request. */
  'documented_request',
  'unknown_resource',
  'unknown_field',
  /** The document shows this field. */
  'documented_field',
  /** The app compares it before anything is signed. */
  'guarded_field',
  'too_long',
  'hidden_characters',
  'reserved_name',
  'bad_name',
  'bad_path',
  /** The service check offered no such place. */
  'not_offered',
  /** Another field of the request has this name, or has it in the app. */
  'taken',
  /** The document shows another field of this name in the same request. */
  'documented_name',
  /** The name says another unit than the app sends. */
  'other_unit',
  'bad_unit',
  /** Names in requests carry no unit, and neither do answers that are no number. */
  'no_unit',
] as const
export type EntryIssue = (typeof entryIssues)[number]

/** What can be wrong with a line of a file. */
export const fileIssueCodes = [
  ...entryIssues,
  'not_json',
  'too_deep',
  'too_large',
  'not_a_map',
  /** The report of a service check: the wrong one of two files that the same screen saves. */
  'check_report',
  'newer_version',
  'bad_version',
  /** Signing formats, contracts and the like: what a stranger could use against the user. */
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
  /** Counted from 1. null: of no line. */
  readonly line: number | null
  /** From the file's root, hidden characters made visible. */
  readonly path: readonly string[]
  /** What stands there, shortened: the version, the name, the part. null: nothing to show. */
  readonly given: string | null
}
