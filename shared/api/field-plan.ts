import { isPlainName } from './redact.ts'

/** `tickSize`, `tick_size` and `tick-size` are one name. */
export const canonical = (name: string): string => name.replace(/[_\-\s]/g, '').toLowerCase()

/** A name that an object has, and which of its names it is. */
export interface Place {
  readonly called: string
  readonly place: number
}

/** Where the objects of certain names hold the fields of a shape. */
export interface FieldPlan {
  /** The names of such an object, in its order. */
  readonly names: readonly string[]
  /** By field of the shape: the names that its aliases have here, best first. */
  readonly places: readonly (readonly Place[])[]
  /** By field: the place of the best name that it has here; -1 where it has none. */
  readonly firsts: readonly number[]
  /** By place in `names`: whether the name says nothing about the subject and is never unknown. */
  readonly known: readonly boolean[]
  /** The same once every field was read under its best name. */
  readonly usual: readonly boolean[]
  /** The names as JSON; null unless all of them can be shown as they are, and none of them stands for a secret. */
  readonly labels: readonly string[] | null
}

/** Shapes that one reader keeps: rows of a list have the same names, save for a few variants. */
const mostPlans = 8
/** Objects with more names than that are not from the service that we know. */
const mostNames = 64

/**
 * Looks aliases up once for all objects with the same names: in the rows of a list that is most of the work. An alias
 * goes to the name spelled alike, else to the first that differs in case and separators only.
 */
export function createFieldPlans(
  aliases: readonly (readonly string[])[],
  envelope: ReadonlySet<string>,
): (source: Readonly<Record<string, unknown>>) => FieldPlan {
  const plans: FieldPlan[] = []
  return (source) => {
    for (const plan of plans) if (hasNames(source, plan.names)) return plan
    const names = Object.keys(source)
    const plan = planFor(names, aliases, envelope)
    // A name that may hold a secret does not stay in memory.
    if (names.length <= mostNames && plan.labels !== null) {
      plans.unshift(plan)
      if (plans.length > mostPlans) plans.pop()
    }
    return plan
  }
}

/** Whether the object has these names, in this order. One that inherits any has others, which only costs a plan of its own. */
function hasNames(source: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  let place = 0
  for (const name in source) {
    if (name !== names[place]) return false
    place += 1
  }
  return place === names.length
}

function planFor(names: readonly string[], aliases: readonly (readonly string[])[], envelope: ReadonlySet<string>): FieldPlan {
  const exact = new Map<string, number>()
  const alike = new Map<string, number>()
  names.forEach((name, place) => {
    exact.set(name, place)
    const wanted = canonical(name)
    if (!alike.has(wanted)) alike.set(wanted, place)
  })
  const placesOf = (alternatives: readonly string[]): Place[] =>
    alternatives.flatMap((alias) => {
      const place = exact.get(alias) ?? alike.get(canonical(alias))
      const called = place === undefined ? undefined : names[place]
      return place === undefined || called === undefined ? [] : [{ called, place }]
    })
  const places = aliases.map(placesOf)
  const best = new Set(places.map((choices) => choices[0]?.place))
  const known = names.map((name) => envelope.has(name))
  return {
    names,
    places,
    firsts: places.map((choices) => choices[0]?.place ?? -1),
    known,
    usual: known.map((is, place) => is || best.has(place)),
    labels: names.every(isPlainName) ? names.map((name) => JSON.stringify(name)) : null,
  }
}
