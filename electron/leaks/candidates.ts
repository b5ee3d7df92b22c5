import { secretPrefixes } from '../../shared/api/redact.ts'
import type { LeakFinding } from '../../shared/ipc/leaks.ts'
import { type Fingerprints, longestSecret, type Recognised } from './fingerprints.ts'
import { looksRandom } from './looks-random.ts'

/** A secret that stands at a place of a text. It says whose it is and never what it is. */
export interface Candidate {
  readonly kind: LeakFinding['kind']
  readonly form: LeakFinding['form']
  /** null: not a secret that was ever held in this run. */
  readonly recognised: Recognised | null
  readonly sure: LeakFinding['sure']
  /** Characters of the text that are done with. */
  readonly length: number
}

interface Anchor {
  readonly kind: LeakFinding['kind']
  readonly form: 'plain' | 'base64' | 'hex'
  /** What a text in this form has where the secret begins: bytes of others may stand before it in the same group. */
  readonly text: string
  /** base64: bytes before the secret in its first group of three. */
  readonly shift: number
}

/** Characters after an anchor that its decision may need: the longest in hexadecimal or URL-encoded throughout, and line breaks. */
export const reach = 3 * longestSecret + 128
/** So many characters of base64 before an anchor, and it stands in the middle of something encoded. */
const blobLength = 40
/** Characters before an anchor that its decision may need. */
export const behind = blobLength + 1

const kinds: readonly { readonly kind: LeakFinding['kind']; readonly prefix: string }[] = [
  { kind: 'api_key', prefix: secretPrefixes.key },
  { kind: 'sign_in', prefix: secretPrefixes.session },
  { kind: 'webhook', prefix: secretPrefixes.webhook },
]

/** Characters of a group that carry bits of the bytes before the secret. */
const spoilt = (shift: number): number => (shift === 0 ? 0 : shift + 1)

function anchorsOf({ kind, prefix }: (typeof kinds)[number]): Anchor[] {
  const bytes = Buffer.from(prefix)
  const base64 = [0, 1, 2].map((shift): Anchor => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    return { kind, form: 'base64', shift, text: text.slice(spoilt(shift), Math.floor(((shift + bytes.length) * 8) / 6)) }
  })
  const hex = bytes.toString('hex')
  const hexes = [...new Set([hex, hex.toUpperCase()])].map((text): Anchor => ({ kind, form: 'hex', shift: 0, text }))
  return [{ kind, form: 'plain', shift: 0, text: prefix }, ...base64, ...hexes]
}

const anchors = new Map(kinds.flatMap(anchorsOf).map((anchor) => [anchor.text, anchor]))

/** Finds where a secret may begin. Literals only, so that the time it takes grows with the text alone. Set `lastIndex` before each use. */
export const anchorPattern = new RegExp([...anchors.keys()].map((text) => text.replace(/[.+/]/g, '\\$&')).join('|'), 'g')

/** What a key of the service looks like, as `redactText` tells it from a word: a digit among at least 13 characters. */
const bodies: Readonly<Record<LeakFinding['kind'], RegExp>> = {
  api_key: /^(?=[A-Za-z0-9._-]*\d)[A-Za-z0-9._-]{13,253}/,
  sign_in: /^[A-Za-z0-9._~+/=-]{16,249}/,
  webhook: /^[A-Za-z0-9._~+/=-]{16,246}/,
}

const wordBefore = /[A-Za-z0-9._+-]$/
const blobBefore = new RegExp(`[A-Za-z0-9+/]{${blobLength}}$`)
/** No secret that goes in a header has one of these near its beginning; most words that begin like one have. */
const noSecret = /[\s"'<>(){}[\],;]/

const base64Run = /^[A-Za-z0-9+/_-]+(?:\r?\n[ \t]*[A-Za-z0-9+/_-]+)*/
const hexRun = /^(?:[0-9A-Fa-f]{2})+/

/** The text that an encoded run stands for, from the secret's first character on; null: it does not begin as the anchor says. */
function decoded(anchor: Anchor, window: string, at: number): string | null {
  if (anchor.form === 'hex') return Buffer.from(hexRun.exec(window.slice(at, at + 2 * longestSecret))?.[0] ?? '', 'hex').toString('latin1')
  const start = at - spoilt(anchor.shift)
  if (start < 0) return null
  const run = base64Run.exec(window.slice(start, at + 2 * longestSecret))?.[0] ?? ''
  return Buffer.from(run, 'base64').toString('latin1').slice(anchor.shift)
}

const percent = (text: string): string => text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function unknownAt(kind: LeakFinding['kind'], prefix: string, text: string): number | null {
  const body = bodies[kind].exec(text.slice(prefix.length))?.[0].replace(/[.=-]+$/, '') ?? ''
  return looksRandom(body) ? prefix.length + body.length : null
}

/** Decides about the anchor `found` at a place of a window of text, bytes as Latin-1. null: there is no secret. */
export function candidateAt(fingerprints: Fingerprints, found: string, window: string, at: number): Candidate | null {
  const anchor = anchors.get(found)
  if (anchor === undefined) return null
  const { kind } = anchor
  const prefix = kinds.find((one) => one.kind === kind)?.prefix ?? found
  const plain = anchor.form === 'plain'
  const text = plain ? window.slice(at, at + longestSecret) : decoded(anchor, window, at)
  if (text === null || !text.startsWith(prefix) || noSecret.test(text.slice(prefix.length, prefix.length + 10))) return null

  const recognised = fingerprints.recognise(text)
  if (recognised !== null) {
    const { length, ...whose } = recognised
    return { kind, form: anchor.form, recognised: whose, sure: 'certain', length: plain ? length : found.length }
  }
  if (plain && text.includes('%')) {
    const inUrl = fingerprints.recognise(percent(window.slice(at, at + 3 * longestSecret)))
    if (inUrl !== null) {
      const { length: _, ...whose } = inUrl
      return { kind, form: 'url', recognised: whose, sure: 'certain', length: found.length }
    }
  }
  const before = window.slice(Math.max(0, at - behind), at)
  if (plain && (wordBefore.test(before) || blobBefore.test(before))) return null
  const length = unknownAt(kind, prefix, text)
  if (length === null) return null
  return { kind, form: anchor.form, recognised: null, sure: kind === 'api_key' ? 'medium' : 'high', length: plain ? length : found.length }
}
