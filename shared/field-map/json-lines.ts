import { fail, ok, type Result } from '../result.ts'

/** JSON whose every key is known by its line, counted from 1. */
export interface LinedJson {
  readonly value: unknown
  /** Of the key that a path ends with; null: there is none. */
  lineOf(path: readonly string[]): number | null
  /** Keys that stand twice in one object, where `JSON.parse` keeps the last. */
  readonly twice: readonly { readonly path: readonly string[]; readonly line: number }[]
}

export interface JsonTrouble {
  readonly code: 'not_json' | 'too_deep'
  readonly line: number | null
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** Iterative: text may nest as deep as it is long. */
function tooDeepAt(text: string, most: number): number | null {
  let depth = 0
  let quoted = false
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place]
    if (quoted) {
      if (character === '\\') place += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > most) return place
    } else if (character === '}' || character === ']') depth -= 1
  }
  return null
}

const keyText = (path: readonly string[]): string => JSON.stringify(path)

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|\n|[^\s{}[\],:"]+/g

interface Level {
  /** Of the object's present key, or the list's present place. */
  at: string
  readonly list: boolean
  readonly seen: Set<string>
}

/** Walks text that `JSON.parse` has taken. */
function linesIn(text: string): Pick<LinedJson, 'lineOf' | 'twice'> {
  const lines = new Map<string, number>()
  const twice: { path: string[]; line: number }[] = []
  const levels: Level[] = []
  let line = 1
  let wantsKey = false
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1)
    if (part === '\n') line += 1
    else if (part === '{' || part === '[') {
      levels.push({ at: part === '[' ? '0' : '', list: part === '[', seen: new Set() })
      wantsKey = part === '{'
    } else if (part === '}' || part === ']') {
      levels.pop()
      wantsKey = false
    } else if (part === ',' && level !== undefined) {
      if (level.list) level.at = String(Number(level.at) + 1)
      wantsKey = !level.list
    } else if (part.startsWith('"') && wantsKey && level !== undefined) {
      wantsKey = false
      level.at = String(JSON.parse(part))
      const path = levels.map(({ at }) => at)
      if (level.seen.has(level.at)) twice.push({ path, line })
      level.seen.add(level.at)
      lines.set(keyText(path), line)
    }
  }
  return { lineOf: (path) => lines.get(keyText(path)) ?? null, twice }
}

/** Reads JSON of at most `depth` levels. Linear in its length; the caller bounds that. */
export function readLinedJson(text: string, depth: number): Result<LinedJson, JsonTrouble> {
  const json = text.replace(/^\ufeff/, '')
  const deep = tooDeepAt(json, depth)
  if (deep !== null) return fail({ code: 'too_deep', line: lineAt(json, deep) })
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    return fail({ code: 'not_json', line: lineAt(json, position === undefined ? json.length : Number(position)) })
  }
  return ok({ value, ...linesIn(json) })
}
