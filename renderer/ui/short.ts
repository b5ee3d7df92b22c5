/** `0x7A3f…c91E`: first and last digits of an address, a hash or an id that is too long to show. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}
