import { parseSync } from '@swc/core'
import { isNode, isSpan, type Node } from './sentences.ts'

/** Words that native readers stumble over, each with a replacement. */
const roundabout: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\banew\b/i, instead: 'again' },
  { word: /\b(?:by itself|by themselves)\b/i, instead: 'automatically' },
  { word: /\bnobody\b/i, instead: 'the one who does not, or “no one”' },
  { word: /\b(?:is|are|was|were) told\b/i, instead: 'is notified, learns, or name who says it' },
  { word: /\bstands?\b(?! for\b| in for\b|-in)/i, instead: 'is, shows' },
  { word: /\bgo(?:es)? on\b/i, instead: 'continue' },
  { word: /\btook in\b|\btaken in\b/i, instead: 'stored' },
  { word: /\bbegan?\b|\bbegun\b/i, instead: 'start' },
  { word: /\bwhatever\b/i, instead: 'regardless of, or any' },
]

/** Terms that display texts must not use, each with a replacement. Comments and code may use them with other meanings. */
const retired: typeof roundabout = [
  { word: /\bmost slippage\b/i, instead: 'max slippage' },
  { word: /\bnames in payloads\b/i, instead: 'field map' },
  { word: /\b(?:signing|message) layout\b/i, instead: 'signing format' },
  { word: /\bpinned\b/i, instead: 'trust, trusted' },
  { word: /\bread back\b/i, instead: 'verified' },
  { word: /\bnot enough to\b/i, instead: 'cannot' },
  { word: /\bbecomes? real\b/i, instead: 'is realised' },
  { word: /\bnothing needs you\b/i, instead: 'all clear' },
]

export const mostWordsInSentence = 20

export interface FoundWords {
  readonly line: number
  readonly problem: string
}

const textOf = (node: Node): string | null => {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null
  return node.quasis.map((part: unknown) => (isNode(part) && typeof part.raw === 'string' ? part.raw : '')).join('0')
}

/**
 * Checks the strings of a text catalogue (`.ts` or `.tsx`). Finds roundabout words, retired terms, and sentences with more than `mostWordsInSentence`
 * words.
 */
export function textProblems(source: string): readonly FoundWords[] {
  const module = parseSync(`;${source}`, { syntax: 'typescript', tsx: true, target: 'es2022' })
  const bytes = Buffer.from(source)
  const found: FoundWords[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      if (isNode(value) && value.type === 'ImportDeclaration') return
      const text = isNode(value) ? textOf(value) : null
      if (text !== null && isNode(value)) {
        const start = isSpan(value.span) ? value.span.start - module.span.start - 1 : 0
        const line = bytes.subarray(0, start).toString().split('\n').length
        for (const problem of [...wordsIn([...roundabout, ...retired], text), ...longIn(text)]) found.push({ line, problem })
      }
      for (const inner of Object.values(value)) visit(inner)
    }
  }
  visit(module.body)
  return found
}

const comment = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$/
const title = /(?:^\s*(?:test|describe)(?:\.\w+)?\(|\)\()\s*(['"`])(.*?)\1/

/** Finds roundabout words in the comments and the test titles of a source file. */
export const commentProblems = (source: string): readonly FoundWords[] =>
  source.split('\n').flatMap((text, index) => {
    const said = comment.exec(text)?.[1] ?? title.exec(text)?.[2]
    return said === undefined ? [] : wordsIn(roundabout, said).map((problem) => ({ line: index + 1, problem }))
  })

/** Finds the words of a list in a text, except inside backticks, which contain code. */
const wordsIn = (list: typeof roundabout, text: string): readonly string[] =>
  list.flatMap(({ word, instead }) => {
    const found = word.exec(text.replaceAll(/`[^`]*`/g, ''))
    return found === null ? [] : [`“${found[0]}”: write ${instead}`]
  })

const longIn = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length)
    .filter((words) => words > mostWordsInSentence)
    .map((words) => `${words} words in a sentence; at most ${mostWordsInSentence}`)

/** Checks only English catalogues, because a forbidden English word may be a correct word in German: “Stand”. */
const isCatalogue = (file: string): boolean => /^(?:renderer|shared)\/text\/(?!.*\.test\.|(?:de|ja)\.tsx?$).*\.tsx?$/.test(file)
const isSource = (file: string): boolean => /^(?:electron|renderer|shared|e2e|build)\/.*\.tsx?$/.test(file) && file !== 'build/scripts/rules/word-rules.ts'

/** Reports forbidden words in text catalogues, comments and test titles, one line each: `file:line: problem`. */
export function wordProblems(files: readonly string[], read: (file: string) => string): readonly string[] {
  const found = (file: string, problems: (source: string) => readonly FoundWords[]) =>
    problems(read(file)).map(({ line, problem }) => `${file}:${line}: ${problem}`)
  return [...files.filter(isCatalogue).flatMap((file) => found(file, textProblems)), ...files.filter(isSource).flatMap((file) => found(file, commentProblems))]
}
