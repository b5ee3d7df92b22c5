import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { parseSync } from '@swc/core'
import { inRoot } from './project.ts'

/**
 * Checks the style sheets. Every sheet except `tokens.css` and `base.css` is a CSS module: its classes are local, and shared values come from tokens.
 * Finds hard-coded lengths and colours, global classes, missing classes and unused classes.
 */
const tokens = 'renderer/kit/tokens.css'
const base = 'renderer/kit/base.css'

/**
 * Names a class after its sheet: `renderer/kit/button.module.css` and `primary` give `button_primary`. File names are unique in the renderer, so two
 * sheets never share a class.
 */
export const generateScopedName = (name: string, file: string): string => `${basename(file.replace(/\?.*$/, ''), '.module.css')}_${name}`

/**
 * Returns the short class name that the product uses: `c` with five letters and digits of a hash. A readable name would only add bytes. Another
 * check ensures that no two short names are equal.
 */
export const shortName = (scoped: string): string => `c${parseInt(createHash('sha256').update(scoped).digest('hex').slice(0, 12), 16).toString(36).slice(-5)}`

/**
 * Build plugin that replaces the class names of style sheets with short names in the product. If one sheet refers to a class of another sheet, the
 * same short name appears in both.
 */
export const shortNames = {
  generateScopedName: (name: string, file: string) => shortName(generateScopedName(name, file)),
  plugin: {
    name: 'short-class-names',
    enforce: 'pre' as const,
    transform: (code: string, id: string) =>
      /\.module\.css$/.test(id) ? code.replace(/:global\(\.([\w-]+)\)/g, (_, scoped: string) => `:global(.${shortName(scoped)})`) : null,
  },
}

interface Sheet {
  readonly problems: readonly string[]
  readonly classes: ReadonlySet<string>
  /** Classes that never occur alone in a selector, because they only modify another class or its content. */
  readonly modifiers: ReadonlySet<string>
  /** Class names inside `:global(.…)`: references to classes of other sheets. */
  readonly reached: ReadonlySet<string>
}

const spaced = /^(padding|margin|gap|row-gap|column-gap|scroll-margin|scroll-padding|font|font-size|line-height|border(-\w+)*-radius)(-|$)/
const colour = /#[0-9a-f]{3,8}\b|\b(rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\(|(?<![-\w])(white|black|red|green|blue|gray|grey)(?![-\w])/i

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, ' '))

