import { type Dialect, drawDialect } from '../../electron/practice/dialect/draw.ts'
import { planRecord } from '../../electron/practice/dialect/plan.ts'
import { answers, preparedParts, type Resource } from '../../electron/practice/dialect/resources.ts'
import { canonical, keyOf, wordsOf } from '../../shared/api/names/name-words.ts'
import { mappedResources } from '../../shared/field-map/answer-fields.ts'

/** How many field names a dialect uses in responses, and how many of them the app does not know. */
export interface DrawnNames {
  readonly drawn: number
  /** Names that no schema of the app contains, ignoring case and separators. */
  readonly unspelled: number
  /** Names that match none in the app’s schemas, even after replacing words by synonyms and changing their order. */
  readonly unworded: number
}

const inner = ({ fields }: Resource): readonly Resource[] =>
  fields.flatMap(({ kind }) => (typeof kind !== 'object' ? [] : 'one' in kind ? [kind.one] : 'many' in kind ? [kind.many] : []))
const withInner = (resource: Resource): readonly Resource[] => [resource, ...inner(resource).flatMap(withInner)]
const told: ReadonlySet<Resource> = new Set([...Object.values(answers).map(({ resource }) => resource), ...Object.values(preparedParts)].flatMap(withInner))

const aliases = mappedResources.flatMap(({ fields }) => Object.values(fields).flatMap((field) => field.aliases))
const words: ReadonlySet<string> = new Set(aliases.flatMap((alias) => alias.split('_')))
const spelled: ReadonlySet<string> = new Set(aliases.map(canonical))
const worded: ReadonlySet<string> = new Set(aliases.map((alias) => keyOf(wordsOf(alias, words))))

/** The forms in which the app may read a name: with its unit at the end, and without. */
function asWritten(path: readonly string[], { price, usdc, size, token, percent, time }: Dialect): readonly string[] {
  const names = [path.join('_')]
  const units = [price.word, usdc.word, size.word, size.unitWord, token.word, percent.word, time.word].filter((word) => word !== '')
  for (const name of names) {
    const unit = units.find((word) => name.length > word.length && name.toLowerCase().endsWith(word))
    if (unit !== undefined) names.push(name.slice(0, -unit.length))
  }
  return names
}

const known = new Map<string, { readonly bySpelling: boolean; readonly byWords: boolean }>()
function knownAs(name: string) {
  const found = known.get(name) ?? { bySpelling: spelled.has(canonical(name)), byWords: worded.has(keyOf(wordsOf(name, words))) }
  known.set(name, found)
  return found
}

/** The field names in all responses in the dialect of this seed, except those in the documentation. A name counts once per record type. */
export function drawnNames(seed: number): DrawnNames {
  const dialect = drawDialect(seed)
  const names = [...told].flatMap((resource) =>
    planRecord(resource, 'nested', dialect).fields.flatMap(({ field, path }) => (field.kind === 'fixed' ? [] : [asWritten(path, dialect)])),
  )
  const unknown = (by: 'bySpelling' | 'byWords') => names.filter((each) => !each.some((name) => knownAs(name)[by])).length
  return { drawn: names.length, unspelled: unknown('bySpelling'), unworded: unknown('byWords') }
}

/** Minimum percentage of field names that the app must not know. With fewer, the proof would only test names for which the app was built. */
export const leastUnspelled = 20

export function percentOf(all: readonly DrawnNames[]): { readonly unspelled: number; readonly unworded: number } {
  const share = (of: 'unspelled' | 'unworded') =>
    (100 * all.reduce((sum, each) => sum + each[of], 0)) /
    Math.max(
      1,
      all.reduce((sum, { drawn }) => sum + drawn, 0),
    )
  return { unspelled: share('unspelled'), unworded: share('unworded') }
}
