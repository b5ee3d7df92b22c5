import type { Fields } from './field.ts'
import type { FieldMap } from './field-map.ts'
import { isRecord } from './kinds.ts'
import type { Leaf, Shown } from './plan.ts'
import type { Resource } from './resource.ts'
import { valueAt } from './walk.ts'

/** Records that are looked at: the others of their list are alike. */
const mostRecords = 50

/**
 * Fields without a name that is known, recognised by their values: exactly one place that no other field reads holds values of the field's class, and
 * nothing else. undefined: none.
 */
export function shownIn<F extends Fields, T>(of: Resource<F, T>, sources: readonly unknown[], fieldMap: FieldMap | undefined): Shown | undefined {
  if (of.telling.length === 0) return undefined
  const records = sources.slice(0, mostRecords).filter(isRecord)
  const plans = [...new Set(records.map((source) => of.planOf(source, fieldMap)))]
  const missing = of.telling.filter((field) => plans.every(({ places }) => places[field]?.length === 0))
  if (missing.length === 0) return undefined

  const valuesAt = (path: readonly string[]): readonly unknown[] =>
    records.map((source) => valueAt(source, path)).filter((value) => value !== null && value !== undefined)
  const saysAll = (field: number, values: readonly unknown[]): boolean =>
    values.length > 0 && values.every((value) => of.list[field]?.kind.says?.(value) === true)
  /** A field that finds a word of its own elsewhere does not need a place that holds none. */
  const isElsewhere = (field: number, here: string, values: readonly unknown[]): boolean =>
    !saysAll(field, values) && plans.some(({ places }) => places[field]?.some(({ path }) => path.join('\0') !== here && saysAll(field, valuesAt(path))))

  const leaves = new Map<string, Leaf>(plans.flatMap((plan) => plan.leaves.map((leaf) => [leaf.path.join('\0'), leaf])))
  const found = missing.map((): string[] => [])
  for (const [here, { path, fields }] of leaves) {
    const values = valuesAt(path)
    // One letter says nothing without a name.
    if (values.some((value) => typeof value === 'string' && value.length < 2)) continue
    if (!fields.every((field) => isElsewhere(field, here, values))) continue
    missing.forEach((field, index) => {
      if (saysAll(field, values)) found[index]?.push(here)
    })
  }
  const claims = found.flat()
  const shown = missing.flatMap((field, index): [string, readonly string[]][] => {
    const [only, ...more] = found[index] ?? []
    const leaf = only === undefined || more.length > 0 || claims.filter((here) => here === only).length > 1 ? undefined : leaves.get(only)
    return leaf === undefined ? [] : [[of.fieldNames[field] ?? '', leaf.path]]
  })
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}
