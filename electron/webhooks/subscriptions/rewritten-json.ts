import { endOfText } from '../../../shared/foreign/end-of-text.ts'

/** What Node has and TypeScript's library does not yet tell of: the text of a number, and a way to write it as it was. */
const json = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/** What nests deeper is not written again: indented, a text of 20 KB may become hundreds of megabytes. */
const deepest = 64

/** Whether lists and objects nest no deeper than that. Linear. */
function isShallow(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1)
    switch (text.charAt(at)) {
      case '"':
        at = endOfText(text, at + 1)
        break
      case '[':
      case '{':
        depth += 1
        if (depth > deepest) return false
        break
      case ']':
      case '}':
        depth -= 1
    }
  return true
}

/** The same JSON with other white space, its numbers digit by digit as they were; null: it is none, or nests too deep to be written. */
export function rewrittenJson(text: string, indent: number): string | null {
  if (!isShallow(text)) return null
  try {
    return JSON.stringify(
      json.parse(text, (_key, value, { source }) => (typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value)),
      null,
      indent,
    )
  } catch {
    return null
  }
}
