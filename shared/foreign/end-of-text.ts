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
