import { limits } from '../../api/limits.ts'
import { time } from '../../api/loose.ts'
import type { ChallengeProblem, Check } from '../../ipc/intents/signing.ts'
import { second } from '../../time.ts'

interface Dated {
  readonly message: string
  readonly answer: { readonly expiresAtMs: number | null }
  readonly nowMs: number
}

/** The app knows the service's time only to about a second, so comparisons of times allow this error. */
const tolerance = 5 * second

const label = /\b(?:expir\w*(?:[ \t]+(?:at|on|time))?|valid[ \t]+until|not[ \t]+after|until)\b[ \t]*[:=]?[ \t]*/gi
const timestamp =
  /(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[ \t]*(?:Z|UTC|[+-]\d{2}:?\d{2}))?|(?<!\d)\d{10}(?:\d{3}){0,3})(?![A-Za-z0-9:]|\.\d)/y

interface Stated {
  readonly span: Span
  readonly atMs: number | null
}

/** Finds expiry times in the message, after a word such as "expires". `atMs` null: the time is unreadable. */
function stated(message: string): readonly Stated[] {
  return [...message.matchAll(label)].flatMap((match): Stated[] => {
    timestamp.lastIndex = match.index + match[0].length
    const found = timestamp.exec(message)
    if (found !== null) {
      const atMs = time(found[0].replace(/[ \t]*UTC$/, 'Z'))
      return [{ span: { start: found.index, length: found[0].length, text: found[0] }, atMs: atMs ?? null }]
    }
    // After a colon, even unreadable text counts as an expiry, as in "Expires: never". Without a colon, unreadable text does not count, as in
    // "expires soon".
    const line =
      message
        .slice(match.index + match[0].length)
        .split('\n')[0]
        ?.trim() ?? ''
    return /[:=][ \t]*$/.test(match[0]) && line !== '' && !/^in\b/i.test(line)
      ? [{ span: { start: match.index + match[0].length, length: line.length, text: line }, atMs: null }]
      : []
  })
}

/** Checks the message's expiry. It must equal the expiry in the response's other fields, lie in the future, and be at most 5 minutes away. */
export function checkExpiry({ message, answer, nowMs }: Dated): Finding {
  const found = stated(message)
  const problemOf = (atMs: number | null, span: Span | null): ChallengeProblem | null => {
    if (atMs === null) return { code: 'no_time', text: span?.text ?? '' }
    if (atMs <= nowMs) return { code: 'over', atMs }
    if (atMs > nowMs + limits.challengeMs + tolerance) return { code: 'too_far_off', atMs, forMs: atMs - nowMs }
    const { expiresAtMs } = answer
    return expiresAtMs !== null && Math.abs(atMs - expiresAtMs) >= second ? { code: 'other_expiry', atMs, expectedMs: expiresAtMs } : null
  }
  for (const { span, atMs } of found) {
    const problem = problemOf(atMs, span)
    if (problem !== null) return wrong('expiry', problem, span)
  }
  const first = found[0]
  if (first === undefined || first.atMs === null) {
    const problem = answer.expiresAtMs === null ? null : problemOf(answer.expiresAtMs, null)
    return problem === null ? missing('expiry') : wrong('expiry', problem)
  }
  return right(
    'expiry',
    { code: 'expiry', leftMs: first.atMs - nowMs },
    found.map(({ span }) => span),
  )
}

/** A part of the message. Positions are in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly length: number
  readonly text: string
}

export interface Finding extends Omit<Check, 'at'> {
  /** Every place in the message that contains the value. The page highlights the first of them. */
  readonly spans: readonly Span[]
  readonly problem: ChallengeProblem | null
}

export const tokenSpans = (message: string, pattern: RegExp): readonly Span[] =>
  [...message.matchAll(pattern)].map((match) => ({ start: match.index, length: match[0].length, text: match[0] }))

export const missing = (id: Check['id']): Finding => ({ id, found: { code: 'missing' }, verdict: 'missing', spans: [], problem: null })

export const right = (id: Check['id'], found: Check['found'], spans: readonly Span[]): Finding => ({ id, found, verdict: 'pass', spans, problem: null })

export const wrong = (id: Check['id'], problem: ChallengeProblem, span: Span | null = null): Finding => ({
  ...{ id, found: problem, verdict: 'fail', spans: span === null ? [] : [span], problem },
})

