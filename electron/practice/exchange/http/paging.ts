import { fail, ok, type Result } from '../../../../shared/result.ts'
import { invalid, type Refusal } from './reply.ts'

const defaultLimit = 50
const maximumLimit = 200

/** Parses a whole number from the query. Returns the fallback if the query does not contain the number. */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  { from, to, fallback }: { from: number; to: number; fallback: number },
): Result<number, Refusal> {
  const text = query.get(name)
  if (text === null) return ok(fallback)
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? ok(value) : fail(invalid(name, `must be an integer from ${from} to ${to}`))
}

export function onePage<T extends { readonly sequence: number }>(rows: readonly T[], write: (row: T) => Record<string, unknown>): Record<string, unknown> {
  return { items: newestFirst(rows).map(write), next_cursor: rows.at(0)?.sequence ?? 0, has_more: false, limit: rows.length }
}

const newestFirst = <T extends { readonly sequence: number }>(rows: readonly T[]): T[] => rows.toSorted((a, b) => b.sequence - a.sequence)

/**
 * Returns one page of `rows`, newest first, in the pagination envelope. The cursor is the sequence number of the last row on the page. Rows that are
 * added between two requests therefore cause no duplicate and no gap.
 */
export function page<T extends { readonly sequence: number }>(
  rows: readonly T[],
  query: URLSearchParams,
  write: (row: T) => Record<string, unknown>,
): Result<Record<string, unknown>, Refusal> {
  const limit = wholeNumber(query, 'limit', { from: 1, to: maximumLimit, fallback: defaultLimit })
  if (!limit.ok) return limit
  const cursor = wholeNumber(query, 'cursor', { from: 0, to: Number.MAX_SAFE_INTEGER, fallback: Number.MAX_SAFE_INTEGER })
  if (!cursor.ok) return cursor
  const rest = newestFirst(rows.filter((row) => row.sequence < cursor.value))
  const items = rest.slice(0, limit.value)
  return ok({ items: items.map(write), next_cursor: items.at(-1)?.sequence ?? 0, has_more: rest.length > items.length, limit: limit.value })
}
