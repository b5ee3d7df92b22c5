import { createHash } from 'node:crypto'
import type { HelpBlock, HelpDocument, HelpInline } from '../../../renderer/parts/help/help-document.ts'
import { type Language, languages } from '../../../shared/text/catalogue.ts'
import { type ReadDocument, readDocument } from './read-document.ts'

/** The language of a folder of `build/docs`; null for the folder of the English chapters. */
export const languageOf = (name: string): Exclude<Language, 'en'> | null =>
  languages.find((language): language is Exclude<Language, 'en'> => language !== 'en' && language === name) ?? null

/** A translated chapter. `changed`: one sentence for each section whose English text changed after the translation. */
interface ReadTranslation extends ReadDocument {
  readonly changed: readonly string[]
}

/** Matches generated tables, which `npm run readme` updates in every language. */
const generated = /<!-- (\S+) -->.*?<!-- \/\1 -->/gs

/** One hash for each section of an English chapter. A translated chapter begins with the hashes of the English sections that it translates. */
export function hashesOf(file: string, english: string): readonly string[] {
  const { title, sections } = readDocument(file, english.replaceAll(generated, '')).document
  return sections.map((section, index) =>
    createHash('sha256')
      .update(JSON.stringify(index === 0 ? [title, section] : section))
      .digest('hex')
      .slice(0, 6),
  )
}

/**
 * Parses a translated chapter and compares it with its English chapter. Each translated section gets the id of its English section, so links work in
 * every language. Both chapters must have the same headings, paragraphs, lists and tables, and the same links and code in each section.
 */
export function readTranslation(file: string, markdown: string, english: string): ReadTranslation {
  const of = readDocument(file.replace(/[a-z]+\/([^/]+)$/, '$1'), english).document
  const { document, problems } = readDocument(file, markdown)
  const wanted = hashesOf(file, english)
  const written = /^<!-- English: ([0-9a-f ]+) -->/.exec(markdown)?.[1]?.split(' ') ?? []
  const changed = of.sections.flatMap(({ title }, index) => {
    const [now = '', before = 'no hash'] = [wanted[index], written[index]]
    return now === before ? [] : [`${file}: the English of “${title}” has changed. Translate the change, then write ${now} in place of ${before}`]
  })
  if (written.length > wanted.length) changed.push(`${file}: translates ${written.length} sections; the English chapter has ${wanted.length}`)
  const differences = changed.length > 0 ? [] : differencesOf(document, of).map((what) => `${file}: ${what}`)
  const sections = document.sections.map((section, index) => ({ ...section, id: of.sections[index]?.id ?? section.id }))
  return { document: { ...document, sections }, problems: [...problems, ...differences], changed }
}

function differencesOf(document: HelpDocument, english: HelpDocument): readonly string[] {
  if (document.sections.length !== english.sections.length)
    return [`it has ${document.sections.length} sections; the English chapter has ${english.sections.length}`]
  return english.sections.flatMap(({ title, level, blocks }, index) => {
    const own = document.sections[index]
    const forms = [formOf(blocks), formOf(own?.blocks ?? [])]
    const parts = [partsOf(blocks).sort(), partsOf(own?.blocks ?? []).sort()]
    const missing = without(parts[0] ?? [], parts[1] ?? [])
    const added = without(parts[1] ?? [], parts[0] ?? [])
    return [
      ...(own?.level === level ? [] : [`“${own?.title}” has another level than “${title}”`]),
      ...(forms[0] === forms[1] ? [] : [`“${own?.title}” is ${forms[1]}; “${title}” is ${forms[0]}`]),
      ...missing.map((part) => `“${own?.title}” lacks ${part}`),
      ...added.map((part) => `“${own?.title}” has ${part}, which “${title}” lacks`),
    ]
  })
}

const without = (all: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others]
  return all.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The structure of a chapter as text: the kinds of its blocks, the lengths of its lists and the sizes of its tables. */
const formOf = (blocks: readonly HelpBlock[]): string =>
  blocks
    .map((block) => {
      if (block.kind === 'list') return `list of ${block.items.map((item) => `(${formOf(item)})`).join('')}`
      return block.kind === 'table' ? `table of ${block.rows.length} × ${block.head.length}` : block.kind
    })
    .join(', ')

/** The parts of a chapter that must be the same in every language: its links, and its code without code comments. */
const partsOf = (blocks: readonly HelpBlock[]): string[] => blocks.flatMap(partsIn)

function partsIn(block: HelpBlock): string[] {
  switch (block.kind) {
    case 'text':
      return inlineParts(block.text)
    case 'list':
      return block.items.flatMap(partsOf)
    case 'code':
      return [`the code ${block.code.replaceAll(/ +#.*$/gm, '')}`]
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.flatMap(inlineParts))
  }
}

const inlineParts = (text: readonly HelpInline[]): string[] =>
  text.flatMap((part) => {
    if (typeof part === 'string') return []
    if (part.kind === 'code') return [`the code ${part.code}`]
    const own = part.kind === 'link' ? [`a link to ${part.to}`] : part.kind === 'external' ? [`a link to ${part.page}`] : []
    return [...own, ...inlineParts(part.text)]
  })
