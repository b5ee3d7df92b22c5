import type { Row } from './database.ts'

/** Typed reading of a row. A column of another type than the migration gave it is a bug, and throws. */

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`Not text: ${column}`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

/** Text that has to be JSON: what reads it later must not fail where the row is one of many. */
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

/** One of a closed list, for example the states of an intent. */
export function oneOf<T extends string>(row: Row, column: string, values: readonly T[]): T {
  const value = text(row, column)
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw new Error(`Unknown ${column}: ${value}`)
  return found
}
