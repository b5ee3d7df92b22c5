import { type Finding, missing, type Span, tokenSpans } from './challenge-finding.ts'

/** What a nonce may be called before its value. "Id" alone is too common a word: it counts with a sign behind it. */
const called =
  /\b(?:nonce|one[-\s]?time\s+(?:code|number|token)|challenge(?:[-\s]?(?:id|code|token|string))?|request[-\s]?(?:id|code|number|token)|(?:verification|login|sign[-\s]?in|session|security)[-\s]?(?:id|code|number|token)|id|code|token|salt)\b(?<sign>[ \t]*(?:[:=#]|\bis\b)[ \t]*\n?[ \t]*|[ \t]+)["'`(<[]?(?<said>[^\s,;"'`)>\]]+)/giu

/** A word that was made by chance: long enough, and of digits, or of letters that no language writes so. */
const isRandom = (text: string): boolean => text.length >= 6 && /\d/.test(text)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The letters that a nonce is made of, for recognising another one. */
function alphabetOf(nonce: string): string {
  if (/^\d+$/.test(nonce)) return '0-9'
  if (/^(?:0x)?[0-9a-f]+$/.test(nonce)) return '0-9a-f'
  if (/^(?:0x)?[0-9A-F]+$/.test(nonce)) return '0-9A-F'
  if (/^[0-9a-fA-F-]+$/.test(nonce)) return '0-9a-fA-F-'
  return /^[0-9A-Za-z]+$/.test(nonce) ? '0-9A-Za-z' : '0-9A-Za-z_+/=-'
}

const trimmed = (text: string): string => text.replace(/[.)]+$/, '')

/** A value that is named as a nonce and is another one; null: none. */
function named(message: string, nonce: string): Span | null {
  for (const found of message.matchAll(called)) {
    const { sign = '', said = '' } = found.groups ?? {}
    const value = trimmed(said)
    const signed = /[:=#]|\bis\b/i.test(sign)
    // Without a sign a word of the sentence follows, such as "the nonce below".
    if (value === nonce || said === nonce || (!signed && !isRandom(value))) continue
    // After a sign a common name may introduce something else, such as "Code: of conduct"; after "nonce" nothing else stands.
    if (!/^nonce/i.test(found[0]) && !isRandom(value)) continue
    // A chain id, a network or an address is checked by itself.
    if (/chain[\s_-]*$/i.test(message.slice(0, found.index)) || /^0x[0-9a-fA-F]{40}$/.test(value)) continue
    return { start: found.index + found[0].lastIndexOf(said), length: value.length, text: value }
  }
  return null
}

/** A token of the nonce's own length and letters that is another one; null: none. A short nonce has the form of any word. */
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

/** Holds the nonce that a sign-in message carries against the one of the answer (AUTH-06): another one blocks, whatever it is called. */
export function checkNonce(message: string, nonce: string, nonceSeen: ((nonce: string) => boolean) | undefined): Finding {
  const base = { id: 'nonce', label: 'Nonce', note: 'As in the answer, not seen before' } as const
  const shown = nonce.length > 12 ? `${nonce.slice(0, 4)}…${nonce.slice(-4)}` : nonce
  if (nonceSeen?.(nonce) === true)
    return {
      ...base,
      value: shown,
      note: 'Came with an earlier challenge',
      verdict: 'fail',
      spans: [],
      sentence: `The message carries a nonce that came with an earlier sign-in: ${nonce}.`,
    }
  const other = named(message, nonce) ?? alike(message, nonce)
  if (other !== null)
    return {
      ...base,
      value: other.text,
      note: 'Not the one of the answer',
      verdict: 'fail',
      spans: [other],
      sentence: `The message carries the nonce ${other.text}. The answer says ${nonce}.`,
    }
  const found = tokenSpans(message, new RegExp(`(?<![\\p{L}\\p{N}])${escaped(nonce)}(?![\\p{L}\\p{N}])`, 'gu'))
  // A nonce of a few characters could stand anywhere by chance.
  const near = nonce.length >= 8 ? found : found.filter((span) => /nonce\W{0,4}$/i.test(message.slice(0, span.start)))
  return near.length === 0 ? missing(base, 'nonce') : { ...base, value: shown, verdict: 'pass', spans: near, sentence: null }
}