/** Parses a style sheet. Rules may be nested only inside at-rules such as `@media`. */
export function readSheet(file: string, source: string): Sheet {
  const problems: string[] = []
  const [classes, standing, reached] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const css = withoutComments(source)
  const line = (at: number): number => css.slice(0, at).split('\n').length
  for (const match of css.matchAll(/([^{};]*)([{};])/g)) {
    const text = (match[1] ?? '').trim()
    const at = match.index + (match[1] ?? '').length - (match[1] ?? '').trimStart().length
    if (text === '') continue
    if (match[2] === '{') {
      if (text.startsWith('@')) continue
      const plain = text.replace(/\[[^\]]*\]/g, '[]').replace(/:global\(\.([\w-]+)\)/g, (_, name: string) => {
        reached.add(name)
        return ':global'
      })
      if (/:global\(|:local/.test(plain)) problems.push(`${file}:${line(at)}: :global takes one class of another sheet`)
      const names = [...plain.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map((found) => found[1] ?? '')
      if (file === base && (names.length > 0 || /:global/.test(plain))) problems.push(`${file}:${line(at)}: ${text}: a class for all; it belongs to a module`)
      for (const name of names) classes.add(name)
      for (const alone of plain.split(/,(?![^(]*\))/)) {
        const own = [...alone.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map((found) => found[1] ?? '')
        if (own.length === 1 && !/:global/.test(alone)) standing.add(own[0] ?? '')
      }
      continue
    }
    const [, property = '', value = ''] = /^([\w-]+)\s*:\s*([\s\S]*)$/.exec(text) ?? []
    if (file === tokens || property.startsWith('--')) continue
    if (spaced.test(property)) {
      const byHand = [...value.matchAll(/(?<![\w.-])-?(\d*\.?\d+)(px|rem)\b/g)].filter((found) => found[2] === 'rem' || Number(found[1]) >= 4)
      if (byHand.length > 0) problems.push(`${file}:${line(at)}: ${property}: ${value}: a length by hand; take a token`)
    }
    if (colour.test(value.replace(/url\([^)]*\)/g, ''))) problems.push(`${file}:${line(at)}: ${property}: ${value}: a colour by hand; take a token`)
  }
  return { problems, classes, modifiers: new Set([...classes].filter((name) => !standing.has(name))), reached }
}

interface Uses {
  readonly problems: readonly string[]
  /** The class names that a file uses, by sheet. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
  /** Sheets from which the file picks a class by a run-time value. The check cannot find out which of their classes the file uses. */
  readonly chosen: ReadonlySet<string>
}

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const textOf = (node: unknown): string | null => (isNode(node) && typeof node.value === 'string' ? node.value : null)

/** The class names that occur as string literals in an expression. */
function writtenIn(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'StringLiteral':
      return textOf(node) === '' ? [] : [textOf(node) ?? '']
    case 'TemplateLiteral':
      return [node.quasis, node.expressions]
        .flat()
        .flatMap((part) => (isNode(part) && part.type === 'TemplateElement' ? [String(part.raw)] : writtenIn(part)))
        .filter((text) => text.trim() !== '')
    case 'ConditionalExpression':
      return [...writtenIn(node.consequent), ...writtenIn(node.alternate)]
    case 'BinaryExpression':
      return ['&&', '||', '??'].includes(String(node.operator)) ? [...(node.operator === '&&' ? [] : writtenIn(node.left)), ...writtenIn(node.right)] : []
    case 'JSXExpressionContainer':
    case 'ParenthesisExpression':
    case 'TsAsExpression':
      return writtenIn(node.expression)
    case 'CallExpression':
      return Array.isArray(node.arguments) && textOf(node.callee) === 'cx'
        ? node.arguments.flatMap((one: { expression: unknown }) => writtenIn(one.expression))
        : []
    default:
      return []
  }
}

/** Finds which classes of which style sheets a source file uses. */
export function readUses(file: string, source: string): Uses {
  const program = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2022' })
  const sheets = new Map<string, string>()
  const [named, chosen, problems] = [new Map<string, Set<string>>(), new Set<string>(), [] as string[]]
  for (const item of program.body) {
    if (item.type !== 'ImportDeclaration' || !item.source.value.endsWith('.module.css')) continue
    const sheet = join(dirname(file), item.source.value)
    if (!named.has(sheet)) named.set(sheet, new Set())
    for (const one of item.specifiers) sheets.set(one.local.value, sheet)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (isNode(value)) {
      const sheet = value.type === 'MemberExpression' ? sheets.get(textOf(value.object) ?? '') : undefined
      if (sheet !== undefined && isNode(value.property)) {
        const computed = value.property.type === 'Computed' ? value.property.expression : null
        const name = computed === null ? textOf(value.property) : isNode(computed) && computed.type === 'StringLiteral' ? textOf(computed) : null
        if (name === null) chosen.add(sheet)
        else named.get(sheet)?.add(name)
      }
      const isClass =
        (value.type === 'JSXAttribute' && /^(className|\w+ClassName)$/.test(textOf(value.name) ?? '')) ||
        (value.type === 'KeyValueProperty' && textOf(value.key) === 'className')
      const written = isClass ? writtenIn(value.value) : value.type === 'CallExpression' ? writtenIn(value) : []
      const callee = value.type === 'CallExpression' && isNode(value.callee) ? value.callee : null
      const asked = callee === null ? null : textOf(callee.type === 'MemberExpression' ? callee.property : callee)
      if (asked !== null && /^(querySelector(All)?|closest|matches|roveOnKey)$/.test(asked) && Array.isArray(value.arguments)) {
        const selector = textOf((value.arguments[asked === 'roveOnKey' ? 1 : 0] as { expression?: unknown } | undefined)?.expression)
        if (selector !== null && /\.[a-z_]/i.test(selector.replace(/\[[^\]]*\]/g, '')))
          problems.push(`${file}: ${asked}('${selector}') looks for a class; look for a data attribute`)
      }
      for (const text of written) problems.push(`${file}: the class name "${text.trim()}" is text; take it from the sheet`)
    }
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(program.body)
  return { problems: [...new Set(problems)], named, chosen }
}

