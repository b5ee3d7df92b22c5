import { type Match, type Matcher, sureness } from '../names/match.ts'
import { keyOf, wordsOf } from '../names/name-words.ts'
import { isList, type Node, walk } from '../names/walk.ts'
import { isPlainName } from '../redact.ts'
import type { Field, FieldPlace } from './field.ts'
import { isRecord } from './kinds.ts'
import { type Family, noUnit, type Unit, unitIn, unitOfText, unitWord } from './units.ts'

/** A property of a record from which the app may read a given field. It is the same property in all records of one shape. */
export interface Place {
  readonly path: readonly string[]
  /** The property's path in the notation of a field map. */
  readonly name: string
  /** The position of the path's first name among the record's own property names. */
  readonly top: number
  readonly level: number
  readonly alias: number
  readonly unit: Unit
  /** Neighbouring properties that state this property's unit or scale. */
  readonly beside: readonly Beside[]
  /** The index of this property in the plan's list `unread`, or the index of the object that contains the property. */
  readonly tells: number
}

export interface Beside {
  readonly path: readonly string[]
  /** `unit`: states the unit in words. `scale`: states the number of decimals. `soft`: states decimals that may be meant only for display. */
  readonly says: 'unit' | 'scale' | 'soft'
}

/** A part of a record. The app lists it among the unknown fields, unless the app reads a field from it. */
export interface Unread {
  readonly path: readonly string[]
  readonly top: number
  readonly name: string
}

/** A value inside a record, with the fields that the value may belong to by its name. */
export interface Leaf {
  readonly path: readonly string[]
  readonly fields: readonly number[]
}

/** For each field that the app recognised by its values: the path of the property that contains the field. */
export type Shown = Readonly<Record<string, readonly string[]>>

/** Which properties may contain which fields of a resource. All records with the same property names (one shape) share a plan. */
export interface Plan {
  readonly shape: Shape
  /** For each field: the properties that may contain it, best first. */
  readonly places: readonly (readonly Place[])[]
  /** The fields that have a place. */
  readonly sought: readonly number[]
  /** A field that a record must have and that has no place, so a record of this shape cannot be read; -1 if there is none. */
  readonly lacks: number
  readonly leaves: readonly Leaf[]
  readonly unread: readonly Unread[]
  /**
   * One flag for each entry of `unread`. True: the entry only reports success, an id or the unit of another field, so the app does not list it among the
   * unknown fields.
   */
  readonly known: readonly boolean[]
  /**
   * For each entry of `unread`: true if the app does not list the entry among the unknown fields, provided that it reads each field from the best
   * property in `places`. That is the usual case.
   */
  readonly usual: readonly boolean[]
  /** The names of the entries of `unread` as JSON text; null if the app must not show a name unchanged, or if a value is a secret. */
  readonly labels: readonly string[] | null
}

/**
 * The property names of a record, in order, and the shapes of its nested objects. `whole`: a nested object that is read as one value. Records with
 * the same names share a plan.
 */
export interface Shape {
  readonly names: readonly string[]
  readonly inner: readonly (Shape | 'whole' | null)[]
}

/** Fields that any answer may contain, regardless of its subject. */
export const envelopeNames: ReadonlySet<string> = new Set(['success', 'ok', 'request_id', 'requestId'])

export interface Planned {
  readonly list: readonly Field<unknown>[]
  readonly names: readonly string[]
  readonly matcher: Matcher
  /** Paths that the user set for fields of this resource, keyed by field name. */
  readonly mapped: Readonly<Record<string, FieldPlace>> | undefined
  readonly shown: Shown
}

const scaleWord: ReadonlySet<string> = new Set(['scale', 'exponent', 'expo'])

interface Meta {
  readonly path: readonly string[]
  readonly parent: string
  readonly about: readonly string[]
  /** The name of the number whose unit or scale this property states: `amount` for `amount_decimals`. In the service's spelling. */
  readonly whole: string
  readonly says: Beside['says']
}

/** Recognises a property that states the unit or scale of other properties, such as `amount_decimals`; `null` for any other property. */
function metaOf({ path, segments }: Node): Meta | null {
  const words = segments.at(-1) ?? []
  // If several words mean a unit or a scale, the last one counts: `units_outstanding_decimals` describes decimals.
  const said = words.findLast((word) => unitWord.has(word) || scaleWord.has(word) || word === 'decimal')
  if (said === undefined) return null
  const about = words.filter((word) => word !== said && word !== 'amount')
  const says = unitWord.has(said) ? 'unit' : scaleWord.has(said) ? 'scale' : 'soft'
  const whole = keyOf([...segments.slice(0, -1).flat(), ...words.filter((word) => word !== said)])
  return { path, parent: path.slice(0, -1).join('\0'), about, whole, says }
}

