import { assumed } from './assumptions.ts'
import { assumedResources } from './schemas/all-resources.ts'

export interface Assumption {
  readonly name: string
  /** What the app assumes, in one sentence. */
  readonly sentence: string
  /** The place where the API document says that it does not show this detail. */
  readonly source: string
}

/**
 * Everything that the app assumes because the API document does not show it: the assumptions that resources declare with their fields, and
 * all others.
 */
export const assumptions: readonly Assumption[] = [
  ...assumedResources.flatMap(({ name, sentence, source }) => (sentence === null ? [] : [{ name, sentence, source }])),
  ...Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source })),
]

/** Returns the table of build/docs/assumptions.md as Markdown. */
export function assumptionTable(rowsOf: readonly Assumption[]): string {
  const rows = rowsOf.map(({ name, sentence, source }) => [`\`${name}\``, sentence.replaceAll('|', '\\|'), source.replaceAll('|', '\\|')])
  return `${[['Assumption', 'What is assumed', 'Where the document leaves it open'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