/** The layers of the renderer, lowest first. A sheet may refer only to classes of its own folder and of lower layers. */
const floors = ['kit', 'parts', 'signing', 'features', 'app']
const floorOf = (file: string): number => floors.indexOf(file.split('/')[1] ?? '')
const placeOf = (file: string): string =>
  file
    .split('/')
    .slice(1, file.startsWith('renderer/features/') ? 3 : 2)
    .join('/')

/** Reports all problems with the renderer’s styles, one sentence each. */
export function styleProblems(files: readonly string[], read: (file: string) => string = (file) => readFileSync(inRoot(file), 'utf8')): string[] {
  const sheetFiles = files.filter((file) => file.startsWith('renderer/') && file.endsWith('.css'))
  const problems = sheetFiles
    .filter((file) => file !== tokens && file !== base && !file.endsWith('.module.css'))
    .map((file) => `${file}: a sheet for all; only ${tokens} and ${base} are`)
  const sheets = new Map(sheetFiles.map((file) => [file, readSheet(file, read(file))]))
  const owners = new Map<string, string>()
  for (const [file, sheet] of sheets) {
    if (!file.endsWith('.module.css')) continue
    for (const name of sheet.classes) {
      const scoped = generateScopedName(name, file)
      const other = owners.get(scoped)
      if (other !== undefined) problems.push(`${file}: its classes are called as those of ${other}`)
      owners.set(scoped, file)
      if (/^[a-z]{1,2}$/i.test(name) && !shortWords.has(name)) problems.push(`${file}: .${name}: a class name says what it is`)
    }
  }
  const short = new Map<string, string>()
  for (const scoped of owners.keys()) {
    const other = short.get(shortName(scoped))
    if (other !== undefined) problems.push(`${scoped} and ${other} have one short name; call one of them otherwise`)
    short.set(shortName(scoped), scoped)
  }
  const [named, chosen] = [new Map<string, Set<string>>(), new Set<string>()]
  for (const file of files.filter((one) => one.startsWith('renderer/') && /\.tsx?$/.test(one) && !/\.test\.tsx?$/.test(one))) {
    const uses = readUses(file, read(file))
    problems.push(...uses.problems)
    for (const sheet of uses.chosen) chosen.add(sheet)
    for (const [sheet, names] of uses.named) {
      for (const name of names) {
        if (sheets.get(sheet)?.classes.has(name) !== true) problems.push(`${file}: ${basename(sheet)} has no class ${name}`)
        named.set(sheet, (named.get(sheet) ?? new Set()).add(name))
      }
    }
  }
  for (const [file, sheet] of sheets) {
    problems.push(...sheet.problems)
    for (const scoped of sheet.reached) {
      const owner = owners.get(scoped)
      if (owner === undefined) problems.push(`${file}: no sheet has the class ${scoped}`)
      else if (floorOf(owner) >= floorOf(file) && placeOf(owner) !== placeOf(file))
        problems.push(`${file}: reaches for ${scoped} of ${owner}, which is not below it`)
    }
    if (!file.endsWith('.module.css')) continue
    for (const name of sheet.classes) {
      if (named.get(file)?.has(name) === true || (chosen.has(file) && sheet.modifiers.has(name))) continue
      problems.push(`${file}: .${name} is named nowhere`)
    }
  }
  return problems
}

/** The allowed class names of one or two letters. All other class names must be longer. */
const shortWords = new Set(['at', 'go', 'id', 'no', 'of', 'off', 'ok', 'on', 'qr', 'up', 'xs', 'sm', 'md', 'lg'])
