import type { Field, Fields, Vote } from '../reader/field.ts'
import { type Unit, unitIn } from '../reader/units.ts'
import { canonical, keyOf, wordsOf } from './name-words.ts'
import { genericWords, neutralWords, phrases, qualifiers, subjects, synonyms } from './vocabulary.ts'
import type { Node } from './walk.ts'

/** How certain it is that a property name in the service's answer means a field that the app reads. A lower number is more certain. */
export const sureness = { exact: 0, words: 1, bare: 2, within: 3, shown: 4 } as const

/** A field that a property of the answer may contain. Found by comparing the property's name with the field's aliases. */
export interface Match {
  readonly field: number
  /** Index of the matching alias in the field's list of aliases. A lower index is a better match. */
  readonly alias: number
  readonly level: number
  readonly unit: Unit
}

interface Named {
  readonly field: number
  readonly alias: number
  readonly unit: Unit
  /**
   * true if the property's name must state a denomination (base or USDC) to mean this field. Without a denomination, the same name means another
   * field.
   */
  readonly needsDenomination?: boolean
}

type Index = Map<string, Named[]>

const put = (index: Index, key: string, named: Named): void => {
  const found = index.get(key)
  if (found === undefined) index.set(key, [named])
  else if (!found.some(({ field }) => field === named.field)) found.push(named)
}

/** Verbs that mean a price or a size in a name without a noun, for example `filled`. They never mean a time. */
const amountActs: ReadonlySet<string> = new Set(['filled', 'execution', 'traded', 'matched', 'done', 'open', 'close', 'exit', 'entry'])

/** The maximum number of names at the end of a path that together name a field. For example, two in `prices.mark`. */
const mostSegments = 3

/** Words at which the app splits a name that has no separators, in addition to the words of the aliases. */
const commonWords: ReadonlySet<string> = new Set([
  ...Object.keys(synonyms),
  ...Object.values(synonyms).flat(),
  ...neutralWords,
  ...qualifiers,
  ...subjects,
  ...genericWords,
  ...phrases.flatMap(([from, to]) => [...from, ...to]),
])

/** Matches a property's path to the fields of one resource. Built once for each resource. */
export interface Matcher {
  readonly known: ReadonlySet<string>
  /** Whether any field's name contains one of these words. */
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

  /** All words of all aliases. A path without any of these words cannot name a field. */
  const mentioned = new Set<string>()
  /** The most different words in one alias. More words than that name no field, so the app need not sort them. */
  let mostWords = 0
  const namedBy = (index: Index, words: readonly string[]): readonly Named[] | undefined =>
    words.length > mostWords && new Set(words).size > mostWords ? undefined : index.get(keyOf(words))
  const exact: Index = new Map()
  const whole: Index = new Map()
  const list = Object.values(fields)
  const families = [...new Set(list.map(familyOf))].map((family) => ({ family, full: new Map() as Index, bare: new Map() as Index }))
  const unitsFor = (words: readonly string[], family: string) =>
    unitIn(words, family.replace(' rate', '') as Field<unknown>['kind']['family'], family.endsWith(' rate')) // the cast is safe: `familyOf` made this name

