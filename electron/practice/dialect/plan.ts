import type { Decimals, Dialect } from './draw.ts'
import { spelled } from './forms.ts'
import type { Field, Kind, Resource } from './resources.ts'
import { type Spelling, thesaurus, words } from './thesaurus.ts'

/** How the dialect writes one field of a record: its place in the response and the words for its values. */
export interface FieldPlan {
  readonly field: Field
  /** The names of the enclosing objects, outermost first, and then the field's own name. */
  readonly path: readonly string[]
  /** The path of the field that contains the scale; null if the scale is not in a field. */
  readonly scalePath: readonly string[] | null
  /** Maps the exchange's own words in this field, such as `long`, to the dialect's words; null if the dialect uses the exchange's words. */
  readonly spelling: Spelling | null
  readonly side: 'word' | 'flag' | 'sign'
}

export interface RecordPlan {
  readonly fields: readonly FieldPlan[]
  /** Keys of the record's fields that the dialect omits. */
  readonly omitted: readonly string[]
}

/** Whether a dialect may put nested objects into a record. flat: it may not, for example because the record becomes a row of a table. */
export type Nesting = 'nested' | 'flat'

/** Returns how the dialect writes numbers of this kind; null if a field of this kind is not a decimal number. */
export function decimalsOf(kind: Kind, dialect: Dialect): Decimals | null {
  switch (kind) {
    case 'price':
      return dialect.price
    case 'usdc':
      return dialect.usdc
    case 'token':
      return dialect.token
    case 'ratio':
      return dialect.ratio
    case 'percent':
      return dialect.percent
    default:
      return typeof kind === 'object' && 'base' in kind ? dialect.size : null
  }
}

/** True if the dialect writes this size in USDC. A size whose record contains no price is always in the base asset. */
export const isUsdcSize = (kind: Kind, { size }: Dialect): boolean => isBase(kind) && kind.base !== null && size.unit === 'usdc'

const isTime = (kind: Kind): boolean => kind === 'ms' || kind === 'iso'
const isBase = (kind: Kind): kind is { readonly base: string | null } => typeof kind === 'object' && 'base' in kind
const isId = (kind: Kind): boolean => typeof kind === 'object' && 'id' in kind
const wordSet = (kind: Kind): string | null => (typeof kind === 'object' && 'word' in kind ? kind.word : null)

/**
 * Returns the words that the dialect adds to a field's name to show the unit. The name of a size may omit its unit only if the record has witnesses:
 * other fields that show the unit.
 */
function unitWords(kind: Kind, hasWitnesses: boolean, dialect: Dialect): readonly string[] {
  const word = isTime(kind) ? dialect.time.word : (decimalsOf(kind, dialect)?.word ?? '')
  const { isNamed, unitWord } = dialect.size
  const unit = isUsdcSize(kind, dialect) && (isNamed || !hasWitnesses) ? unitWord : ''
  return [unit, word].filter((each) => each !== '')
}

/** Returns the possible names for a field from the thesaurus. The dialect determines their order. The exchange's own name comes last. */
function candidates(field: Field, isOwnId: boolean, side: FieldPlan['side'], dialect: Dialect): readonly string[] {
  const { concept, kind } = field
  const own = concept.replaceAll('_', ' ')
  if (side === 'flag') return dialect.draw.shuffled('name:side flag', ['is long', 'is buy', 'long'])
  if (side === 'sign') return dialect.draw.shuffled('name:side sign', ['direction', 'sign', 'side sign'])
  const known = (thesaurus[concept] ?? [own]).filter((name) => (isOwnId || name !== 'id') && !(isUsdcSize(kind, dialect) && name.includes('base')))
  return [...dialect.draw.shuffled(`name:${concept}`, known), own, `${own} value`]
}

const sideForm = (kind: Kind, dialect: Dialect): FieldPlan['side'] => {
  const set = wordSet(kind)
  return set === 'side' || set === 'held_side' ? dialect.side : 'word'
}

export function planRecord(resource: Resource, nesting: Nesting, dialect: Dialect): RecordPlan {
  const taken = new Set<string>()
  const groups = new Set<string>()
  const reserve = (path: readonly string[]): boolean => {
    const joined = (length: number) => JSON.stringify(path.slice(0, length).map((name) => name.toLowerCase()))
    const outer = path.slice(1).map((_, index) => joined(index + 1))
    const whole = joined(path.length)
    if (taken.has(whole) || groups.has(whole) || outer.some((group) => taken.has(group))) return false
    taken.add(whole)
    for (const group of outer) groups.add(group)
    return true
  }
  const ownId = resource.fields.find(({ kind }) => isId(kind))
  const pathsOf = (spelling: string, tail: readonly string[]): readonly string[] => {
    const parts = spelling.split('/').map((part) => part.split(' '))
    const named = nesting === 'flat' ? [parts.flat()] : parts
    return named.map((part, index) => spelled(index === named.length - 1 ? [...part, ...tail] : part, dialect.style))
  }
  const planned = (field: Field): FieldPlan => {
    const { kind, key } = field
    const plain = { field, scalePath: null, spelling: null, side: 'word' as const }
    if (kind === 'fixed') return { ...plain, path: [key] }
    const side = sideForm(kind, dialect)
    const units = side === 'word' ? unitWords(kind, resource.sizeWitnesses.length > 0, dialect) : []
    const set = wordSet(kind)
    const options = set === null ? undefined : words[set]
    const spelling = options === undefined ? null : dialect.draw.pick(`words:${set}`, options)
    const needsScale = decimalsOf(kind, dialect)?.form === 'scaled_sibling'
    const names = candidates(field, field === ownId, side, dialect)
    for (const name of [...names, ...names.map((each) => `${each} ${key.replaceAll('_', ' ')}`)]) {
      const path = pathsOf(name, units)
      const scalePath = needsScale ? pathsOf(name, [...units, 'decimals']) : null
      if (!reserve(path)) continue
      if (scalePath !== null) reserve(scalePath)
      return { ...plain, path, scalePath, spelling, side }
    }
    throw new Error(`No name is left for ${key} of ${resource.name}`)
  }
  const fixed = resource.fields.filter(({ kind }) => kind === 'fixed')
  for (const { key } of fixed) reserve([key])
  const hidesSize = dialect.size.isOpen && resource.fields.some(({ kind }) => isBase(kind))
  const omitted = hidesSize ? resource.sizeWitnesses : []
  return { fields: resource.fields.filter(({ key }) => !omitted.includes(key)).map(planned), omitted }
}
