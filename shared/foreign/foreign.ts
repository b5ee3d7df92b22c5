declare const closed: unique symbol

/**
 * What another party sent: a service, an RPC, whoever connects. It cannot be read as it is. The functions of this folder and of
 * `shared/api/redact.ts` read it within bounds of depth, length and count; nothing else may open it, and `npm run check` sees to that.
 */
export type Foreign<T> = { readonly [closed]: T }

/** Marks what came in. Costs nothing: the value stays as it is. */
export const foreign = <T>(value: T): Foreign<T> => value as unknown as Foreign<T>

const backslash = 0x5c

/** Where the quote stands that ends the JSON text that was opened before `from`; the end of everything where none does. Linear. */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (at - 1 - escapes >= from && text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
