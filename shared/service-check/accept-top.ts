import type { FieldMap, FieldPlace } from '../api/reader/field-map.ts'
import type { CheckedField, CheckedResource } from '../ipc/service-check.ts'

/** Fields that the user may set right: found nowhere, or where they cannot be read. */
export const isOpen = (field: CheckedField): boolean =>
  !field.documented && (field.state === 'unknown' || (field.state === 'missing' && (field.required || field.suggestions.length > 0)))

/** The place to take for a field where only its name is unknown; null: none, or its unit is what is unknown, which no place tells. */
function topOf(field: CheckedField): string | null {
  if (!isOpen(field) || field.reason === 'unit' || field.reason === 'scale' || field.reason === 'conflict') return null
  const path = field.suggestions[0]?.path ?? null
  return path === field.path ? null : path
}

/**
 * The field map of a user who takes the first candidate of every open field and nothing else. A place that is the first candidate of two fields
 * goes to neither: only the user can tell them apart. No unit is made up.
 */
export function acceptTop(resources: readonly CheckedResource[]): FieldMap {
  const map: Record<string, Record<string, FieldPlace>> = {}
  for (const { resource, fields } of resources) {
    const tops = fields.flatMap((field) => {
      const path = topOf(field)
      return path === null ? [] : [{ field: field.field, path }]
    })
    for (const { field, path } of tops) {
      if (tops.some((other) => other.field !== field && other.path === path)) continue
      map[resource] = { ...map[resource], [field]: { path } }
    }
  }
  return map
}
