import type { Family, RatioUnit } from './units.ts'

/** Why a field has no value although the answer may hold one. The interface shows the reason beside the raw field. */
export type Reason =
  /** Neither the name nor the fields beside it state the unit. */
  | 'unit'
  /** An integer that may carry decimals. */
  | 'scale'
  /** Two places contradict each other. */
  | 'conflict'
  /** The value has another form than the field. */
  | 'form'

/**
 * The unit that the evidence supports. as_named: the unit of the field. usdc: USDC. otherwise: another unit. A ratio unit: convert to percent. A
 * number: the decimals that an integer carries.
 */
export type Vote = 'as_named' | 'usdc' | 'otherwise' | RatioUnit | number | null

/** What a number means after reading. All numbers are decimal text. */
export interface Numeric {
  /** usdc, base, tokens: an amount. price: USDC for one unit of the base. percent: of something. hourly: percent per hour. factor: a bare number. */
  readonly target: 'usdc' | 'base' | 'tokens' | 'price' | 'percent' | 'hourly' | 'factor'
  /** Whether the meaning alone implies the unit: an equity is in USDC, an open interest may not be. */
  readonly sure: boolean
  /** An integer with at least this many digits probably carries decimals, unless others of its kind have a decimal point. */
  readonly digits: number
}

/** Targets that a service writes the same way in all answers. */
export const scaledTargets = ['price', 'usdc'] as const
type ScaledTarget = (typeof scaledTargets)[number]

/** How a service writes, learned from its answers. */
export interface Habits {
  /** true once a list arrived as an object of records by id with nothing around it; then `{}` is an empty list. */
  listsAreMaps: boolean
  /** About numbers without named decimals: whether one had a decimal point, and whether one was an integer so large that it carries decimals. */
  readonly scaled: Readonly<Record<ScaledTarget, { pointed: boolean; large: boolean }>>
}

export const noHabits = (): Habits => ({ listsAreMaps: false, scaled: { price: { pointed: false, large: false }, usdc: { pointed: false, large: false } } })

/** Context for reading a value. */
export interface ReadContext {
  /** Updated while reading. If absent, only this answer counts as evidence. */
  readonly habits?: Habits | undefined
  /** The whole answer. */
  readonly answer?: unknown
  readonly fieldMap?: FieldMap | undefined
  /** The fields around the records, which may state their units. */
  readonly around?: Readonly<Record<string, unknown>> | undefined
}

/** Reports why a value was not readable, with the path to it. */
export type Complain = (path: readonly PropertyKey[], issue: string) => void

export interface Kind<T> {
  readonly name: string
  readonly family: Family
  readonly numeric: Numeric | null
  /** leaf: anything but an object. record: an object. any: both. */
  readonly takes: 'leaf' | 'record' | 'any'
  /** Whether an object that this kind takes belongs to the field with everything in it. */
  readonly whole: boolean
  /** Cuts a text that is too long; without this flag such a text is unreadable. */
  readonly cut?: true
  /**
   * Whether a value alone identifies this kind under any name: a word of a class that the app knows in full, a web address. `name`: the words of the
   * name, for a less certain value.
   */
  readonly says?: (value: unknown, name?: readonly string[]) => boolean
  /** Whether all values of a place together identify this kind: 1 is a sign if another record has -1. */
  readonly tells?: (values: readonly unknown[]) => boolean
  /** Services use no other words for this field: a place whose name lacks them belongs to another field, if that field knows the name. */
  readonly closed?: true
  /** undefined: not readable as this kind. null: means "none". */
  readonly read: (value: unknown, complain: Complain, context: ReadContext) => T | null | undefined
}

export interface Field<T, Required extends boolean = boolean> {
  /** Names for the value, best first; case, separators, and the order and number of words do not matter. */
  readonly aliases: readonly string[]
  readonly kind: Kind<T>
  readonly required: Required
  /** The document shows this field: a field map cannot move it. */
  readonly documented: boolean
}

export type Fields = Readonly<Record<string, Field<unknown>>>

export type Values<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends Field<infer T, infer Required> ? (Required extends true ? T : T | null) : never
}

/** A required field: without a readable value, the record is unreadable. */
export const must = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ aliases, kind, required: true, documented: false })
/** An optional field: a missing or unreadable value becomes null, and the raw value stays among the unknown fields. */
export const may = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ aliases, kind, required: false, documented: false })

/** Like `must`, under the name that the document shows. */
export const documentedMust = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ ...must(aliases, kind), documented: true })
export const documentedMay = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ ...may(aliases, kind), documented: true })

/** Where the user said that the answers of this service hold one field of a resource. */
export interface FieldPlace {
  /** Names from the record down to the field, joined by dots: `prices.mark`. */
  readonly path: string
  /** As unit words: `usdc`, `base`, `percent`, `fraction`, `bps`, `usdc e6`. If absent, the name states the unit. */
  readonly unit?: string
}

/** Per profile: resource → field → place. Never applies to fields that the document shows (`Field.documented`). */
export type FieldMap = Readonly<Record<string, Readonly<Record<string, FieldPlace>>>>
