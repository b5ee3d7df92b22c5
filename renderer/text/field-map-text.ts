import { type FileIssue, type FileIssueCode, fieldMapVersion, type MapOrigin, mapLimits } from '../../shared/field-map/field-map-entries.ts'
import type { AssumedBody, AssumedRequest } from '../../shared/field-map/sent-names.ts'

const bodyNames: Readonly<Record<AssumedBody, string>> = {
  risk_preview: 'Risk preview',
  key_preparation: 'Key preparation',
  key_creation: 'Bot-ready key',
  key_expiry: 'Key expiry',
  key_executor: 'Key executor',
  agent_grant: 'Agent grant',
  execution_payment: 'Execution payment',
}

const isBody = (request: string): request is AssumedBody => Object.hasOwn(bodyNames, request)

/** What people call a request that has no action's name; null: its action is its name. */
export const requestTitle = (request: AssumedRequest | string): string | null => (isBody(request) ? bodyNames[request] : null)

export const originText: Readonly<Record<MapOrigin, string>> = { you: 'You', check: 'Service check', refusal: 'Service refusal', file: 'File' }

const quoted = (text: string | null): string => (text === null ? 'This' : `“${text}”`)

const sentences: Readonly<Record<FileIssueCode, (what: string, given: string | null) => string>> = {
  unknown_request: (what) => `${what} belongs to no request that this app renames.`,
  documented_request: (what) => `${what} cannot be renamed: the service's document shows this request.`,
  unknown_resource: (what) => `${what} belongs to no answer that this app reads.`,
  unknown_field: (what) => `${what} is not a field that this app knows here.`,
  documented_field: (what) => `${what} cannot be changed: the service's document shows it.`,
  guarded_field: (what) => `${what} cannot be changed: the app compares it before you sign.`,
  too_long: (what) => `${what} is too long: a name has at most ${mapLimits.nameCharacters} characters, a path ${mapLimits.pathCharacters}.`,
  hidden_characters: (what) => `${what} contains hidden characters.`,
  reserved_name: (what) => `${what} uses a name that JavaScript reserves.`,
  bad_name: (what) => `${what} needs a name that begins with a letter and has only letters, digits, hyphens and underscores.`,
  bad_path: (what) => `${what} needs a path: names joined by dots, for example “prices.mark”.`,
  not_offered: (what, given) => `${what} cannot be read from ${quoted(given)}: the answer that was checked has no such place.`,
  taken: (what, given) => `${what} cannot be ${quoted(given)}: another field of this request has that name.`,
  documented_name: (what, given) => `${what} cannot be ${quoted(given)}: the document gives that name to another field of this request.`,
  other_unit: (what, given) => `${what} cannot be ${quoted(given)}: the name says a unit that the app does not send.`,
  bad_unit: (what, given) => `${what} cannot be in ${quoted(given)}.`,
  no_unit: (what) => `${what} has no unit.`,
  not_json: () => 'The file is not valid JSON from this line on.',
  too_deep: () => `The file nests deeper than ${mapLimits.depth} levels.`,
  too_large: () => `The file is larger than ${mapLimits.fileBytes / 1_024} KB.`,
  not_a_map: () => 'The file is not a field map: it has to be a JSON object.',
  check_report: () => 'The file is the report of a service check: a field map is exported below it, in Field map.',
  newer_version: (_, given) => `A newer version of the app wrote this file (${given ?? 'unknown'}): this one reads up to ${fieldMapVersion}.`,
  bad_version: () => `The file names no version: field maps have "version": ${fieldMapVersion}.`,
  forbidden_part: (what) => `${what} is not allowed in a field map: signing formats, contracts, keys and addresses never come from a file.`,
  unknown_part: (what) => `${what} is not a part of a field map.`,
  not_an_object: (what) => `${what} has to be an object.`,
  not_text: (what) => `${what} has to be text.`,
  twice: (what) => `${what} appears twice.`,
  too_many: () => `The file has more than ${mapLimits.entries.toLocaleString('en-US')} entries.`,
}

/** What is wrong, in a sentence, without its line. */
export const mapIssueText = ({ code, path, given }: FileIssue): string => {
  const [part, ...names] = path
  const shown = (part === 'payloads' || part === 'answers') && names.length > 0 ? names : path
  return sentences[code](shown.length === 0 ? quoted(given) : shown.join(', '), given)
}
