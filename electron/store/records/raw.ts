/**
 * Symbol of the property that gives direct access to the database rows of `values` and `vault`. Only the store uses it; other code reads and writes
 * declared records.
 */
export const raw: unique symbol = Symbol('raw rows')

export interface RawRow {
  readonly name: string
  readonly value: string
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

/** The database table `set_aside`. It stores unreadable records unchanged, so that new records can use their names. */
export interface SetAside {
  /** Moves the record with this name to the table `set_aside`, and reports it to the user once. */
  move(name: string): void
  has(name: string): boolean
  /** Returns the records in `set_aside`, except encrypted ones. If several records have the same name, returns only the newest. */
  values(): readonly RawRow[]
  /** Moves a record from `set_aside` back to the table `values`. Call it only if `values` has no record with that name. */
  putBack(name: string): void
}

export interface Raw {
  readonly values: RawValues
  readonly sealed: SealedRows
  readonly setAside: SetAside
  /** Reports a record to the user in this run, without changing it. */
  report(name: string): void
}
