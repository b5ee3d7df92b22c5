import type { Row } from './database.ts'

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
