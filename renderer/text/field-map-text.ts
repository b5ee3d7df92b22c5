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
  execution_payment: statesText.executionPayment,
}

const isBody = (request: string): request is AssumedBody => Object.hasOwn(bodyNames, request)

/** What people call a request that has no action's name; null: its action is its name. */
export const requestTitle = (request: AssumedRequest | string): string | null => (isBody(request) ? bodyNames[request] : null)

export const originText: Readonly<Record<MapOrigin, string>> = {
  you: statesText.you,
  check: statesText.serviceCheck,
  refusal: statesText.serviceRefusal,
  file: statesText.file,
}

const quoted = (text: string | null): string => (text === null ? statesText.thisText : `“${text}”`)

const sentences: Readonly<Record<FileIssueCode, (what: string, given: string | null) => string>> = {
  unknown_request: (what) => statesText.belongsToNoRequestThatThisApp(what),
  documented_request: (what) => statesText.cannotBeRenamedTheServicesDocument(what),
  unknown_resource: (what) => statesText.belongsToNoAnswerThatThisApp(what),
  unknown_field: (what) => statesText.isNotAFieldThatThisApp(what),
  documented_field: (what) => statesText.cannotBeChangedTheServicesDocument(what),
  guarded_field: (what) => statesText.cannotBeChangedTheAppComparesIt(what),
  too_long: (what) => statesText.isTooLongANameHasAt(what, mapLimits.nameCharacters, mapLimits.pathCharacters),
  hidden_characters: (what) => statesText.containsHiddenCharacters(what),
  reserved_name: (what) => statesText.usesANameThatJavascriptReserves(what),
  bad_name: (what) => statesText.needsANameThatBeginsWithA(what),
  bad_path: (what) => statesText.needsAPathNamesJoinedByDots(what),
  not_offered: (what, given) => statesText.cannotBeReadFromTheAnswerThat(what, quoted(given)),
  taken: (what, given) => statesText.cannotBeAnotherFieldOfThisRequest(what, quoted(given)),
  documented_name: (what, given) => statesText.cannotBeTheDocumentGivesThatName(what, quoted(given)),
  other_unit: (what, given) => statesText.cannotBeTheNameSaysAUnit(what, quoted(given)),
  bad_unit: (what, given) => statesText.cannotBeIn(what, quoted(given)),
  no_unit: (what) => statesText.hasNoUnit(what),
  not_json: () => statesText.theFileIsNotValidJsonFrom,
  too_deep: () => statesText.theFileNestsDeeperThanLevels(mapLimits.depth),
  too_large: () => statesText.theFileIsLargerThanKb(mapLimits.fileBytes / 1_024),
  not_a_map: () => statesText.theFileIsNotAFieldMap,
  check_report: () => statesText.theFileIsTheReportOfA,
  newer_version: (_, given) => statesText.aNewerVersionOfTheAppWrote(given ?? statesText.unknown, fieldMapVersion),
  bad_version: () => statesText.theFileNamesNoVersionFieldMaps(fieldMapVersion),
  forbidden_part: (what) => statesText.isNotAllowedInAFieldMap(what),
  unknown_part: (what) => statesText.isNotAPartOfAField(what),
  not_an_object: (what) => statesText.hasToBeAnObject(what),
  not_text: (what) => statesText.hasToBeText(what),
  twice: (what) => statesText.appearsTwice(what),
  too_many: () => statesText.theFileHasMoreThanEntries(mapLimits.entries.toLocaleString('en-US')),
}

/** What is wrong, in a sentence, without its line. */
export const mapIssueText = ({ code, path, given }: FileIssue): string => {
  const [part, ...names] = path
  const shown = (part === 'payloads' || part === 'answers') && names.length > 0 ? names : path
  return sentences[code](shown.length === 0 ? quoted(given) : shown.join(', '), given)
}
