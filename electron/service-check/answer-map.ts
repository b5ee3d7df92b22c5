import { z } from 'zod'
import type { FieldMap } from '../../shared/api/reader/field-map.ts'
import type { Values } from '../journal/journal.ts'

/** Where the user has said that fields of this profile's answers stand. */
export interface AnswerMap {
  /** undefined: nothing was said. The same object until something changes. */
  fieldMap(): FieldMap | undefined
  /** `path` null: as its names say. */
  place(resource: string, field: string, path: string | null, unit: string | null): void
}

const Stored = z.record(z.string(), z.record(z.string(), z.object({ path: z.string(), unit: z.string().optional() })))

const readStored = (text: string | null): FieldMap | undefined => {
  try {
    const read = text === null ? null : Stored.safeParse(JSON.parse(text))
    if (read?.success !== true) return undefined
    const places = (fields: z.infer<typeof Stored>[string]) =>
      Object.fromEntries(Object.entries(fields).map(([field, { path, unit }]) => [field, { path, ...(unit !== undefined && { unit }) }]))
    return Object.fromEntries(Object.entries(read.data).map(([resource, fields]) => [resource, places(fields)]))
  } catch {
    return undefined
  }
}

export function createAnswerMap({ profileId, values }: { readonly profileId: string; readonly values: Values }): AnswerMap {
  const name = `answer-map/${profileId}`
  let map = readStored(values.get(name))
  return {
    fieldMap: () => map,
    place: (resource, field, path, unit) => {
      const { [field]: _, ...others } = map?.[resource] ?? {}
      const changed = { ...map, [resource]: path === null ? others : { ...others, [field]: { path, ...(unit !== null && { unit }) } } }
      values.set(name, JSON.stringify(changed))
      map = changed
    },
  }
}
