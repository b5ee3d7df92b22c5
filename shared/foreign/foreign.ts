declare const closed: unique symbol

/**
 * A value from another party: a service, an RPC, or any connecting client. Code cannot read it directly. The functions of this folder and of
 * `shared/api/redact.ts` read it within limits of depth, length and count. `npm run check` verifies that no other code reads it.
 */
export type Foreign<T> = { readonly [closed]: T }

/** Marks incoming data. Costs nothing at run time: the value does not change. */
export const foreign = <T>(value: T): Foreign<T> => value as unknown as Foreign<T>

const backslash = 0x5c

/** Returns the position of the quote that closes the JSON string opened before `from`; the end of the input if there is none. Linear. */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (at - 1 - escapes >= from && text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
