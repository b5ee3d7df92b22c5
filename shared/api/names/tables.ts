import type { Kind } from '../reader/field.ts'
import { anything, isRecord } from '../reader/kinds.ts'

export const listNames: readonly string[] = [
  'items',
  'rows',
  'list',
  'records',
  'results',
  'entries',
  'elements',
  'edges',
  'nodes',
  'docs',
  'data',
  'result',
  'response',
  'payload',
  'content',
  'body',
  'values',
]

type Fields = Readonly<Record<string, unknown>>

const isColumnNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')

/** What has more columns is no table. */
const mostColumns = 1_000
const isWide = (source: Fields): boolean => Object.keys(source).length > mostColumns

/** `{columns: ["id", "size"], rows: [[1, "2"]]}` as rows of named values. */
export function fromColumns(source: Fields): Fields[] | null {
  if (isWide(source)) return null
  const entries = Object.entries(source)
  const columns = entries.find(([name, value]) => /^(columns|fields|headers?|keys|names|schema)$/i.test(name) && isColumnNames(value))?.[1]
  const rows = entries.find(
    ([name, value]) => !/^(columns|fields|headers?|keys|names|schema)$/i.test(name) && Array.isArray(value) && value.every(Array.isArray),
  )?.[1]
  if (!isColumnNames(columns) || columns.length > mostColumns || !Array.isArray(rows)) return null
  return rows.map((row: readonly unknown[]) => Object.fromEntries(row.slice(0, columns.length).map((cell, index) => [columns[index], cell])))
}

/** Fewer empty lists may be lists of several kinds of record. */
const leastEmptyColumns = 4

/**
 * `{id: [1, 2], size: ["3", "4"]}` as rows: every list is as long as the others, and there are two at least. A cell may hold a list or an object where
 * most columns hold plain values, and no column is named as a list of records is.
 */
export function fromLists(source: Fields, isOfRecords: (name: string) => boolean): Fields[] | null {
  if (isWide(source)) return null
  const entries = Object.entries(source).filter(([, value]) => Array.isArray(value)) as [string, readonly unknown[]][] // as filtered
  const length = entries[0]?.[1].length
  if (entries.length < 2 || length === undefined || entries.some(([, list]) => list.length !== length)) return null
  if (length === 0) return entries.length < leastEmptyColumns || entries.some(([name]) => isOfRecords(name)) ? null : []
  const held = entries.filter(([, list]) => list.some((cell) => Array.isArray(cell) || (isRecord(cell) && !isAmount(cell))))
  if (held.length * 2 >= entries.length || held.some(([name, list]) => isOfRecords(name) && list.some(isRecord))) return null
  return Array.from({ length }, (_, index) => Object.fromEntries(entries.map(([name, list]) => [name, list[index]])))
}

/** `{value: "15", decimals: 1}`: one amount, not a record. */
const isAmount = (cell: Fields): boolean => Object.keys(cell).every((name) => /^(value|amount|raw|units?|decimals|scale|exponent|currency)$/i.test(name))

const isRows = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)
    : isRecord(value) && (fromColumns(value) !== null || fromLists(value, () => true) !== null)

/** Several records: an array of them, a table, or one of these under a usual name and nothing else. */
export function isList(value: unknown): boolean {
  if (isRows(value)) return true
  const [only, ...more] = isRecord(value) ? Object.entries(value) : []
  return only !== undefined && more.length === 0 && listNames.includes(only[0].toLowerCase()) && isRows(only[1])
}

/** Several records, kept as they came: where a record holds them once, that alone tells, under any name. */
export const records: Kind<unknown> = { ...anything, name: 'list', says: isList }
