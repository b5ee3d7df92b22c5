import { createMatcher, type Matcher } from '../names/match.ts'
import type { Complain, Field, FieldMap, Fields, Values, Vote } from './field.ts'
import { time } from './kinds.ts'
import { hasShape, type Plan, type Planned, planFor, type Shown } from './plan.ts'

/** The fields of a record after reading, and the parts that no field read. */
export type Read<F extends Fields> = Values<F> & {
  /** Unknown fields, and the fields that the app could not read, each with the reason. Bounded JSON text (`boundFields`); null if there are none. */
  unknownFields: string | null
  /** The size (the field that `writes` names) as the service wrote it, without its sign. Set only if its unit is unknown. */
  written?: string
  /** The fields of `tellsNone` that the service states as none. Set only if there are any. */
  none?: readonly string[]
}

/** For each field: a function that decides the unit of a number from the fields beside it. It returns null if they do not show the unit. */
type Agreement<F extends Fields> = { readonly [K in keyof F]?: Judge<F>['judge'] }
/** Declared as a method, so that TypeScript accepts a resource with specific fields where it expects a resource with any fields. */
interface Judge<F extends Fields> {
  judge(found: Values<F>, value: string): Vote
}

export interface ResourceSpec<F extends Fields, T> {
  /** The name in field maps and in the service check. */
  readonly name: string
  /** Words for the resource itself. They add nothing to a property's name: `position_size` in a position is just its `size`. */
  readonly words: readonly string[]
  /** What the app assumes, in one sentence; null: another resource states it. */
  readonly sentence: string | null
  /** The place where the API document says that it does not show this detail. */
  readonly source: string
  readonly fields: F
  /** For each field: a function that finds the unit of a number that does not state one. */
  readonly agree?: Agreement<F>
  /** For each field: the field that gets the number instead if the number turns out to be in USDC. */
  readonly inUsdc?: { readonly [K in keyof F]?: keyof F & string }
  /** Returns fields whose values contradict the other fields of the record. The app then reads those fields from other properties. */
  doubts?(found: Values<F>): readonly (keyof F & string)[]
  /** The field whose number is worth keeping even if its unit is unknown, such as the size of a position. */
  readonly writes?: keyof F & string
  /** Fields for which `Read.none` tells apart "there is no value", such as null or "never", and a missing field. */
  readonly tellsNone?: readonly (keyof F & string)[]
  /** Converts the fields to the form that the app uses. `undefined` if this is not a record of the resource. */
  finish?(found: Read<F>, complain: Complain): T | undefined
  /** Possible orders of the fields in a list of unnamed values; the first order that fits every row is used. */
  readonly tuples?: readonly (readonly (keyof F & string)[])[]
  /** Whether a row, read in one of the orders of `tuples`, is plausible. */
  fits?(found: Values<F>): boolean
  /** For an object of records by key: the field that the key contains, and the field that a bare value contains. */
  readonly keyed?: { readonly key: keyof F & string; readonly value?: keyof F & string }
}

export interface Resource<F extends Fields = Fields, T = unknown> extends ResourceSpec<F, T> {
  readonly matcher: Matcher
  readonly list: readonly Field<unknown>[]
  readonly fieldNames: readonly string[]
  /** Indexes of the fields that the app can recognise by their values alone. */
  readonly telling: readonly number[]
  readonly times: readonly number[]
  planOf(source: Readonly<Record<string, unknown>>, fieldMap: FieldMap | undefined, shown?: Shown): Plan
}

/** Number of shapes to cache per resource: rows of a list have the same names, except for a few variants. */
const mostPlans = 8
/** Larger objects are not from a known service, so their plans are not cached. */
const mostNames = 64

export function resource<F extends Fields, T = Read<F>>(spec: ResourceSpec<F, T>): Resource<F, T> {
  const fieldNames = Object.keys(spec.fields)
  const list = Object.values(spec.fields)
  let made: Matcher | null = null
  // Created on first use: the app starts faster if it does not prepare the names of every resource.
  const matcher = (): Matcher => {
    made ??= createMatcher([...spec.words], spec.fields)
    return made
  }
  const planner = (mapped: Planned['mapped'], shown: Shown = {}) => {
    const plans: Plan[] = []
    // The app reads a record several times, and most records of a list have the same shape. So it also keeps the plan of the last record when that
    // plan is not cached.
    const ofRecord = new WeakMap<object, Plan>()
    let last: WeakRef<Plan> | null = null
    return (source: Readonly<Record<string, unknown>>): Plan => {
      for (const plan of plans) if (hasShape(source, plan.shape)) return plan
      const known = ofRecord.get(source) ?? last?.deref()
      if (known !== undefined && hasShape(source, known.shape)) return known
      const plan = planFor(source, { list, names: fieldNames, matcher: matcher(), mapped, shown })
      ofRecord.set(source, plan)
      last = new WeakRef(plan)
      // A name that may hold a secret must not stay in memory.
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
