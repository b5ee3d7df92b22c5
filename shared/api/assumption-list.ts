import { assumed } from './assumptions.ts'
import { assumedResources } from './schemas/all-resources.ts'

export interface Assumption {
  readonly name: string
  /** What the app assumes, in one sentence. */
  readonly sentence: string
  /** The place where the API document says that it leaves this detail out. */
  readonly source: string
}

/**
 * Everything that the app assumes because the API document does not show it. Some assumptions are declared together with a resource's fields; the
 * others are listed here.
 */
export const assumptions: readonly Assumption[] = [
  ...assumedResources.flatMap(({ name, sentence, source }) => (sentence === null ? [] : [{ name, sentence, source }])),
  ...Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source })),
]

/** Returns the Markdown table for build/docs/assumptions.md. */
export function assumptionTable(rowsOf: readonly Assumption[]): string {
  const rows = rowsOf.map(({ name, sentence, source }) => [`\`${name}\``, sentence.replaceAll('|', '\\|'), source.replaceAll('|', '\\|')])
  return `${[['Assumption', 'What is assumed', 'Where the document leaves it open'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
