import type { Check } from '../../ipc/intents/signing.ts'

/** A piece of the message, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly length: number
  readonly text: string
}

export interface Finding extends Omit<Check, 'at'> {
  /** Where it was found; the first is shown. */
  readonly spans: readonly Span[]
  /** For `fail`: what is wrong. */
  readonly sentence: string | null
}

export const tokenSpans = (message: string, pattern: RegExp): readonly Span[] =>
  [...message.matchAll(pattern)].map((match) => ({ start: match.index, length: match[0].length, text: match[0] }))

export const missing = (base: { readonly id: string; readonly label: string }, what: string): Finding => ({
  id: base.id,
  label: base.label,
  value: null,
  note: `The message does not name the ${what}`,
  verdict: 'missing',
  spans: [],
  sentence: null,
})
