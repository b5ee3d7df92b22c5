import type { FieldMap, FieldPlace } from '../../../shared/api/reader/field.ts'
import { isOpen } from '../../../shared/check-counts.ts'
import { answerFields } from '../../../shared/field-map/answer-fields.ts'
import { entryIssue } from '../../../shared/field-map/check-entry.ts'
import type { FileIssueCode } from '../../../shared/field-map/field-map-entries.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CheckedField, CheckedResource, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { CheckAnswers } from './check-answers.ts'
import type { Step } from './steps.ts'

interface AcceptingDeps {
  readonly answers: Pick<CheckAnswers, 'of' | 'judgedWith'>
  readonly fieldMap: () => FieldMap | undefined
  readonly place: FieldMapService['place']
}

/** A field, the place in the answer from which to read it, and its unit. `unit` is null if the place's name contains the unit. */
interface Wish {
  readonly resource: string
  readonly field: string
  readonly path: string
  readonly unit: string | null
}
type Place = Omit<Wish, 'unit'>

/** Whether a text is a unit as it appears in names: `usdc`, `percent`, `usdc e6`. */
const isUnit = (unit: string): boolean => /^(usdc|base|percent|fraction|bps)( e\d{1,2})?$/.test(unit)

/** Stores in the field map where the check found each field. Accepts only places that the user saw. */
export function createAccepting({ answers, fieldMap, place }: AcceptingDeps) {
  return {
    /** Stores in the field map the place from which to read one field. `shown`: the resources of the answer that the user saw in the check. */
    accept: (shown: readonly CheckedResource[], { resource, field, path, unit }: Wish): Result<void, Failure> => {
      const of = shown.find((one) => one.resource === resource)
      const own = of?.fields.find((one) => one.field === field)
      if (of === undefined || own === undefined) return fail({ kind: 'not_found', what: 'field' })
      const refuse = (code: FileIssueCode, given = path) =>
        fail<Failure>({ kind: 'field_map', issues: [{ code, line: null, path: ['answers', resource, field], given }] })
      // Accept only a place that this answer contains, and only for a field that the exchange's documentation does not name.
      const places = [...own.suggestions, ...of.unread, ...(own.path === null ? [] : [{ path: own.path }])]
      if (own.documented) return refuse('documented_field')
      if (!places.some((one) => one.path === path)) return refuse('not_offered')
      if (unit !== null && !isUnit(unit)) return refuse('bad_unit', unit)
      const placed = place([{ of: resource, field, at: path, unit }])
      return placed.ok ? ok(undefined) : placed
    },
    /** Lists the most likely place of each missing field, from all answers of these steps. */
    tops: (address: string, steps: readonly Step[]): readonly TopCandidate[] => {
      const answered = steps.flatMap((step) => {
        const json = answers.of(address, step.id)
        return json === undefined ? [] : [{ step, json }]
      })
      return topCandidates((map) => answered.flatMap(({ step, json }) => answers.judgedWith(step, json, map)), fieldMap())
    },
    /**
     * Stores the places that the user accepted (`tops`) in the field map. Fails if one of them is no longer among the most likely places that the
     * check finds now (`now`).
     */
    acceptTops: (now: readonly TopCandidate[], tops: readonly Place[]): Result<{ accepted: number }, Failure> => {
      const isShown = tops.every((one) => now.some(({ resource, field, path }) => resource === one.resource && field === one.field && path === one.path))
      if (!isShown) return fail({ kind: 'wrong_state', state: 'changed', wanted: 'shown' })
      const placed = place(tops.map(({ resource, field, path }) => ({ of: resource, field, at: path, unit: null })))
      return placed.ok ? ok({ accepted: tops.length }) : placed
    },
  }
}

/** Reads the resources in the service's answers with a field map. */
type Look = (fieldMap: FieldMap | undefined) => readonly CheckedResource[]

/**
 * The place from which to read a field whose name is unknown. null if there is no candidate, or if the field's unit is unknown, because a place alone
 * doesn't reveal the unit.
 */
function topOf(resource: string, field: CheckedField): TopCandidate | null {
  if (!isOpen(field) || field.reason === 'unit' || field.reason === 'scale' || field.reason === 'conflict') return null
  const [top] = field.suggestions
  if (top === undefined || top.path === field.path) return null
  const entry = { part: 'answers', of: resource, field: field.field, at: top.path, unit: null, from: 'check' } as const
  return entryIssue(entry, answerFields) === null ? { resource, field: field.field, ...top } : null
}

function withCandidates(fieldMap: FieldMap | undefined, tops: readonly TopCandidate[]): FieldMap | undefined {
  if (tops.length === 0) return fieldMap
  const map: Record<string, Record<string, FieldPlace>> = { ...fieldMap }
  for (const { resource, field, path } of tops) map[resource] = { ...map[resource], [field]: { path } }
  return map
}

const isRead = (resources: readonly CheckedResource[], place: number, field: string): boolean =>
  resources[place]?.fields.some((one) => one.field === field && one.state === 'read') === true

/**
 * Returns the first candidate of every field without a known place. Never guesses a unit. Skips a candidate if
 * - it is the first candidate of two fields of a resource, because only the user can tell the fields apart;
 * - nothing can be read from its place;
 * - it makes a field unreadable in another answer of the resource.
 */
export function topCandidates(look: Look, fieldMap: FieldMap | undefined): readonly TopCandidate[] {
  const before = look(fieldMap)
  const tops = new Map<string, TopCandidate>()
  for (const { resource, fields } of before) {
    for (const field of fields) {
      const top = topOf(resource, field)
      const name = `${resource} ${field.field}`
      if (top !== null && !tops.has(name)) tops.set(name, top)
    }
  }
  const all = [...tops.values()]
  const apart = all.filter((top) => !all.some((other) => other !== top && other.resource === top.resource && other.path === top.path))
  const after = look(withCandidates(fieldMap, apart))
  return apart.filter(({ resource, field }) => {
    const places = before.flatMap((one, place) => (one.resource === resource ? [place] : []))
    return (
      places.some((place) => isRead(after, place, field) && !isRead(before, place, field)) &&
      places.every((place) => isRead(after, place, field) || !isRead(before, place, field))
    )
  })
}
