import type { Family, RatioUnit } from './units.ts'

/** Why the value of a field is unknown although the answer may contain it. The interface shows the reason beside the raw field. */
export type Reason =
  /** The unit is unknown: neither the field's name nor the fields beside it state the unit. */
  | 'unit'
  /** The value is an integer that may be scaled by decimals, but the answer does not state how many decimals. */
  | 'scale'
  /** Two properties of the answer contradict each other. */
  | 'conflict'
  /** The value does not have the form that the field needs. */
  | 'form'

/**
 * What other numbers in the answer reveal about a number's unit. `as_named`: the number has the field's own unit. `usdc`: the number is in USDC.
 * `otherwise`: it has some other unit. A ratio unit, such as `fraction`: convert to percent. A number: the decimals by which the integer is scaled.
 * null: unknown.
 */
export type Vote = 'as_named' | 'usdc' | 'otherwise' | RatioUnit | number | null

/** What a number measures and how to read it. The resulting number is decimal text. */
export interface Numeric {
  /**
   * What the number measures. `usdc`, `base`, `tokens`: an amount. `price`: USDC for one unit of the base. `percent`: a share. `hourly`: percent per
   * hour. `factor`: a number without a unit.
   */
  readonly target: 'usdc' | 'base' | 'tokens' | 'price' | 'percent' | 'hourly' | 'factor'
  /** Whether the field's meaning alone implies the unit. For example, equity is always in USDC, but open interest may be in base units. */
  readonly sure: boolean
  /** An integer with at least this many digits is probably scaled by decimals, unless similar values in the answer have a decimal point. */
  readonly digits: number
}

/** Kinds of number that a service formats the same way in all answers. So evidence from one answer also applies to the other answers. */
export const scaledTargets = ['price', 'usdc'] as const
type ScaledTarget = (typeof scaledTargets)[number]

/** How a service formats its answers, as seen in answers so far. */
export interface Habits {
  /** true once a list arrived as an object that maps ids to records, without any wrapper. From then on, the app reads `{}` as an empty list. */
  listsAreMaps: boolean
  /**
   * Evidence from numbers without stated decimals. `pointed`: some number had a decimal point. `large`: some integer was so large that it must be
   * scaled by decimals.
   */
  readonly scaled: Readonly<Record<ScaledTarget, { pointed: boolean; large: boolean }>>
}

export const noHabits = (): Habits => ({ listsAreMaps: false, scaled: { price: { pointed: false, large: false }, usdc: { pointed: false, large: false } } })

/** What the app knows about an answer while it reads a value. */
export interface ReadContext {
  /** How earlier answers of the service were formatted; updated while reading. Without it, only this answer counts as evidence. */
  readonly habits?: Habits | undefined
  /** The whole answer. */
  readonly answer?: unknown
  readonly fieldMap?: FieldMap | undefined
  /** The fields that enclose the records. They may state the records' units. */
  readonly around?: Readonly<Record<string, unknown>> | undefined
}

/** Reports why a value was not readable. `path`: where the value is. */
export type Complain = (path: readonly PropertyKey[], issue: string) => void

export interface Kind<T> {
  readonly name: string
  readonly family: Family
  readonly numeric: Numeric | null
  /** Which values this kind accepts. `leaf`: everything except objects. `record`: only objects. `any`: both. */
  readonly takes: 'leaf' | 'record' | 'any'
  /** Whether the field consists of the whole object with all its contents. */
  readonly whole: boolean
  /** If true, text that is too long is shortened. Otherwise such text is unreadable. */
  readonly cut?: true
  /**
   * Whether the value alone identifies this kind, even under an unknown name: for example a web address, or a known word for a side. `name`: the
   * words of the property's name, for values that are ambiguous without it.
   */
  readonly says?: (value: unknown, name?: readonly string[]) => boolean
  /** Whether the values of a property in all records together identify this kind. For example, 1 means a side only if another record has -1. */
  readonly tells?: (values: readonly unknown[]) => boolean
  /**
   * true if the app knows all words that services use for this kind. If a property contains any other word, the app does not read it as this kind.
   */
  readonly closed?: true
  /** Returns undefined if the value is not readable as this kind, and null if the value means "none". */
  readonly read: (value: unknown, complain: Complain, context: ReadContext) => T | null | undefined
}

export interface Field<T, Required extends boolean = boolean> {
  /** Names that services use for the field, best first. Case, separators and the order of words do not matter. */
  readonly aliases: readonly string[]
  readonly kind: Kind<T>
  readonly required: Required
  /** true if the API document shows this field. The app then always reads it at the documented place, and a field map cannot change that. */
  readonly documented: boolean
}

export type Fields = Readonly<Record<string, Field<unknown>>>

export type Values<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends Field<infer T, infer Required> ? (Required extends true ? T : T | null) : never
}

/** Declares a required field. A record without a readable value for it is unreadable. */
export const must = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ aliases, kind, required: true, documented: false })
/** Declares an optional field. A missing or unreadable value becomes null. The raw value of an unreadable field appears among the unknown fields. */
export const may = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ aliases, kind, required: false, documented: false })

/** Like `must`, but for a field that the API document shows. The app reads it only under its documented name. */
export const documentedMust = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ ...must(aliases, kind), documented: true })
export const documentedMay = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ ...may(aliases, kind), documented: true })

/** The place of one field in this service's answers, as the user entered it. */
export interface FieldPlace {
  /** The names from the record's root to the field, joined by dots: `prices.mark`. */
  readonly path: string
  /** The unit in words: `usdc`, `base`, `percent`, `fraction`, `bps`, `usdc e6`. If absent, the field's name states the unit. */
  readonly unit?: string
}

/** One profile's field map: resource → field → path in the answer. Never applies to fields that the API document shows (`Field.documented`). */
export type FieldMap = Readonly<Record<string, Readonly<Record<string, FieldPlace>>>>
