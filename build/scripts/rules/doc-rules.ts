import { posix } from 'node:path'

export const mostReadmeWords = 1_200
export const firstCommandWithin = 150

const fence = /^```.*?^```$/gms

/** Counts the words of prose. Headings and lists count; code blocks, tables, pictures and comments do not. */
export function proseWords(markdown: string): number {
  const prose = markdown
    .replaceAll(fence, '')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

export function readmeProblems(markdown: string): readonly string[] {
  const words = proseWords(markdown)
  const command = markdown.search(/^```sh$/m)
  const before = command < 0 ? null : proseWords(markdown.slice(0, command))
  return [
    ...(words > mostReadmeWords ? [`README.md: ${words} words of prose; at most ${mostReadmeWords}. Move the rest to build/docs`] : []),
    ...(before === null ? ['README.md: it shows no command'] : []),
    ...(before !== null && before > firstCommandWithin ? [`README.md: ${before} words before the first command; at most ${firstCommandWithin}`] : []),
  ]
}

/**
 * Returns a function that turns a heading into GitHub’s anchor. Call the function with all headings of one page in order, because repeated headings
 * get numbers.
 */
export function createSlugs(): (heading: string) => string {
  const anchors = new Set<string>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
    return anchor
  }
}

function anchorsOf(markdown: string): ReadonlySet<string> {
  const slugOf = createSlugs()
  return new Set([...markdown.replaceAll(fence, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => slugOf(heading)))
}

/**
 * The relative links in `pages` whose target file or heading is missing. `pages`: path to Markdown text. `exists`: whether the repository contains a
 * path.
 */
export function linkProblems(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): readonly string[] {
  const problems: string[] = []
  for (const [page, markdown] of pages) {
    const text = markdown.replaceAll(fence, '').replaceAll(/`[^`\n]*`/g, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/i.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? page : posix.join(posix.dirname(page), path)
      if (!exists(file)) problems.push(`${page}: ${link} leads to no file`)
      else if (anchor !== undefined && !anchorsOf(pages.get(file) ?? '').has(anchor)) problems.push(`${page}: ${link} leads to no heading`)
    }
  }
  return problems
}
