import { bare } from '../foreign/bare.ts'
import { endOfText, type Foreign, foreign } from '../foreign/foreign.ts'
import { readJson } from '../foreign/parse-json.ts'
import { lengthOf, startOf } from '../foreign/text.ts'

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

/** Where a secret may begin. What follows is looked at once, character by character: an expression that repeats without end has an end to its stack. */
const beginning = /svcds1\.|svc_whsec_|SVC|symKey=|(?<![0-9a-fA-F])[0-9a-fA-F]{32}/g

/** What a secret of the service may be written with, in JSON, URLs and shells: the one alphabet for all kinds, as a class of characters. */
export const secretCharacter = '[A-Za-z0-9_.~+/=-]'
const ofSecret = characterTable(new RegExp(secretCharacter))
const ofHex = characterTable(/[0-9a-fA-F]/)
const shortestKey = 13
/** A signature, 64 bytes or more; hashes and addresses stay. */
const shortestSignature = 128
const shortestSymKey = 32

function characterTable(pattern: RegExp): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)))
}

function endOf(allowed: readonly boolean[], text: string, from: number): number {
  let at = from
  while (allowed[text.charCodeAt(at)] === true) at += 1
  return at
}

/** The shortest that is cut: a session's prefix and one character. */
const shortestSecret = secretPrefixes.session.length + 1

/**
 * Cuts secrets out of text, for example a raw body or a message of an exception [AUTH-09], whatever stands before them: in JSON that is often
 * the letter of an escape. A long hex run and the key of a WalletConnect pairing go too. Keeps the prefix, so that it can be told what stood
 * there. Linear in the length; never throws.
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

/** What stays in front of what is cut, and where the run ends; null: it is no secret. */
function secretAt(text: string, prefix: string, start: number): { readonly kept: string | null; readonly end: number } {
  switch (prefix) {
    case secretPrefixes.session:
    case secretPrefixes.webhook: {
      const end = endOf(ofSecret, text, start)
      return { kept: end > start ? prefix : null, end }
    }
    case secretPrefixes.key: {
      const end = endOf(ofSecret, text, start)
      if (end - start < shortestKey) return { kept: null, end: start }
      // Words in capitals have no digit; a key does.
      return { kept: hasDigit(text, start, end) ? prefix : null, end }
    }
    case 'symKey=': {
      const end = endOf(ofHex, text, start)
      return { kept: end - start >= shortestSymKey ? prefix : null, end }
    }
    default: {
      const end = endOf(ofHex, text, start)
      return { kept: end - start + prefix.length >= shortestSignature ? '' : null, end }
    }
  }
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) return true
  return false
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
  const value = trimmed.startsWith('{') || trimmed.startsWith('[') ? readJson(foreign(text)) : undefined
  // What is not JSON after all, or cut off, is searched as text.
  return value === undefined ? redactText(text) : JSON.stringify(visit(value, names, new WeakSet(), 0))
}

/** A name that a body gives to text; the bounds are those of names, so that nothing is looked at twice. */
const namedText = /"([A-Za-z0-9_.-]{1,64})"\s{0,64}:\s{0,64}"/g

/** The body of an answer for logs: JSON is redacted by names and text, anything else by text. Linear in the length; never throws. */
export function redactBody(raw: string, extraNames: readonly string[] = []): string {
  const names = namesWith(extraNames)
  const text = redactInside(raw, names)
  // A truncated body is not JSON, yet may hold `"api_key":"…`.
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

/** The same of an answer, at most so many characters of it. A secret that lies across the end is found by its beginning. */
export function redactedStart(body: Foreign<string>, characters: number, extraNames: readonly string[] = []): string {
  const isWhole = lengthOf(body) <= characters
  return redactBody(startOf(body, isWhole ? characters : characters + searchedBeyond), extraNames)
    .slice(0, characters)
    .toWellFormed()
}

/** The same of a whole answer. */
export const redactedWhole = (body: Foreign<string>, extraNames: readonly string[] = []): string => redactBody(bare(body), extraNames)

/** Longer than any secret. */
const searchedBeyond = 4_096

/** The kinds of secrets that the service issues. */
export type IssuedSecret = keyof typeof secretPrefixes

/** No space, control character or line break: one line of any file, header and command. */
const visibleAscii = /^[\x21-\x7e]+$/
/** Characters after the prefix: fewer could not be told from words in a log. */
const shortest = 13
/** Characters in all. A session may carry claims. */
const longest: Readonly<Record<IssuedSecret, number>> = { key: 256, webhook: 256, session: 4_096 }

/** Whether a value is a whole secret of its kind. The app never stores or hands on anything else as one. */
export function isSecret(kind: IssuedSecret, value: unknown): value is string {
  const prefix = secretPrefixes[kind]
  return (
    typeof value === 'string' &&
    value.startsWith(prefix) &&
    value.length >= prefix.length + shortest &&
    value.length <= longest[kind] &&
    visibleAscii.test(value)
  )
}
