import type { Dialect } from '../../../electron/practice/dialect/draw.ts'
import { idPrefixes, readId } from '../../../electron/practice/dialect/ids.ts'
import { NumberText } from '../../../electron/practice/dialect/json.ts'
import { decimalsOf, type FieldPlan, isUsdcSize, type Nesting } from '../../../electron/practice/dialect/plan.ts'
import { type Kind, type Resource, shapeOf } from '../../../electron/practice/dialect/resources.ts'
import { envelopeOf } from '../../../electron/practice/dialect/write-answer.ts'
import { isRow, listForm, type RecordWriter, type Row } from '../../../electron/practice/dialect/write-record.ts'
import { divide, multiply, normalise } from '../../../shared/decimal.ts'

/** Translates a response from a test dialect (a variant of the API) back to the exchange’s original data, using the dialect’s own description. */
export interface ReadBack {
  readonly main: unknown
}

/** Parses JSON but keeps each number’s text, so that no digits are lost. */
export const parseNumbers = (text: string): unknown =>
  JSON.parse(text, ((_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value) as (name: string, value: unknown) => unknown)

export function readAnswer(writer: RecordWriter, route: string, body: Row, written: unknown): unknown {
  const shape = shapeOf(route, body)
  if (shape === null) return written
  const { path } = envelopeOf(writer.dialect, shape)
  const content = path.reduce<unknown>((at, name) => (isRow(at) ? at[name] : undefined), written)
  if (shape.as === 'list') return readList(writer, shape.resource, content, `list:${shape.name}`)
  if (shape.as === 'record') return readRecord(writer, shape.resource, content, 'nested')
  return isRow(content) && Array.isArray(content.items) ? content.items.map((each) => readRecord(writer, shape.resource, each, 'nested')) : undefined
}

function readList(writer: RecordWriter, resource: Resource, value: unknown, dimension: string): unknown {
  const form = listForm(writer.dialect, resource, dimension)
  const { fields } = writer.plan(resource, 'flat')
  const listed = (each: unknown): unknown[] => (Array.isArray(each) ? each : [])
  const fromNames = (names: readonly unknown[]) => (row: unknown) =>
    readRecord(writer, resource, Object.fromEntries(listed(row).map((cell, index) => [String(names[index]), cell])), 'flat')
  switch (form) {
    case 'array':
      return listed(value).map((each) => readRecord(writer, resource, each, 'nested'))
    case 'items':
    case 'map': {
      const held = isRow(value) ? Object.values(value) : []
      return (form === 'items' ? listed(held[0]) : held).map((each) => readRecord(writer, resource, each, 'nested'))
    }
    case 'tuples':
      return listed(value).map(fromNames(fields.map(({ path }) => path.join('_'))))
    case 'rows':
      return isRow(value) ? listed(value.rows).map(fromNames(listed(value.columns))) : undefined
    case 'columns': {
      const columns = isRow(value) ? Object.entries(value) : []
      const count = listed(columns[0]?.[1]).length
      return Array.from({ length: count }, (_, index) => fromNames(columns.map(([name]) => name))(columns.map(([, cells]) => listed(cells)[index])))
    }
  }
}

function readRecord(writer: RecordWriter, resource: Resource, value: unknown, nesting: Nesting): Row {
  const read: Record<string, unknown> = {}
  const at = (path: readonly string[]) =>
    (nesting === 'flat' ? [path.join('_')] : path).reduce<unknown>((held, name) => (isRow(held) ? held[name] : undefined), value)
  for (const plan of writer.plan(resource, nesting).fields) {
    const cell = at(plan.path)
    read[plan.field.key] = readCell(writer, plan, cell, plan.scalePath === null ? null : at(plan.scalePath), nesting)
  }
  for (const { field } of writer.plan(resource, nesting).fields)
    if (isUsdcSize(field.kind, writer.dialect)) read[field.key] = inBase(read, field.key, field.kind)
  return read
}

/** Converts a size reported in USDC to base units, with the price in the same row. */
function inBase(row: Row, key: string, kind: Kind): unknown {
  const [size, price] = [row[key], typeof kind === 'object' && 'base' in kind && kind.base !== null ? row[kind.base] : null]
  return typeof size === 'string' && typeof price === 'string' ? divide(size, price, 18) : null
}

function readCell(writer: RecordWriter, { field, spelling, side }: FieldPlan, cell: unknown, scale: unknown, nesting: Nesting): unknown {
  const { dialect } = writer
  const { kind, key } = field
  if (kind === 'ms' || kind === 'iso') return momentOf(cell, dialect)
  if (cell === null || cell === undefined) return null
  const decimals = decimalsOf(kind, dialect)
  if (decimals !== null) return inOwnUnit(plainDecimal(cell, decimals.decimals, decimals.form, scale), kind, dialect)
  if (kind === 'count') return textOf(cell)
  if (kind === 'flag') return isTrue(cell)
  if (typeof kind !== 'object') return cell
  if ('id' in kind) return readId(kind.id, dialect.ids[kind.id], cell) ?? (String(cell).startsWith(idPrefixes[kind.id]) ? cell : null)
  if ('one' in kind) return readRecord(writer, kind.one, cell, nesting)
  if ('many' in kind) return readList(writer, kind.many, cell, `list:${key}`)
  if (side === 'flag') return isTrue(cell) ? 'long' : 'short'
  if (side === 'sign') return textOf(cell) === '1' ? 'long' : 'short'
  return Object.entries(spelling ?? {}).find(([, theirs]) => theirs === cell)?.[0] ?? cell
}

const textOf = (cell: unknown): string => (cell instanceof NumberText ? cell.text : String(cell))
const isTrue = (cell: unknown): boolean => ['true', '1'].includes(textOf(cell))

function plainDecimal(cell: unknown, decimals: number, form: string, scale: unknown): string {
  if (form === 'scaled_object' && isRow(cell)) return shifted(textOf(cell.value), Number(textOf(cell.decimals)))
  if (form === 'scaled_sibling') return shifted(textOf(cell), Number(textOf(scale)))
  if (form === 'scaled_name') return shifted(textOf(cell), decimals)
  const [mantissa = '0', exponent = '0'] = textOf(cell).split('e')
  const by = Number(exponent)
  return by < 0 ? shifted(mantissa, -by) : normalise(multiply(mantissa, `1${'0'.repeat(by)}`))
}

const shifted = (text: string, decimals: number): string => normalise(divide(text, `1${'0'.repeat(decimals)}`, 40))

function inOwnUnit(value: string, kind: Kind, { percent, usdc }: Dialect): string {
  if (kind === 'percent') return percent.unit === 'percent' ? value : percent.unit === 'fraction' ? multiply(value, '100') : multiply(value, '0.01')
  return kind === 'usdc' && usdc.inCents ? multiply(value, '0.01') : value
}

const never = ['0', '-1', '9223372036854775807', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']

/** The time in a response’s field, in Unix milliseconds; null if the field contains no time. */
function momentOf(cell: unknown, { time }: Dialect): number | null {
  if (cell === null || cell === undefined || never.includes(textOf(cell))) return null
  if (time.unit === 'utc' || time.unit === 'offset') return Date.parse(textOf(cell))
  const factor = { s: '1000', ms: '1', us: '0.001', ns: '0.000001' }[time.unit]
  return Number(multiply(textOf(cell), factor))
}
