import type { Assumption } from './assumption-list.ts'

/** Returns the table of build/docs/assumptions.md as Markdown. */
export function assumptionTable(assumptions: readonly Assumption[]): string {
  const rows = assumptions.map(({ name, sentence, source }) => [`\`${name}\``, sentence.replaceAll('|', '\\|'), source.replaceAll('|', '\\|')])
  return `${[['Assumption', 'What is assumed', 'Where the document leaves it open'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