  /** For each alias without its unit: the indexes of the fields that have this alias. The key joins the kind of value and the words of the alias. */
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
      mostWords = Math.max(mostWords, new Set(words).size)
      const { unit, rest } = unitsFor(words, family)
      // A size without a stated unit may be in base units or in USDC. So a size field matches only a name that contains the denomination.
      const needsDenomination = unit.denomination !== null && (rest.includes('size') || (owners.get(`${family} ${keyOf(rest)}`)?.size ?? 0) > 1)
      const named = { field: place, alias: rank, unit, needsDenomination }
      put(exact, canonical(alias), named)
      put(whole, keyOf(words), named)
      if (indexes === undefined) return
      put(indexes.full, keyOf(rest), named)
      put(indexes.bare, keyOf(bareOf(rest)), named)
    })
  })

  /** Whether a group's name changes the meaning of the fields inside the group. True for `previous`, and for the name of another subject. */
  const changesMeaning = (word: string): boolean => qualifiers.has(word) || (subjects.has(word) && !own.has(word))

  function matches({ path, segments, isRecord }: Node): readonly Match[] {
    const found: Match[] = []
    const add = (named: readonly Named[] | undefined, level: number, words: readonly string[]): void => {
      for (const { field, alias, unit, needsDenomination } of named ?? []) {
        const { kind } = list[field] as Field<unknown> // the cast is safe: `field` is an index of `list`
        if (kind.takes !== 'any' && (kind.takes === 'record') !== isRecord) continue
        const own = unitsFor(words, familyOf(list[field] as Field<unknown>)).unit // the cast is safe: `field` is an index of `list`
        if (own.denomination !== null && unit.denomination !== null && own.denomination !== unit.denomination) continue
        if (needsDenomination === true && own.denomination === null) continue
        if (!found.some((one) => one.field === field && (one.alias < alias || (one.alias === alias && one.level <= level))))
          found.push({ field, alias, level, unit: own })
      }
    }
    const said = segments.flat()
    // Ignore "limit" beside "min" or "max", because both words already mean a limit.
    const words = said.some((word) => word === 'min' || word === 'max') ? said.filter((word) => word !== 'limit') : said
    if (!words.some((word) => mentioned.has(word))) return found
    const name = path.length === 1 ? path[0] : undefined
    if (name !== undefined) add(exact.get(canonical(name)), sureness.exact, words)
    else if (path.length <= mostSegments) add(exact.get(canonical(path.join(''))), sureness.words, words)
    add(namedBy(whole, words), sureness.words, words)
    // A property with a field's full name and unit matches only this field.
    if (found.length > 0) return found
    for (const { family, full, bare } of families) {
      const { rest } = unitsFor(words, family)
      if (family === 'time' && rest.length === words.length && rest.every((word) => amountActs.has(word))) continue
      add(namedBy(full, rest), sureness.words, words)
      add(namedBy(bare, bareOf(rest)), sureness.bare, words)
    }
    // Keep only the most certain matches. Among these, prefer the matches with the most words.
    const surest = Math.min(...found.map(({ level }) => level))
    if (found.some(({ level }) => level > surest)) return found.filter(({ level }) => level === surest)
    for (let cut = Math.max(1, segments.length - mostSegments); cut < segments.length && found.length === 0; cut += 1) {
      const inner = segments.slice(cut).flat()
      const outer = segments.slice(0, cut).flat()
      if (outer.some(changesMeaning) || (cut === segments.length - 1 && inner.every((word) => genericWords.has(word)))) continue
      for (const { family, full } of families) add(namedBy(full, unitsFor(inner, family).rest), sureness.within, words)
    }
    return found
  }

  return { known, mentions: (words) => words.some((word) => mentioned.has(word)), matches }
}

/** The largest relative difference at which two amounts still count as equal. Prices move between the two amounts, so they rarely match exactly. */
const tolerance = 0.05

// Floats are safe here: the app only compares magnitudes and never computes an amount with them.
const near = (one: number, other: number): boolean => other !== 0 && Math.abs(one / other - 1) <= tolerance
const magnitude = (value: string | null | undefined): number | null => {
  const number = value == null ? 0 : Math.abs(Number(value))
  return number > 0 && Number.isFinite(number) ? number : null
}

/** Fields of a record that help to find the unit of its size. Amounts are in USDC. */
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

/**
 * Decides whether a size is in base units or in USDC by comparing it with the record's other fields. In base units, size times price equals the
 * notional, or the margin times the leverage. In USDC, the size itself equals one of these amounts. Returns null if both units fit, or if neither
 * fits.
 */
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

/** Decides whether "margin used" is a percentage or a fraction of the equity, by comparing it with margin divided by equity. */
export function agreeOnMarginUsed({ marginUsdc, equity }: { readonly marginUsdc?: string | null; readonly equity?: string | null }, value: string): Vote {
  const margin = magnitude(marginUsdc)
  const whole = magnitude(equity)
  const share = magnitude(value)
  if (margin === null || whole === null || share === null) return null
  if (near(share, (margin / whole) * 100)) return 'percent'
  return near(share, margin / whole) ? 'fraction' : null
}

