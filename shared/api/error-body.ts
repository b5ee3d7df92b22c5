import { type Foreign, startOf } from '../foreign/foreign.ts'
import { readJson } from '../foreign/parse-json.ts'
import { assumed } from './assumptions.ts'
import { type InvalidField, invalidFieldsOf, refusalNames } from './invalid-fields.ts'
import { isRecord, readField } from './loose.ts'
import { canonical } from './names/name-words.ts'
import { redactBody } from './redact.ts'
import { Scope } from './scopes.ts'

/** What the app found in the body of an error answer (ERR-01). Every part may be missing. */
export interface ErrorBody {
  readonly code: string | null
  readonly message: string | null
  readonly requestId: string | null
  /** The scope that the request lacks, according to the answer. */
  readonly requiredScope: Scope | null
  /** An IP address in the answer, for example the address that the service refuses. */
  readonly address: string | null
  /** Fields of the request that the answer names; empty if it names none. */
  readonly invalidFields: readonly InvalidField[]
}

const fields = assumed.errorBody.fields
/** The most characters to read of an answer that is not JSON. The error code and the message come first, so this is enough. */
const textLimit = 4_096
const messageLimit = 1_000
const longestId = 256

/** Accepts error codes in any style, such as `IDEMPOTENCY_KEY_CONFLICT`, `delegated_executor_binding_required`, `auth.key-expired`, `EXPIRED`. */
const looksLikeCode = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 120 && (/^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$/.test(value) || /^[A-Z][A-Z0-9]{2,}$/.test(value))

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.-]{0,119}$/.test(value)

const isProse = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const isId = (value: unknown): value is string => isProse(value) && value.length <= longestId

/** Whether a value looks like an IPv4 or IPv6 address; a wallet address has no dots or colons. */
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && (/^\d{1,3}(\.\d{1,3}){3}$/.test(value) || (/^[0-9a-f:.]{2,45}$/i.test(value) && value.split(':').length > 2))

/** Returns the objects that may contain the error, outermost first: the body, then objects inside it, such as `error`. */
function layers(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  let level: unknown[] = [body]
  for (let depth = 0; depth < 4 && level.length > 0; depth += 1) {
    const records = level.filter(isRecord)
    found.push(...records)
    level = records.flatMap((layer) => fields.containers.map((name) => layer[name])).map((inner) => (Array.isArray(inner) ? inner[0] : inner))
  }
  return found
}

const first = <T>(values: readonly unknown[], accept: (value: unknown) => value is T): T | null => values.find(accept) ?? null

function fromText(text: string): Pick<ErrorBody, 'code' | 'message'> {
  const trimmed = text.trim()
  // The body is empty or an HTML error page of a proxy, so it contains no error code of the service.
  if (trimmed === '' || /^<(!doctype|html|\?xml)/i.test(trimmed)) return { code: null, message: null }
  const match = /^([A-Za-z][A-Za-z0-9_.-]*)\s*(?:[:\s]\s*(.*))?$/s.exec(trimmed)
  const code = match?.[1]
  if (!looksLikeCode(code)) return { code: null, message: trimmed.slice(0, messageLimit) }
  const rest = match?.[2]?.replace(/^[-–—:\s]+/, '').trim()
  return { code, message: rest === undefined || rest === '' ? null : rest.slice(0, messageLimit) }
}

function fromObject(body: Readonly<Record<string, unknown>>): Omit<ErrorBody, 'invalidFields'> {
  const all = layers(body)
  // The innermost code is the most precise: in `{code: "ERROR", error: {code: "IP_NOT_ALLOWED"}}` it is "IP_NOT_ALLOWED".
  const inward = all.toReversed()
  const named = inward.flatMap((layer) => [layer.code, layer.error_code, layer.errorCode])
  const elsewhere = inward.flatMap((layer) => [...fields.code, 'error', ...fields.message].map((name) => layer[name]))
  const listed = inward.flatMap((layer) => fields.containers.map((name) => layer[name])).map((inner) => (Array.isArray(inner) ? inner[0] : inner))
  const code = first(named, looksLikeCode) ?? first([...elsewhere, ...listed], looksLikeCode) ?? first(named, isToken)
  const messages = inward.flatMap((layer) => fields.message.map((name) => layer[name]))
  const prose = (value: unknown): value is string => isProse(value) && value !== code
  const message = first([...messages, ...listed, ...inward.map((layer) => layer.error)], prose)
  const scope = inward.map((layer) => readField(layer, fields.requiredScope)).find((value) => Scope.safeParse(value).success)
  return {
    code,
    message: message?.slice(0, messageLimit) ?? null,
    requestId: first(
      all.map((layer) => readField(layer, fields.requestId)),
      isId,
    ),
    requiredScope: Scope.safeParse(scope).data ?? null,
    address: first(
      inward.map((layer) => readField(layer, fields.address)),
      isAddress,
    ),
  }
}

const deepest = 8
const ourNames: ReadonlyMap<string, string> = new Map([...Object.values(fields).flat(), 'error', ...refusalNames].map((name) => [canonical(name), name]))

/** Adds each known field under the spelling that the reader expects: `{"Error": {"Code": …}}` is then also readable as `{error: {code: …}}`. */
function inOurCase(value: unknown, depth = 0): unknown {
  if (depth >= deepest) return value
  if (Array.isArray(value)) return value.slice(0, 32).map((item) => inOurCase(item, depth + 1))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [ourNames.get(canonical(name)) ?? name, inOurCase(inner, depth + 1)] as const)
  return { ...Object.fromEntries(entries), ...value }
}

const saysNothing = (body: Readonly<Record<string, unknown>>): boolean => {
  const { code, message } = fromObject(body)
  return code === null && message === null && invalidFieldsOf(body).length === 0
}

/**
 * Finds code, message and request id in the usual shapes: flat, under `error`, `{error: "CODE", detail}`, `errors[0]`, or plain text. `header`: the
 * answer's `X-Request-ID`. It takes precedence over an id in the body, because the API document shows only the header (Tracing).
 */
export function readErrorBody(answer: Foreign<string>, header: string | null = null): ErrorBody {
  const parsed = readJson(answer)
  const first = Array.isArray(parsed) ? parsed[0] : parsed
  const body = isRecord(first) && saysNothing(first) ? inOurCase(first) : parsed
  const source = Array.isArray(body) ? body[0] : body
  const text = startOf(answer, textLimit)
  const invalidFields = invalidFieldsOf(body ?? text)
  if (isRecord(source)) {
    const found = fromObject(source)
    return { ...found, message: found.message === null ? null : redactBody(found.message), requestId: header ?? found.requestId, invalidFields }
  }
  const found = fromText(typeof source === 'string' ? source.slice(0, textLimit) : body === undefined ? text : '')
  return {
    code: found.code,
    message: found.message === null ? null : redactBody(found.message),
    requestId: header,
    requiredScope: null,
    address: null,
    invalidFields,
  }
}
