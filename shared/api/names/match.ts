import type { Field, Fields, Vote } from '../reader/field.ts'
import { type Unit, unitIn } from '../reader/units.ts'
import { canonical, keyOf, wordsOf } from './name-words.ts'
import { genericWords, neutralWords, phrases, qualifiers, subjects, synonyms } from './vocabulary.ts'
import type { Node } from './walk.ts'

/** How surely a name is the one that is meant; lower is surer. */
export const sureness = { exact: 0, words: 1, bare: 2, within: 3, shown: 4 } as const

/** A place that may hold a field. */
export interface Match {
  readonly field: number
  /** Which of the field's aliases it is; lower is better. */
  readonly alias: number
  readonly level: number
  readonly unit: Unit
}

interface Named {
  readonly field: number
  readonly alias: number
  readonly unit: Unit
  /** The rest of the name without its denomination is another field's: only a name that says it is this one's. */
  readonly isToldApart?: boolean
}

type Index = Map<string, Named[]>

const put = (index: Index, key: string, named: Named): void => {
  const found = index.get(key)
  if (found === undefined) index.set(key, [named])
  else if (!found.some(({ field }) => field === named.field)) found.push(named)
}

/** Acts that alone name a price or a size, and no time. */
const amountActs: ReadonlySet<string> = new Set(['filled', 'execution', 'traded', 'matched', 'done', 'open', 'close', 'exit', 'entry'])

/** Names at the end of a path that may make up a field's. */
const mostSegments = 3

/** Words at which glued names are cut: the app's own, and those of the aliases. */
const commonWords: ReadonlySet<string> = new Set([
  ...Object.keys(synonyms),
  ...Object.values(synonyms).flat(),
  ...neutralWords,
  ...qualifiers,
  ...subjects,
  ...genericWords,
  ...phrases.flatMap(([from, to]) => [...from, ...to]),
])

/** Finds which fields of a resource a place may hold, by the words of its path. Built once for each resource. */
export interface Matcher {
  readonly known: ReadonlySet<string>
  /** Whether any field's name holds one of the words. */
  mentions(words: readonly string[]): boolean
  matches(node: Node): readonly Match[]
}

const familyOf = ({ kind }: Field<unknown>): string => `${kind.family}${kind.numeric?.target === 'hourly' ? ' rate' : ''}`

