import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { inRoot } from '../project.ts'

/**
 * The main process returns codes and facts. `renderer/text` turns them into sentences for the windows, and `electron/terminal` for the command line.
 * `shared/text` contains the sentences that both use, and those for the system’s own dialogs and for the files that main writes. This check
 * finds English in the rest of electron/, and in shared/signing, which runs in main.
 */
const isChecked = (file: string): boolean =>
  /^(?:electron\/(?!practice\/|terminal\/)|shared\/(?:(?:signing|ticket|webhooks)\/|limits-draft)).*\.ts$/.test(file) &&
  !/\.(test|fixture)\.ts$|\/testing\//.test(file)

/** Files of the main process that may contain English text, each with the reason. */
const places: readonly { readonly file: string; readonly why: string }[] = [
  { file: 'electron/kernel/files/dialog-words.ts', why: 'headings of exported tables' },
  { file: 'electron/main.ts', why: 'what it prints on the terminal when it does not start' },
  { file: 'electron/host/app/end-on-error.ts', why: 'the log' },
  { file: 'electron/start.ts', why: 'the log, and the name of a keychain' },
  { file: 'electron/host/processes/forks.ts', why: 'names of processes' },
  { file: 'electron/keys/issuance/custom-key.ts', why: 'the label of a key' },
  { file: 'electron/gateway/headless-gateway.ts', why: 'the help of metrics, which Prometheus shows' },
  { file: 'electron/gateway/state/postgres-state.ts', why: 'statements of SQL' },
  { file: 'electron/keys/leaks/candidates.ts', why: 'pairs of letters' },
  { file: 'shared/signing/message/signing-format.ts', why: 'how formats are stored' },
  { file: 'electron/host/support/bundle.ts', why: 'the support bundle, which developers read in English' },
  { file: 'electron/store/records/written-reasons.ts', why: 'the sentences of old journals, which the migration finds the codes of' },
]

/** Folders that still contain English text, each with the allowed number of sentences. Never raise that number. */
const left: readonly { readonly folder: string; readonly most: number }[] = []

export interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
export const isSpan = (value: unknown): value is { readonly start: number } =>
  typeof value === 'object' && value !== null && 'start' in value && typeof value.start === 'number'

/** SQL statements, headers and policies look like sentences, but only machines read them. Such text is allowed. */
const forMachines =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|WITH|VACUUM|REPLACE|FROM|WHERE|AND|ORDER BY|ON)\b/

/** Whether a text counts as a sentence: it has three words in a row, or two if the first starts with a capital. */
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

/** Whether only developers read a text: it belongs to an error that reports a bug, or to the log. */
const isForDevelopers = (node: Node): boolean => {
  if (node.type === 'NewExpression') return /(Error|Overflow)$/.test(nameOf(node.callee))
  return node.type === 'CallExpression' && (nameOf(node.callee) === 'log' || (isNode(node.callee) && node.callee.type === 'Super'))
}

export interface FoundSentence {
  readonly line: number
  readonly text: string
}

export function findSentences(source: string): readonly FoundSentence[] {
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

/** Reports where the main process writes English outside the allowed files, and exceptions that are no longer needed. */
export function sentenceProblems(files: readonly string[], fewest = 250): string[] {
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
      .map(({ file, line, text }) => `${file}:${line}: “${text.slice(0, 60)}” belongs in renderer/text or shared/text, as a code here`),
    ...over,
    ...idle,
    ...(checked.length < fewest ? [`only ${checked.length} files were read`] : []),
  ]
}
