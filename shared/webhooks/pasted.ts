/** Longest text that is read, in UTF-16 code units. */
export const longestPasted = 2_000_000

/** pasted: as it stands. The others are what it may have been before it was copied: see `pasted-headers.ts`. */
export type BodyReading = 'pasted' | 'without_break' | 'with_break' | 'crlf' | 'lf'

export interface PastedBody {
  readonly bytes: Uint8Array
  readonly reading: BodyReading
}

export interface PastedDelivery {
  /** The request in a line, for a choice among several. */
  readonly title: string
  /** In their order, as written; a name may be there more than once. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** What the body may be, likeliest first; at least one. Only a signature can tell which. */
  readonly bodies: readonly PastedBody[]
}

export interface Pasted {
  readonly form: 'headers' | 'curl' | 'har'
  /** At least one; more only of a HAR. */
  readonly deliveries: readonly PastedDelivery[]
}
