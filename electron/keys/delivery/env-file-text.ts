export interface MergedEnv {
  readonly text: string
  /** Number of non-empty lines of the file that the merge left unchanged. */
  readonly kept: number
  /** Names that already had a different value in the file. */
  readonly replaced: readonly string[]
}

/** One line of a `.env` file, or one entry whose quoted value spans several lines. Includes the line end. */
interface Part {
  readonly from: number
  readonly end: number
  readonly name: string | null
  readonly value: string
  readonly exported: boolean
}

const assignment = /^\s*(export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=[ \t]*/

/**
 * Sets `values` in the text of a `.env` file. Keeps all other lines unchanged and in order. If a name already exists, changes its first entry and
 * removes its other entries. Adds a new name at the end.
 */
export function mergeEnv(before: string, values: Readonly<Record<string, string>>): MergedEnv {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n'
  const written = new Set<string>()
  const replaced = new Set<string>()
  let kept = 0
  let [text, from] = ['', 0]
  for (const { name, value, exported, ...part } of partsOf(before)) {
    const next = name !== null && Object.hasOwn(values, name) ? values[name] : undefined
    if (name === null || next === undefined) {
      if (/\S/.test(before.slice(part.from, part.end))) kept += 1
      continue
    }
    text += before.slice(from, part.from)
    from = part.end
    if (value !== next) replaced.add(name)
    if (!written.has(name)) text += `${exported ? 'export ' : ''}${name}=${quoted(next)}${lineEnd}`
    written.add(name)
  }
  text += before.slice(from)
  const missing = Object.entries(values).filter(([name]) => !written.has(name))
  if (missing.length > 0 && text !== '' && !text.endsWith('\n')) text += lineEnd
  for (const [name, value] of missing) text += `${name}=${quoted(value)}${lineEnd}`
  return { text, kept, replaced: [...replaced] }
}

/**
 * Splits the text into entries and other lines. Must take time linear in the length of the text, because a hostile file could otherwise block the
 * app.
 */
function* partsOf(text: string): Generator<Part, void, undefined> {
  for (let from = 0; from < text.length; ) {
    let end = endOfLine(text, from)
    const line = text.slice(from, end)
    const bare = line.startsWith('\uFEFF') ? line.slice(1) : line
    const found = assignment.exec(bare)
    if (found === null) {
      yield { from, end, name: null, value: '', exported: false }
      from = end
      continue
    }
    const start = from + (line.length - bare.length) + found[0].length
    const quote = text.charAt(start)
    const isQuoted = (quote === '"' || quote === "'" || quote === '`') && start < end
    // If a search for a closing quote fails, no such quote follows, so the search can fail only once per kind of quote. The total time therefore
    // stays linear.
    const closing = isQuoted ? closingQuote(text, start, quote) : -1
    if (closing >= 0) end = endOfLine(text, closing)
    const value = closing >= 0 ? text.slice(start + 1, closing) : bareValue(text.slice(start, end))
    yield { from, end, name: found[2] ?? null, value, exported: found[1] !== undefined }
    from = end
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at + 1
}

function closingQuote(text: string, start: number, quote: string): number {
  if (quote !== '"') return text.indexOf(quote, start + 1)
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote) return at
  }
  return -1
}

/** Returns an unquoted value without its trailing comment, which starts with `#` after white space. */
function bareValue(text: string): string {
  for (let at = text.indexOf('#', 1); at >= 0; at = text.indexOf('#', at + 1)) if (/\s/.test(text.charAt(at - 1))) return text.slice(0, at).trim()
  return text.trim()
}

/**
 * Quotes a value. Leaves out the quotes if every reader of `.env` files understands the value without them, because Docker does not understand
 * quotes.
 */
const quoted = (value: string): string =>
  /^[A-Za-z0-9_.:/@%+=~-]*$/.test(value) ? value : value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`
