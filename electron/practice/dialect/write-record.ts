import { divide, multiply } from '../../../shared/decimal.ts'
import type { Dialect } from './draw.ts'
import { writeDecimal, writeMoment, writeNever } from './forms.ts'
import { writeId } from './ids.ts'
import { asJson, type Json, type JsonObject, NumberText } from './json.ts'
import { decimalsOf, type FieldPlan, isUsdcSize, type Nesting, planRecord, type RecordPlan } from './plan.ts'
import type { Kind, Resource } from './resources.ts'

export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

export interface RecordWriter {
  readonly dialect: Dialect
  plan(resource: Resource, nesting: Nesting): RecordPlan
  /** Writes a record as an object. `nesting` determines whether the dialect may put nested objects into it. */
  record(resource: Resource, row: Row, nesting: Nesting): JsonObject
  cells(resource: Resource, row: Row): readonly Json[]
  idText(kind: Kind, id: string): string
  list(resource: Resource, rows: readonly unknown[], dimension: string): Json
}

const usdcDecimals = 2

export function createRecordWriter(dialect: Dialect): RecordWriter {
  const { draw } = dialect
  const plans = new Map<string, RecordPlan>()
  const plan: RecordWriter['plan'] = (resource, nesting) => {
    // The name alone does not identify a resource: for example, a market and the exchange’s vault both have a `history`. Therefore the cache key also
    // contains the field names.
    const key = `${nesting} ${resource.name} ${resource.fields.map((each) => each.key).join(' ')}`
    const known = plans.get(key)
    if (known !== undefined) return known
    const made = planRecord(resource, nesting, dialect)
    plans.set(key, made)
    return made
  }

  const decimal = (value: string, kind: Kind, row: Row): string | null => {
    if (kind === 'percent') {
      const { unit } = dialect.percent
      return unit === 'percent' ? value : multiply(value, unit === 'fraction' ? '0.01' : '100')
    }
    if (kind === 'usdc' && dialect.usdc.inCents) return multiply(value, '100')
    if (!isUsdcSize(kind, dialect)) return value
    const price = typeof kind === 'object' && 'base' in kind && kind.base !== null ? row[kind.base] : null
    return typeof price === 'string' ? divide(multiply(value, price), '1', usdcDecimals) : null
  }

  const moment = (value: unknown, kind: 'ms' | 'iso'): Json => {
    const { unit, asText, never } = dialect.time
    const atMs = kind === 'ms' ? value : typeof value === 'string' ? Date.parse(value) : null
    return typeof atMs === 'number' && Number.isFinite(atMs) ? writeMoment(atMs, unit, asText) : writeNever(never, asText)
  }

  const cell = ({ field, spelling, side }: FieldPlan, row: Row, nesting: Nesting): Json => {
    const { kind, key } = field
    const value = row[key]
    if (kind === 'ms' || kind === 'iso') return moment(value, kind)
    if (value === null || value === undefined) return null
    const decimals = decimalsOf(kind, dialect)
    if (decimals !== null) {
      const stated = decimal(String(value), kind, row)
      return stated === null ? null : writeDecimal(stated, decimals.form, decimals.decimals)
    }
    if (kind === 'count') return dialect.count === 'text' ? String(value) : new NumberText(String(value))
    if (kind === 'flag') return dialect.flags[value === true ? 1 : 0]
    if (typeof kind === 'object') {
      if ('id' in kind) return writeId(kind.id, dialect.ids[kind.id], String(value))
      if ('one' in kind) return isRow(value) ? record(kind.one, value, nesting) : asJson(value)
      if ('many' in kind) return Array.isArray(value) ? list(kind.many, value, `list:${key}`) : asJson(value)
      if (side === 'flag') return dialect.flags[value === 'long' ? 1 : 0]
      if (side === 'sign') return new NumberText(value === 'long' ? '1' : '-1')
      return spelling?.[String(value)] ?? asJson(value)
    }
    return asJson(value)
  }

  const cells: RecordWriter['cells'] = (resource, row) => plan(resource, 'flat').fields.map((each) => cell(each, row, 'flat'))

  const record: RecordWriter['record'] = (resource, row, nesting) => {
    const written: Record<string, unknown> = {}
    const put = (path: readonly string[], value: Json) => {
      let at = written
      for (const name of path.slice(0, -1)) {
        at[name] ??= {}
        at = at[name] as Record<string, unknown>
      }
      at[path.at(-1) ?? ''] = value
    }
    for (const each of plan(resource, nesting).fields) {
      const { field, path, scalePath } = each
      if (!(field.key in row)) continue
      const value = cell(each, row, nesting)
      if (value === null && dialect.nulls === 'absent' && field.kind !== 'fixed') continue
      put(path, value)
      if (scalePath !== null) put(scalePath, decimalsOf(field.kind, dialect)?.decimals ?? 0)
    }
    return asJson(written) as JsonObject
  }

  /** Returns the columns of a list that is written as a table. A number whose scale is in a second field takes two columns. */
  const columnsOf = (resource: Resource) =>
    plan(resource, 'flat').fields.flatMap(({ field, path, scalePath }, index) => {
      const name = path.join('_')
      const scale = decimalsOf(field.kind, dialect)?.decimals ?? 0
      return [
        { name, of: (row: readonly Json[]): Json => row[index] ?? null },
        ...(scalePath === null ? [] : [{ name: scalePath.join('_'), of: (): Json => scale }]),
      ]
    })

  const list: RecordWriter['list'] = (resource, rows, dimension) => {
    const records = rows.filter(isRow)
    const form = listForm(dialect, resource, dimension)
    switch (form) {
      case 'array':
        return records.map((row) => record(resource, row, 'nested'))
      case 'items':
        return { [draw.pick(`${dimension}:items name`, ['items', 'rows', 'list', 'results'])]: records.map((row) => record(resource, row, 'nested')) }
      case 'map':
        return Object.fromEntries(records.map((row) => [keyText(resource, row), record(resource, row, 'nested')]))
      case 'tuples':
        return records.map((row) => cells(resource, row))
      case 'rows': {
        const columns = columnsOf(resource)
        return { columns: columns.map(({ name }) => name), rows: records.map((row) => cells(resource, row)).map((row) => columns.map(({ of }) => of(row))) }
      }
      case 'columns': {
        const written = records.map((row) => cells(resource, row))
        return Object.fromEntries(columnsOf(resource).map(({ name, of }) => [name, written.map(of)]))
      }
    }
  }

  const keyText = ({ keyedBy, fields }: Resource, row: Row): string => {
    const kind = fields.find(({ key }) => key === keyedBy)?.kind
    return idText(kind, String(row[keyedBy ?? '']))
  }

  const idText = (kind: Kind | undefined, value: string): string => {
    const written = typeof kind === 'object' && 'id' in kind ? writeId(kind.id, dialect.ids[kind.id], value) : value
    return written instanceof NumberText ? written.text : String(written)
  }

  return { dialect, plan, record, cells, idText, list }
}

export type ListForm = 'array' | 'items' | 'map' | 'tuples' | 'rows' | 'columns'

/**
 * Chooses how the dialect writes a list: as objects, as a map or as a table. A list of bare values (tuples) has no place for a separate scale, so it
 * is possible only if no number needs one.
 */
export function listForm({ draw, price, size }: Dialect, { isTuple, keyedBy, name }: Resource, dimension: string): ListForm {
  const hasScale = price.form.startsWith('scaled') || size.form.startsWith('scaled')
  if (isTuple) return draw.pick<ListForm>(`list:${name}`, hasScale ? ['array', 'rows', 'columns'] : ['array', 'tuples', 'tuples', 'rows', 'columns'])
  if (keyedBy !== null) return draw.pick<ListForm>(dimension, ['array', 'array', 'items', 'map', 'rows', 'columns'])
  return draw.pick<ListForm>(dimension, ['array', 'array', 'items', 'rows', 'columns'])
}
