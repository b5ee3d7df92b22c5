import { redact } from '../redact.ts'
import { reasonsName } from '../unknown-fields.ts'
import { shownIn } from './by-value.ts'
import type { Field, Fields, Reason } from './field.ts'
import type { FieldMap } from './field-map.ts'
import { isRecord } from './kinds.ts'
import { keyOf } from './names.ts'
import { type Resource, readRecords } from './resource.ts'
import { genericWords, neutralWords } from './vocabulary.ts'
import { type Node, valueAt, walk } from './walk.ts'

/** A place that may be the one that is meant. */
export interface Suggestion {
  /** As a field map names it. */
  readonly path: string
  /** The value there, secrets cut out, shortened. */
  readonly preview: string
  /** words: its name shares words. form: nothing else has this form. */
  readonly why: 'words' | 'form'
}

export type FieldState = 'read' | 'unknown' | 'missing'

export interface FieldInspection {
  readonly field: string
  readonly state: FieldState
  /** Where it was read, or could not be; null: nowhere. */
  readonly path: string | null
  /** In which unit it is shown; null: it has none. */
  readonly unit: string | null
  /** Why it is unknown. */
  readonly reason: Reason | null
  readonly required: boolean
  readonly documented: boolean
  /** Best first. */
  readonly suggestions: readonly Suggestion[]
}

export interface Inspection {
  /** As a field map names it. */
  readonly resource: string
  /** Of which records were looked at. */
  readonly records: number
  readonly fields: readonly FieldInspection[]
  /** Places that no field is read from. */
  readonly unread: readonly { readonly path: string; readonly preview: string }[]
}

const longestPreview = 80
const mostUnread = 100
const mostSuggestions = 5

const previewOf = (value: unknown): string => {
  const shown = redact(value)
  return (typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')).slice(0, longestPreview)
}

const found = (value: unknown): boolean => value !== null && value !== undefined

/** What the records of an answer hold for each field of a resource: read, unknown with the reason, or missing with suggestions. */
export function inspectRecords<F extends Fields, T>(of: Resource<F, T>, sources: readonly unknown[], fieldMap: FieldMap | undefined): Inspection {
  const records = sources.filter(isRecord)
  const context = { fieldMap }
  const { finish: _, ...plain } = of
  // Required fields too: what is missing is what the check is about. Without `finish` a reading is the fields themselves.
  const lenient: Resource<F> = { ...plain, list: of.list.map((field) => ({ ...field, required: false })) }
  const outputs = readRecords(lenient, records, context, () => {}).items as readonly (Record<string, unknown> | undefined)[] // fields by name

  const leaves = new Map<string, { readonly node: Node; readonly value: unknown }>()
  for (const source of records)
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
    if (path !== null && at >= 0) used.add(path)
    return { field, name, state: (at >= 0 ? 'read' : path !== null ? 'unknown' : 'missing') as FieldState, path }
  })
  const unread = [...leaves].filter(([path]) => ![...used].some((one) => path === one || path.startsWith(`${one}.`)))

  return {
    resource: of.name,
    records: records.length,
    fields: states.map(({ field, name, state, path }) => ({
      field: name,
      state,
      path,
      unit: field.kind.numeric?.target ?? null,
      reason: state === 'unknown' && path !== null ? reasonFor(outputs, path) : null,
      required: field.required,
      documented: field.documented,
      suggestions:
        state === 'read'
          ? []
          : suggestionsFor(
              of,
              field,
              unread.map(([, leaf]) => leaf),
            ),
    })),
    unread: unread.slice(0, mostUnread).map(([path, { value }]) => ({ path, preview: previewOf(value) })),
  }
}

function reasonFor(outputs: readonly (Readonly<Record<string, unknown>> | undefined)[], path: string): Reason {
  for (const output of outputs) {
    const text = output?.unknownFields
    if (typeof text !== 'string') continue
    const reasons: unknown = (JSON.parse(text) as Readonly<Record<string, unknown>>)[reasonsName] // text of our own making
    const reason = isRecord(reasons) ? reasons[path] : undefined
    if (reason === 'unit' || reason === 'scale' || reason === 'conflict') return reason
  }
  return 'form'
}

/** Whether a value could be the field's, were its unit known. */
function canHold(field: Field<unknown>, value: unknown): boolean {
  const { kind } = field
  if (kind.numeric !== null) return (typeof value === 'number' || typeof value === 'string') && /^[+-]?\d*\.?\d+(e[+-]?\d+)?%?$/i.test(String(value).trim())
  const read = kind.read(value, () => {}, {})
  return read !== undefined && read !== null
}

function suggestionsFor<F extends Fields, T>(
  of: Resource<F, T>,
  field: Field<unknown>,
  leaves: readonly { readonly node: Node; readonly value: unknown }[],
): Suggestion[] {
  const wanted = new Set(field.aliases.flatMap((alias) => keyOf(alias.split('_')).split(' ')).filter((word) => !neutralWords.has(word)))
  const own = new Set(of.words)
  const ranked = leaves
    .filter(({ value }) => canHold(field, value))
    .map(({ node, value }) => {
      const words = new Set(node.segments.flat())
      let score = 0
      for (const word of words) if (wanted.has(word)) score += genericWords.has(word) ? 1 : 3
      for (const word of words) if (!wanted.has(word) && !neutralWords.has(word) && !own.has(word)) score -= 0.5
      return { path: node.path.join('.'), preview: previewOf(value), score }
    })
    .sort((a, b) => b.score - a.score)
  const shared = ranked.filter(({ score }) => score > 0)
  const [only, ...more] = ranked
  if (shared.length === 0 && only !== undefined && more.length === 0) return [{ path: only.path, preview: only.preview, why: 'form' }]
  return shared.slice(0, mostSuggestions).map(({ path, preview }) => ({ path, preview, why: 'words' }))
}
