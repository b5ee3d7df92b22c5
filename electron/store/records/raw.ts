/** Access to the rows of `values` and `vault` as stored. Only the store uses it; all other code uses declared records. */
export const raw: unique symbol = Symbol('raw rows')

export interface RawRow {
  readonly name: string
  readonly value: string
  /** Version of the record's form, from 1. */
  readonly version: number
}

export interface RawValues {
  get(name: string): string | null
  row(name: string): RawRow | null
  set(name: string, value: string | null, version?: number): void
  withPrefix(prefix: string): RawRow[]
}

/** Encrypted bytes by name, as the vault stores them. */
export interface SealedRows {
  get(name: string): Uint8Array | null
  version(name: string): number
  set(name: string, sealed: Uint8Array | null, version?: number): void
  names(prefix: string): string[]
}

/** Keeps unreadable records unchanged, outside their normal place. */
export interface SetAside {
  /** Moves the record with this name out of the way, and reports it to the user once. */
  move(name: string): void
  has(name: string): boolean
  /** The newest value of each name, without the vault. */
  values(): readonly RawRow[]
  /** Moves a value back to its name. There must be no other value with that name. */
  putBack(name: string): void
}

export interface Raw {
  readonly values: RawValues
  readonly sealed: SealedRows
  readonly setAside: SetAside
  /** Reports a record to the user in this run, without changing it. */
  report(name: string): void
}
