import type { Language } from '../../../shared/text/catalogue.ts'

/** A page of `build/docs` as data. `build/scripts/help` makes it from the page's Markdown when the app is built. */
export interface HelpDocument {
  /** The file name without its extension. */
  readonly page: string
  readonly language: Language
  readonly title: string
  /** The sections in order. The first one is the text before the first heading; its id is empty. */
  readonly sections: readonly HelpSection[]
}

export interface HelpSection {
  /** The section's anchor, made from the English heading in every language. */
  readonly id: string
  readonly title: string
  readonly level: 2 | 3
  readonly blocks: readonly HelpBlock[]
}

export type HelpBlock =
  | { readonly kind: 'text'; readonly text: readonly HelpInline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly HelpBlock[])[] }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'table'; readonly head: readonly HelpCell[]; readonly rows: readonly (readonly HelpCell[])[] }

export type HelpCell = readonly HelpInline[]

export type HelpInline =
  | string
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'bold' | 'italic'; readonly text: readonly HelpInline[] }
  /** A link inside the app; `to` is an address such as `help/orders/check-before-you-sign`. */
  | { readonly kind: 'link'; readonly to: string; readonly text: readonly HelpInline[] }
  /** A web page that the app may open in the browser. */
  | { readonly kind: 'external'; readonly page: HelpExternal; readonly text: readonly HelpInline[] }

/** The web pages to which a document may link. The main process opens no others. */
export type HelpExternal = 'walletconnect_projects'

const inlineText = (text: readonly HelpInline[]): string =>
  text.map((part) => (typeof part === 'string' ? part : part.kind === 'code' ? part.code : inlineText(part.text))).join('')

export function plainTexts(blocks: readonly HelpBlock[]): string[] {
  return blocks.flatMap(textsOf)
}

function textsOf(block: HelpBlock): string[] {
  switch (block.kind) {
    case 'text':
      return [inlineText(block.text)]
    case 'list':
      return block.items.flatMap(plainTexts)
    case 'code':
      return [block.code]
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(inlineText).join(' · '))
  }
}

/** The address of a document or of one of its sections: `help/orders` or `help/orders/check-before-you-sign`. */
export const helpAddress = (page: string, section: string): string => (section === '' ? `help/${page}` : `help/${page}/${section}`)

/** Where the search words occur in a text. Joins places that overlap. */
export function marksIn(text: string, typed: string): readonly (readonly [start: number, end: number])[] {
  const words = wordsOf(typed)
  if (words.length === 0) return []
  const low = text.toLowerCase()
  const phrase = words.join(' ')
  // Mark the whole phrase if it occurs, otherwise each word.
  const wanted = low.includes(phrase) ? [phrase] : words
  const found = wanted.flatMap((word) => {
    const places: [number, number][] = []
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) places.push([at, at + word.length])
    return places
  })
  const joined: [number, number][] = []
  for (const [start, end] of found.sort((one, other) => one[0] - other[0])) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

const wordsOf = (typed: string): readonly string[] => typed.toLowerCase().split(/\s+/).filter(Boolean)

export interface HelpFinding {
  readonly page: string
  readonly language: Language
  readonly title: string
  readonly section: HelpSection
  /** The part of the section that matches best, shortened to a line or two. */
  readonly excerpt: string
}

/** The number of characters of an excerpt before its first match, and in total. */
const [before, longest] = [60, 180]

function excerptOf(text: string, typed: string): string {
  const [first] = marksIn(text, typed)
  if (text.length <= longest) return text
  const from = first === undefined || first[0] <= before ? 0 : cutAt(text, first[0] - before)
  const rest = text.slice(from)
  const end = rest.length <= longest ? rest.length : cutAt(rest, longest)
  return `${from === 0 ? '' : '… '}${rest.slice(0, end).trim()}${end < rest.length ? ' …' : ''}`
}

/** Where to cut an excerpt: at the start of the word at `position`. If no space is near, as in Japanese, at `position` itself. */
function cutAt(text: string, position: number): number {
  const space = text.lastIndexOf(' ', position)
  return space > position - before ? space + 1 : position
}

/**
 * The sections that contain every typed word, best first:
 * 1. the whole phrase in a heading, 2. the words in a heading,
 * 3. the phrase in a paragraph, 4. the words in one paragraph, 5. the words anywhere in the section.
 */
export function searchHelp(documents: readonly HelpDocument[], typed: string): readonly HelpFinding[] {
  const words = wordsOf(typed)
  if (words.length === 0) return []
  const phrase = words.join(' ')
  const holdsAll = (text: string) => words.every((word) => text.includes(word))
  const found: { readonly score: number; readonly finding: HelpFinding }[] = []
  for (const { page, language, title, sections } of documents) {
    for (const section of sections) {
      const texts = plainTexts(section.blocks)
      const heading = (section.id === '' ? title : `${section.title} ${title}`).toLowerCase()
      if (!holdsAll(`${heading} ${texts.join(' ').toLowerCase()}`)) continue
      const best = texts.find((text) => text.toLowerCase().includes(phrase)) ?? texts.find((text) => holdsAll(text.toLowerCase()))
      const score = [heading.includes(phrase), holdsAll(heading), best?.toLowerCase().includes(phrase) === true, best !== undefined].findIndex(Boolean)
      const shown = best ?? texts.find((text) => words.some((word) => text.toLowerCase().includes(word))) ?? texts[0] ?? ''
      found.push({ score: score < 0 ? 4 : score, finding: { page, language, title, section, excerpt: excerptOf(shown, typed) } })
    }
  }
  return found.sort((one, other) => one.score - other.score).map(({ finding }) => finding)
}
