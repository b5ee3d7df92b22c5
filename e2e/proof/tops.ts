import { routeName } from '../../electron/practice/dialect/resources.ts'
import type { LoggedTruth } from '../../electron/practice/dialect/truth-log.ts'
import { planOf } from '../../electron/workspace/service-check/steps.ts'
import type { AnswerReader } from '../../shared/api/reader/answer.ts'
import type { TopCandidate } from '../../shared/ipc/host/service-check.ts'

type Place = Pick<TopCandidate, 'resource' | 'field' | 'path'>

const readers = new Map(planOf(false).map(({ endpoint }): [string, AnswerReader<unknown>] => [routeName(endpoint.route), endpoint.response]))

/** Whether responses of a route contain a resource (such as a position) to which one of the given suggested fields belongs. */
export const readsAnyOf = (route: string, places: readonly Place[]): boolean =>
  readers
    .get(routeName(route))
    ?.inspect({})
    .some(({ resource }) => places.some((place) => place.resource === resource)) === true

/** A field path without case and separators, because names may be in any case and tables flatten their columns. */
const canonical = (path: string): string => path.replace(/[._\-\s]/g, '').toLowerCase()

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.endsWith(`.${outer}`)
const inspectAs = (route: string, body: unknown, resource: string) =>
  readers
    .get(routeName(route))
    ?.inspect(body)
    .find((one) => one.resource === resource)

/** The accepted field suggestions that read a wrong field, compared with the exchange’s own format. */
export const misplaced = (places: readonly Place[], told: readonly LoggedTruth[]): string[] =>
  places.flatMap(({ resource, field, path }) => {
    for (const { route, body, fields } of told) {
      const there = fields.filter((each) => each.value !== null && canonical(each.path.join('.')) === canonical(path))
      const [first] = there
      if (first === undefined) continue
      const own = inspectAs(route, body, resource)
      if (own === undefined) continue
      const at = own.fields.find((one) => one.field === field)?.path ?? null
      if (at === null || !there.some((each) => isWithin(at, each.field) || isWithin(each.field, at)))
        return [`${resource}.${field} is taken from ${path}, which holds ${first.field}`]
    }
    return []
  })
