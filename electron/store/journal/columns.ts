import type { SQLInputValue } from 'node:sqlite'
import { written } from '../records/written-reasons.ts'
import type { Database, Row } from './database.ts'

/** Reads a text column. Throws if the column has another type than its migration declares, which would be a bug. */

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`Not text: ${column}`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

/** Reads a column that must contain JSON. Throws here, so that one bad row doesn't make a later read of many rows fail. */
export function json(row: Row, column: string): string {
  const value = text(row, column)
  JSON.parse(value)
  return value
}

export function integer(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`Not an integer: ${column}`)
  return value
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column)
}

/** Reads a column whose value must be in a fixed list, for example the state of an intent. Throws for any other value. */
export function oneOf<T extends string>(row: Row, column: string, values: readonly T[]): T {
  const value = text(row, column)
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw new Error(`Unknown ${column}: ${value}`)
  return found
}

/** Reads a column that may be null with `read`. */
export const orNull =
  <T>(read: (row: Row, column: string) => T) =>
  (row: Row, column: string): T | null =>
    row[column] === null ? null : read(row, column)

/** A column has the name of its field in snake case, for example `tx_hash` for `txHash`. */
const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns a function that reads all fields of a row. `fields` has the function that reads the column of each field. */
export function createRowReader<F extends Readonly<Record<string, (row: Row, column: string) => unknown>>>(fields: F) {
  const columns = Object.entries(fields).map(([field, read]) => ({ field, read, column: columnOf(field) }))
  return (row: Row) =>
    // The cast is safe: the object has every field of `fields`, with the value that the field’s function returned.
    Object.fromEntries(columns.map(({ field, read, column }) => [field, read(row, column)])) as { readonly [K in keyof F]: ReturnType<F[K]> }
}

export function insertRow(database: Database, table: string, values: Readonly<Record<string, SQLInputValue>>): void {
  const columns = Object.keys(values).map(columnOf)
  database.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, ...Object.values(values))
}

/** The `SET` part and its values for those fields of `changeable` that `changes` contains; absent fields keep their value. */
export function assignments<F extends string>(changeable: readonly F[], changes: { readonly [K in F]?: Parameters<typeof written>[0] | undefined }) {
  const given = changeable.flatMap((field) => {
    const value = changes[field]
    return value === undefined ? [] : [{ set: `, ${columnOf(field)} = ?`, value: written(value) }]
  })
  return { set: given.map(({ set }) => set).join(''), values: given.map(({ value }) => value) }
}

/** Reads database rows. Leaves out each row that can't be read and collects its ID for a report; the other rows are unaffected. */
export interface Unread {
  read<T>(row: Row, id: string, as: (row: Row) => T): T | null
  /** Reads many rows and returns the readable ones. Reports the ID of each unreadable row, which is in the column `idColumn`. */
  each<T>(rows: readonly Row[], idColumn: string, as: (row: Row) => T): T[]
  add(id: string): void
  forget(id: string): void
  ids(): readonly string[]
}

export function createUnread(known: readonly string[]): Unread {
  const ids = new Set(known)
  const unread: Unread = {
    read(row, id, as) {
      try {
        return as(row)
      } catch {
        ids.add(id)
        return null
      }
    },
    each: (rows, idColumn, as) => rows.map((row) => unread.read(row, String(row[idColumn]), as)).filter((read) => read !== null),
    add: (id) => void ids.add(id),
    forget: (id) => void ids.delete(id),
    ids: () => [...ids],
  }
  return unread
}
