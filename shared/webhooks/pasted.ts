/** Longest text to read, in UTF-16 code units. */
export const longestPasted = 2_000_000

/**
 * pasted: the body is unchanged. The other values are forms that the body may have had before it was copied (`readings` in
 * `pasted-delivery.ts`).
 */
export type BodyReading = 'pasted' | 'without_break' | 'with_break' | 'crlf' | 'lf'

export interface PastedBody {
  readonly bytes: Uint8Array
  readonly reading: BodyReading
}

export interface PastedDelivery {
  /** A one-line title of the request, so that the user can choose among several requests. */
  readonly title: string
  /** The headers in their order, as written. A name may occur more than once. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** Possible bodies, at least one, most likely first. Only a valid signature can show which one is right. */
  readonly bodies: readonly PastedBody[]
}

export interface Pasted {
  readonly form: 'headers' | 'curl' | 'har'
  /** At least one delivery. Only a HAR file can contain more. */
  readonly deliveries: readonly PastedDelivery[]
}
