/**
 * Matches patterns like git's `wildmatch`. Works on bytes: texts are UTF-8 read as Latin-1, so that `?` matches one byte as in git. Within each
 * part between slashes, backtracks only to the last star, so that a pattern from an untrusted folder cannot make a match take very long.
 */

/** Part of a pattern that matches one byte of a name: a certain byte, any byte, or a byte from a character class. */
type One = { readonly kind: 'byte'; readonly byte: string } | { readonly kind: 'any' } | { readonly kind: 'class'; readonly holds: (byte: string) => boolean }

/** The part of a pattern between slashes. `star` matches any number of bytes. */
type Part =
  | { readonly kind: 'deep' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'glob'; readonly tokens: readonly (One | 'star')[] }

/** A compiled pattern. null for a pattern that git calls invalid, which matches nothing. */
export type Glob = readonly Part[] | null

export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/** Lower-cases ASCII letters only, as git does. */
export const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Compiles `pattern`, which is given in bytes, without `!` and without a final slash.
 * `wholePath`: if true, the pattern is compared with a whole path and `**` crosses folders; otherwise, it is compared with a single name.
 * `fold`: ignores case; the caller must pass texts in lower case.
 */
export function compileGlob(pattern: string, { wholePath, fold }: { readonly wholePath: boolean; readonly fold: boolean }): Glob {
  const parts: (One | 'star')[][] = [[]]
  const stars: number[] = [0]
  for (let at = 0; at < pattern.length; at += 1) {
    const current = parts[parts.length - 1] ?? []
    const byte = pattern.charAt(at)
    if (byte === '*') {
      current.push('star')
      stars[stars.length - 1] = (stars[stars.length - 1] ?? 0) + 1
    } else if (byte === '?') current.push({ kind: 'any' })
    else if (byte === '[') {
      const read = readClass(pattern, at, fold)
      if (read === null) return null
      current.push({ kind: 'class', holds: read.holds })
      at = read.end
    } else {
      const escaped = byte === '\\'
      if (escaped) at += 1
      const plain = pattern.charAt(at)
      if (plain === '') return null
      if (plain === '/' && wholePath) {
        parts.push([])
        stars.push(0)
      } else current.push({ kind: 'byte', byte: fold ? folded(plain) : plain })
    }
  }
  return parts.map((tokens, index) => partOf(tokens, wholePath && (stars[index] ?? 0) > 1 && stars[index] === tokens.length))
}

function partOf(tokens: readonly (One | 'star')[], deep: boolean): Part {
  if (deep) return { kind: 'deep' }
  const bytes = tokens.map((token) => (token !== 'star' && token.kind === 'byte' ? token.byte : null))
  return bytes.every((byte) => byte !== null) ? { kind: 'literal', text: bytes.join('') } : { kind: 'glob', tokens }
}

const posix: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^ -~\x80-\xff]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

/**
 * Reads a character class from its opening bracket. `end` is the position of the closing bracket. Returns null if the pattern never closes the
 * bracket, or names an unknown class in the form `[:alpha:]`.
 */
function readClass(pattern: string, from: number, fold: boolean): { readonly holds: (byte: string) => boolean; readonly end: number } | null {
  let at = from + 1
  const negated = pattern.charAt(at) === '!' || pattern.charAt(at) === '^'
  if (negated) at += 1
  const tests: ((byte: string) => boolean)[] = []
  let previous: string | null = null
  for (let first = true; first || pattern.charAt(at) !== ']'; first = false, at += 1) {
    const byte = pattern.charAt(at)
    if (byte === '') return null
    if (byte === '-' && previous !== null && pattern.charAt(at + 1) !== '' && pattern.charAt(at + 1) !== ']') {
      at += 1
      if (pattern.charAt(at) === '\\') at += 1
      const [low, high] = [previous, pattern.charAt(at)]
      if (high === '') return null
      tests.push((one) => (low <= one && one <= high) || (fold && low <= one.toUpperCase() && one.toUpperCase() <= high))
      previous = null
    } else if (byte === '[' && pattern.charAt(at + 1) === ':') {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) return null
      if (pattern.charAt(end - 1) !== ':' || end - 1 < at + 2) {
        tests.push((one) => one === '[')
        previous = '['
        continue
      }
      const name = pattern.slice(at + 2, end - 1)
      const named = posix[name]
      if (named === undefined) return null
      tests.push((one) => named.test(one) || (fold && name === 'upper' && /[a-z]/.test(one)))
      at = end
      previous = null
    } else {
      if (byte === '\\') at += 1
      const plain = pattern.charAt(at)
      if (plain === '') return null
      tests.push((one) => one === plain)
      previous = plain
    }
  }
  return { holds: (byte) => tests.some((test) => test(byte)) !== negated, end: at }
}

