import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { inRoot } from './project.ts'

/**
 * Main answers codes and facts. `renderer/text` makes sentences of them for the windows, `electron/terminal` for the command line, and
 * `shared/text` for both and for the files that main writes. This finds English in the rest of electron/.
 */
const isChecked = (file: string): boolean => /^electron\/(?!practice\/|terminal\/).*\.ts$/.test(file) && !/\.(test|fixture)\.ts$|\/testing\//.test(file)

/** Where main writes sentences: by file, and by outermost name where not all of it does. */
const places: readonly { readonly file: string; readonly why: string }[] = [
  { file: 'electron/store/journal/written-reasons.ts', why: 'the sentences of old journals, which the migration finds the codes of' },
]

/** Folders that still hold sentences, with how many at most. A number may only go down. */
const left: readonly { readonly folder: string; readonly most: number }[] = [
  { folder: 'electron/host/', most: 30 },
  { folder: 'electron/intents/', most: 30 },
  { folder: 'electron/kernel/files/', most: 2 },
  { folder: 'electron/keys/agents/', most: 22 },
  { folder: 'electron/keys/audit/', most: 1 },
  { folder: 'electron/keys/calls/', most: 4 },
  { folder: 'electron/keys/delivery/', most: 40 },
  { folder: 'electron/keys/expiry/', most: 3 },
  { folder: 'electron/keys/imported/', most: 2 },
  { folder: 'electron/keys/issuance/', most: 4 },
  { folder: 'electron/keys/leaks/', most: 2 },
  { folder: 'electron/keys/rotation/', most: 3 },
  { folder: 'electron/keys/sign-in/', most: 4 },
  { folder: 'electron/kill-switch/', most: 26 },
  { folder: 'electron/reads/', most: 14 },
  { folder: 'electron/service/', most: 5 },
  { folder: 'electron/store/', most: 15 },
  { folder: 'electron/wallet/', most: 6 },
  { folder: 'electron/webhooks/', most: 134 },
  { folder: 'electron/workspace/', most: 3 },
  { folder: 'electron/main.ts', most: 3 },
  { folder: 'electron/start.ts', most: 2 },
  { folder: 'electron/keys/console-key.ts', most: 1 },
]

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const isSpan = (value: unknown): value is { readonly start: number } =>
  typeof value === 'object' && value !== null && 'start' in value && typeof value.start === 'number'

/** Statements of the database, headers and policies read like words and are for machines. */
const forMachines =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|WITH|VACUUM|REPLACE|FROM|WHERE|AND|ORDER BY|ON)\b/

/** Three words in a row, or two of which the first begins with a capital. */
export function isSentence(text: string): boolean {
  if (forMachines.test(text) || /= \?|<> '/.test(text)) return false
  const words = "[A-Za-z’']+,?"
  return new RegExp(`(^|[\\s(“"])${words} ${words} ${words}(?=$|[\\s.,:;!?)”"…])`).test(text) || /^[A-Z][a-z’]+ [a-z’]{2,}/.test(text)
}

const textOf = (node: Node): string | null => {
  if (node.type === 'StringLiteral') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null
  return node.quasis.map((part: unknown) => (isNode(part) && typeof part.raw === 'string' ? part.raw : '')).join('0x')
}

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return typeof node.value === 'string' ? node.value : ''
}

/** What a developer reads: errors that are bugs, and the log. */
const isForDevelopers = (node: Node): boolean =>
  (node.type === 'NewExpression' && /Error$/.test(nameOf(node.callee))) || (node.type === 'CallExpression' && /^(log|logLine)$/.test(nameOf(node.callee)))

export interface FoundSentence {
  readonly line: number
  readonly text: string
}

/** English in one file. */
export function findSentences(source: string): readonly FoundSentence[] {
  // The parser counts on over all files; the token put before tells from where.
  const module = parseSync(`;${source}`, { syntax: 'typescript', target: 'es2022' })
  const bytes = Buffer.from(source)
  const lineAt = (node: Node): number => {
    const start = isSpan(node.span) ? node.span.start - module.span.start - 1 : 0
    return bytes.subarray(0, start).toString().split('\n').length
  }
  const found: FoundSentence[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      if (isNode(value)) {
        if (isForDevelopers(value)) return
        const text = textOf(value)
        if (text !== null && isSentence(text)) found.push({ line: lineAt(value), text })
      }
      for (const inner of Object.values(value)) visit(inner)
    }
  }
  visit(module.body)
  return found
}

/** Says where main writes English outside the places for it, and which places and folders need no exception any more. */
export function sentenceProblems(files: readonly string[], fewest = 300): string[] {
  const checked = files.filter(isChecked)
  const found = checked.flatMap((file) => findSentences(readFileSync(inRoot(file), 'utf8')).map((sentence) => ({ file, ...sentence })))
  const elsewhere = found.filter(({ file }) => !places.some((place) => place.file === file))
  const idle = places.filter(({ file }) => !found.some((one) => one.file === file)).map(({ file }) => `${file}: holds no sentence, and needs no exception`)
  const folderOf = (file: string) => left.find(({ folder }) => file.startsWith(folder))?.folder ?? null
  const over = left.flatMap(({ folder, most }) => {
    const count = elsewhere.filter(({ file }) => folderOf(file) === folder).length
    if (count === 0) return [`${folder}: holds no sentence any more, and needs no exception`]
    return count > most ? [`${folder}: ${count} sentences, and at most ${most} are left to turn into codes`] : []
  })
  return [
    ...elsewhere
      .filter(({ file }) => folderOf(file) === null)
      .map(({ file, line, text }) => `${file}:${line}: “${text.slice(0, 60)}” belongs in renderer/text, as a code here`),
    ...over,
    ...idle,
    ...(checked.length < fewest ? [`only ${checked.length} files were read`] : []),
  ]
}