/** Numbers of decimals that the app tries for an integer amount. For example, with 6 decimals `1500000` means 1.5. */
const scales = [0, 2, 3, 4, 6, 8, 9, 10, 12, 18] as const
/**
 * Limits for checking a position's size against its profit. The profit must be at least this many USDC, because profits are rounded. The price
 * must have moved by at least this fraction, because the mark price may have changed meanwhile.
 */
const least = { profit: 0.5, move: 0.001 } as const

interface AroundPosition extends AroundSize {
  readonly unrealisedPnl?: string | null
}

const isWhole = (value: string): boolean => !value.includes('.')

/** Whether all prices are whole numbers. Such prices may be integers scaled by decimals. */
const hasWholePrices = ({ markPrice, entryPrice }: AroundPosition): boolean => [markPrice, entryPrice].every((price) => price == null || isWhole(price))

/** Decides whether whole-number prices are scaled by decimals. They are if size times a price gives the notional only after scaling. */
export function carryDecimals(found: AroundPosition & { readonly size: string | null }): boolean {
  if (!hasWholePrices(found)) return false
  const [size, worth] = [magnitude(found.size), magnitude(found.notionalUsdc)]
  const prices = [found.markPrice, found.entryPrice].map(magnitude).filter((one) => one !== null)
  if (size === null || worth === null) return false
  const fits = (scale: number): boolean => prices.some((price) => near((size * price) / 10 ** scale, worth))
  return !fits(0) && scales.some(fits)
}

/**
 * Finds the unit (base or USDC) and the decimals of a position's size. It tries every combination and compares the resulting size with the notional,
 * the margin times the leverage, and the profit. A combination is right if it is the only one that matches. If no field states the decimals, two of
 * these figures must match.
 */
export function agreeOnPositionSize(found: AroundPosition, value: string): Vote {
  const size = magnitude(value)
  if (size === null) return null
  const [mark, entry, pnl, margin, leverage] = [found.markPrice, found.entryPrice, found.unrealisedPnl, found.marginUsdc, found.leverage].map(magnitude)
  const prices = [mark, entry].filter((one) => one != null)
  const worths = [magnitude(found.notionalUsdc), margin != null && leverage != null ? margin * leverage : null].filter((one) => one !== null)
  const moved = mark != null && entry != null ? Math.abs(mark - entry) : 0
  const tells = pnl != null && entry != null && pnl >= least.profit && moved >= entry * least.move
  const fitting: { readonly scale: number; readonly isBase: boolean; readonly backed: number }[] = []
  for (const scale of isWhole(value) && !hasWholePrices(found) ? scales : [0]) {
    const units = size / 10 ** scale
    let base = tells && near(units * moved, pnl) ? 1 : 0
    let usdc = tells && prices.some((price) => near((units / price) * moved, pnl)) ? 1 : 0
    for (const worth of worths) {
      if (prices.some((price) => near(units * price, worth))) base += 1
      if (near(units, worth)) usdc += 1
    }
    if (base > 0) fitting.push({ scale, isBase: true, backed: base })
    if (usdc > 0) fitting.push({ scale, isBase: false, backed: usdc })
  }
  const [only, ...others] = fitting
  if (only === undefined || others.length > 0) return null
  if (!only.isBase) return 'usdc'
  return only.scale === 0 ? 'as_named' : only.backed > 1 ? only.scale : null
}

/** The range of plausible fees, as fractions of the trade's value. */
const fees = { most: 0.01, least: 0.000_01 } as const

/**
 * Decides from the fee whether a trade's size is in base units or in USDC. The unit is clear if the fee is plausible in only one of them. Otherwise
 * returns null.
 */
export function agreeOnFee({ price, feeUsdc }: { readonly price: string | null; readonly feeUsdc: string | null }, value: string): Vote {
  const [size, each, fee] = [magnitude(value), magnitude(price), magnitude(feeUsdc)]
  if (size === null || each === null || fee === null) return null
  const isFee = (worth: number): boolean => fee / worth >= fees.least && fee / worth <= fees.most
  const [isBase, isUsdc] = [isFee(size * each), isFee(size)]
  if (isBase === isUsdc) return null
  return isBase ? 'as_named' : 'usdc'
}
