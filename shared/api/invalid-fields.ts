import { isRecord } from './reader/kinds.ts'
import { redactText } from './redact.ts'

/** A request field that the service's refusal names as missing, unknown or wrong. */
export interface InvalidField {
  /** The field name as the service writes it, without the names of enclosing objects. */
  readonly name: string
  /** The path from the root of the body to the field, with list indexes as text. Only the field's name if the refusal does not state a path. */
  readonly path: readonly string[]
  /**
   * `missing`: the request lacks the field. `unknown`: the service has no such field. `other`: the field's value is wrong, or the refusal states no
   * reason.
   */
  readonly problem: 'missing' | 'unknown' | 'other'
  /** true if a property of the refusal's body names the invalid field; false if only the text of a message mentions the field. */
  readonly isExact: boolean
}

const bounds = { fields: 32, depth: 8, nodes: 512, text: 1_000 } as const

const name = '[A-Za-z_$][A-Za-z0-9_$]{0,63}(?:[.[\\]/-]{1,2}[A-Za-z0-9_$]{1,64}){0,12}'
const quoted = `[\`'"]${name}[\`'"]`
const noun = '(?:fields?|param(?:eter)?s?|propert(?:y|ies)|keys?|arguments?|attributes?)'

/**
 * Patterns for sentences that say a field is missing. The first group captures the field's name. A pattern matches an unquoted word only where the
 * word cannot be anything but a field name.
 */
const missing = [
  new RegExp(`\\b(?:missing|required|mandatory)(?: required| mandatory| body| json)? ${noun}(?: named)?\\s*:?\\s*(${quoted}|${name})`, 'gi'),
  new RegExp(`\\b(?:missing|requires?|${noun} (?:is )?required|is missing)\\s*:?\\s*(${quoted})`, 'gi'),
  new RegExp(`\\b(?:missing|required)\\s*:\\s*(${name})`, 'gi'),
  new RegExp(
    `(${quoted}|${name})(?: ${noun})?(?: is| was| are|:)?(?: a)? (?:required|mandatory|missing|not (?:sent|provided|present)|must be (?:provided|present|specified|sent)|(?:should|must|can) ?not be (?:empty|blank|null|undefined)|can't be blank)\\b`,
    'gi',
  ),
] as const
const unknown = [
  new RegExp(
    `\\b(?:unknown|unexpected|unrecogni[sz]ed|extra|additional|no such|undefined) ${noun}(?:\\(s\\))?(?: named| in object)?\\s*:?\\s*(${quoted}|${name})`,
    'gi',
  ),
  new RegExp(`\\b${noun} (${quoted}|${name}) (?:should not exist|is unknown|is not (?:known|recogni[sz]ed|expected))`, 'gi'),
  new RegExp(`(${quoted}|${name}) (?:is unknown|is unexpected|is not recogni[sz]ed)\\b`, 'gi'),
] as const
const suggestion = new RegExp(`\\b(?:expected(?: one of)?|did you mean|use)\\s*:?\\s*((?:${quoted}(?:,? or |,\\s*)?){1,12})`, 'gi')

/** Ordinary words that may appear where a sentence names a field. They are not field names. */
const noNames = new Set(
  (
    'field fields parameter parameters property properties key value values body request input data payload object ' +
    'this it that which one is are was be have has must a an the and or in of required missing error'
  ).split(' '),
)

const steps = (text: string): string[] =>
  text
    .replace(/[`'"]/g, '')
    .split(/[.[\]/]+/)
    .filter((step) => step !== '')

/**
 * Returns a list with the field at the end of `path`, or an empty list if the field's name is not valid. `sure`: the text is certainly a field name
 * and not an ordinary word.
 */
function named(path: readonly string[], rest: Omit<InvalidField, 'name' | 'path'>, sure = rest.isExact): InvalidField[] {
  const last = path.at(-1)
  return last === undefined || (!sure && noNames.has(last.toLowerCase())) || !/^[A-Za-z_$][\w$-]{0,63}$/.test(last) || redactText(last) !== last
    ? []
    : [{ name: last, path, ...rest }]
}

function inText(text: string): InvalidField[] {
  const message = text.slice(0, bounds.text)
  const found: InvalidField[] = []
  const take = (patterns: readonly RegExp[], problem: 'missing' | 'unknown') => {
    for (const pattern of patterns)
      for (const [, matched = ''] of message.matchAll(pattern)) found.push(...named(steps(matched), { problem, isExact: false }, /^[`'"]/.test(matched)))
  }
  take(unknown, 'unknown')
  take(missing, 'missing')
  if (found.some(({ problem }) => problem === 'unknown'))
    for (const [, list = ''] of message.matchAll(suggestion))
      for (const [one] of list.matchAll(new RegExp(quoted, 'g'))) found.push(...named(steps(one), { problem: 'missing', isExact: false }, true))
  return found
}

const pathKeys = ['loc', 'path', 'field', 'name', 'param', 'parameter', 'property', 'pointer', 'instancePath', 'dataPath', 'key'] as const
const messageKeys = ['message', 'msg', 'detail', 'reason', 'error', 'description', 'type', 'code'] as const
/** Keys in an error body that contain the invalid fields, either as a list or as a map from field name to problem. */
const listKeys = [
  'errors',
  'detail',
  'details',
  'issues',
  'invalid_params',
  'invalid-params',
  'invalidParams',
  'violations',
  'fields',
  'fieldErrors',
  'field_errors',
  'message',
] as const

