/** What Node has and TypeScript's library does not yet tell of: the text of a number, and a way to write it as it was. */
const json = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/** The same JSON with other white space, its numbers digit by digit as they were; null: it is none, or nests too deep to be written. */
export function rewrittenJson(text: string, indent: number): string | null {
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
