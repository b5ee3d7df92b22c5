import { bytesOf, compileGlob, folded, type Glob, globFits } from './glob.ts'

interface Rule {
  readonly negated: boolean
  readonly folderOnly: boolean
  /** The name alone decides, at any depth. */
  readonly nameOnly: boolean
  readonly glob: Glob
}

/** The rules of one `.gitignore`. */
export interface RuleSet {
  readonly rules: readonly Rule[]
  readonly fold: boolean
}

/** Reads the text of a `.gitignore` as gitignore(5) has it. `fold`: case does not matter. */
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

/** Spaces at the end go, unless a backslash stands before them. */
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

/** What the rules of one file say of a path below its folder, given as names; null: nothing. The last rule that fits decides. */
function verdictOf({ rules, fold }: RuleSet, names: readonly string[], folder: boolean): boolean | null {
  const texts = fold ? names.map(folded) : names
  const rule = rules.findLast((one) => (folder || !one.folderOnly) && globFits(one.glob, one.nameOnly ? texts.slice(-1) : texts))
  return rule === undefined ? null : !rule.negated
}

/** Rules of a folder and of those above it. `depth`: how many names lead from the top to the folder that the rules stand in. */
export interface Layer {
  readonly depth: number
  readonly set: RuleSet
}

/**
 * Whether git ignores a path, `names` in bytes from the top of the work tree on, whose folder it does not ignore. The rules nearest to it
 * count first. `layers` from the top down.
 */
export function isIgnored(layers: readonly Layer[], names: readonly string[], folder: boolean): boolean {
  for (const { depth, set } of layers.toReversed()) {
    const verdict = verdictOf(set, names.slice(depth), folder)
    if (verdict !== null) return verdict
  }
  return false
}
