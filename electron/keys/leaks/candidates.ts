import { secretCharacter, secretPrefixes } from '../../../shared/api/redact.ts'
import type { LeakFinding } from '../../../shared/ipc/keys/leaks.ts'
import { type Fingerprints, longestSecret, type Recognised } from './scan-job.ts'

/** A secret found at a place in a text. Names the secret's owner and never contains the secret itself. */
export interface Candidate {
  readonly kind: LeakFinding['kind']
  readonly form: LeakFinding['form']
  /** The stored secret that the text matches; null if the text matches no secret that this computer has stored during this run. */
  readonly recognised: Recognised | null
  readonly sure: LeakFinding['sure']
  /** How many characters of the searched text the possible secret covers. */
  readonly length: number
}

interface Anchor {
  readonly kind: LeakFinding['kind']
  readonly form: 'plain' | 'base64' | 'hex' | 'url'
  /**
   * The encoded first characters of a secret, for which the search looks. In base64, leaves out characters that also depend on the bytes before the
   * secret.
   */
  readonly text: string
  /** Only for base64, which encodes groups of three bytes: how many bytes come before the secret in the group in which the secret starts. */
  readonly shift: number
}

/**
 * To decide whether a secret starts at an anchor (an encoded start of a secret), the search reads at most this many characters after the anchor.
 * That is enough for the longest secret, even in hexadecimal or URL encoding and with line breaks.
 */
export const reach = 3 * longestSecret + 128
/** If at least this many base64 characters come before a possible secret, it counts as part of other encoded data and not as a secret. */
const blobLength = 40
/** To decide whether a secret starts at an anchor (an encoded start of a secret), the search reads at most this many characters before the anchor. */
export const behind = 192

const kinds: readonly { readonly kind: LeakFinding['kind']; readonly prefix: string }[] = [
  { kind: 'api_key', prefix: secretPrefixes.key },
  { kind: 'sign_in', prefix: secretPrefixes.session },
  { kind: 'webhook', prefix: secretPrefixes.webhook },
]

/**
 * The number of characters in the secret’s first base64 group that also depend on the `shift` bytes before the secret. The search does not know
 * these bytes, so it cannot look for those characters.
 */
const spoilt = (shift: number): number => (shift === 0 ? 0 : shift + 1)

function anchorsOf({ kind, prefix }: (typeof kinds)[number]): Anchor[] {
  const bytes = Buffer.from(prefix)
  const base64 = [0, 1, 2].map((shift): Anchor => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    return { kind, form: 'base64', shift, text: text.slice(spoilt(shift), Math.floor(((shift + bytes.length) * 8) / 6)) }
  })
  const hex = bytes.toString('hex')
  const hexes = [...new Set([hex, hex.toUpperCase()])].map((text): Anchor => ({ kind, form: 'hex', shift: 0, text }))
  const urls = hexes.map(({ text }): Anchor => ({ kind, form: 'url', shift: 0, text: text.replace(/../g, '%$&') }))
  return [{ kind, form: 'plain', shift: 0, text: prefix }, ...base64, ...hexes, ...urls]
}

const anchors = new Map(kinds.flatMap(anchorsOf).map((anchor) => [anchor.text, anchor]))

/**
 * A regular expression that finds all anchors: the places where a secret may begin. It contains only literals, so a search takes time linear in the
 * length of the text. Set `lastIndex` before each use.
 */
export const anchorPattern = new RegExp([...anchors.keys()].map((text) => text.replace(/[.+/]/g, '\\$&')).join('|'), 'g')

export const longestAnchor = Math.max(...[...anchors.keys()].map((text) => text.length))
const inBase64 = [...anchors.values()].filter(({ form }) => form === 'base64')

const lineBreak = '(?:\\r?\\n[ \\t]*)?'
const anywhere = new RegExp(
  [...anchors.values()]
    .map(({ form, text }) => (form === 'base64' ? [...text].join(lineBreak) : text))
    .map((text) => text.replaceAll('.', '\\.'))
    .join('|'),
)

/** Whether a secret may begin anywhere in the text, even at an anchor that a line break cuts. Much faster than the search; most texts hold none. */
export const mayHoldSecret = (text: string): boolean => anywhere.test(text)

/** Finds a base64 anchor (the encoded start of a secret) that the line break at `at` cuts in two. */
export function anchorAcross(window: string, at: number): { readonly found: string; readonly index: number } | null {
  const end = window.charAt(at - 1) === '\r' ? at - 1 : at
  if (!isBase64(window.charCodeAt(end - 1)) || !isBase64(window.charCodeAt(end - 2))) return null
  let next = at + 1
  while (window.charAt(next) === ' ' || window.charAt(next) === '\t') next += 1
  if (!isBase64(window.charCodeAt(next))) return null
  const [before, after] = [window.slice(Math.max(0, end - longestAnchor), end), window.slice(next, next + longestAnchor)]
  for (const { text } of inBase64)
    for (let cut = 1; cut < text.length; cut += 1)
      if (before.endsWith(text.slice(0, cut)) && after.startsWith(text.slice(cut))) return { found: text, index: end - cut }
  return null
}

