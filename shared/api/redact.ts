import { parseJson } from './reader/parse-json.ts'

/** AUTH-09: how the service's secrets begin. */
export const secretPrefixes = { key: 'SVC', session: 'svcds1.', webhook: 'svc_whsec_' } as const

export const redacted = '[redacted]'

/** Names of fields and headers whose values no log may hold, whatever endpoint they belong to. Canonical: lower case, no separators. */
const secretNames = new Set([
  'apikey',
  'authorization',
  'cookie',
  'developersession',
  'password',
  'privatekey',
  'proxyauthorization',
  'secret',
  'setcookie',
  'signature',
  'signingsecret',
  'symkey',
  'token',
  'xsvcapikey',
])

const canonical = (name: string): string => name.replace(/[_\-\s.]/g, '').toLowerCase()

/**
 * Secrets inside text, whatever stands before them: in JSON that is often the letter of an escape. A long hex run (a signature, 64 bytes or more) and the
 * key of a WalletConnect pairing go too; hashes and addresses stay. Each run is looked at once: the time is linear in the length.
 */
const secretText = /svcds1\.[\w.~+/=-]+|svc_whsec_[\w.~+/=-]+|SVC[\w.~+/=-]{13,}|(?<=symKey=)[0-9a-fA-F]{32,}|(?:0x)?[0-9a-fA-F]{128,}/g

/** The shortest that `secretText` finds: a session's prefix and one character. */
const shortestSecret = secretPrefixes.session.length + 1

/** Cuts secrets out of text, for example a raw body or a message of an exception [AUTH-09]. Keeps the prefix, so that it can be told what stood there. */
export function redactText(text: string): string {
  if (text.length < shortestSecret) return text
  return text.replace(secretText, (match) => {
    // Words in capitals have no digit; a key does.
    if (match.startsWith(secretPrefixes.key) && !/\d/.test(match)) return match
    const prefix = Object.values(secretPrefixes).find((candidate) => match.startsWith(candidate))
    return `${prefix ?? ''}${redacted}`
  })
}

/** JSON for a file, without secrets: each text is searched before an escape can stand in it. */
export const safeJson = (value: unknown): string =>
  `${redactText(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? redactText(inner) : inner), 2))}\n`

/** Whether a field of this name is shown as it is: the name holds no secret, and names none. */
export const isPlainName = (name: string): boolean => !secretNames.has(canonical(name)) && redactText(name) === name

const namesWith = (extraNames: readonly string[]): ReadonlySet<string> =>
  extraNames.length === 0 ? secretNames : new Set([...secretNames, ...extraNames.map(canonical)])

/**
 * A copy of a JSON value without secrets: values under secret names (`extraNames` are those of the endpoint) are replaced
 * whole, text anywhere is searched, also JSON inside text. Safe on cycles.
 */
export function redact(value: unknown, extraNames: readonly string[] = []): unknown {
  if (typeof value === 'string') return value.length < shortestSecret ? value : redactInside(value, namesWith(extraNames))
  return typeof value === 'object' && value !== null ? visit(value, namesWith(extraNames), new WeakSet(), 0) : value
}

/** What is nested deeper is cut off: nobody reads it, and the stack has an end. */
const deepest = 64

function visit(current: unknown, names: ReadonlySet<string>, seen: WeakSet<object>, depth: number): unknown {
  if (typeof current === 'string') return redactInside(current, names)
  if (depth > deepest && typeof current === 'object' && current !== null) return '[deeper]'
  if (typeof current !== 'object' || current === null) return current
  if (seen.has(current)) return '[circular]'
  seen.add(current)
  if (Array.isArray(current)) return current.map((item) => visit(item, names, seen, depth + 1))
  return Object.fromEntries(
    Object.entries(current).map(([name, inner]) => [
      redactText(name),
      names.has(canonical(name)) && inner !== null ? redacted : visit(inner, names, seen, depth + 1),
    ]),
  )
}

function redactInside(text: string, names: ReadonlySet<string>): string {
  const trimmed = text.trimStart()
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    try {
      return JSON.stringify(visit(parseJson(text) ?? JSON.parse(text), names, new WeakSet(), 0))
    } catch {
      // Not JSON after all, or cut off: searched as text.
    }
  }
  return redactText(text)
}

/** The body of an answer for logs: JSON is redacted by names and text, anything else by text. */
export function redactBody(raw: string, extraNames: readonly string[] = []): string {
  const names = namesWith(extraNames)
  const result = redact(raw, extraNames)
  const text = typeof result === 'string' ? result : redactText(raw)
  // A truncated body is not JSON, yet may hold `"api_key":"…`.
  return text.replace(/"([A-Za-z0-9_.-]+)"\s*:\s*"((?:[^"\\]|\\.)*)"?/g, (whole, name: string, inner: string) =>
    names.has(canonical(name)) && inner !== redacted ? `"${name}":"${redacted}"` : whole,
  )
}
