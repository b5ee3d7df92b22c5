import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { inRoot } from '../project.ts'
import { isNode, isSentence, isSpan, type Node } from './sentences.ts'

/**
 * Code must never make a decision from display text: editing words must not change what the app signs, allows or shows. Decisions use codes. This
 * check finds comparisons, searches and patterns with sentences, and with properties that contain display text, such as labels.
 */
const isChecked = (file: string): boolean =>
  /^(electron|renderer|shared)\/.*\.tsx?$/.test(file) && !file.startsWith('electron/practice/') && !/\.(test|fixture)\.tsx?$|\/testing\//.test(file)

/** Exceptions: comparisons with texts that the app did not write itself. `text`: the text that the code compares with or searches for. */
const allowed: readonly { readonly file: string; readonly text: string; readonly why: string }[] = []

const comparisons = new Set(['===', '!==', '==', '!='])
const searches = new Set(['startsWith', 'endsWith', 'includes', 'indexOf', 'match', 'search', 'test'])
/** Names of properties that contain display text. */
const texts = new Set(['label', 'remark', 'sentence', 'asked', 'signed', 'hint', 'lead'])

function unwrapped(node: unknown): unknown {
  if (!isNode(node)) return node
  if (node.type === 'OptionalChainingExpression') return unwrapped(node.base)
  return isNode(node.expression) ? unwrapped(node.expression) : node
}

const nameOf = (node: unknown): string => {
  const bare = unwrapped(node)
  if (!isNode(bare)) return ''
  if (bare.type === 'MemberExpression') return nameOf(bare.property)
  return bare.type === 'Identifier' && typeof bare.value === 'string' ? bare.value : ''
}

/** Whether the code reads a property that contains text for people, such as `row.label`. A local variable with such a name does not count. */
const isText = (node: unknown): boolean => {
  const bare = unwrapped(node)
  return isNode(bare) && bare.type === 'MemberExpression' && texts.has(nameOf(bare))
}

/** The text of a string literal, or the pattern of a regular expression; null for other nodes. */
function writtenIn(node: unknown): string | null {
  const bare = unwrapped(node)
  if (!isNode(bare)) return null
  if (bare.type === 'StringLiteral') return typeof bare.value === 'string' ? bare.value : null
  if (bare.type === 'RegExpLiteral') return typeof bare.pattern === 'string' ? bare.pattern : null
  if (bare.type !== 'TemplateLiteral' || !Array.isArray(bare.quasis)) return null
  return bare.quasis.map((part: unknown) => (isNode(part) && typeof part.raw === 'string' ? part.raw : '')).join('0x')
}

const isPattern = (node: unknown): boolean => isNode(node) && node.type === 'RegExpLiteral'
const isWordy = (text: string): boolean => /[A-Za-z]{3}/.test(text)

/** The literal that the code compares with display text; null if there is no such comparison. */
function decidedBy(text: unknown, by: unknown): string | null {
  const written = writtenIn(by)
  if (written === null) return null
  if (!isPattern(by) && isSentence(written)) return written
  return isText(text) && isWordy(written) && !/^0x/.test(written) ? written : null
}

function conditionOf(node: Node): string | null {
  if (node.type === 'BinaryExpression' && comparisons.has(String(node.operator))) return decidedBy(node.left, node.right) ?? decidedBy(node.right, node.left)
  if (node.type === 'SwitchCase') {
    const written = writtenIn(node.test)
    return written !== null && isSentence(written) ? written : null
  }
  if (node.type !== 'CallExpression') return null
  const callee = unwrapped(node.callee)
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !searches.has(nameOf(callee))) return null
  const [first] = Array.isArray(node.arguments) ? (node.arguments as readonly unknown[]) : []
  const argument = typeof first === 'object' && first !== null && 'expression' in first ? first.expression : undefined
  return nameOf(callee) === 'test' ? (isText(argument) ? decidedBy(argument, callee.object) : null) : decidedBy(callee.object, argument)
}

export interface SentenceCondition {
  readonly line: number
  readonly text: string
}

/** Finds decisions from display text in one file. */
export function findConditions(source: string, isTsx = false): readonly SentenceCondition[] {
  const module = parseSync(`;${source}`, { syntax: 'typescript', tsx: isTsx, target: 'es2022' })
  const bytes = Buffer.from(source)
  const lineAt = (node: Node): number => {
    const start = isSpan(node.span) ? node.span.start - module.span.start - 1 : 0
    return bytes.subarray(0, start).toString().split('\n').length
  }
  const found: SentenceCondition[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      const text = isNode(value) ? conditionOf(value) : null
      if (text !== null && isNode(value)) found.push({ line: lineAt(value), text })
      for (const inner of Object.values(value)) visit(inner)
    }
  }
  visit(module.body)
  return found
}

/** Reports decisions from display text, and exceptions that are no longer needed, one line per problem. */
export function conditionProblems(files: readonly string[], fewest = 600): string[] {
  const checked = files.filter(isChecked)
  const found = checked.flatMap((file) => findConditions(readFileSync(inRoot(file), 'utf8'), file.endsWith('.tsx')).map((one) => ({ file, ...one })))
  const idle = allowed.filter(({ file, text }) => !found.some((one) => one.file === file && one.text === text))
  return [
    ...found
      .filter((one) => !allowed.some(({ file, text }) => file === one.file && text === one.text))
      .map(({ file, line, text }) => `${file}:${line}: decided by the text “${text.slice(0, 60)}”; give it a code`),
    ...idle.map(({ file, text }) => `${file}: “${text}” needs no exception`),
    ...(checked.length < fewest ? [`only ${checked.length} files were read`] : []),
  ]
}