export function createMatcher(names: readonly string[], fields: Fields): Matcher {
  const known = new Set(commonWords)
  for (const { aliases } of Object.values(fields)) for (const alias of aliases) for (const word of alias.split('_')) if (word.length > 2) known.add(word)

  const own: ReadonlySet<string> = new Set(names.flatMap((name) => wordsOf(name, known)))
  const isBare = (word: string): boolean => !neutralWords.has(word) && !own.has(word)
  const bareOf = (words: readonly string[]): readonly string[] => {
    const bare = words.filter(isBare)
    return bare.length === 0 ? words : bare
  }

  /** A place that shares no word with any alias holds none of the fields. */
  const mentioned = new Set<string>()
  const exact: Index = new Map()
  const whole: Index = new Map()
  const list = Object.values(fields)
  const families = [...new Set(list.map(familyOf))].map((family) => ({ family, full: new Map() as Index, bare: new Map() as Index }))
  const unitsFor = (words: readonly string[], family: string) =>
    unitIn(words, family.replace(' rate', '') as Field<unknown>['kind']['family'], family.endsWith(' rate')) // made of it above

  /** Fields by what is left of their names without a unit. */
  const owners = new Map<string, Set<number>>()
  list.forEach((field, place) => {
    for (const alias of field.aliases) {
      const key = `${familyOf(field)} ${keyOf(unitsFor(wordsOf(alias, known), familyOf(field)).rest)}`
      owners.set(key, (owners.get(key) ?? new Set()).add(place))
    }
  })

  list.forEach((field, place) => {
    const family = familyOf(field)
    const indexes = families.find((one) => one.family === family)
    field.aliases.forEach((alias, rank) => {
      const words = wordsOf(alias, known)
      for (const word of words) mentioned.add(word)
      const { unit, rest } = unitsFor(words, family)
      // A size that names no unit may be in any.
      const isToldApart = unit.denomination !== null && (rest.includes('size') || (owners.get(`${family} ${keyOf(rest)}`)?.size ?? 0) > 1)
      const named = { field: place, alias: rank, unit, isToldApart }
      put(exact, canonical(alias), named)
      put(whole, keyOf(words), named)
      if (indexes === undefined) return
      put(indexes.full, keyOf(rest), named)
      put(indexes.bare, keyOf(bareOf(rest)), named)
    })
  })

  /** A group changes the meaning of what it holds where it names another thing, or another state of this one. */
  const changesMeaning = (word: string): boolean => qualifiers.has(word) || (subjects.has(word) && !own.has(word))

  function matches({ path, segments, isRecord }: Node): readonly Match[] {
    const found: Match[] = []
    const add = (named: readonly Named[] | undefined, level: number, words: readonly string[]): void => {
      for (const { field, alias, unit, isToldApart } of named ?? []) {
        const { kind } = list[field] as Field<unknown> // an index that `put` was given
        if (kind.takes !== 'any' && (kind.takes === 'record') !== isRecord) continue
        const own = unitsFor(words, familyOf(list[field] as Field<unknown>)).unit // as above
        if (own.denomination !== null && unit.denomination !== null && own.denomination !== unit.denomination) continue
        if (isToldApart === true && own.denomination === null) continue
        if (!found.some((one) => one.field === field && (one.alias < alias || (one.alias === alias && one.level <= level))))
          found.push({ field, alias, level, unit: own })
      }
    }
    const said = segments.flat()
    // The least and the most are limits anyway.
    const words = said.some((word) => word === 'min' || word === 'max') ? said.filter((word) => word !== 'limit') : said
    if (!words.some((word) => mentioned.has(word))) return found
    const name = path.length === 1 ? path[0] : undefined
    if (name !== undefined) add(exact.get(canonical(name)), sureness.exact, words)
    else if (path.length <= mostSegments) add(exact.get(canonical(path.join(''))), sureness.words, words)
    add(whole.get(keyOf(words)), sureness.words, words)
    // A place that is named in full, with its unit, is no other field's.
    if (found.length > 0) return found
    for (const { family, full, bare } of families) {
      const { rest } = unitsFor(words, family)
      if (family === 'time' && rest.length === words.length && rest.every((word) => amountActs.has(word))) continue
      add(full.get(keyOf(rest)), sureness.words, words)
      add(bare.get(keyOf(bareOf(rest))), sureness.bare, words)
    }
    // A place that one field names in more words is not one that another names in fewer.
    const surest = Math.min(...found.map(({ level }) => level))
    if (found.some(({ level }) => level > surest)) return found.filter(({ level }) => level === surest)
    for (let cut = Math.max(1, segments.length - mostSegments); cut < segments.length && found.length === 0; cut += 1) {
      const inner = segments.slice(cut).flat()
      const outer = segments.slice(0, cut).flat()
      if (outer.some(changesMeaning) || (cut === segments.length - 1 && inner.every((word) => genericWords.has(word)))) continue
      for (const { family, full } of families) add(full.get(keyOf(unitsFor(inner, family).rest)), sureness.within, words)
    }
    return found
  }

  return { known, mentions: (words) => words.some((word) => mentioned.has(word)), matches }
}

/** Two amounts that are worked out of each other differ by less than this where prices move between them. */
const tolerance = 0.05

// Only to compare magnitudes; no amount is made of it.
const near = (one: number, other: number): boolean => other !== 0 && Math.abs(one / other - 1) <= tolerance
const magnitude = (value: string | null | undefined): number | null => {
  const number = value == null ? 0 : Math.abs(Number(value))
  return number > 0 && Number.isFinite(number) ? number : null
}

/** What stands beside a size. Amounts in USDC. */
interface AroundSize {
  readonly markPrice?: string | null
  readonly entryPrice?: string | null
  readonly price?: string | null
  readonly notionalUsdc?: string | null
  readonly orderValueUsdc?: string | null
  readonly valueUsdc?: string | null
  readonly marginUsdc?: string | null
  readonly leverage?: string | null
}

/** Whether a size is in base units: at one of the prices it is the notional, or the margin at its leverage. Where it could be either, neither. */
export function agreeOnSize(found: AroundSize, value: string): Vote {
  const size = magnitude(value)
  const margin = magnitude(found.marginUsdc)
  const leverage = magnitude(found.leverage)
  const worths = [found.notionalUsdc, found.orderValueUsdc, found.valueUsdc].map(magnitude).filter((one) => one !== null)
  if (margin !== null && leverage !== null) worths.push(margin * leverage)
  const prices = [found.markPrice, found.entryPrice, found.price].map(magnitude).filter((one) => one !== null)
  if (size === null || worths.length === 0) return null
  const isUsdc = worths.some((worth) => near(size, worth))
  const isBase = worths.some((worth) => prices.some((price) => near(size * price, worth)))
  if (isUsdc === isBase) return null
  return isBase ? 'as_named' : 'usdc'
}

