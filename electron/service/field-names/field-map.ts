import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { answerFields } from '../../../shared/field-map/answer-fields.ts'
import { mapIssues, shareable } from '../../../shared/field-map/check-entry.ts'
import {
  changesBetween,
  type FileIssue,
  fieldMapText,
  type MapChanges,
  type MapEntry,
  type MapKey,
  mergedEntries,
  type RequestNames,
  replacedEntries,
  requestNamesOf,
} from '../../../shared/field-map/field-map-entries.ts'
import type { NameOffer } from '../../../shared/field-map/name-offer.ts'
import { contract, type QueryName } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ChosenMap, FieldMapView } from '../../../shared/ipc/host/field-map.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Emit } from '../../kernel/events.ts'
import { dialogWords, fileKind } from '../../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../../kernel/files/dialogs.ts'
import { createSaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import { mapFileJob } from './map-file-job.ts'
import type { StoredMap } from './stored-map.ts'

export interface FieldMapService {
  /** Returns the service’s own names of request fields, as the user has set them. */
  names(): RequestNames
  /**
   * Returns the places of response fields in the service's answers, as the user has set them; `undefined` if nothing is set. Returns the same object
   * until an entry changes.
   */
  answers(): FieldMap | undefined
  /**
   * Stores the places of response fields that the service check has found. If one of them is invalid, stores none and fails with `field_map`.
   */
  place(places: readonly Pick<MapEntry, 'of' | 'field' | 'at' | 'unit'>[]): Result<FieldMapView, Failure>
  /**
   * Stores the field name that a refusal of the service asks for, but only if it is another spelling of the name that the app sent. Returns whether
   * it stored the name.
   */
  learn(offer: NameOffer | undefined): boolean
  readonly handlers: HandlersOf<'fieldMap'>
}

export interface FieldMapParts {
  readonly map: StoredMap
  readonly files: Pick<FileDialogs, 'chooseToOpen' | 'chooseToSave'>
  readonly parsing: Parsing
  readonly emit: Emit
  readonly newId: () => string
}

const kinds = () => [fileKind('json')]

/**
 * The field map of this profile: how its service names the fields that the API document leaves open. The app stores the map on this computer, and the
 * user can save it to a file.
 */
export function createFieldMap({ map, files, parsing, emit, newId }: FieldMapParts): FieldMapService {
  const saveText = createSaveText(files)
  let names = requestNamesOf(map.entries())
  let chosen: { readonly id: string; readonly entries: readonly MapEntry[] } | null = null

  const view = (): FieldMapView => ({ entries: [...map.entries()], stored: map.state(), canUndo: map.canUndo() })

  const apply = (write: () => void): FieldMapView => {
    const before = map.entries()
    write()
    names = requestNamesOf(map.entries())
    emit({ type: 'invalidate', queries: ['fieldMap.get', ...queriesTouched(changesBetween(before, map.entries()))] })
    return view()
  }

  const change = (after: readonly MapEntry[]): Result<FieldMapView, Failure> => {
    const issues = newIssues(map.entries(), after)
    if (issues.length > 0) return fail({ kind: 'field_map', issues })
    const { added, changed, removed } = changesBetween(map.entries(), after)
    return ok(added.length + changed.length + removed.length === 0 ? view() : apply(() => map.keep(after)))
  }

  const put = (set: readonly MapEntry[], remove: readonly MapKey[]): Result<FieldMapView, Failure> => change(mergedEntries(map.entries(), set, remove))

  return {
    names: () => names,
    answers: map.answers,
    place: (places) =>
      put(
        places.map((place) => ({ part: 'answers', ...place, from: 'check' })),
        [],
      ),
    learn: (offer) => {
      if (offer?.respelling !== true || offer.asks === null) return false
      const { asks, candidates } = offer
      return candidates.slice(0, 1).some(({ request, field }) => put([{ part: 'payloads', of: request, field, at: asks, unit: null, from: 'refusal' }], []).ok)
    },
    handlers: {
      'fieldMap.get': () => ok(view()),
      'fieldMap.change': ({ set, remove, from }) => {
        // True for an entry whose name is the app's own name of the field. Such an entry changes nothing, so the app does not store it.
        const isOwn = ({ part, field, at }: { readonly part: string; readonly field: string; readonly at: string }) => part === 'payloads' && at === field
        return put(
          set.filter((entry) => !isOwn(entry)).map((entry) => ({ ...entry, from })),
          [...remove, ...set.filter(isOwn)],
        )
      },
      'fieldMap.reset': () => change([]),
      'fieldMap.undo': () => (map.canUndo() ? ok(apply(map.undo)) : fail({ kind: 'not_found', what: 'change' })),
      'fieldMap.export': async () => {
        const saved = await saveText({ ...dialogWords('exportFieldMap'), kinds: kinds(), suggested: 'field-map.json' }, () =>
          fieldMapText(shareable(map.entries(), answerFields)),
        )
        return saved.ok ? ok({ path: saved.value }) : saved
      },
      'fieldMap.choose': async () => {
        const path = await files.chooseToOpen({ ...dialogWords('importFieldMap'), kinds: kinds() })
        if (path === null) return ok({ chosen: null })
        const given = await parsing.run(mapFileJob, { path })
        if (!given.ok) return given
        if (!given.value.ok) return given.value
        const read = given.value.value
        const id = newId()
        chosen = read.ok ? { id, entries: read.value } : null
        return ok({ chosen: { id, path, ...whatItBrings(map.entries(), read) } })
      },
      'fieldMap.import': ({ id, how }) => {
        if (chosen?.id !== id) return fail({ kind: 'not_found', what: 'file' })
        const answer = change(importers[how](map.entries(), chosen.entries))
        if (answer.ok) chosen = null
        return answer
      },
    },
  }
}

const importers = { merge: mergedEntries, replace: replacedEntries } as const

type Brought = Pick<ChosenMap, 'issues' | 'merge' | 'replace'>

function whatItBrings(before: readonly MapEntry[], read: Result<readonly MapEntry[], readonly FileIssue[]>): Brought {
  const changes = (after: readonly MapEntry[]) => {
    const { added, changed, removed } = changesBetween(before, after)
    return { added: [...added], changed: [...changed], removed: [...removed] }
  }
  if (!read.ok) return { issues: [...read.failure], merge: changes(before), replace: changes(before) }
  const [merge, replace] = [importers.merge(before, read.value), importers.replace(before, read.value)]
  return { issues: [], merge: changes(merge), replace: changes(replace) }
}

/** Finds problems of new entries, including conflicts with older entries. An older entry stays valid even if today's rules would refuse it. */
function newIssues(before: readonly MapEntry[], after: readonly MapEntry[]): FileIssue[] {
  const stood = new Set(before)
  return [...mapIssues(after, answerFields)].flatMap(([place, code]) => {
    const entry = after[place]
    if (entry === undefined) return []
    const meetsNew = code === 'taken' && after.some((other) => other.of === entry.of && other.at === entry.at && !stood.has(other))
    return stood.has(entry) && !meetsNew ? [] : [{ code, line: null, path: [entry.part, entry.of, entry.field], given: entry.at }]
  })
}

/** The queries whose results the app reads from the service's answers. */
const readFromAnswers: readonly QueryName[] = Object.entries(contract).flatMap(
  ([name, { kind }]) => (kind === 'query' && /^(account|markets|keys|service|serviceCheck|webhooks)\./.test(name) ? [name as QueryName] : []), // The cast is safe: `name` is a key of the contract.
)

/**
 * Returns the queries to read again after a change of the field map: their requests contain renamed fields, or their results come from moved fields.
 */
function queriesTouched({ added, changed, removed }: MapChanges): readonly QueryName[] {
  const entries = [...added, ...removed, ...changed.map(({ after }) => after)]
  if (entries.some(({ part }) => part === 'answers')) return readFromAnswers
  return entries.some(({ part }) => part === 'payloads') ? ['account.riskPreview'] : []
}

/** Returns a function that caches a value derived from answers of the service. After a change of the field map, derives the value again. */
export function perFieldMap<T>(answers: FieldMapService['answers'], make: () => T): () => T {
  let map = answers()
  let kept = make()
  return () => {
    const now = answers()
    if (now !== map) [map, kept] = [now, make()]
    return kept
  }
}
