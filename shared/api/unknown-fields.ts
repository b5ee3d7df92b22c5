/**
 * Fields of an answer that this app does not know are kept as the JSON text of one object and shown on demand (ERR-02).
 * They are bounded: what goes beyond is cut or counted, so that no answer can fill the window.
 */
export const unknownFieldsBounds = { characters: 8_192, name: 80, value: 600 } as const

/** Under this name stands how many fields were left out. */
export const leftOutName = '…'

/** Under this name stands, by field, why one that the app knows has no value: its unit is not said, for example. */
export const reasonsName = '?'

type Entries = Readonly<Record<string, unknown>>
const entriesOf = (text: string | null): Entries => (text === null ? {} : (JSON.parse(text) as Entries)) // by what these functions take: the JSON text of an object
const reasonsOf = (fields: Entries): Entries => {
  const reasons = fields[reasonsName]
  return typeof reasons === 'object' && reasons !== null && !Array.isArray(reasons) ? (reasons as Entries) : {} // an object, as tested
}

/** Adds why a field has no value, and the value as it came (undefined: it is there already). */
export function withReason(text: string | null, name: string, value: unknown, reason: string): string {
  const fields = entriesOf(text)
  const { [reasonsName]: _, ...others } = fields
  return boundFields(JSON.stringify({ ...others, ...(value !== undefined && { [name]: value }), [reasonsName]: { ...reasonsOf(fields), [name]: reason } }))
}

/** Adds a field, with its value as it came. */
export const withField = (text: string | null, name: string, value: unknown): string => boundFields(JSON.stringify({ ...entriesOf(text), [name]: value }))

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The same text where it is short enough; else its first fields, the long ones cut, and how many were left out. Takes an object's JSON text. */
export function boundFields(text: string): string {
  const { characters, name: longestName, value: longestValue } = unknownFieldsBounds
  if (text.length <= characters) return text
  const entries = Object.entries(entriesOf(text))
  const kept: [string, unknown][] = []
  // Room for the count of what is left out.
  let left = characters - 40
  for (const [name, value] of entries) {
    const written = JSON.stringify(value)
    const short = written.length <= longestValue ? value : cut(typeof value === 'string' ? value : written, longestValue)
    const entry: [string, unknown] = [cut(name, longestName), short]
    left -= JSON.stringify(Object.fromEntries([entry])).length
    if (left < 0) break
    kept.push(entry)
  }
  const leftOut = entries.length - kept.length
  return JSON.stringify(Object.fromEntries(leftOut === 0 ? kept : [...kept, [leftOutName, leftOut]]))
}

/** Unknown fields of several parts of one record as those of one, each name after that of its part; `''` stands for the record itself. */
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