function isBase64(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2b ||
    code === 0x2f ||
    code === 0x2d ||
    code === 0x5f
  )
}

/** The characters after a secret’s prefix, as in `redactText`. An API key must also contain a digit. */
const body = new RegExp(`^${secretCharacter}{13,249}`)
/**
 * `surelyOver` matches text at which a secret certainly ends: an equals sign, or the prefix of the next secret. `maybeOver` matches a character
 * that may be part of the secret or the first one after it.
 */
const surelyOver = /=|SVC|svcds1\.|svc_whsec_/
const maybeOver = /[/+~]/

/**
 * Matches what may come directly before a secret: any character except a letter or digit. A letter or digit may come before it only at the end of
 * an escape sequence, a terminal colour code or a word.
 */
const edge =
  /(?:^|[^A-Za-z0-9+]|(?:^|\s)\+|\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0-7]{2,3})|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\[[0-9;]{0,16}[A-Za-z]|(?:^|[^A-Za-z0-9])(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20}))$/
/** The prefix of a file's base64 hash, as in `sha512-…`. Such a hash is no secret. */
const hashBefore = /(?:sha\d{1,3}|md5)-$/i
const beginsLikeSecret = new RegExp(`^(?:${kinds.map(({ prefix }) => prefix.replace('.', '\\.')).join('|')})`)

function inBlob(before: string): boolean {
  let run = ''
  let lineBreaks = 0
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before.charAt(at)
    if (character === '\n') {
      if (++lineBreaks > 1) break
    } else if (character !== '\r') {
      if (!isBase64(before.charCodeAt(at))) break
      run = character + run
    }
  }
  return run.length >= blobLength && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run) && !beginsLikeSecret.test(run)
}

/**
 * Characters that never occur near the start of a real secret. Most other texts that begin with a secret’s prefix contain one of these characters
 * there.
 */
