import { assumed } from './assumptions.ts'
import { assumedResources } from './schemas/all-resources.ts'

export interface Assumption {
  readonly name: string
  /** The assumption, in one sentence. */
  readonly sentence: string
  /** Where the document says that it does not show this. */
  readonly source: string
}

/** Everything the app assumes where the document shows nothing: the assumptions that resources declare with their fields, and all others. */
export const assumptions: readonly Assumption[] = [
  ...assumedResources.flatMap(({ name, sentence, source }) => (sentence === null ? [] : [{ name, sentence, source }])),
  ...Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source })),
]
