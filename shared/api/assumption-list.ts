import { assumed } from './assumptions.ts'
import { assumedResources } from './schemas/all-resources.ts'

export interface Assumption {
  readonly name: string
  /** What is assumed, in a sentence. */
  readonly sentence: string
  /** Where the document says that it is not shown. */
  readonly source: string
}

/** Everything that is assumed of what the document does not show: of the answers, which say it with their fields, and of the rest. */
export const assumptions: readonly Assumption[] = [
  ...assumedResources.flatMap(({ name, sentence, source }) => (sentence === null ? [] : [{ name, sentence, source }])),
  ...Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source })),
]
