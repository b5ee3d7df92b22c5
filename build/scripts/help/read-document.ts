import { basename, posix } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import {
  type HelpBlock,
  type HelpCell,
  type HelpDocument,
  type HelpExternal,
  type HelpInline,
  type HelpSection,
  helpAddress,
} from '../../../renderer/parts/help/help-document.ts'
import { languages } from '../../../shared/text/catalogue.ts'
import { createSlugs } from '../rules/doc-rules.ts'

/** A page of `build/docs` as parsed data, and `problems`: one sentence for each part of the page that Help cannot show. */
export interface ReadDocument {
  readonly document: HelpDocument
  readonly problems: readonly string[]
}

export const folder = 'build/docs'

/** The external web pages that Help may link to. Key: the address in Markdown; value: the code that replaces the address in the parsed document. */
const externalPages: Readonly<Record<string, HelpExternal>> = { 'https://dashboard.reown.com': 'walletconnect_projects' }

/** Parses a page’s Markdown. Omits comments and pictures, because the app does not ship the documents’ pictures. */
export function readDocument(file: string, markdown: string): ReadDocument {
  const page = basename(file, '.md')
  const language = languages.find((one) => file.startsWith(`${folder}/${one}/`)) ?? 'en'
  const problems: string[] = []
  const cannot = (what: string): void => void problems.push(`${file}: ${what}; Help cannot show it`)
  const slugOf = createSlugs()
  const sections: { id: string; title: string; level: 2 | 3; blocks: HelpBlock[] }[] = []
  let title = ''

  const inline = (tokens: readonly Token[] | undefined): HelpInline[] => joined((tokens ?? []).flatMap(inlineOf))

  const inlineOf = (token: Token): HelpInline[] => {
    switch (token.type) {
      case 'text':
        return token.tokens === undefined ? [String(token.text)] : inline(token.tokens)
      case 'escape':
        return [String(token.text)]
      case 'codespan':
        return [{ kind: 'code', code: String(token.text) }]
      case 'strong':
        return [{ kind: 'bold', text: inline(token.tokens) }]
      case 'em':
        return [{ kind: 'italic', text: inline(token.tokens) }]
      case 'link':
        return linkOf(String(token.href), inline(token.tokens))
      case 'image':
        return []
      default:
        cannot(`“${token.raw.trim()}” is ${token.type}`)
        return []
    }
  }

  const linkOf = (href: string, text: readonly HelpInline[]): HelpInline[] => {
    if (/^[a-z]+:/i.test(href)) {
      const external = externalPages[href]
      if (external !== undefined) return [{ kind: 'external', page: external, text }]
      cannot(`${href} is no page that the app opens`)
      return [...text]
    }
    const [path = '', anchor = ''] = href.split('#')
    const target = posix.join(folder, path === '' ? `${page}.md` : path)
    if (posix.dirname(target) !== folder || !target.endsWith('.md')) {
      cannot(`${href} leads out of ${folder}`)
      return [...text]
    }
    return [{ kind: 'link', to: helpAddress(basename(target, '.md'), anchor), text }]
  }

  const cells = (row: readonly Tokens.TableCell[]): HelpCell[] => row.map((cell) => inline(cell.tokens))

  const blocksOf = (tokens: readonly Token[]): HelpBlock[] => tokens.flatMap(blockOf)

  const blockOf = (token: Token): HelpBlock[] => {
    switch (token.type) {
      case 'space':
        return []
      case 'html':
        if (!/^\s*<!--[\s\S]*-->\s*$/.test(token.raw)) cannot(`“${token.raw.trim()}” is HTML`)
        return []
      case 'paragraph':
      case 'text': {
        const text = inline(token.type === 'text' && token.tokens === undefined ? [token] : token.tokens)
        return text.length === 0 ? [] : [{ kind: 'text', text }]
      }
      case 'list': {
        const { ordered, items } = token as Tokens.List // safe cast: the Markdown lexer’s `type` determines the token’s shape
        return [{ kind: 'list', ordered, items: items.map((item) => blocksOf(item.tokens)) }]
      }
      case 'code':
        return [{ kind: 'code', code: String(token.text) }]
      case 'table': {
        const { header, rows } = token as Tokens.Table // safe cast: the Markdown lexer’s `type` determines the token’s shape
        return [{ kind: 'table', head: cells(header), rows: rows.map(cells) }]
      }
      default:
        cannot(`“${token.raw.trim().slice(0, 40)}” is ${token.type}`)
        return []
    }
  }

  for (const token of lexer(markdown)) {
    if (token.type === 'heading') {
      const { depth, tokens } = token as Tokens.Heading // safe cast: the Markdown lexer’s `type` determines the token’s shape
      const words = inline(tokens)
        .map((part) => (typeof part === 'string' ? part : part.kind === 'code' ? part.code : ''))
        .join('')
      const id = slugOf(words)
      if (depth === 1) {
        if (title !== '') cannot(`“${words}” is a second title`)
        title = words
      } else if (depth > 3) cannot(`“${words}” is a heading of level ${depth}`)
      else sections.push({ id, title: words, level: depth === 2 ? 2 : 3, blocks: [] })
      continue
    }
    const blocks = blockOf(token)
    if (blocks.length === 0) continue
    const last = sections.at(-1) ?? { id: '', title: '', level: 2 as const, blocks: [] }
    if (sections.length === 0) sections.push(last)
    last.blocks.push(...blocks)
  }
  if (title === '') cannot('it has no title')
  const all: readonly HelpSection[] = sections.map((section) => (section.id === '' ? { ...section, title } : section))
  return { document: { page, language, title, sections: all }, problems }
}

/** Joins neighbouring pieces of plain text into one. Replaces line breaks with spaces. */
function joined(parts: readonly HelpInline[]): HelpInline[] {
  const whole: HelpInline[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part.replaceAll('\n', ' ')
    else if (typeof part === 'string') whole.push(part.replaceAll('\n', ' '))
    else whole.push(part)
  }
  return whole.every((part) => typeof part === 'string' && part.trim() === '') ? [] : whole
}
