import type { Family, RatioUnit } from './units.ts'

/** Why a field has no value, though the answer may hold one. Screens say it beside the raw field. */
export type Reason =
  /** Its unit is not said, and nothing beside it tells. */
  | 'unit'
  /** An integer that may carry decimals. */
  | 'scale'
  /** Two places say different things. */
  | 'conflict'
  /** Of another form than the field has. */
  | 'form'

/** as_named: in the unit that the field has. usdc: in USDC. otherwise: in another one. A ratio's unit is turned into percent. A number: decimals that an integer carries. */
export type Vote = 'as_named' | 'usdc' | 'otherwise' | RatioUnit | number | null

/** What a number is, once read. All are decimal text. */
export interface Numeric {
  /** usdc, base, tokens: an amount. price: USDC for one of the base. percent: of something. hourly: percent an hour. factor: a bare number. */
  readonly target: 'usdc' | 'base' | 'tokens' | 'price' | 'percent' | 'hourly' | 'factor'
  /** Whether the meaning alone tells the unit: an equity is in USDC, an open interest may not be. */
  readonly sure: boolean
  /** Whole digits from which an integer is more likely to carry decimals than not, unless others of its kind have a point. */
  readonly digits: number
}

/** What a service writes in one way everywhere. */
export const scaledTargets = ['price', 'usdc'] as const
type ScaledTarget = (typeof scaledTargets)[number]

/** How a service writes, as its answers show. */
export interface Habits {
  /** A list came as an object of records by their ids and nothing around it, so that `{}` is an empty list. */
  listsAreMaps: boolean
  /** Numbers that name no decimals: whether one had a point, and whether one was an integer so large that it carries decimals. */
  readonly scaled: Readonly<Record<ScaledTarget, { pointed: boolean; large: boolean }>>
}

export const noHabits = (): Habits => ({ listsAreMaps: false, scaled: { price: { pointed: false, large: false }, usdc: { pointed: false, large: false } } })

/** What reading a value may need besides it. */
export interface ReadContext {
  /** Learns from what is read. Absent: the answer alone is judged. */
  readonly habits?: Habits | undefined
  /** All of what was answered. */
  readonly answer?: unknown
  readonly fieldMap?: FieldMap | undefined
  /** What stands around the records, which may tell their units. */
  readonly around?: Readonly<Record<string, unknown>> | undefined
}

/** Says why a value was not readable, with the path below it. */
export type Complain = (path: readonly PropertyKey[], issue: string) => void

export interface Kind<T> {
  readonly name: string
  readonly family: Family
  readonly numeric: Numeric | null
  /** leaf: anything but an object. record: an object. any: both. */
  readonly takes: 'leaf' | 'record' | 'any'
  /** Whether an object that it takes belongs to it with all that it holds. */
  readonly whole: boolean
  /** A text beyond the bound of a field is read up to there. Without it, such a text is not readable. */
  readonly cut?: true
  /** Whether a value alone shows this kind, under any name: a word of a class that is fully known, a web address. `name`: the words of its name, for a value that shows less. */
  readonly says?: (value: unknown, name?: readonly string[]) => boolean
  /** Whether all values of a place, taken together, tell it too: 1 is a sign where there is a -1. */
  readonly tells?: (values: readonly unknown[]) => boolean
  /** Nobody has another word for it: one that does not say it belongs to another field, if that knows it. */
  readonly closed?: true
  /** undefined: not readable so. null: readable as "none". */
  readonly read: (value: unknown, complain: Complain, context: ReadContext) => T | null | undefined
}

export interface Field<T, Required extends boolean = boolean> {
  /** Names for the value, best first; case, separators, order and number of their words do not matter. */
  readonly aliases: readonly string[]
  readonly kind: Kind<T>
  readonly required: Required
  /** The document shows it: no field map changes where it is read. */
  readonly documented: boolean
}

export type Fields = Readonly<Record<string, Field<unknown>>>

export type Values<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends Field<infer T, infer Required> ? (Required extends true ? T : T | null) : never
}

/** Missing or unreadable: the record is not readable. */
export const must = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ aliases, kind, required: true, documented: false })
/** Missing or unreadable becomes null; what was there is kept among the unknown fields. */
export const may = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ aliases, kind, required: false, documented: false })

/** The same, under the name that the document shows. */
export const documentedMust = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ ...must(aliases, kind), documented: true })
export const documentedMay = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ ...may(aliases, kind), documented: true })

/** Where one field of a resource stands in this service's answers, as the user has said. */
export interface FieldPlace {
  /** Names from the record inwards, joined by dots: `prices.mark`. */
  readonly path: string
  /** As unit words: `usdc`, `base`, `percent`, `fraction`, `bps`, `usdc e6`. Absent: as the name says. */
  readonly unit?: string
}

/** Per profile: resource → field → place. It never applies to what the document shows (`Field.documented`). */
export type FieldMap = Readonly<Record<string, Readonly<Record<string, FieldPlace>>>>