const fits = (token: One, byte: string): boolean => (token.kind === 'any' ? true : token.kind === 'byte' ? token.byte === byte : token.holds(byte))

function partFits(part: Exclude<Part, { kind: 'deep' }>, name: string): boolean {
  if (part.kind === 'literal') return part.text === name
  const { tokens } = part
  let [token, at] = [0, 0]
  let [starToken, starAt] = [-1, 0]
  while (at < name.length) {
    const wanted = tokens[token]
    if (wanted === 'star') {
      starToken = token
      starAt = at
      token += 1
    } else if (wanted !== undefined && fits(wanted, name.charAt(at))) {
      token += 1
      at += 1
    } else if (starToken >= 0) {
      starAt += 1
      token = starToken + 1
      at = starAt
    } else return false
  }
  while (tokens[token] === 'star') token += 1
  return token === tokens.length
}

/**
 * True if the glob matches a path. The path is a list of names and starts at the folder of the pattern. A final `**` must match at least one name.
 */
export function globFits(glob: Glob, names: readonly string[]): boolean {
  if (glob === null) return false
  let [part, at] = [0, 0]
  let [deepPart, deepAt] = [-1, 0]
  while (at < names.length) {
    const wanted = glob[part]
    if (wanted?.kind === 'deep') {
      deepPart = part
      deepAt = at
      part += 1
    } else if (wanted !== undefined && partFits(wanted, names[at] ?? '')) {
      part += 1
      at += 1
    } else if (deepPart >= 0) {
      deepAt += 1
      part = deepPart + 1
      at = deepAt
    } else return false
  }
  return part === glob.length
}

interface Rule {
  readonly negated: boolean
  readonly folderOnly: boolean
  /** True if the pattern has no slash and so matches a name at any depth. */
  readonly nameOnly: boolean
  readonly glob: Glob
}

interface RuleSet {
  readonly rules: readonly Rule[]
  readonly fold: boolean
}

/** Reads the text of a `.gitignore` according to gitignore(5). `fold`: ignore case. */
export function parseIgnore(text: string, fold: boolean): RuleSet {
  const rules = bytesOf(text.replace(/^\uFEFF/, ''))
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(withoutTrailingSpaces)
    .filter((line) => line !== '')
    .map((line) => ruleOf(line, fold))
  return { rules, fold }
}

function withoutTrailingSpaces(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at += 1) {
    if (line.charAt(at) === ' ') continue
    if (line.charAt(at) === '\\') at += 1
    end = at + 1
  }
  return line.slice(0, end)
}

function ruleOf(line: string, fold: boolean): Rule {
  const negated = line.startsWith('!')
  const unsigned = negated ? line.slice(1) : line
  const folderOnly = unsigned.endsWith('/')
  const whole = folderOnly ? unsigned.slice(0, -1) : unsigned
  const nameOnly = !whole.includes('/')
  const pattern = nameOnly ? whole : whole.replace(/^\//, '')
  return { negated, folderOnly, nameOnly, glob: compileGlob(pattern, { wholePath: !nameOnly, fold }) }
}

/**
 * Decides whether one `.gitignore` ignores a path. The path is a list of names and starts at the folder of that `.gitignore`. The last matching rule
 * decides. Returns null if no rule matches.
 */
function verdictOf({ rules, fold }: RuleSet, names: readonly string[], folder: boolean): boolean | null {
  const texts = fold ? names.map(folded) : names
  const rule = rules.findLast((one) => (folder || !one.folderOnly) && globFits(one.glob, one.nameOnly ? texts.slice(-1) : texts))
  return rule === undefined ? null : !rule.negated
}

/** The rules of one folder. `depth` is the number of folder levels from the top of the work tree to this folder. */
export interface Layer {
  readonly depth: number
  readonly set: RuleSet
}

/**
 * True if git ignores a path. `names` are in bytes and start at the top of the work tree. The path's folder must not be ignored.
 * `layers` are ordered from the top down. The rules nearest to the path take precedence.
 */
export function isIgnored(layers: readonly Layer[], names: readonly string[], folder: boolean): boolean {
  for (const { depth, set } of layers.toReversed()) {
    const verdict = verdictOf(set, names.slice(depth), folder)
    if (verdict !== null) return verdict
  }
  return false
}
