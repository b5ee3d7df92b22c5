import { valueAt } from '../names/walk.ts'
import { redact } from '../redact.ts'
import { boundFields, withReason } from '../unknown-fields.ts'
import type { Reason } from './field.ts'
import type { Plan } from './plan.ts'

/** A place that holds a field's value, and why it could not be read there. */
export interface Unclear {
  readonly name: string
  readonly reason: Reason
}

/** Which parts of a record were read, where not every field was at its best place. */
export function knownOf(
  fieldNames: readonly string[],
  { known, places }: Plan,
  output: Readonly<Record<string, unknown>>,
  source: Readonly<Record<string, unknown>>,
  unclear: readonly Pick<Unclear, 'name'>[],
): readonly boolean[] {
  const read = known.slice()
  const unread = new Set(unclear.map(({ name }) => name))
  for (const [index, choices] of places.entries()) {
    const used = choices.find(({ path }) => valueAt(source, path) !== null && valueAt(source, path) !== undefined)
    if (used === undefined || unread.has(used.name)) continue
    const found = output[fieldNames[index] ?? '']
    if (found !== undefined) read[used.tells] = true
  }
  return read
}

/** Printable ASCII that JSON writes as it is. */
const unescaped = /^[ !#-[\]-~]*$/

/** `JSON.stringify`, without its own cost for the short words that most unknown fields hold. */
const jsonOf = (value: unknown): string => (typeof value === 'string' && unescaped.test(value) ? `"${value}"` : JSON.stringify(value))

/** Parts of a record that nobody read, as JSON text, secrets cut out, since they are shown; those that are null carry nothing and are left out. */
export function unknownText(
  source: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  { told, labels }: Plan,
  known: readonly boolean[],
  unclear: readonly Unclear[],
): string | null {
  let written = ''
  for (let index = 0; index < told.length; index += 1) {
    const part = told[index]
    if (known[index] || part === undefined) continue
    const value = part.path.length === 1 ? values[part.top] : valueAt(source, part.path)
    if (value === null || value === undefined) continue
    if (labels === null) return unknownOf(source, told, known, unclear)
    written += `${written === '' ? '{' : ','}${labels[index]}:${jsonOf(redact(value))}`
  }
  return withReasons(written === '' ? null : boundFields(`${written}}`), unclear)
}

/** The same where a name itself needs cutting. */
const unknownOf = (source: Readonly<Record<string, unknown>>, told: Plan['told'], known: readonly boolean[], unclear: readonly Unclear[]): string | null => {
  const rest = Object.fromEntries(
    told.flatMap(({ path, name }, index) => {
      const value = valueAt(source, path)
      // The last name is what says whether the value is a secret.
      return known[index] || value === null || value === undefined ? [] : [[name, redactNamed(path.at(-1) ?? name, value)]]
    }),
  )
  return withReasons(boundFields(JSON.stringify(redact(rest))), unclear)
}

const redactNamed = (name: string, value: unknown): unknown => Object.values(redact({ [name]: value }) as Record<string, unknown>)[0] // an object of one name

const withReasons = (text: string | null, unclear: readonly Unclear[]): string | null =>
  // What is shown unread is of another form; the other reasons need saying.
  unclear.reduce((so, { name, reason }) => (reason === 'form' ? so : withReason(so, name, undefined, reason)), text)