/** All keys that this file looks for in an error body. */
export const refusalNames: readonly string[] = [...pathKeys, ...messageKeys, ...listKeys]

const says = {
  missing:
    /missing|required|mandatory|not (?:sent|provided|present)|must be (?:provided|present|specified)|not be (?:empty|blank|null|undefined)|received undefined/i,
  unknown: /unknown|unexpected|unrecogni[sz]ed|extra[_ ]|additional|should not exist|not permitted/i,
} as const

const problemOf = (text: string): InvalidField['problem'] => (says.unknown.test(text) ? 'unknown' : says.missing.test(text) ? 'missing' : 'other')

const pathOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? steps(value.slice(0, bounds.text).replace(/^#/, ''))
    : Array.isArray(value)
      ? value.slice(0, 16).flatMap((step) => (typeof step === 'string' || typeof step === 'number' ? [String(step)] : []))
      : []

const textsOf = (record: Readonly<Record<string, unknown>>): string =>
  messageKeys
    .flatMap((key) => (typeof record[key] === 'string' ? [record[key]] : []))
    .join(' ')
    .slice(0, bounds.text)

/**
 * Reads one error entry about a field: `{loc, msg}`, `{path, message}`, `{field, message}`, `{source: {pointer}}`,
 * `{instancePath, params: {missingProperty}}`.
 */
function complaint(record: Readonly<Record<string, unknown>>): InvalidField[] {
  const source = isRecord(record.source) ? record.source : {}
  const at = pathKeys.map((key) => pathOf(record[key] ?? source[key])).find((path) => path.length > 0) ?? []
  const message = textsOf(record)
  const params = isRecord(record.params) ? record.params : {}
  const exact = (path: readonly string[], problem: InvalidField['problem']) => named(path, { problem, isExact: true })
  const { missingProperty, additionalProperty } = params
  if (typeof missingProperty === 'string') return exact([...at, missingProperty], 'missing')
  if (typeof additionalProperty === 'string') return exact([...at, additionalProperty], 'unknown')
  if (Array.isArray(record.keys) && record.code === 'unrecognized_keys')
    return record.keys.flatMap((key) => (typeof key === 'string' ? exact([...at, key], 'unknown') : []))
  return exact(at, problemOf(message))
}

function inRecord(body: unknown): InvalidField[] {
  const found: InvalidField[] = []
  let level: unknown[] = [body]
  let nodes = 0
  for (let depth = 0; depth < bounds.depth && level.length > 0 && nodes < bounds.nodes; depth += 1) {
    const next: unknown[] = []
    for (const one of level) {
      nodes += 1
      if (nodes > bounds.nodes || found.length > bounds.fields) break
      if (Array.isArray(one)) next.push(...one.slice(0, bounds.fields))
      else if (typeof one === 'string') found.push(...inText(one))
      else if (isRecord(one)) {
        const exact = complaint(one)
        found.push(...exact)
        for (const key of listKeys) {
          const inner = one[key]
          if (isRecord(inner) && key !== 'detail' && key !== 'message')
            for (const [field, said] of Object.entries(inner).slice(0, bounds.fields)) {
              const message = [said].flat().find((text): text is string => typeof text === 'string')
              if (message !== undefined) found.push(...named(steps(field), { problem: problemOf(message), isExact: true }))
            }
          // If an entry names its field explicitly, its sentence only describes the problem. So search the sentence for field names only if none was
          // named explicitly.
          if (Array.isArray(inner) || isRecord(inner) || (typeof inner === 'string' && exact.length === 0)) next.push(inner)
        }
        if (isRecord(one.error) || (typeof one.error === 'string' && exact.length === 0)) next.push(one.error)
        if (typeof one.title === 'string' && exact.length === 0) next.push(one.title)
      }
    }
    level = next
  }
  return found
}

/**
 * Returns the fields that a refusal names, each once. Fields that the body names explicitly come before fields that only a sentence mentions.
 * Understands the usual lists (`{loc, msg}`, RFC 9457 `errors` and `invalid-params`, JSON pointers, maps of names) and the usual sentences ("amount
 * is required"). Limits how much it reads, and never throws.
 */
export function invalidFieldsOf(body: unknown): readonly InvalidField[] {
  const found = typeof body === 'string' ? inText(body) : inRecord(body)
  const ranked = [...found.filter(({ isExact }) => isExact), ...found.filter(({ isExact }) => !isExact)]
  const kept: InvalidField[] = []
  for (const field of ranked) {
    const same = kept.findIndex((other) => other.name === field.name && (!field.isExact || other.path.join('.') === field.path.join('.')))
    const before = kept[same]
    if (before === undefined) kept.push(field)
    // The earlier entry names the field without a problem. Add the problem from this entry.
    else if (before.problem === 'other') kept[same] = { ...before, problem: field.problem }
  }
  return kept.slice(0, bounds.fields)
}
