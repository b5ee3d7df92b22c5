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

/** The place in the service's answer from which to read a field, and the field's unit. `unit` is null if the place's name contains the unit. */
interface Wish {
  readonly resource: string
  readonly field: string
  readonly path: string
  readonly unit: string | null
}
type Place = Omit<Wish, 'unit'>

const isUnit = (unit: string): boolean => /^(usdc|base|percent|fraction|bps)( e\d{1,2})?$/.test(unit)

/** Stores in the field map the places where the service check found fields. Accepts only places that the user saw. */
export function createAccepting({ answers, fieldMap, place }: AcceptingDeps) {
  return {
    /** Stores the place of one field in the field map. `shown`: the resources of the answer as the check showed them to the user. */
    accept: (shown: readonly CheckedResource[], { resource, field, path, unit }: Wish): Result<void, Failure> => {
      const of = shown.find((one) => one.resource === resource)
      const own = of?.fields.find((one) => one.field === field)
      if (of === undefined || own === undefined) return fail({ kind: 'not_found', what: 'field' })
      const refuse = (code: FileIssueCode, given = path) =>
        fail<Failure>({ kind: 'field_map', issues: [{ code, line: null, path: ['answers', resource, field], given }] })
      // Accept only places that the answer contains, and only for fields whose name the exchange's documentation does not state.
      const places = [...own.suggestions, ...of.unread, ...(own.path === null ? [] : [{ path: own.path }])]
      if (own.documented) return refuse('documented_field')
      if (!places.some((one) => one.path === path)) return refuse('not_offered')
      if (unit !== null && !isUnit(unit)) return refuse('bad_unit', unit)
      const placed = place([{ of: resource, field, at: path, unit }])
      return placed.ok ? ok(undefined) : placed
    },
    /** Lists, for each missing field, its most likely place in the answers to these steps. */
    tops: (address: string, steps: readonly Step[]): readonly TopCandidate[] => {
      const answered = steps.flatMap((step) => {
        const json = answers.of(address, step.id)
        return json === undefined ? [] : [{ step, json }]
      })
      return topCandidates((map) => answered.flatMap(({ step, json }) => answers.judgedWith(step, json, map)), fieldMap())
    },
    /**
     * Stores the places that the user accepted (`tops`) in the field map. `now`: the most likely places that the check finds now. Fails if an
     * accepted place is no longer among them.
     */
    acceptTops: (now: readonly TopCandidate[], tops: readonly Place[]): Result<{ accepted: number }, Failure> => {
      const isShown = tops.every((one) => now.some(({ resource, field, path }) => resource === one.resource && field === one.field && path === one.path))
      if (!isShown) return fail({ kind: 'wrong_state', state: 'changed', wanted: 'shown' })
      const placed = place(tops.map(({ resource, field, path }) => ({ of: resource, field, at: path, unit: null })))
      return placed.ok ? ok({ accepted: tops.length }) : placed
    },
  }
}

/** Reads the resources of the service's answers through a field map. */
type Look = (fieldMap: FieldMap | undefined) => readonly CheckedResource[]

/**
 * The most likely place of a field whose name is unknown. null if there is no candidate, or if the field needs a unit, because the place alone
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
 * Returns the likeliest place (the first candidate) of every field whose place is unknown. Never guesses a unit. Leaves out a candidate if
 * - two fields of a resource have it as first candidate: only the user can tell these fields apart;
 * - nothing can be read from that place;
 * - reading from there would make the field unreadable in another answer.
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
