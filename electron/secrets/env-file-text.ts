/** What a `.env` file becomes. */
export interface MergedEnv {
  readonly text: string
  /** Lines with content that stayed as they were. */
  readonly kept: number
  /** Names that had another value before. */
  readonly replaced: readonly string[]
}

/** One entry or other line, with its line end; a quoted value may go over several lines. */
interface Part {
  readonly raw: string
  readonly name: string | null
  readonly value: string
  readonly exported: boolean
}

const assignment = /^\s*(export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=[ \t]*/

/**
 * Sets `values` in the text of a `.env` file. Every other line stays byte for byte, in its place; a name that stands there is
 * changed in its first place and dropped from others, a new one is added at the end.
 */
export function mergeEnv(before: string, values: Readonly<Record<string, string>>): MergedEnv {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n'
  const parts = split(before)
  const written = new Set<string>()
  const replaced = new Set<string>()
  let kept = 0
  const out: string[] = []
  for (const { raw, name, value, exported } of parts) {
    const next = name !== null && Object.hasOwn(values, name) ? values[name] : undefined
    if (name === null || next === undefined) {
      out.push(raw)
      if (raw.trim() !== '') kept += 1
      continue
    }
    if (value !== next) replaced.add(name)
    if (!written.has(name)) out.push(`${exported ? 'export ' : ''}${name}=${quoted(next)}${lineEnd}`)
    written.add(name)
  }
  const missing = Object.entries(values).filter(([name]) => !written.has(name))
  const last = out.at(-1)
  if (missing.length > 0 && last !== undefined && !/\n$/.test(last)) out.push(lineEnd)
  for (const [name, value] of missing) out.push(`${name}=${quoted(value)}${lineEnd}`)
  return { text: out.join(''), kept, replaced: [...replaced] }
}

function split(text: string): Part[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const parts: Part[] = []
  for (let index = 0; index < lines.length; index += 1) {
    let raw = lines[index] ?? ''
    const found = assignment.exec(raw.replace(/^\uFEFF/, ''))
    if (found === null) {
      parts.push({ raw, name: null, value: '', exported: false })
      continue
    }
    const start = raw.length - raw.replace(/^\uFEFF/, '').length + found[0].length
    const quote = raw[start]
    // Read on to the closing quote; where there is none the line stands for itself.
    if (quote === '"' || quote === "'" || quote === '`') {
      let whole = raw
      let to = index
      while (closing(whole, start, quote) < 0 && to + 1 < lines.length) whole += lines[++to] ?? ''
      if (closing(whole, start, quote) >= 0) {
        raw = whole
        index = to
      }
    }
    parts.push({ raw, name: found[2] ?? null, value: readValue(raw, start), exported: found[1] !== undefined })
  }
  return parts
}

function closing(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1
    else if (text[at] === quote) return at
  }
  return -1
}

function readValue(raw: string, start: number): string {
  const quote = raw[start]
  const end = quote === '"' || quote === "'" || quote === '`' ? closing(raw, start, quote) : -1
  if (end >= 0) return raw.slice(start + 1, end)
  return raw
    .slice(start)
    .replace(/\s+#.*$/s, '')
    .trim()
}

/** Bare where every reader of such files agrees on the characters; Docker's does not even know quotes. */
const quoted = (value: string): string =>
  /^[A-Za-z0-9_.:/@%+=~-]*$/.test(value) ? value : value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`
