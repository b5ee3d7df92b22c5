/** `0x7A3f…c91E`: first and last digits of an address, a hash or an id that is too long to show. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Whole addresses, or those that main cut short already; more digits are no address. */
export const addressPattern = /(0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4})/

const longestId = 24

/** An id of the service as a table has room for it. */
export const shortId = (id: string): string => (id.length <= longestId ? id : shorten(id, 10, 10))
