import { parseSync } from '@swc/core'
import { type HelpBlock, type HelpDocument, type HelpInline, plainTexts } from '../../../renderer/parts/help/help-document.ts'
import { isNode, type Node } from './sentences.ts'

/** The interface texts of one language by key. Several areas may use the same key, so one key may have several texts. */
type Texts = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Reads the texts from the source code of text catalogues. Ignores a value at the end of a text: `Accept all (${count})` is read as “Accept all”.
 */
export function textsOf(sources: readonly string[]): Texts {
  const texts = new Map<string, Set<string>>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      if (isNode(value) && value.type === 'KeyValueProperty' && isNode(value.key)) {
        const text = textOf(value.value)
        const key = String(value.key.value)
        if (text !== null) texts.set(key, (texts.get(key) ?? new Set()).add(text))
      }
      for (const inner of Object.values(value)) visit(inner)
    }
  }
  for (const source of sources) visit(parseSync(source, { syntax: 'typescript', tsx: true, target: 'es2022' }).body)
  return texts
}

function textOf(value: unknown): string | null {
  if (!isNode(value)) return null
  if (value.type === 'StringLiteral') return String(value.value)
  if (value.type === 'ArrowFunctionExpression') return textOf(value.body)
  const [first, last, ...more] = value.type === 'TemplateLiteral' && Array.isArray(value.quasis) ? (value.quasis as readonly Node[]) : [] // safe cast: swc stores the parts of a template as syntax nodes
  return first === undefined || last === undefined || more.length > 0 ? null : String(first.cooked).replace(/\s*[(（]$/, '')
}

/** The keys of the interface texts that equal `label`. */
const keysOf = (texts: Texts, label: string): readonly string[] => [...texts].flatMap(([key, all]) => (all.has(label) ? [key] : []))

interface Labels {
  readonly section: string
  /** The labels of a section of a document, in order. `Settings → Lock` counts as two labels. */
  readonly labels: readonly string[]
}

/**
 * The interface labels in a document. Every bold text is a label, with two exceptions: a term that starts a list item and ends before a colon, and
 * a whole sentence.
 */
const labelsOf = ({ sections }: HelpDocument): readonly Labels[] =>
  sections.map(({ title, blocks }) => ({ section: title, labels: blocks.flatMap((block) => labelsIn(block, false)).flatMap((label) => label.split(' → ')) }))

function labelsIn(block: HelpBlock, startsItem: boolean): readonly string[] {
  switch (block.kind) {
    case 'text':
      return labelsAmong(block.text, startsItem)
    case 'list':
      return block.items.flatMap((item) => item.flatMap((inner, index) => labelsIn(inner, index === 0)))
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.flatMap((cell) => labelsAmong(cell, false)))
    case 'code':
      return []
  }
}

const labelsAmong = (text: readonly HelpInline[], startsItem: boolean): readonly string[] =>
  text.flatMap((part, index) => {
    if (typeof part === 'string' || part.kind === 'code') return []
    if (part.kind !== 'bold') return labelsAmong(part.text, false)
    const [label = ''] = plainTexts([{ kind: 'text', text: part.text }])
    const next = text[index + 1]
    const isTerm = startsItem && index === 0 && typeof next === 'string' && /^[:：]/.test(next)
    return isTerm || /[.?!。？！]$/.test(label) ? [] : [label]
  })

/** Reports bold texts of an English document that should be interface labels but do not occur in the interface. */
export const labelProblems = (file: string, document: HelpDocument, english: Texts): readonly string[] =>
  labelsOf(document).flatMap(({ section, labels }) =>
    labels.filter((label) => keysOf(english, label).length === 0).map((label) => `${file}: “${label}” in “${section}” is no text of the interface`),
  )

/**
 * Compares the labels of a translated chapter with its English chapter. Reports English labels whose translation is missing in the same section, and
 * labels that translate no English label.
 */
export function translatedLabelProblems(
  file: string,
  document: HelpDocument,
  english: HelpDocument,
  texts: { readonly english: Texts; readonly own: Texts },
): readonly string[] {
  const translations = (label: string) => new Set(keysOf(texts.english, label).flatMap((key) => [...(texts.own.get(key) ?? [])]))
  const own = labelsOf(document)
  return labelsOf(english).flatMap(({ labels }, index) => {
    const { section, labels: found } = own[index] ?? { section: '', labels: [] }
    const left = [...found]
    const missing = labels.filter((label) => {
      const all = translations(label)
      const at = left.findIndex((one) => all.has(one))
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    return [
      ...missing.map((label) => `${file}: “${section}” lacks the label “${[...translations(label)].join('” or “')}” (${label})`),
      ...left.map((label) => `${file}: “${label}” in “${section}” translates no label of the English chapter`),
    ]
  })
}
