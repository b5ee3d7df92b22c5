/** Longest text to read, in UTF-16 code units. */
export const longestPasted = 2_000_000

/**
 * How a possible body relates to the pasted text. pasted: unchanged. The others are forms that the body may have had before it was copied (`readings`
 * in `pasted-delivery.ts`).
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
  /** Bodies that the sender may have sent, most likely first; at least one. Only a valid signature shows which is the right one. */
  readonly bodies: readonly PastedBody[]
}

export interface Pasted {
  readonly form: 'headers' | 'curl' | 'har'
  /** At least one delivery. Only a HAR file can contain more. */
  readonly deliveries: readonly PastedDelivery[]
}
