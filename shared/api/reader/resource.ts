import { createMatcher, type Matcher } from '../names/match.ts'
import type { Complain, Field, FieldMap, Fields, Values, Vote } from './field.ts'
import { time } from './kinds.ts'
import { hasShape, type Plan, type Planned, planFor, type Shown } from './plan.ts'

/** What a record was read as, with what nobody read of it. */
export type Read<F extends Fields> = Values<F> & {
  /** Fields that this app does not know, and those that it could not read with the reason, as JSON text, bounded (`boundFields`); null where there are none. */
  unknownFields: string | null
  /** The number that the resource keeps as it is written, without its sign, where its unit cannot be told. */
  written?: string
}

/** In which unit a number must be, by what stands beside it; null: that does not tell. */
type Agreement<F extends Fields> = { readonly [K in keyof F]?: Judge<F>['judge'] }
/** A method, so that a resource of certain fields is one of any fields. */
interface Judge<F extends Fields> {
  judge(found: Values<F>, value: string): Vote
}

export interface ResourceSpec<F extends Fields, T> {
  /** How field maps and the service check name it. */
  readonly name: string
  /** Words that stand for it in names: `position_size` of a position is its size. */
  readonly words: readonly string[]
  /** What is assumed, in a sentence; null: it belongs to another resource's. */
  readonly sentence: string | null
  /** Where the document says that it is not shown. */
  readonly source: string
  readonly fields: F
  /** Tells the unit of a number that names none. */
  readonly agree?: Agreement<F>
  /** Fields that hold numbers of others where those turn out to be in USDC. */
  readonly inUsdc?: { readonly [K in keyof F]?: keyof F & string }
  /** Fields whose values cannot be theirs, by what stands beside them: other places are read. */
  doubts?(found: Values<F>): readonly (keyof F & string)[]
  /** A number that is of use without its unit. */
  readonly writes?: keyof F & string
  /** Makes of what was read what the app uses. undefined: it is not a record of this kind. */
  finish?(found: Read<F>, complain: Complain): T | undefined
  /** Orders in which a list of values holds the fields; the first that fits every row is meant. */
  readonly tuples?: readonly (readonly (keyof F & string)[])[]
  /** Whether a row in one of those orders can be true. */
  fits?(found: Values<F>): boolean
  /** Of a record that is known by its key: the field that the key is, and the one that a bare value is. */
  readonly keyed?: { readonly key: keyof F & string; readonly value?: keyof F & string }
}

export interface Resource<F extends Fields = Fields, T = unknown> extends ResourceSpec<F, T> {
  readonly matcher: Matcher
  readonly list: readonly Field<unknown>[]
  readonly fieldNames: readonly string[]
  /** Fields that some values tell by themselves. */
  readonly telling: readonly number[]
  readonly times: readonly number[]
  planOf(source: Readonly<Record<string, unknown>>, fieldMap: FieldMap | undefined, shown?: Shown): Plan
}

/** Shapes that one resource keeps: rows of a list have the same names, save for a few variants. */
const mostPlans = 8
/** Objects with more names than that are not from the service that we know. */
const mostNames = 64

export function resource<F extends Fields, T = Read<F>>(spec: ResourceSpec<F, T>): Resource<F, T> {
  const fieldNames = Object.keys(spec.fields)
  const list = Object.values(spec.fields)
  const matcher = createMatcher([...spec.words], spec.fields)
  const planner = (mapped: Planned['mapped'], shown: Shown = {}) => {
    const plans: Plan[] = []
    // A record is read several times over, and most of a list have one shape, also where its plan is not kept.
    const ofRecord = new WeakMap<object, Plan>()
    let last: WeakRef<Plan> | null = null
    return (source: Readonly<Record<string, unknown>>): Plan => {
      for (const plan of plans) if (hasShape(source, plan.shape)) return plan
      const known = ofRecord.get(source) ?? last?.deref()
      if (known !== undefined && hasShape(source, known.shape)) return known
      const plan = planFor(source, { list, names: fieldNames, matcher, mapped, shown })
      ofRecord.set(source, plan)
      last = new WeakRef(plan)
      // A name that may hold a secret does not stay in memory.
      if (plan.told.length <= mostNames && plan.labels !== null) {
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
    matcher,
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
