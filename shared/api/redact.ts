import { bare } from '../foreign/bare.ts'
import { endBefore, endOfText, type Foreign, foreign, lengthOf, startOf } from '../foreign/foreign.ts'
import { readJson } from '../foreign/parse-json.ts'

/** Prefixes of the secrets that the service issues (AUTH-09). */
export const secretPrefixes = { key: 'SVC', session: 'svcds1.', webhook: 'svc_whsec_' } as const

/** How the tokens of the gateway's bots begin. They are redacted like keys, but are none: the app must never send one to the service. */
export const botTokenPrefix = 'SVCbot1.'

export const redacted = '[redacted]'

/** Fields and headers whose values must never reach a log, for any endpoint. Names in lower case without separators. */
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

/** Matches where a secret may start. The code then searches for its end, because an unbounded regular expression could overflow the stack. */
const beginning = /svcds1\.|svc_whsec_|SVC|symKey=|(?<![0-9a-fA-F])[0-9a-fA-F]{32}/g

/**
 * Characters that may occur in a secret of the service, also inside JSON, URLs and shell commands. The same class applies to all kinds of secrets.
 */
export const secretCharacter = '[A-Za-z0-9_.~+/=-]'
const noSecret = new RegExp(secretCharacter.replace('[', '[^'), 'g')
const noHex = /[^0-9a-fA-F]/g
const shortestKey = 13
/** Minimum number of hex digits that count as a signature (64 bytes). Hashes and addresses are shorter, so they stay readable. */
const shortestSignature = 128
const shortestSymKey = 32

/** The shortest text to treat as a secret: the prefix of a session token and one character. */
const shortestSecret = secretPrefixes.session.length + 1

/**
 * Removes secrets from text, for example from a raw body or an exception message [AUTH-09]. Any character may precede a secret: in JSON it is often
 * the letter of an escape. Also removes long runs of hex digits and the key of a WalletConnect pairing. Keeps a secret's prefix, so that the reader
 * sees what was removed. Takes linear time; never throws.
 */
export function redactText(text: string): string {
  if (text.length < shortestSecret) return text
  let clean = ''
  let from = 0
  beginning.lastIndex = 0
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const [prefix] = match
    const start = match.index + prefix.length
    const { kept, end } = secretAt(text, prefix, start)
    if (kept !== null) {
      const zeroX = kept === '' && text.startsWith('0x', match.index - 2) ? 2 : 0
      clean += `${text.slice(from, match.index - zeroX)}${kept}${redacted}`
      from = end
    }
    beginning.lastIndex = Math.max(end, start)
  }
  return from === 0 ? text : clean + text.slice(from)
}

/** Reads the possible secret that starts at `start`. Returns its end, and the prefix to keep; the prefix is null if the text is not a secret. */
function secretAt(text: string, prefix: string, start: number): { readonly kept: string | null; readonly end: number } {
  switch (prefix) {
    case secretPrefixes.session:
    case secretPrefixes.webhook: {
      const end = endBefore(noSecret, text, start)
      return { kept: end > start ? prefix : null, end }
    }
    case secretPrefixes.key: {
      const end = endBefore(noSecret, text, start)
      if (end - start < shortestKey) return { kept: null, end: start }
      // An API key always contains a digit. Without a digit, the text is only a word in capitals that starts with `SVC`.
      return { kept: hasDigit(text, start, end) ? prefix : null, end }
    }
    case 'symKey=': {
      const end = endBefore(noHex, text, start)
      return { kept: end - start >= shortestSymKey ? prefix : null, end }
    }
    default: {
      const end = endBefore(noHex, text, start)
      return { kept: end - start + prefix.length >= shortestSignature ? '' : null, end }
    }
  }
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) return true
  return false
}

/** Returns JSON text without secrets, for a file. Redacts each text before JSON escapes are added. */
export const safeJson = (value: unknown): string =>
  `${redactText(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? redactText(inner) : inner), 2))}\n`

/** Whether the app may show a field name unchanged: the name contains no secret and is not the name of a secret. */
export const isPlainName = (name: string): boolean => !secretNames.has(canonical(name)) && redactText(name) === name

const namesWith = (extraNames: readonly string[]): ReadonlySet<string> =>
  extraNames.length === 0 ? secretNames : new Set([...secretNames, ...extraNames.map(canonical)])

/**
 * Returns a copy of a JSON value without secrets. Replaces values under secret names (`extraNames`: the endpoint's own secret names), and redacts
 * all other text, including JSON inside text. Safe for objects that contain themselves. `mostCharacters`: once the copy's JSON text is certainly longer
 * than this, the rest is left out, because the caller shortens such a text anyway.
 */
export function redact(value: unknown, extraNames: readonly string[] = [], mostCharacters = Infinity): unknown {
  if (typeof value === 'string') return value.length < shortestSecret ? value : redactInside(value, namesWith(extraNames))
  return typeof value === 'object' && value !== null ? visit(value, { ...whole(namesWith(extraNames)), left: mostCharacters }, 0) : value
}

