import type { FieldMap, FieldPlace } from '../../../shared/api/reader/field-map.ts'
import { answerFields } from '../../../shared/field-map/answer-fields.ts'
import { entryIssue } from '../../../shared/field-map/check-entry.ts'
import type { CheckedField, CheckedResource, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { isOpen } from '../../../shared/service-check/open-field.ts'

/** What a resource was in each answer that holds it, with a field map. */
type Look = (fieldMap: FieldMap | undefined) => readonly CheckedResource[]

/** The place to take for a field where only its name is unknown; null: none, or its unit is what is unknown, which no place tells. */
function topOf(resource: string, field: CheckedField): TopCandidate | null {
  if (!isOpen(field) || field.reason === 'unit' || field.reason === 'scale' || field.reason === 'conflict') return null
  const [top] = field.suggestions
  if (top === undefined || top.path === field.path) return null
  const entry = { part: 'answers', of: resource, field: field.field, at: top.path, unit: null, from: 'check' } as const
  return entryIssue(entry, answerFields) === null ? { resource, field: field.field, ...top } : null
}

export function withCandidates(fieldMap: FieldMap | undefined, tops: readonly TopCandidate[]): FieldMap | undefined {
  if (tops.length === 0) return fieldMap
  const map: Record<string, Record<string, FieldPlace>> = { ...fieldMap }
  for (const { resource, field, path } of tops) map[resource] = { ...map[resource], [field]: { path } }
  return map
}

const isRead = (resources: readonly CheckedResource[], place: number, field: string): boolean =>
  resources[place]?.fields.some((one) => one.field === field && one.state === 'read') === true

/**
 * The first candidate of every open field. A place that is the first candidate of two fields of a resource goes to neither: only the user can tell them
 * apart. Neither does a candidate that reads nothing, or takes away what another answer of the resource is read from. No unit is made up.
 */
export function topCandidates(look: Look, fieldMap: FieldMap | undefined): readonly TopCandidate[] {
  const before = look(fieldMap)
  const tops = new Map<string, TopCandidate>()
  for (const { resource, fields } of before) {
    for (const field of fields) {
      const top = topOf(resource, field)
      const name = `${resource} ${field.field}`
      if (top !== null && !tops.has(name)) tops.set(name, top)
    }
  }
  const all = [...tops.values()]
  const apart = all.filter((top) => !all.some((other) => other !== top && other.resource === top.resource && other.path === top.path))
  const after = look(withCandidates(fieldMap, apart))
  return apart.filter(({ resource, field }) => {
    const places = before.flatMap((one, place) => (one.resource === resource ? [place] : []))
    return (
      places.some((place) => isRead(after, place, field) && !isRead(before, place, field)) &&
      places.every((place) => isRead(after, place, field) || !isRead(before, place, field))
    )
  })
}
