import type { Family, RatioUnit } from './units.ts'

/** Why a field has no value although the answer may hold one. The interface shows the reason beside the raw field. */
export type Reason =
  /** Neither the name nor the fields beside it state the unit. */
  | 'unit'
  /** The value is an integer that may be scaled by decimals, and nothing states how many. */
  | 'scale'
  /** Two properties of the answer contradict each other. */
  | 'conflict'
  /** The value does not have the form that the field needs. */
  | 'form'

/**
 * What other numbers in the answer reveal about a number's unit. as_named: it has the field's own unit. usdc: USDC. otherwise: some other unit. A
 * ratio unit: convert to percent. A number: the decimals by which the integer is scaled. null: unknown.
 */
export type Vote = 'as_named' | 'usdc' | 'otherwise' | RatioUnit | number | null

/** What a number means after reading. All numbers are decimal text. */
export interface Numeric {
  /**
   * What the number measures. usdc, base, tokens: an amount. price: USDC for one unit of the base. percent: a share. hourly: percent per hour.
   * factor: a number without a unit.
   */
  readonly target: 'usdc' | 'base' | 'tokens' | 'price' | 'percent' | 'hourly' | 'factor'
  /** Whether the meaning alone implies the unit: equity is always in USDC, but open interest may not be. */
  readonly sure: boolean
  /** An integer with at least this many digits is probably scaled by decimals, unless other values of its kind have a decimal point. */
  readonly digits: number
}

/** Kinds of number that a service writes the same way in all answers, so that one answer is evidence for another. */
export const scaledTargets = ['price', 'usdc'] as const
type ScaledTarget = (typeof scaledTargets)[number]

/** How a service formats its answers, as observed so far. */
export interface Habits {
  /** true once a list arrived as an object of records by id, with nothing around it. From then on, `{}` counts as an empty list. */
  listsAreMaps: boolean
  /**
   * Evidence from numbers without stated decimals. `pointed`: one had a decimal point. `large`: one was an integer so large that it must be
   * scaled by decimals.
   */
  readonly scaled: Readonly<Record<ScaledTarget, { pointed: boolean; large: boolean }>>
}

export const noHabits = (): Habits => ({ listsAreMaps: false, scaled: { price: { pointed: false, large: false }, usdc: { pointed: false, large: false } } })

/** What the app knows about an answer while it reads a value. */
export interface ReadContext {
  /** What earlier answers of the service showed; updated while reading. If absent, only this answer counts as evidence. */
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
  /** Which values this kind accepts. leaf: anything but an object. record: an object. any: both. */
  readonly takes: 'leaf' | 'record' | 'any'
  /** Whether the whole object, with all its contents, belongs to the field. */
  readonly whole: boolean
  /** Cuts a text that is too long; without this flag such a text is unreadable. */
  readonly cut?: true
  /**
   * Whether a value identifies this kind under any name: for example a web address, or a word of a class that the app knows in full. `name`:
   * the words of the property's name, which help if the value alone is not enough.
   */
  readonly says?: (value: unknown, name?: readonly string[]) => boolean
  /** Whether all values of a property together identify this kind. For example, 1 counts as a sign only if another record has -1. */
  readonly tells?: (values: readonly unknown[]) => boolean
  /**
   * true if the app knows all words that services use for this kind. A property with any other word is read as another field, if its name fits one.
   */
  readonly closed?: true
  /** undefined: not readable as this kind. null: means "none". */
  readonly read: (value: unknown, complain: Complain, context: ReadContext) => T | null | undefined
}

export interface Field<T, Required extends boolean = boolean> {
  /** Names for the value, best first; case, separators, and the order and number of words do not matter. */
  readonly aliases: readonly string[]
  readonly kind: Kind<T>
  readonly required: Required
  /** true if the API document shows this field. A field map then cannot change where the app reads it. */
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

/** Like `must`, but for a field that the API document shows, under its documented name. */
export const documentedMust = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, true> => ({ ...must(aliases, kind), documented: true })
export const documentedMay = <T>(aliases: readonly string[], kind: Kind<T>): Field<T, false> => ({ ...may(aliases, kind), documented: true })

/** Where one field is in this service's answers, as the user entered it. */
export interface FieldPlace {
  /** Names from the record down to the field, joined by dots: `prices.mark`. */
  readonly path: string
  /** Unit words: `usdc`, `base`, `percent`, `fraction`, `bps`, `usdc e6`. If absent, the field's name states the unit. */
  readonly unit?: string
}

/** One profile's field map: resource → field → path in the answer. Never applies to fields that the API document shows (`Field.documented`). */
export type FieldMap = Readonly<Record<string, Readonly<Record<string, FieldPlace>>>>
