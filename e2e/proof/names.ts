import { type Dialect, drawDialect } from '../../electron/practice/dialect/draw.ts'
import { planRecord } from '../../electron/practice/dialect/plan.ts'
import { answers, preparedParts, type Resource } from '../../electron/practice/dialect/resources.ts'
import { canonical, keyOf, wordsOf } from '../../shared/api/names/name-words.ts'
import { mappedResources } from '../../shared/field-map/answer-fields.ts'

/** How many field names a dialect uses in responses, and how many of them the app does not know. */
export interface DrawnNames {
  readonly drawn: number
  /** Number of names that no schema of the app contains, in any case and with any separators. */
  readonly unspelled: number
  /** Number of names that match no name in the app’s schemas, even after replacing words by synonyms and reordering them. */
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

/** A name may end in its unit, which the app reads as the unit. Returns the name with the unit and without it. */
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

/** The field names in the exchange’s responses in a seed’s dialect, except those that the documentation shows. Each name counts once per record. */
export function drawnNames(seed: number): DrawnNames {
  const dialect = drawDialect(seed)
  const names = [...told].flatMap((resource) =>
    planRecord(resource, 'nested', dialect).fields.flatMap(({ field, path }) => (field.kind === 'fixed' ? [] : [asWritten(path, dialect)])),
  )
  const unknown = (by: 'bySpelling' | 'byWords') => names.filter((each) => !each.some((name) => knownAs(name)[by])).length
  return { drawn: names.length, unspelled: unknown('bySpelling'), unworded: unknown('byWords') }
}

/** Percentage of all names that must be new to the app; otherwise the proof only tests the names that the app was built with. */
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