/** Words before a nonce. An ordinary word such as "id" counts only if `:`, `=`, `#` or "is" follows the word. */
const called =
  /\b(?:nonce|one[-\s]?time\s+(?:code|number|token)|challenge(?:[-\s]?(?:id|code|token|string))?|request[-\s]?(?:id|code|number|token)|(?:verification|login|sign[-\s]?in|session|security)[-\s]?(?:id|code|number|token)|id|code|token|salt)\b(?<sign>[ \t]*(?:[:=#]|\bis\b)[ \t]*\n?[ \t]*|[ \t]+)["'`(<[]?(?<said>[^\s,;"'`)>\]]+)/giu

/** Whether a word looks random: at least 6 characters, including a digit. */
const isRandom = (text: string): boolean => text.length >= 6 && /\d/.test(text)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the character class of the nonce's characters. The app uses it to find other values that look like a nonce. */
function alphabetOf(nonce: string): string {
  if (/^\d+$/.test(nonce)) return '0-9'
  if (/^(?:0x)?[0-9a-f]+$/.test(nonce)) return '0-9a-f'
  if (/^(?:0x)?[0-9A-F]+$/.test(nonce)) return '0-9A-F'
  if (/^[0-9a-fA-F-]+$/.test(nonce)) return '0-9a-fA-F-'
  return /^[0-9A-Za-z]+$/.test(nonce) ? '0-9A-Za-z' : '0-9A-Za-z_+/=-'
}

const trimmed = (text: string): string => text.replace(/[.)]+$/, '')

/** Finds a value that the message calls a nonce (or similar) but that differs from the expected nonce; null if there is none. */
function named(message: string, nonce: string): Span | null {
  for (const found of message.matchAll(called)) {
    const { sign = '', said = '' } = found.groups ?? {}
    const value = trimmed(said)
    const signed = /[:=#]|\bis\b/i.test(sign)
    // Without `:` or "is" after the name, the next word may be an ordinary word, as in "the nonce below". So only a random-looking word counts.
    if (value === nonce || said === nonce || (!signed && !isRandom(value))) continue
    // After `nonce:` any value counts. After other names the value must look random, because ordinary text may follow, as in "Code: of conduct".
    if (!/^nonce/i.test(found[0]) && !isRandom(value)) continue
    // Ignore chain ids and addresses, because other checks cover them.
    if (/chain[\s_-]*$/i.test(message.slice(0, found.index)) || /^0x[0-9a-fA-F]{40}$/.test(value)) continue
    return { start: found.index + found[0].lastIndexOf(said), length: value.length, text: value }
  }
  return null
}

/**
 * Finds another word with the nonce's length and kind of characters; null if there is none. Not used for short nonces, because any word could look
 * like one.
 */
function alike(message: string, nonce: string): Span | null {
  if (nonce.length < 8 || !/\d/.test(nonce)) return null
  const form = new RegExp(`(?<![\\p{L}\\p{N}_-])[${alphabetOf(nonce)}]{${nonce.length}}(?![\\p{L}\\p{N}_-])`, 'gu')
  const times = tokenSpans(message, /\d{4}-\d{2}-\d{2}[T ][\d:.]+Z?|(?<!\d)1\d{9}(?:\d{3})?(?!\d)/g)
  return (
    tokenSpans(message, form).find(
      ({ text, start }) => text !== nonce && /\d/.test(text) && !times.some((time) => start >= time.start && start < time.start + time.length),
    ) ?? null
  )
}

/**
 * Checks that a sign-in message contains the nonce of its response and no other nonce (AUTH-06). Any other nonce blocks the message, under any name.
 */
export function checkNonce(message: string, nonce: string, nonceSeen: ((nonce: string) => boolean) | undefined): Finding {
  if (nonceSeen?.(nonce) === true) return wrong('nonce', { code: 'nonce_seen', nonce })
  const other = named(message, nonce) ?? alike(message, nonce)
  if (other !== null) return wrong('nonce', { code: 'other_nonce', nonce: other.text, expected: nonce }, other)
  const found = tokenSpans(message, new RegExp(`(?<![\\p{L}\\p{N}])${escaped(nonce)}(?![\\p{L}\\p{N}])`, 'gu'))
  // A short nonce could occur anywhere by chance. So it counts only directly after the word "nonce".
  const near = nonce.length >= 8 ? found : found.filter((span) => /nonce\W{0,4}$/i.test(message.slice(0, span.start)))
  return near.length === 0 ? missing('nonce') : right('nonce', { code: 'nonce', nonce }, near)
}
