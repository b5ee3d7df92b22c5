/** Rows of `values` and `vault` as they are in the file. Only the store reads them this way; all other code asks for a declared record. */
export const raw: unique symbol = Symbol('raw rows')

export interface RawRow {
  readonly name: string
  readonly value: string
  /** Of the record's form, counted from 1. */
  readonly version: number
}

export interface RawValues {
  get(name: string): string | null
  row(name: string): RawRow | null
  set(name: string, value: string | null, version?: number): void
  withPrefix(prefix: string): RawRow[]
}

/** Sealed bytes by name, for the vault. */
export interface SealedRows {
  get(name: string): Uint8Array | null
  version(name: string): number
  set(name: string, sealed: Uint8Array | null, version?: number): void
  names(prefix: string): string[]
}

/** Records that could not be read, kept as they were. */
export interface SetAside {
  /** Moves what is under the name out of the way, and reports it to the user once. */
  move(name: string): void
  has(name: string): boolean
  /** The newest value of each name; nothing of the vault. */
  values(): readonly RawRow[]
  /** Puts a value back under its name, which is free. */
  putBack(name: string): void
}

export interface Raw {
  readonly values: RawValues
  readonly sealed: SealedRows
  readonly setAside: SetAside
  /** Reports a record to the user in this run, and leaves it where it is. */
  report(name: string): void
}