interface Visit {
  readonly names: ReadonlySet<string>
  readonly seen: Set<object>
  /** How many characters may follow. */
  left: number
}

const whole = (names: ReadonlySet<string>): Visit => ({ names, seen: new Set(), left: Infinity })

/** Maximum nesting depth of a value to redact. Deeper values are cut off, so that recursion cannot overflow the stack. */
const deepest = 64

function visit(current: unknown, state: Visit, depth: number): unknown {
  if (typeof current === 'string') return counted(redactInside(current, state.names), state)
  state.left -= 1
  if (typeof current !== 'object' || current === null) return current
  if (depth > deepest) return '[deeper]'
  if (state.seen.has(current)) return '[circular]'
  state.seen.add(current)
  if (Array.isArray(current)) {
    const items: unknown[] = []
    for (const item of current) {
      if (state.left < 0) break
      items.push(visit(item, state, depth + 1))
    }
    return items
  }
  const copy: Record<string, unknown> = {}
  const fields = current as Readonly<Record<string, unknown>> // the cast is safe: `current` is an object and no list
  for (const name of Object.keys(fields)) {
    if (state.left < 0) break
    const inner = fields[name]
    const isSecret = state.names.has(canonical(name)) && inner !== null
    const shown = counted(redactText(name), state)
    const value = isSecret ? counted(redacted, state) : visit(inner, state, depth + 1)
    if (shown === '__proto__') Object.defineProperty(copy, shown, { value, enumerable: true, writable: true, configurable: true })
    else copy[shown] = value
  }
  return copy
}

function counted(text: string, state: Visit): string {
  state.left -= text.length
  return text
}

function redactInside(text: string, names: ReadonlySet<string>): string {
  const trimmed = text.trimStart()
  const value = trimmed.startsWith('{') || trimmed.startsWith('[') ? readJson(foreign(text)) : undefined
  // If the text is not JSON, or is truncated JSON, redact it as plain text.
  return value === undefined ? redactText(text) : JSON.stringify(visit(value, whole(names), 0))
}

/** Matches a name with a text value in a JSON body. The lengths are limited, so that the search takes linear time. */
const namedText = /"([A-Za-z0-9_.-]{1,64})"\s{0,64}:\s{0,64}"/g

/**
 * Redacts an answer's body for logs. In JSON, names and values both decide whether a text is secret; outside JSON, only the text itself decides.
 * Takes linear time; never throws.
 */
export function redactBody(raw: string, extraNames: readonly string[] = []): string {
  const names = namesWith(extraNames)
  const text = redactInside(raw, names)
  // A truncated body is not valid JSON, but may still contain `"api_key":"…`. Therefore search the text for secret names.
  let clean = ''
  let from = 0
  namedText.lastIndex = 0
  for (let match = namedText.exec(text); match !== null; match = namedText.exec(text)) {
    const start = namedText.lastIndex
    if (!names.has(canonical(match[1] ?? ''))) continue
    const end = endOfText(text, start)
    clean += `${text.slice(from, start)}${redacted}${end === text.length ? '"' : ''}`
    from = end
    namedText.lastIndex = end
  }
  return from === 0 ? text : clean + text.slice(from)
}

/** Like `redactBody`, for the first `characters` characters of an answer. Also removes a secret that continues beyond them. */
export function redactedStart(body: Foreign<string>, characters: number, extraNames: readonly string[] = []): string {
  const isWhole = lengthOf(body) <= characters
  return redactBody(startOf(body, isWhole ? characters : characters + searchedBeyond), extraNames)
    .slice(0, characters)
    .toWellFormed()
}

/** Like `redactBody`, for a whole answer. */
export const redactedWhole = (body: Foreign<string>, extraNames: readonly string[] = []): string => redactBody(bare(body), extraNames)

/** How many characters to search beyond the cut. This is longer than any secret. */
const searchedBeyond = 4_096

export type IssuedSecret = keyof typeof secretPrefixes

/** Secrets consist of visible ASCII characters without spaces. So a secret fits on one line of a file, header or command. */
const visibleAscii = /^[\x21-\x7e]+$/
/** Minimum number of characters of a secret after its prefix. A shorter text could be an ordinary word in a log. */
const shortest = 13
/** Maximum number of characters of a whole secret. A session token may contain claims, so it may be longest. */
const longest: Readonly<Record<IssuedSecret, number>> = { key: 256, webhook: 256, session: 4_096 }

/** Whether a value is a complete secret of its kind. The app stores and forwards only such values as secrets. */
export function isSecret(kind: IssuedSecret, value: unknown): value is string {
  const prefix = secretPrefixes[kind]
  return (
    typeof value === 'string' &&
    value.startsWith(prefix) &&
    !value.startsWith(botTokenPrefix) &&
    value.length >= prefix.length + shortest &&
    value.length <= longest[kind] &&
    visibleAscii.test(value)
  )
}
