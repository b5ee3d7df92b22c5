/** Longest text to read, in UTF-16 code units. */
export const longestPasted = 2_000_000

/** pasted: unchanged. The others are forms that the body may have had before it was copied: see `readings` in `pasted-delivery.ts`. */
export type BodyReading = 'pasted' | 'without_break' | 'with_break' | 'crlf' | 'lf'

export interface PastedBody {
  readonly bytes: Uint8Array
  readonly reading: BodyReading
}

export interface PastedDelivery {
  /** The request in one line, to choose among several; empty if it has none. */
  readonly title: string
  /** In order, as written; a name may occur more than once. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** Possible bodies, most likely first; at least one. Only a signature can show which one is right. */
  readonly bodies: readonly PastedBody[]
}

export interface Pasted {
  readonly form: 'headers' | 'curl' | 'har'
  /** At least one; only a HAR has more. */
  readonly deliveries: readonly PastedDelivery[]
}
