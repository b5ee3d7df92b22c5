import { parseSync } from '@swc/core'

/** A token: a meaningful piece of code. Formatting and comments are not tokens. */
interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const skipped = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|;)+/y
const word = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy
const number = /\d(?:[\w.])*/y
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const regex = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y
/** Tokens after which a slash starts a regular expression. After any other token, a slash is a division. */
const beforeRegex = /^(?:[^\w$)\]}'"`]|return|typeof|case|in|of|void|delete|await|yield)$/

/** Splits TypeScript into tokens. Ignores formatting: drops semicolons and trailing commas, and changes all quotes to single quotes. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  /** The number of open braces inside the current `${…}`, for each template literal that is still open. */
  const templates: number[] = []
  let at = 0
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? null
  }
  const add = (length: number) => {
    const text = source.slice(at, at + length)
    if (/^[)\]}]/.test(text) && tokens.at(-1)?.text === ',') tokens.pop()
    tokens.push({ text: text.startsWith('"') && !text.includes("'") ? `'${text.slice(1, -1)}'` : text, start: at, end: at + length })
    at += length
  }
  while (at < source.length) {
    const blank = read(skipped)
    if (blank !== null) {
      at += blank.length
      continue
    }
    const character = source.charAt(at)
    const braces = templates.length - 1
    const continues = character === '}' && templates[braces] === 0
    if (character === '`' || continues) {
      if (continues) templates.pop()
      at += 1
      const part = read(templatePart) ?? ''
      at -= 1
      add(part.length + 1)
      if (part.endsWith('${')) templates.push(0)
      continue
    }
    if (braces >= 0 && character === '{') templates[braces] = (templates[braces] ?? 0) + 1
    if (braces >= 0 && character === '}') templates[braces] = (templates[braces] ?? 0) - 1
    const token = read(word) ?? read(number) ?? read(quoted) ?? (beforeRegex.test(tokens.at(-1)?.text ?? '(') ? read(regex) : null) ?? character
    add(token.length)
  }
  return tokens
}

interface Node {
  readonly type: string
  readonly span?: { readonly start: number; readonly end: number }
  readonly [name: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/**
 * The scope number that swc, the parser, assigns to names declared at the top level. Undeclared names have a lower number, names declared in
 * functions a higher one.
 */
const outermost = 2

export interface Code {
  readonly tokens: readonly Token[]
  /** For each use of a name declared in a function, the variable that the name refers to. Key: the position of the use in the source. */
  readonly locals: ReadonlyMap<number, string>
  /** Start and end of each declaration, with the names of its enclosing declarations: `createGuard.check`. */
  readonly named: readonly { readonly path: string; readonly start: number; readonly end: number }[]
  /** Names that the module uses and does not declare. */
  readonly foreign: ReadonlySet<string>
}

/** Throws if `source` is not valid TypeScript. */
export function readCode(source: string, tsx: boolean): Code {
  const module = parseSync(source, { syntax: 'typescript', tsx, target: 'esnext' })
  const places = placesOf(source)
  const locals = new Map<number, string>()
  const named: { path: string; start: number; end: number }[] = []
  const foreign = new Set<string>()
  const placeOf = (byte: number) => places(byte - 1)
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, path)
    if (!isNode(value)) {
      // Some parts of swc’s syntax tree have no `type`, so the code visits every value.
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) for (const one of Object.values(value)) visit(one, path)
      return
    }
    const { span } = value
    if (value.type === 'Identifier' && span !== undefined && typeof value.ctxt === 'number') {
      if (value.ctxt > outermost) locals.set(placeOf(span.start), `${String(value.value)} ${value.ctxt}`)
      if (value.ctxt < outermost) foreign.add(String(value.value))
    }
    const name = nameOf(value)
    const inner = name === null ? path : path === '' ? name : `${path}.${name}`
    const [first, last] = [span ?? spanOf(value.key), span ?? spanOf(value.value)]
    if (name !== null && first !== undefined && last !== undefined) named.push({ path: inner, start: placeOf(first.start), end: placeOf(last.end) })
    for (const [part, one] of Object.entries(value)) if (!(part === 'key' && isNode(one) && one.type === 'Identifier')) visit(one, inner)
  }
  visit(module.body, '')
  return { tokens: tokensOf(source), locals, named, foreign }
}

