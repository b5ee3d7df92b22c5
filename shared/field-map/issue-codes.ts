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
