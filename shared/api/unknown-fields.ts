/**
 * Limits for the unknown fields of an answer. The app stores them as the JSON text of one object and shows them on demand (ERR-02). Longer values
 * are shortened and further fields only counted, so that no answer can fill the window.
 */
export const unknownFieldsBounds = { characters: 8_192, name: 80, value: 600 } as const

/** The key under which the JSON text of unknown fields contains the number of omitted fields. */
export const leftOutName = '…'

/**
 * The key under which the JSON text of unknown fields contains, for each known field without a value, the reason. For example: the unit is not
 * stated.
 */
export const reasonsName = '?'

type Entries = Readonly<Record<string, unknown>>
const entriesOf = (text: string | null): Entries => (text === null ? {} : (JSON.parse(text) as Entries)) // the cast is safe: callers pass the JSON text of an object
const reasonsOf = (fields: Entries): Entries => {
  const reasons = fields[reasonsName]
  return typeof reasons === 'object' && reasons !== null && !Array.isArray(reasons) ? (reasons as Entries) : {} // the cast is safe: the condition tests for an object
}

const statesReasons = `${JSON.stringify(reasonsName)}:`

/**
 * Adds to the JSON text of unknown fields the reason why a field has no value. Also adds the raw value, unless `value` is `undefined` because the
 * text already contains it.
 */
export function withReason(text: string | null, name: string, value: unknown, reason: string): string {
  // Usually the text states no reason yet and does not contain the field, so the entries can simply be added at its end.
  const label = JSON.stringify(name)
  if (text === null || !(text.includes(statesReasons) || text.includes(`${label}:`))) {
    const raw = value === undefined ? '' : `${label}:${JSON.stringify(value)},`
    return boundFields(`${text === null || text === '{}' ? '{' : `${text.slice(0, -1)},`}${raw}${statesReasons}{${label}:${JSON.stringify(reason)}}}`)
  }
  const fields = entriesOf(text)
  const { [reasonsName]: _, ...others } = fields
  return boundFields(JSON.stringify({ ...others, ...(value !== undefined && { [name]: value }), [reasonsName]: { ...reasonsOf(fields), [name]: reason } }))
}

export const withField = (text: string | null, name: string, value: unknown): string => boundFields(JSON.stringify({ ...entriesOf(text), [name]: value }))

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/**
 * Returns the JSON text unchanged if it is short enough. Otherwise keeps the first fields, shortens long values, and adds the number of omitted
 * fields. `text` must be the JSON of an object.
 */
export function boundFields(text: string): string {
  if (text.length <= unknownFieldsBounds.characters) return text
  const entries = Object.entries(entriesOf(text))
  const bounded = createBoundedFields()
  for (const [name, value] of entries) if (!bounded.add(name, value)) break
  return bounded.text(entries.length)
}

/** Collects unknown fields up to the limits of `boundFields`. `add` returns false once a field does not fit; then only the number of fields matters. */
export function createBoundedFields() {
  const { characters, name: longestName, value: longestValue } = unknownFieldsBounds
  const kept: [string, unknown][] = []
  // Reserve 40 characters for the entry with the number of omitted fields.
  let left = characters - 40
  return {
    add(name: string, value: unknown): boolean {
      const written = JSON.stringify(value)
      const short = written.length <= longestValue ? value : cut(typeof value === 'string' ? value : written, longestValue)
      const entry: [string, unknown] = [cut(name, longestName), short]
      left -= JSON.stringify(Object.fromEntries([entry])).length
      if (left >= 0) kept.push(entry)
      return left >= 0
    },
    text(count: number): string {
      const leftOut = count - kept.length
      return JSON.stringify(Object.fromEntries(leftOut === 0 ? kept : [...kept, [leftOutName, leftOut]]))
    },
  }
}

/** Joins the unknown fields of several parts of one record. Each field gets the part's name as prefix; the part `''` is the record itself. */
export function joinFields(parts: Readonly<Record<string, string | null>>): string | null {
  const under = (part: string, fields: Entries): [string, unknown][] =>
    Object.entries(fields).map(([name, value]) => [part === '' ? name : `${part}.${name}`, value])
  const fields: [string, unknown][] = []
  const reasons: [string, unknown][] = []
  for (const [part, text] of Object.entries(parts)) {
    const { [reasonsName]: _, ...shown } = entriesOf(text)
    fields.push(...under(part, shown))
    reasons.push(...under(part, reasonsOf(entriesOf(text))))
  }
  if (fields.length === 0) return null
  return boundFields(JSON.stringify(Object.fromEntries(reasons.length === 0 ? fields : [...fields, [reasonsName, Object.fromEntries(reasons)]])))
}
