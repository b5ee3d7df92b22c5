import type { FieldMap, Fields, Kind } from '../reader/field.ts'
import { isRecord } from '../reader/kinds.ts'
import { readNumber } from '../reader/numbers.ts'
import type { Leaf, Plan, Shown } from '../reader/plan.ts'
import type { Resource } from '../reader/resource.ts'
import { readTime, timeWords } from '../reader/units.ts'
import { wordsOf } from './name-words.ts'
import { valueAt } from './walk.ts'

/** Maximum number of records to examine. The other records of the list have the same shape. */
const mostRecords = 50
/**
 * If the records together have more different properties than this, they have no common shape. The app then does not search for fields by their
 * values.
 */
const mostLeaves = 2_000

interface Looked {
  readonly plans: readonly Plan[]
  readonly leaves: ReadonlyMap<string, Leaf>
  valuesAt(path: readonly string[]): readonly unknown[]
}

const noWords: ReadonlySet<string> = new Set()

const found = (value: unknown): boolean => value !== null && value !== undefined

/** Recognises fields under unknown names by the values in the records. `undefined` if no field is recognised. */
export function shownIn<F extends Fields, T>(of: Resource<F, T>, sources: readonly unknown[], fieldMap: FieldMap | undefined): Shown | undefined {
  if (of.telling.length === 0 && of.times.length === 0) return undefined
  const records = sources.slice(0, mostRecords).filter(isRecord)
  const [first] = records
  const isMissingIn =
    (plans: readonly Plan[]) =>
    (field: number): boolean =>
      plans.every(({ places }) => places[field]?.length === 0)
  // Usually the first record already has all these fields. The plans of the other records are then not needed.
  const isMissingFirst = isMissingIn(first === undefined ? [] : [of.planOf(first, fieldMap)])
  if (!of.telling.some(isMissingFirst) && !of.times.some(isMissingFirst)) return undefined
  const plans: Plan[] = []
  const leaves = new Map<string, Leaf>()
  for (const source of records) {
    const plan = of.planOf(source, fieldMap)
    if (plans.includes(plan)) continue
    plans.push(plan)
    for (const leaf of plan.leaves) leaves.set(leaf.path.join('\0'), leaf)
    if (leaves.size > mostLeaves) return undefined
  }
  const isMissing = isMissingIn(plans)
  const words = of.telling.filter(isMissing)
  const times = of.times.filter(isMissing)
  if (words.length === 0 && times.length === 0) return undefined
  const looked: Looked = { plans, leaves, valuesAt: (path) => records.map((source) => valueAt(source, path)).filter(found) }
  const shown = [...byWords(of, words, looked), ...byTime(of, times, looked)]
  return shown.length === 0 ? undefined : Object.fromEntries(shown.map(([field, path]) => [of.fieldNames[field] ?? '', path]))
}

const canHold = ({ numeric, read }: Kind<unknown>, value: unknown): boolean => (numeric === null ? read(value, () => {}, {}) : readNumber(value)) !== undefined

type Place = readonly [field: number, path: readonly string[]]

/**
 * For each missing field, finds the property whose values are words of that field, such as sides or statuses. A property counts only if no other
 * field uses it, and only if there is exactly one such property.
 */
function byWords(of: Resource<Fields, unknown>, missing: readonly number[], { plans, leaves, valuesAt }: Looked): Place[] {
  /**
   * Whether at least nine tenths of a property's values are words of this field, such as `buy` for a side. The remaining tenth may be rare words
   * that the app does not know.
   */
  const saysAll = (field: number, path: readonly string[], values: readonly unknown[]): boolean => {
    const { says, tells } = of.list[field]?.kind ?? {}
    const name = wordsOf(path.at(-1) ?? '', noWords)
    return says !== undefined && tells?.(values) !== false && values.length > 0 && values.filter((value) => says(value, name)).length * 10 >= values.length * 9
  }
  /**
   * Whether the property `here` cannot be this field, in either of two cases. First: the field accepts none of the property's values. Second: no
   * value is a known word of the field, and either the app knows all words of the field or another property contains such words.
   */
  const isElsewhere = (field: number, here: string, values: readonly unknown[]): boolean => {
    const kind = of.list[field]?.kind
    if (kind === undefined || values.every((value) => !canHold(kind, value))) return true
    const { says } = kind
    if (says === undefined || values.some((value) => says(value))) return false
    return (
      kind.closed === true || plans.some(({ places }) => places[field]?.some(({ path }) => path.join('\0') !== here && saysAll(field, path, valuesAt(path))))
    )
  }
  const places = missing.map((): string[] => [])
  for (const [here, { path, fields }] of leaves) {
    const values = valuesAt(path)
    // A single letter under an unknown name is not enough to recognise a field.
    if (values.some((value) => typeof value === 'string' && /^[A-Za-z]$/.test(value))) continue
    if (!fields.every((field) => isElsewhere(field, here, values))) continue
    missing.forEach((field, index) => {
      if (saysAll(field, path, values)) places[index]?.push(here)
    })
  }
  const claims = places.flat()
  return missing.flatMap((field, index): Place[] => {
    const [only, ...more] = places[index] ?? []
    const leaf = only === undefined || more.length > 0 || claims.filter((here) => here === only).length > 1 ? undefined : leaves.get(only)
    return leaf === undefined ? [] : [[field, leaf.path]]
  })
}

/** Words that mark a name as an id or a counter. Such numbers may have as many digits as a time but are not times. */
const idWords: ReadonlySet<string> = new Set(['id', 'hash', 'number', 'nonce', 'sequence', 'key', 'ref', 'reference', 'index', 'cursor', 'revision', 'block'])

/** Whether the property contains times: dates under any name, or numbers under a name that means a time. */
function isTime(path: readonly string[], values: readonly unknown[]): boolean {
  const words = wordsOf(path.at(-1) ?? '', noWords)
  if (values.length === 0 || words.some((word) => idWords.has(word)) || !values.every((value) => typeof readTime(value) === 'number')) return false
  return words.some((word) => timeWords.has(word)) || values.every((value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value))
}

/**
 * Finds the only missing time field by elimination. The records must contain as many properties with times as the resource has time fields. Only
 * one of these properties may have an unknown name.
 */
function byTime(of: Resource<Fields, unknown>, missing: readonly number[], { leaves, valuesAt }: Looked): Place[] {
  const [field] = missing
  if (field === undefined || missing.length > 1) return []
  const times = [...leaves.values()].filter(({ path }) => isTime(path, valuesAt(path)))
  const [only, ...more] = times.filter(({ fields }) => fields.length === 0)
  return only === undefined || more.length > 0 || times.length !== of.times.length ? [] : [[field, only.path]]
}