const familyWords: Readonly<Record<string, ReadonlySet<string>>> = {
  usdc: new Set(['usdc', 'value', 'collateral', 'money']),
  tokens: new Set(['token', 'balance']),
  price: new Set(['price']),
  base: new Set(['size', 'base']),
}

/** Maximum number of properties with units or scales that the app considers for one number. The app ignores further ones. */
const mostMetas = 16

/**
 * The properties of a record that state units or scales, indexed by the name of the number that they describe. Some describe all numbers of the
 * record. Built once for each record.
 */
class Metas {
  readonly #list: readonly Meta[]
  readonly #ofAll: readonly Meta[]
  readonly #byWhole: ReadonlyMap<string, readonly Meta[]>
  readonly #byName = new Map<Family, ReadonlyMap<string, readonly Meta[]>>()

  constructor(list: readonly Meta[]) {
    this.#list = list
    this.#ofAll = list.filter(({ about, says }) => says !== 'unit' && (about.length === 0 || says === 'scale')).slice(0, mostMetas)
    this.#byWhole = byKey(list, ({ whole }) => whole)
  }

  /** Returns the properties that may state the unit or scale of a number. `names`: the number's names. `parent`: the path of the enclosing object. */
  near(family: Family, parent: string, names: readonly string[], whole: string): ReadonlySet<Meta> {
    const byName = this.#byName.get(family) ?? byKey(this.#list, (meta) => `${meta.parent}\0${keyOf(unitIn(meta.about, family).rest)}`)
    this.#byName.set(family, byName)
    return new Set([...(this.#byWhole.get(whole) ?? []), ...names.flatMap((name) => byName.get(`${parent}\0${name}`) ?? []), ...this.#ofAll])
  }
}

function byKey(list: readonly Meta[], keyOfMeta: (meta: Meta) => string): ReadonlyMap<string, readonly Meta[]> {
  const found = new Map<string, Meta[]>()
  for (const meta of list) {
    const same = found.get(keyOfMeta(meta))
    if (same === undefined) found.set(keyOfMeta(meta), [meta])
    else if (same.length < mostMetas) same.push(meta)
  }
  return found
}

function besideOf(node: Node, field: Field<unknown>, metas: Metas, visited: ReadonlySet<string>): Beside[] {
  const { numeric, family: kin } = field.kind
  if (numeric === null) return []
  if (node.amountOf !== null) {
    const parent = node.amountOf
    return [
      ...['unit', 'units', 'currency', 'ccy', 'denomination'].map((name): Beside => ({ path: [...parent, name], says: 'unit' })),
      ...['decimals', 'scale', 'exponent'].map((name): Beside => ({ path: [...parent, name], says: 'scale' })),
    ]
  }
  const own = keyOf(unitIn(node.segments.flat(), kin).rest)
  const whole = keyOf(node.segments.flat())
  const last = keyOf(unitIn(node.segments.at(-1) ?? [], kin).rest)
  const family = familyWords[numeric.target]
  const here = node.path.slice(0, -1).join('\0')
  return [...metas.near(kin, here, [own, last], whole)].flatMap(({ path, parent, about, whole: told, says }): Beside[] => {
    const prefix = path.slice(0, -1)
    if (!prefix.every((name, index) => node.path[index] === name)) return []
    const said = keyOf(unitIn(about, kin).rest)
    const isBeside = visited.has(`${parent}\0${told}`)
    if (isBeside && told === whole) return [{ path, says: says === 'soft' ? 'scale' : says }]
    // If a record contains `amount`, then `amount_decimals` gives the decimals of `amount` alone, not of the record’s other numbers.
    if (isBeside && about.length === 0) return []
    const sameName = about.length > 0 && parent === here && (said === own || said === last)
    // If the record contains `staked`, `staked_decimals` describes `staked`, and not `staked_bps`.
    if (sameName && keyOf(about) !== whole && visited.has(`${parent}\0${keyOf(about)}`)) return []
    if (sameName) return [{ path, says: says === 'soft' ? 'scale' : says }]
    const ofAll = about.length === 0 || (says === 'scale' && about.every((word) => family?.has(word)))
    // A scale that names no number applies to all numbers of the record. A currency does not, because beside several amounts it may be the
    // account's currency.
    return ofAll && says !== 'unit' && family !== undefined ? [{ path, says }] : []
  })
}

/**
 * 1 if the property's unit differs from the field's unit, otherwise 0. The app reads such a property only if no property has the field's own unit.
 */
const isOtherUnit = ({ kind: { numeric } }: Field<unknown>, { denomination, ratio }: Unit): number =>
  (numeric?.target === 'percent' || numeric?.target === 'hourly') && ratio === null
    ? 1
    : denomination !== null && (numeric?.target === 'base' || numeric?.target === 'usdc') && denomination !== numeric.target
      ? 1
      : 0

export const isAmount = ({ kind: { numeric } }: Field<unknown>): boolean => numeric !== null && ['usdc', 'base', 'tokens'].includes(numeric.target)
const saysUnit = ({ unit: { denomination, scale } }: Place): boolean => denomination !== null || scale !== null

interface Found {
  readonly node: Node
  readonly match: Match
}

const mostPlaces = 64

/** 1 if the property's name lacks some words of the field's alias, otherwise 0. Incomplete matches rank below all complete matches. */
const lacks = ({ match: { level } }: Found): number => (level >= sureness.bare ? 1 : 0)

const better = (one: Found, other: Found): number =>
  lacks(one) - lacks(other) || one.match.alias - other.match.alias || one.match.level - other.match.level || one.node.path.length - other.node.path.length

/** Finds which properties of a record may contain each field of a resource. */
export function planFor(source: Readonly<Record<string, unknown>>, { list, names, matcher, mapped, shown }: Planned): Plan {
  const tops = Object.keys(source)
  const topOf = new Map(tops.map((name, place) => [name, place]))
  const found: Found[] = []
  const visited: Node[] = []
  const leaves: Leaf[] = []
  const telling: Meta[] = []
  const entered = new Set<string>()
  const amounts = new Set<string>()
  const kept = new Set(names.filter((_, index) => mapped !== undefined && Object.hasOwn(mapped, names[index] ?? '') && list[index]?.documented === false))

  walk(source, matcher.known, (node, value) => {
    const where = node.path.join('\0')
    visited.push(node)
    if (node.amountOf !== null) amounts.add(node.amountOf.join('\0'))
    const fitting = matcher.matches(node)
    const isTable = node.isRecord && isList(value)
    if (!node.isRecord || isTable) leaves.push({ path: node.path, fields: fitting.map(({ field }) => field) })
    for (const match of fitting) if (!kept.has(names[match.field] ?? '')) found.push({ node, match })
    // If the property matches a field only through the name of its group, it may instead state the unit of neighbouring properties.
    if (!node.isRecord && fitting.every(({ level }) => level >= sureness.within)) {
      const meta = metaOf(node)
      if (meta !== null) telling.push(meta)
    }
    const takes = isTable || (node.isRecord && fitting.some(({ field, level }) => level <= sureness.bare && list[field]?.kind.whole === true))
    if (!takes && node.isRecord) entered.add(where)
    return !takes
  })

  // Decide how to list the unknown parts of each group. If the app reads at least one field in a group, it lists the group's unknown parts
  // separately. Otherwise it lists the group as a whole.
  const inUse = new Set<string>()
  const using = (path: readonly string[]): void => {
    for (let length = 1; length <= path.length; length += 1) inUse.add(path.slice(0, length).join('\0'))
  }
  for (const { node } of found) using(node.path)
  for (const name of kept) using((mapped?.[name]?.path ?? '').split('.'))
  for (const path of Object.values(shown)) using(path)
  const told: Unread[] = []
  const tellsOf = new Map<string, number>()
  for (const { path: at, amountOf } of visited) {
    const path = amountOf ?? at
    const where = path.join('\0')
    const parent = path.slice(0, -1).join('\0')
    const shownByParent = path.length > 1 && !(inUse.has(parent) && entered.has(parent))
    if (shownByParent || (inUse.has(where) && entered.has(where))) continue
    tellsOf.set(where, told.length)
    told.push({ path, top: topOf.get(path[0] ?? '') ?? -1, name: path.join('.') })
  }
  // The walk ends at its limit. The names beyond it are unread, too.
  const reached = new Set(visited.map(({ path: [top = ''] }) => top))
  for (const [top, name] of reached.size < tops.length ? tops.entries() : []) if (!reached.has(name)) told.push({ path: [name], top, name })
  const tells = (path: readonly string[]): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const place = tellsOf.get(path.slice(0, length).join('\0'))
      if (place !== undefined) return place
    }
    return -1
  }

  const restOf = ({ path }: Place, { kind: { family } }: Field<unknown>): string =>
    keyOf(
      unitIn(
        path.flatMap((name) => wordsOf(name, matcher.known)),
        family,
      ).rest,
    )
  const metas = new Metas(telling)
  const wholeNames = new Set(visited.map(({ path, segments }) => `${path.slice(0, -1).join('\0')}\0${keyOf(segments.flat())}`))
  const byField: Found[][] = list.map(() => [])
  for (const one of found) byField[one.match.field]?.push(one)
  const places = byField.map((some, index): Place[] => {
    const field = list[index] as Field<unknown> // the cast is safe: `byField` has an entry for each field
    some.sort((one, other) => isOtherUnit(field, one.match.unit) - isOtherUnit(field, other.match.unit) || better(one, other))
    const choices = some.slice(0, mostPlaces).map(({ node, match: { level, alias, unit } }): Place => {
      const { path } = node
      const beside = besideOf(node, field, metas, wholeNames)
      return { path, name: path.join('.'), top: topOf.get(path[0] ?? '') ?? -1, level, alias, unit, beside, tells: tells(path) }
    })
    const [best] = choices
    if (best === undefined || !isAmount(field) || saysUnit(best)) return choices
    // Prefer a name that states a unit: `staked_x18` is certainly an amount, but `staked` may be a fraction of the supply.
    const surer = choices.findIndex((place) => saysUnit(place) && restOf(place, field) === restOf(best, field) && isOtherUnit(field, place.unit) === 0)
    if (surer > 0) choices.unshift(...choices.splice(surer, 1))
    return choices
  })
  for (const [name, path] of Object.entries(shown)) {
    if (kept.has(name)) continue
    // The values prove that this property is the field `name`, so no other field may read it.
    const where = path.join('\0')
    places.forEach((choices, field) => {
      places[field] = choices.filter((place) => place.path.join('\0') !== where)
    })
    places[names.indexOf(name)] = [
      { path, name: path.join('.'), top: topOf.get(path[0] ?? '') ?? -1, level: sureness.shown, alias: 0, unit: noUnit, beside: [], tells: tells(path) },
    ]
  }
  for (const name of kept) {
    const index = names.indexOf(name)
    const said = mapped?.[name]
    const field = list[index]
    if (said === undefined || field === undefined) continue
    const path = said.path.split('.')
    const { family } = field.kind
    const unit = said.unit === undefined ? unitIn(wordsOf(said.path, matcher.known), family, true).unit : unitOfText(wordsOf(said.unit, matcher.known))
    const node = visited.find((one) => one.path.join('.') === said.path)
    // If the user entered a scale for the field, ignore a scale that the answer states beside the field.
    const beside = node === undefined || (said.unit !== undefined && unit.scale !== null) ? [] : besideOf(node, field, metas, wholeNames)
    places[index] = [{ path, name: said.path, top: topOf.get(path[0] ?? '') ?? -1, level: sureness.exact, alias: 0, unit, beside, tells: tells(path) }]
  }

  const known = told.map(({ path }) => path.length === 1 && envelopeNames.has(path[0] ?? ''))
  for (const choices of places)
    for (const { beside } of choices)
      for (const { path } of beside) {
        const place = tells(path)
        if (place >= 0) known[place] = true
      }
  const best = new Set(places.map((choices) => choices[0]?.tells))
  return {
    // An amount may be null in one record and an object in the next. So the shape also covers the properties inside an amount.
    shape: shapeOf(source, new Set([...entered, ...amounts])),
    places,
    sought: places.flatMap(({ length }, index) => (length > 0 ? [index] : [])),
    lacks: list.map(({ required }, index) => required && places[index]?.length === 0).indexOf(true),
    leaves,
    unread: told,
    known,
    usual: known.map((is, place) => is || best.has(place)),
    labels: told.every(({ path }) => path.every(isPlainName)) ? told.map(({ name }) => JSON.stringify(name)) : null,
  }
}

function shapeOf(source: Readonly<Record<string, unknown>>, entered: ReadonlySet<string>, path = ''): Shape {
  const names = Object.keys(source)
  const inner = names.map((name) => {
    const value = source[name]
    const where = path === '' ? name : `${path}\0${name}`
    return isRecord(value) ? (entered.has(where) ? shapeOf(value, entered, where) : 'whole') : null
  })
  return { names, inner }
}

/**
 * Whether a record has this shape, so that the shape's plan applies. Always false for a record with inherited properties, which needs its own plan.
 */
export function hasShape(source: Readonly<Record<string, unknown>>, { names, inner }: Shape): boolean {
  let place = 0
  for (const name in source) {
    if (name !== names[place]) return false
    const value = source[name]
    const expected = inner[place]
    if (expected === null || expected === undefined) {
      if (isRecord(value)) return false
    } else if (!isRecord(value) || (expected !== 'whole' && !hasShape(value, expected))) return false
    place += 1
  }
  return place === names.length
}
