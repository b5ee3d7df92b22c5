import { sureness } from '../names/match.ts'
import type { Fields, ReadContext } from '../reader/field.ts'
import { isRecord } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import type { Resource } from '../reader/resource.ts'
import { walk } from './keys/grant-answer.ts'

/** Names of a group and of what it holds. */
const deepest = 2

/** How many fields a record names itself, and not through what is around it. */
const namedBy = <F extends Fields, T>({ planOf }: Resource<F, T>, record: Readonly<Record<string, unknown>>, { fieldMap }: ReadContext): number =>
  planOf(record, fieldMap).places.filter((places) => places.some(({ path, level }) => path.length <= deepest && level <= sureness.words)).length

/** The record of a resource somewhere in an answer that also says other things: the object that names most of its fields. null: none is readable. */
export function recordWithin<F extends Fields, T>(of: Resource<F, T>, json: unknown, context: ReadContext): T | null {
  let best: { readonly record: Readonly<Record<string, unknown>>; readonly names: number } | null = null
  walk(json, (value) => {
    if (!isRecord(value)) return true
    const names = namedBy(of, value, context)
    if (names > (best?.names ?? 0)) best = { record: value, names }
    return true
  })
  const found = best as { readonly record: unknown } | null // set inside the walk
  return found === null ? null : (readRecords(of, [found.record], context, () => {}).items[0] ?? null)
}
