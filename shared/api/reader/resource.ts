import { createMatcher, type Matcher } from '../names/match.ts'
import type { Complain, Field, FieldMap, Fields, Values, Vote } from './field.ts'
import { time } from './kinds.ts'
import { hasShape, type Plan, type Planned, planFor, type Shown } from './plan.ts'

/** The fields of a record after reading, and the record's unknown fields. */
export type Read<F extends Fields> = Values<F> & {
  /**
   * JSON text with the unknown fields, and with the fields that the app could not read, each with the reason. Limited in length (`boundFields`);
   * null if there are none.
   */
  unknownFields: string | null
  /** The size (the field named by `writes`) as the service wrote it, without its sign. Set only if the unit is unknown. */
  written?: string
  /** The fields, among those in `tellsNone`, for which the service explicitly states that there is no value. Set only if there are any. */
  none?: readonly string[]
}

/** For each field: a function that finds a number's unit from the other fields of the record. It returns null if they do not show the unit. */
type Agreement<F extends Fields> = { readonly [K in keyof F]?: Judge<F>['judge'] }
/**
 * `judge` is declared as a method and not as a property. Otherwise TypeScript refuses a resource with specific fields where code expects any
 * resource.
 */
interface Judge<F extends Fields> {
  judge(found: Values<F>, value: string): Vote
}

export interface ResourceSpec<F extends Fields, T> {
  /** The resource's name in field maps and in the service check. */
  readonly name: string
  /** Words that mean the resource itself. The app ignores them in property names: `position_size` in a position means its `size`. */
  readonly words: readonly string[]
  /** What the app assumes about this resource, in one sentence; null if another resource states the assumption. */
  readonly sentence: string | null
  /** The place where the API document says that it leaves this detail out. */
  readonly source: string
  readonly fields: F
  /** For each field: a function that finds a number's unit from the other fields of the record. */
  readonly agree?: Agreement<F>
  /** For each field: the field to use instead if the number turns out to be in USDC. */
  readonly inUsdc?: { readonly [K in keyof F]?: keyof F & string }
  /** Returns the fields whose values contradict the record's other fields. The app then reads those fields from other properties. */
  doubts?(found: Values<F>): readonly (keyof F & string)[]
  /** The field whose raw number is kept even if its unit is unknown, such as the size of a position. */
  readonly writes?: keyof F & string
  /** Fields for which the app distinguishes "there is no value" (null, or a word such as "never") from a missing field. See `Read.none`. */
  readonly tellsNone?: readonly (keyof F & string)[]
  /** Converts the fields to the form that the rest of the app uses. `undefined` if the record does not belong to this resource. */
  finish?(found: Read<F>, complain: Complain): T | undefined
  /** For rows that are arrays of values without names: the possible orders of the fields. The first order in which every row is plausible is used. */
  readonly tuples?: readonly (readonly (keyof F & string)[])[]
  /** Whether a row is plausible when its values are read in one of the orders of `tuples`. */
  fits?(found: Values<F>): boolean
  /** For an object that maps keys to records: the field that each key contains. `value`: the field for a value that is not a record. */
  readonly keyed?: { readonly key: keyof F & string; readonly value?: keyof F & string }
}

export interface Resource<F extends Fields = Fields, T = unknown> extends ResourceSpec<F, T> {
  readonly matcher: Matcher
  readonly list: readonly Field<unknown>[]
  readonly fieldNames: readonly string[]
  /** A record in which every field is null. */
  readonly blank: Readonly<Record<string, null>>
  /** Indexes of the fields that the app can recognise by their values, even under unknown names. */
  readonly telling: readonly number[]
  readonly times: readonly number[]
  planOf(source: Readonly<Record<string, unknown>>, fieldMap: FieldMap | undefined, shown?: Shown): Plan
}

/** Number of record shapes to cache per resource. Rows of a list usually have the same shape, with few variants. */
const mostPlans = 8
/** Plans of records with more unread parts than this are not cached. No known service sends such records. */
const mostNames = 64

export function resource<F extends Fields, T = Read<F>>(spec: ResourceSpec<F, T>): Resource<F, T> {
  const fieldNames = Object.keys(spec.fields)
  const list = Object.values(spec.fields)
  let made: Matcher | null = null
  // Created on first use, because preparing the names of all resources would slow down the start of the app.
  const matcher = (): Matcher => {
    made ??= createMatcher([...spec.words], spec.fields)
    return made
  }
  const planner = (mapped: Planned['mapped'], shown: Shown = {}) => {
    const plans: Plan[] = []
    // The app reads each record several times, and most records of a list have the same shape. Therefore remember the plan of each record and the
    // last plan, besides the cached plans.
    const ofRecord = new WeakMap<object, Plan>()
    let last: WeakRef<Plan> | null = null
    return (source: Readonly<Record<string, unknown>>): Plan => {
      // First, because comparing a record of thousands of names with any shape takes long.
      const own = ofRecord.get(source)
      if (own !== undefined) return own
      for (const plan of plans) if (hasShape(source, plan.shape)) return plan
      const known = last?.deref()
      if (known !== undefined && hasShape(source, known.shape)) {
        ofRecord.set(source, known)
        return known
      }
      const plan = planFor(source, { list, names: fieldNames, matcher: matcher(), mapped, shown })
      ofRecord.set(source, plan)
      last = new WeakRef(plan)
      // Do not cache a plan with a name that may contain a secret, because the secret would stay in memory.
      if (plan.unread.length <= mostNames && plan.labels !== null) {
        plans.unshift(plan)
        if (plans.length > mostPlans) plans.pop()
      }
      return plan
    }
  }
  const unmapped = planner(undefined)
  const byMap = new WeakMap<FieldMap, ReturnType<typeof planner>>()
  const byShown = new Map<string, ReturnType<typeof planner>>()
  return {
    ...spec,
    get matcher() {
      return matcher()
    },
    list,
    fieldNames,
    blank: Object.fromEntries(fieldNames.map((name) => [name, null])),
    telling: list.flatMap(({ kind }, index) => (kind.says === undefined ? [] : [index])),
    times: list.flatMap(({ kind }, index) => (kind === time ? [index] : [])),
    planOf: (source, fieldMap, shown) => {
      const mapped = fieldMap === undefined || !Object.hasOwn(fieldMap, spec.name) ? undefined : fieldMap[spec.name]
      if (shown !== undefined) {
        const key = JSON.stringify([shown, mapped ?? null])
        const made = byShown.get(key) ?? planner(mapped, shown)
        if (byShown.size >= mostPlans) byShown.clear()
        byShown.set(key, made)
        return made(source)
      }
      if (fieldMap === undefined || mapped === undefined) return unmapped(source)
      const made = byMap.get(fieldMap) ?? planner(mapped)
      byMap.set(fieldMap, made)
      return made(source)
    },
  }
}