/** In what a share of the equity is written, by the margin that it stands for. */
export function agreeOnMarginUsed({ marginUsdc, equity }: { readonly marginUsdc?: string | null; readonly equity?: string | null }, value: string): Vote {
  const margin = magnitude(marginUsdc)
  const whole = magnitude(equity)
  const share = magnitude(value)
  if (margin === null || whole === null || share === null) return null
  if (near(share, (margin / whole) * 100)) return 'percent'
  return near(share, margin / whole) ? 'fraction' : null
}

/** Decimals that an integer may carry. */
const scales = [0, 2, 3, 4, 6, 8, 9, 10, 12, 18] as const
/** A profit below this is mostly rounding, and one of a price that moved less is mostly what the price moved since. */
const least = { profit: 0.5, move: 0.001 } as const

interface AroundPosition extends AroundSize {
  readonly unrealisedPnl?: string | null
}

const isWhole = (value: string): boolean => !value.includes('.')

/** A whole number as a price may itself carry decimals. */
const hasWholePrices = ({ markPrice, entryPrice }: AroundPosition): boolean => [markPrice, entryPrice].every((price) => price == null || isWhole(price))

/** Whether prices that are whole numbers carry decimals: the size makes the notional at one of them with decimals, and not without. */
export function carryDecimals(found: AroundPosition & { readonly size: string | null }): boolean {
  const [size, worth] = [magnitude(found.size), magnitude(found.notionalUsdc)]
  const prices = [found.markPrice, found.entryPrice].map(magnitude).filter((one) => one !== null)
  if (size === null || worth === null || !hasWholePrices(found)) return false
  const fits = (scale: number): boolean => prices.some((price) => near((size * price) / 10 ** scale, worth))
  return !fits(0) && scales.some(fits)
}

/**
 * What the size of a position is: the only reading, in base units or in USDC and with what decimals, at which it is the notional, the margin at its
 * leverage, or makes the profit. Decimals that nothing names take two of these that agree.
 */
export function agreeOnPositionSize(found: AroundPosition, value: string): Vote {
  const size = magnitude(value)
  if (size === null) return null
  const [mark, entry, pnl, margin, leverage] = [found.markPrice, found.entryPrice, found.unrealisedPnl, found.marginUsdc, found.leverage].map(magnitude)
  const prices = [mark, entry].filter((one) => one != null)
  const worths = [magnitude(found.notionalUsdc), margin != null && leverage != null ? margin * leverage : null].filter((one) => one !== null)
  const moved = mark != null && entry != null ? Math.abs(mark - entry) : 0
  const tells = pnl != null && entry != null && pnl >= least.profit && moved >= entry * least.move
  const fitting = (isWhole(value) && !hasWholePrices(found) ? scales : [0]).flatMap((scale) => {
    const units = size / 10 ** scale
    const base = worths.filter((worth) => prices.some((price) => near(units * price, worth))).length + (tells && near(units * moved, pnl) ? 1 : 0)
    const usdc = worths.filter((worth) => near(units, worth)).length + (tells && prices.some((price) => near((units / price) * moved, pnl)) ? 1 : 0)
    return [
      { scale, isBase: true, backed: base },
      { scale, isBase: false, backed: usdc },
    ].filter(({ backed }) => backed > 0)
  })
  const [only, ...others] = fitting
  if (only === undefined || others.length > 0) return null
  if (!only.isBase) return 'usdc'
  return only.scale === 0 ? 'as_named' : only.backed > 1 ? only.scale : null
}

/** Of a trade's worth, in parts of one: no service asks more for it, or less. */
const fees = { most: 0.01, least: 0.000_01 } as const

/** Whether a trade's size is in base units, by its fee: in the other unit it would be no fee that anyone asks. */
export function agreeOnFee({ price, feeUsdc }: { readonly price: string | null; readonly feeUsdc: string | null }, value: string): Vote {
  const [size, each, fee] = [magnitude(value), magnitude(price), magnitude(feeUsdc)]
  if (size === null || each === null || fee === null) return null
  const isFee = (worth: number): boolean => fee / worth >= fees.least && fee / worth <= fees.most
  const [isBase, isUsdc] = [isFee(size * each), isFee(size)]
  if (isBase === isUsdc) return null
  return isBase ? 'as_named' : 'usdc'
}
