/** Maximum length of pasted text, in UTF-16 code units. */
export const longestPasted = 2_000_000

/**
 * How a possible original body differs from the pasted text. pasted: not at all. without_break: without the final line break. with_break: with a
 * final line break added. crlf, lf: with other line breaks, and without a final one.
 */
export type BodyReading = 'pasted' | 'without_break' | 'with_break' | 'crlf' | 'lf'

export interface PastedBody {
  readonly bytes: Uint8Array
  readonly reading: BodyReading
}

export interface PastedDelivery {
  /** A one-line title of the request, shown if the user must choose among several requests. */
  readonly title: string
  /** The headers in their original order and spelling. A name may occur several times. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** What the sender's body may have been, most likely first; at least one. Only a valid signature shows which is right. */
  readonly bodies: readonly PastedBody[]
}

export interface Pasted {
  readonly form: 'headers' | 'curl' | 'har'
  /** The deliveries in the text, at least one. Only a HAR file can contain several. */
  readonly deliveries: readonly PastedDelivery[]
}
