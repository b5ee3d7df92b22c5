import { sureness } from '../names/match.ts'
import { shownIn } from '../names/resource-by-value.ts'
import { previewOf, type Suggestion, suggest } from '../names/suggest.ts'
import { type Node, valueAt, walk } from '../names/walk.ts'
import { reasonsName } from '../unknown-fields.ts'
import type { FieldMap, Fields, ReadContext, Reason } from './field.ts'
import { isRecord } from './kinds.ts'
import { envelopeNames } from './plan.ts'
import { readRecords } from './read-records.ts'
import type { Resource } from './resource.ts'

export type FieldState = 'read' | 'unknown' | 'missing'

export interface FieldInspection {
  readonly field: string
  readonly state: FieldState
  /** The path of the property that the app reads, or tried to read, as this field; null if no property matches the field. */
  readonly path: string | null
  /** The unit in which the app shows the field; null if the field has no unit. */
  readonly unit: string | null
  /** Why the field's value is unknown; `null` otherwise. */
  readonly reason: Reason | null
  readonly required: boolean
  readonly documented: boolean
  /** The properties that the app suggests for this field, best first. */
  readonly suggestions: readonly Suggestion[]
}

export interface Inspection {
  /** The name that a field map uses for this resource. */
  readonly resource: string
  readonly records: number
  /** Records that the app cannot read because a required field is missing. */
  readonly incomplete: number
  readonly fields: readonly FieldInspection[]
  /** Properties of the records that the app did not recognise as fields. */
  readonly unread: readonly { readonly path: string; readonly preview: string }[]
}

const mostUnread = 100
/**
 * Maximum number of records whose properties are listed, because further records of the list have the same properties. All records still count as
 * evidence for units and scales.
 */
const mostWalked = 20

const found = (value: unknown): boolean => value !== null && value !== undefined

/** Returns a field's value exactly as the service sent it. `name`: the app's name for the field. */
export const heldAt = <F extends Fields, T>(of: Resource<F, T>, source: unknown, name: keyof F & string, fieldMap: FieldMap | undefined): unknown =>
  isRecord(source)
    ? of
        .planOf(source, fieldMap)
        .places[of.fieldNames.indexOf(name)]?.map(({ path }) => valueAt(source, path))
        .find(found)
    : undefined

/** Reports the state of each field of a resource in the given records: readable, unknown (with the reason), or missing (with suggestions). */
export function inspectRecords<F extends Fields, T>(
  of: Resource<F, T>,
  sources: readonly unknown[],
  fieldMap: FieldMap | undefined,
  around?: ReadContext['around'],
): Inspection {
  const records = sources.filter(isRecord)
  const context = { fieldMap, around }
  const { finish: _, ...plain } = of
  // The inspection looks for missing fields, so a missing required field must not make a record unreadable. The inspection also needs the raw
  // fields by name, so leave out `finish`, which converts them.
  const lenient: Resource<F> = { ...plain, list: of.list.map((field) => ({ ...field, required: false })) }
  const outputs = readRecords(lenient, records, context, () => {}).items as readonly (Record<string, unknown> | undefined)[] // the cast is safe: each output has fields by name

  const leaves = new Map<string, { readonly node: Node; readonly value: unknown }>()
  for (const source of records.slice(0, mostWalked))
    walk(source, of.matcher.known, (node, value) => {
      const path = node.path.join('.')
      if (!node.isRecord && found(value) && !leaves.has(path)) leaves.set(path, { node, value })
      return true
    })

  const used = new Set<string>()
  const shown = shownIn(of, records, fieldMap)
  const states = of.list.map((field, index) => {
    const name = of.fieldNames[index] ?? ''
    const at = records.findIndex((_, row) => found(outputs[row]?.[name]))
    const placeIn = (source: Readonly<Record<string, unknown>>) =>
      of.planOf(source, fieldMap, shown).places[index]?.find(({ path }) => found(valueAt(source, path)))
    const place = records.map(placeIn).find((one) => one !== undefined)
    const readAt = at < 0 || records[at] === undefined ? undefined : placeIn(records[at])
    const path = (readAt ?? place)?.path.join('.') ?? null
    // Most rows have the field at `path`, but some may have it elsewhere. Mark these other paths as used, too.
    for (const [row, source] of records.entries()) {
      const at = found(outputs[row]?.[name]) ? placeIn(source) : undefined
      if (at !== undefined) used.add(at.path.join('.'))
    }
    const isNamed = records.some((source) => of.planOf(source, fieldMap, shown).places[index]?.some(({ level }) => level <= sureness.words))
    return { field, name, state: (at >= 0 ? 'read' : path !== null ? 'unknown' : 'missing') as FieldState, path, isNamed }
  })
  const unread = [...leaves].filter(([path]) => !envelopeNames.has(path) && ![...used].some((one) => path === one || path.startsWith(`${one}.`)))

  const looks = states.map((one) => ({ ...one, reason: one.state === 'unknown' && one.path !== null ? reasonFor(outputs, one.path) : null }))
  // Suggest properties only for missing fields and for fields with a value of the wrong form. If only the unit is unknown, the app already knows the
  // property. If a property has the field's own name but no value, the field is simply empty.
  const wanting = looks.filter(({ state, reason, isNamed }) => (state === 'missing' && !isNamed) || reason === 'form')
  // A property with the name of a known field is never suggested for another field, even if the property's value is unreadable.
  const claimed = new Set(states.map(({ path }) => path))
  const offered = suggest(
    wanting.map(({ field }) => field),
    unread.flatMap(([path, leaf]) => (claimed.has(path) ? [] : [leaf])),
    { words: of.words, known: of.matcher.known },
  )

  return {
    resource: of.name,
    records: records.length,
    incomplete: outputs.filter((output) => of.list.some(({ required }, index) => required && !found(output?.[of.fieldNames[index] ?? '']))).length,
    fields: looks.map((one) => ({
      ...{ field: one.name, state: one.state, path: one.path, unit: one.field.kind.numeric?.target ?? null },
      reason: one.reason,
      ...{ required: one.field.required, documented: one.field.documented },
      suggestions: offered[wanting.indexOf(one)] ?? [],
    })),
    unread: unread.slice(0, mostUnread).map(([path, { value }]) => ({ path, preview: previewOf(value) })),
  }
}

function reasonFor(outputs: readonly (Readonly<Record<string, unknown>> | undefined)[], path: string): Reason {
  for (const output of outputs) {
    const text = output?.unknownFields
    if (typeof text !== 'string') continue
    const reasons: unknown = (JSON.parse(text) as Readonly<Record<string, unknown>>)[reasonsName] // the cast is safe: the app wrote this JSON text
    const reason = isRecord(reasons) ? reasons[path] : undefined
    if (reason === 'unit' || reason === 'scale' || reason === 'conflict') return reason
  }
  return 'form'
}
