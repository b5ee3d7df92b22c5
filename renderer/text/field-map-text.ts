import { formatCount } from '../../shared/decimal.ts'
import { type FileIssue, type FileIssueCode, fieldMapVersion, type MapOrigin, mapLimits } from '../../shared/field-map/field-map-entries.ts'
import type { AssumedBody, AssumedRequest } from '../../shared/field-map/sent-names.ts'
import { statesText } from './en/states.en.tsx'

const bodyNames: Readonly<Record<AssumedBody, string>> = {
  risk_preview: statesText.riskPreview,
  key_preparation: statesText.keyPreparation,
  key_creation: statesText.botReadyKey,
  key_expiry: statesText.keyExpiry,
  key_executor: statesText.keyExecutor,
  agent_grant: statesText.agentGrant,
  execution_payment: statesText.checkPayment,
}

const isBody = (request: string): request is AssumedBody => Object.hasOwn(bodyNames, request)

/** The title of a request such as "Risk preview". `null` for a trading action, which is shown under its own name. */
export const requestTitle = (request: AssumedRequest | string): string | null => (isBody(request) ? bodyNames[request] : null)

export const originText: Readonly<Record<MapOrigin, string>> = {
  you: statesText.you,
  check: statesText.serviceCheck,
  refusal: statesText.serviceRefusal,
  file: statesText.file,
}

const quoted = (text: string | null): string => (text === null ? statesText.thisEntry : statesText.quoted(text))

const sentences: Readonly<Record<FileIssueCode, (what: string, given: string | null) => string>> = {
  unknown_request: (what) => statesText.unknownRequest(what),
  documented_request: (what) => statesText.documentedRequest(what),
  unknown_resource: (what) => statesText.unknownResource(what),
  unknown_field: (what) => statesText.unknownField(what),
  documented_field: (what) => statesText.documentedField(what),
  guarded_field: (what) => statesText.guardedField(what),
  too_long: (what) => statesText.nameTooLong(what, mapLimits.nameCharacters, mapLimits.pathCharacters),
  hidden_characters: (what) => statesText.hiddenCharacters(what),
  reserved_name: (what) => statesText.reservedName(what),
  bad_name: (what) => statesText.badName(what),
  bad_path: (what) => statesText.badPath(what),
  not_offered: (what, given) => statesText.notOffered(what, quoted(given)),
  taken: (what, given) => statesText.nameTaken(what, quoted(given)),
  documented_name: (what, given) => statesText.documentedName(what, quoted(given)),
  other_unit: (what, given) => statesText.otherUnit(what, quoted(given)),
  bad_unit: (what, given) => statesText.badUnit(what, quoted(given)),
  no_unit: (what) => statesText.noUnit(what),
  not_json: () => statesText.notJson,
  too_deep: () => statesText.tooDeep(mapLimits.depth),
  too_large: () => statesText.mapTooLarge(mapLimits.fileBytes / 1_024),
  not_a_map: () => statesText.notAMap,
  check_report: () => statesText.isCheckReport,
  newer_version: (_, given) => statesText.newerVersion(given, fieldMapVersion),
  bad_version: () => statesText.noVersion(fieldMapVersion),
  forbidden_part: (what) => statesText.forbiddenPart(what),
  unknown_part: (what) => statesText.unknownPart(what),
  not_an_object: (what) => statesText.notAnObject(what),
  not_text: (what) => statesText.notTextValue(what),
  twice: (what) => statesText.appearsTwice(what),
  too_many: () => statesText.tooManyEntries(formatCount(mapLimits.entries)),
}

/** Explains a problem of a field map file in one sentence, without the line number. */
export const mapIssueText = ({ code, path, given }: FileIssue): string => {
  const [part, ...names] = path
  const shown = (part === 'payloads' || part === 'answers') && names.length > 0 ? names : path
  return sentences[code](shown.length === 0 ? quoted(given) : shown.join(', '), given)
}
