import type { FieldMap } from '../../../shared/api/reader/field-map.ts'
import type { FileIssueCode } from '../../../shared/field-map/issue-codes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CheckedResource, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { CheckAnswers } from './check-answers.ts'
import type { Step } from './steps.ts'
import { topCandidates } from './top-candidates.ts'

interface AcceptingDeps {
  readonly answers: Pick<CheckAnswers, 'of' | 'judgedWith'>
  readonly fieldMap: () => FieldMap | undefined
  readonly place: FieldMapBook['place']
}

/** A field, the place that it is to be read from, and the unit there; null: as the name says. */
interface Wish {
  readonly resource: string
  readonly field: string
  readonly path: string
  readonly unit: string | null
}
type Place = Omit<Wish, 'unit'>

/** As names say it: `usdc`, `percent`, `usdc e6`. */
const isUnit = (unit: string): boolean => /^(usdc|base|percent|fraction|bps)( e\d{1,2})?$/.test(unit)

/** Takes places that a check has found over into the field map: only what was shown to the user. */
export function createAccepting({ answers, fieldMap, place }: AcceptingDeps) {
  return {
    /** `shown`: the resources of the answer. */
    accept: (shown: readonly CheckedResource[], { resource, field, path, unit }: Wish): Result<void, Failure> => {
      const of = shown.find((one) => one.resource === resource)
      const own = of?.fields.find((one) => one.field === field)
      if (of === undefined || own === undefined) return fail({ kind: 'not_found', what: 'field' })
      const refuse = (code: FileIssueCode, given = path) =>
        fail<Failure>({ kind: 'field_map', issues: [{ code, line: null, path: ['answers', resource, field], given }] })
      // A place of this answer, for a field that the document leaves open.
      const places = [...own.suggestions, ...of.unread, ...(own.path === null ? [] : [{ path: own.path }])]
      if (own.documented) return refuse('documented_field')
      if (!places.some((one) => one.path === path)) return refuse('not_offered')
      if (unit !== null && !isUnit(unit)) return refuse('bad_unit', unit)
      const placed = place([{ of: resource, field, at: path, unit }])
      return placed.ok ? ok(undefined) : placed
    },
    /** Over all answers of these steps. */
    tops: (address: string, steps: readonly Step[]): readonly TopCandidate[] => {
      const answered = steps.flatMap((step) => {
        const json = answers.of(address, step.id)
        return json === undefined ? [] : [{ step, json }]
      })
      return topCandidates((map) => answered.flatMap(({ step, json }) => answers.judgedWith(step, json, map)), fieldMap())
    },
    /** `now`: the top candidates as they are, of which the user saw `tops`. */
    acceptTops: (now: readonly TopCandidate[], tops: readonly Place[]): Result<{ accepted: number }, Failure> => {
      const isShown = tops.every((one) => now.some(({ resource, field, path }) => resource === one.resource && field === one.field && path === one.path))
      if (!isShown) return fail({ kind: 'wrong_state', state: 'changed', wanted: 'shown' })
      const placed = place(tops.map(({ resource, field, path }) => ({ of: resource, field, at: path, unit: null })))
      return placed.ok ? ok({ accepted: tops.length }) : placed
    },
  }
}