const noSecret = /[\s"'<>(){}[\],;]/

const base64Run = /^[A-Za-z0-9+/_-]+(?:\r?\n[ \t]*[A-Za-z0-9+/_-]+)*/
const hexRun = /^(?:[0-9A-Fa-f]{2})+/

/**
 * Decodes hexadecimal or base64 text, starting with the first character of the secret. Returns null if `window` does not contain the start of the
 * secret’s first base64 group.
 */
function decoded(anchor: Anchor, window: string, at: number): string | null {
  if (anchor.form === 'hex') return Buffer.from(hexRun.exec(window.slice(at, at + 2 * longestSecret))?.[0] ?? '', 'hex').toString('latin1')
  const start = stepBack(window, at, spoilt(anchor.shift))
  if (start < 0) return null
  const run = base64Run.exec(window.slice(start, at + 2 * longestSecret))?.[0] ?? ''
  return Buffer.from(run, 'base64').toString('latin1').slice(anchor.shift)
}

function stepBack(window: string, at: number, count: number): number {
  let start = at
  for (let left = count; left > 0; ) {
    start -= 1
    if (start < 0) return -1
    if (!/\s/.test(window.charAt(start))) left -= 1
  }
  return start
}

const bytes = (text: string, pattern: RegExp): string => text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const escapes: readonly { readonly sign: string; readonly form: Candidate['form']; readonly undo: (text: string) => string }[] = [
  { sign: '%', form: 'url', undo: (text) => bytes(text, /%([0-9A-Fa-f]{2})/g) },
  { sign: '=', form: 'plain', undo: (text) => bytes(text.replace(/=\r?\n/g, ''), /=([0-9A-F]{2})/g) },
  { sign: '\\', form: 'plain', undo: (text) => bytes(text, /\\u00([0-9A-Fa-f]{2})/g).replace(/\\([^A-Za-z0-9])/g, '$1') },
  {
    sign: '&',
    form: 'plain',
    undo: (text) => bytes(text, /&#x([0-9A-Fa-f]{2});/g).replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code))),
  },
]

interface Reading {
  readonly form: Candidate['form']
  readonly text: string
}

/**
 * Returns the possible plain texts at an anchor (the encoded start of a secret): the text as written, and the text without its escapes. Each plain
 * text starts with the secret’s prefix.
 */
function readingsAt(anchor: Anchor, prefix: string, window: string, at: number): readonly Reading[] {
  const raw = window.slice(at, at + 3 * longestSecret)
  const first: Reading | null =
    anchor.form === 'url'
      ? { form: 'url', text: bytes(raw, /%([0-9A-Fa-f]{2})/g) }
      : anchor.form === 'plain'
        ? { form: 'plain', text: raw.slice(0, longestSecret) }
        : { form: anchor.form, text: decoded(anchor, window, at) ?? '' }
  const others = anchor.form !== 'plain' ? [] : escapes.filter(({ sign }) => raw.includes(sign)).map(({ form, undo }) => ({ form, text: undo(raw) }))
  return [first, ...others]
    .map(({ form, text }) => ({ form, text: text.slice(0, longestSecret) }))
    .filter(({ text }) => text.startsWith(prefix) && !noSecret.test(text.slice(prefix.length, prefix.length + 10)))
}

/** Returns the length in characters of a possible secret that is not stored here; null if the text does not look like a secret. */
function unknownIn(kind: LeakFinding['kind'], prefix: string, text: string): number | null {
  const whole = body.exec(text.slice(prefix.length))?.[0].split(surelyOver)[0] ?? ''
  const candidates = [whole, whole.split(maybeOver)[0] ?? ''].map((one) => one.replace(/[.-]+$/, ''))
  const found = candidates.find((one) => one.length >= 13 && (kind !== 'api_key' || /\d/.test(one)) && looksRandom(one))
  return found === undefined ? null : prefix.length + found.length
}

/**
 * Decides whether a secret begins at the anchor `found`, the encoded start of a possible secret. `window` is the text around it, with bytes read as
 * Latin-1. Returns null if no secret begins there.
 */
export function candidateAt(fingerprints: Pick<Fingerprints, 'recognise'>, found: string, window: string, at: number): Candidate | null {
  const anchor = anchors.get(found)
  if (anchor === undefined) return null
  const { kind } = anchor
  const prefix = kinds.find((one) => one.kind === kind)?.prefix ?? found
  const readings = readingsAt(anchor, prefix, window, at)
  for (const [index, { form, text }] of readings.entries()) {
    const recognised = fingerprints.recognise(text)
    if (recognised === null) continue
    const { length, ...whose } = recognised
    return { kind, form, recognised: whose, sure: 'certain', length: index === 0 && anchor.form === 'plain' ? length : found.length }
  }
  const before = window.slice(Math.max(0, at - behind), at)
  if (anchor.form === 'plain' && (!edge.test(before) || hashBefore.test(before) || inBlob(before))) return null
  for (const [index, { form, text }] of readings.entries()) {
    const length = unknownIn(kind, prefix, text)
    if (length === null) continue
    const sure = kind === 'api_key' ? 'medium' : 'high'
    return { kind, form, recognised: null, sure, length: index === 0 && anchor.form === 'plain' ? length : found.length }
  }
  return null
}

/**
 * Minimum entropy of random text, in bits per character. Random text of a dozen characters or more from an alphabet of 16 nearly always has more;
 * repetitive text has less.
 */
const leastEntropy = 2.8
/**
 * If the words in a text are shorter than this on average, the text may be random. Random text averages two or three letters or digits per word;
 * names and dates average four or more.
 */
const mostWordLength = 4
/** Maximum share, in random text, of neighbouring characters that repeat or follow each other in the alphabet, as in `abcdef`, `0123` or `xxxx`. */
const mostSteps = 0.35

/** Placeholders that people write instead of a secret. A random text as long as a key is unlikely to contain any of them. */
const placeholder = /x{4}|your|example|placeholder|change.?me|redacted|dummy|sample|insert|replace|goes.?here/i

const variable = /^_?[A-Z0-9]+(?:_[A-Z0-9]+)+$/

/** Words as a reader sees them: `OrderHandlerV2` is Order, Handler, V and 2. */
const words = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g

/** Shannon entropy in bits per character, from the frequencies in the text itself. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return -[...counts.values()].reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0)
}

function stepsOf(text: string): number {
  let steps = 0
  for (let at = 1; at < text.length; at += 1) if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1
  return steps / (text.length - 1)
}

/** Letter pairs that are common in words. In random text, only about one pair in six is in this list. */
const pairs = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el
  ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os
  iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab ty op sa ay ex ke oo ag ap gr od bo sp rd do uc bu rr ui`.split(/\s+/),
)
const shortestWord = 4
const date = /^(?:19|20)\d{6,12}$/
/** A text counts as random only if words and numbers make up less than this share of its letters and digits. */
const mostInWords = 0.45

function isWord(run: string): boolean {
  if (date.test(run)) return true
  if (run.length < shortestWord || /\d/.test(run)) return false
  const lower = run.toLowerCase()
  let known = 0
  for (let at = 1; at < lower.length; at += 1) if (pairs.has(lower.slice(at - 1, at + 1))) known += 1
  return known / (lower.length - 1) >= 0.5
}

/** Text with at least this many separate runs of digits is not an ordinary name. */
const fewestDigitRuns = 3

/**
 * Whether the part of a secret after its prefix looks random, in hexadecimal, base32, base62 or base64url. False for placeholders, names, dates and
 * sequences. The search does not use this test for secrets that are stored here, because it recognises them by their fingerprints.
 */
export function looksRandom(body: string): boolean {
  if (placeholder.test(body) || variable.test(body)) return false
  const found = body.match(words) ?? []
  const length = found.join('').length
  const inWords = found.filter(isWord).join('').length
  const isMixed = length < mostWordLength * found.length || (body.match(/\d+/g) ?? []).length >= fewestDigitRuns
  return isMixed && inWords < mostInWords * length && entropyOf(body) >= leastEntropy && stepsOf(body) <= mostSteps
}