const spanOf = (value: unknown): Node['span'] => (isNode(value) ? value.span : undefined)

function nameOf({ type, id, identifier, key }: Node): string | null {
  const name =
    type === 'VariableDeclarator'
      ? id
      : type === 'FunctionDeclaration' || type === 'ClassDeclaration'
        ? identifier
        : /Property$|Method$/.test(type)
          ? key
          : null
  return isNode(name) && (name.type === 'Identifier' || name.type === 'StringLiteral') ? String(name.value) : null
}

/** Converts the parser’s UTF-8 byte offsets to character offsets. */
function placesOf(source: string): (byte: number) => number {
  if (Buffer.byteLength(source) === source.length) return (byte) => byte
  const places: number[] = []
  let place = 0
  for (const character of source) {
    for (let left = Buffer.byteLength(character); left > 0; left -= 1) places.push(place)
    place += character.length
  }
  return (byte) => places[byte] ?? source.length
}

export interface Found {
  readonly start: number
  readonly end: number
  /** The name that the source uses for each `$name` of the pattern. */
  readonly names: ReadonlyMap<string, string>
}

const isHole = (text: string): boolean => /^\$[\p{ID_Start}_]/u.test(text)

export interface Wanted {
  readonly find: string
  readonly within?: string | undefined
}

/**
 * Finds the code `find`, ignoring formatting. `$name` matches any name that is declared in a function. The same `$name` must match the same variable
 * each time, and different `$names` must match different variables. `within`: searches only inside the declaration with this path of names.
 */
export function findCode({ tokens, locals, named }: Code, { find, within }: Wanted): Found[] {
  const wanted = tokensOf(find)
  const areas = within === undefined ? [{ start: 0, end: Number.POSITIVE_INFINITY }] : named.filter(({ path }) => path === within)
  const found: Found[] = []
  for (let from = 0; wanted.length > 0 && from + wanted.length <= tokens.length; from += 1) {
    const here = tokens.slice(from, from + wanted.length)
    const [start, end] = [here[0]?.start ?? 0, here.at(-1)?.end ?? 0]
    const names = areas.some((area) => area.start <= start && end <= area.end) ? namesIn(wanted, here, locals) : null
    if (names !== null) found.push({ start, end, names })
  }
  return found
}

/** The name in the code for each `$name` of the pattern; null if the code does not match. */
function namesIn(wanted: readonly Token[], here: readonly Token[], locals: Code['locals']): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>()
  const bound = new Map<string, string>()
  for (const [index, { text }] of wanted.entries()) {
    const token = here[index]
    if (token === undefined) return null
    if (!isHole(text)) {
      if (token.text !== text) return null
      continue
    }
    const binding = locals.get(token.start)
    if (binding === undefined || (bound.get(text) ?? binding) !== binding) return null
    bound.set(text, binding)
    names.set(text.slice(1), token.text)
  }
  return new Set(bound.values()).size === bound.size ? names : null
}

/** The replacement with the source’s names filled in; null if it uses a `$name` that the pattern lacks. */
export function filled(replace: string, names: Found['names']): string | null {
  let isWhole = true
  const text = replace.replace(/\$([\p{ID_Start}_][\p{ID_Continue}$]*)/gu, (_, name: string) => {
    isWhole &&= names.has(name)
    return names.get(name) ?? ''
  })
  return isWhole ? text : null
}

/** Whether a name is a global of the runtime or the browser. A replacement may use such a name even if its file does not. */
const isKnown = (name: string): boolean => name in globalThis || name === 'arguments'

/**
 * Returns `source` with the replacement. Returns null if the code to replace does not occur exactly once, if the result is not valid code, or if
 * the result uses undeclared names.
 */
export function replaceCode(source: string, wanted: Wanted & { readonly replace: string }, tsx: boolean): string | null {
  const before = readCode(source, tsx)
  const found = findCode(before, wanted)
  const [place] = found
  const text = place === undefined ? null : filled(wanted.replace, place.names)
  if (place === undefined || found.length > 1 || text === null) return null
  const broken = source.slice(0, place.start) + text + source.slice(place.end)
  try {
    const after = readCode(broken, tsx)
    return [...after.foreign].every((name) => before.foreign.has(name) || isKnown(name)) ? broken : null
  } catch {
    return null
  }
}
