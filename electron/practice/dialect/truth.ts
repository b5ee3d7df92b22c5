import { isUsdcSize } from './plan.ts'
import { type AnswerShape, type Field, type Kind, type Resource, shapeOf } from './resources.ts'
import { isRow, listForm, type RecordWriter, type Row } from './write-record.ts'

/**
 * Units of the values in the truth log, which records what the exchange meant. usdc_per_base: a price. usdc, base, token: amounts. percent: 1 is one
 * hundredth. ratio, count: plain numbers. unix_ms: a time. id: the exchange's own id. word, flag, text: as in the exchange's own format.
 */
export type TruthUnit = 'usdc_per_base' | 'usdc' | 'base' | 'token' | 'percent' | 'ratio' | 'count' | 'unix_ms' | 'id' | 'word' | 'flag' | 'text'

/** What one field of a response means, in the exchange's own units and words, even if the dialect writes the field differently. */
export interface Truth {
  readonly resource: string
  /** The index in a list, from 0, in the exchange's order; null for a single record. */
  readonly index: number | null
  /**
   * The id of the record that contains the field: `own` is the id in the exchange's own form, `told` the id as the dialect writes it. null if the
   * record has no id.
   */
  readonly id: { readonly own: string; readonly told: string } | null
  /** The exchange's own name of the field. For a field of a nested object, the object's name and a dot come first. */
  readonly field: string
  readonly unit: TruthUnit
  /** The value as text: a decimal, Unix milliseconds, an id, a word, `true` or `false`. null if there is no value, or for a time that never comes. */
  readonly value: string | null
  /**
   * The path of field names under which the dialect writes the field, outermost name first. For a table, the name of the column. Empty if the dialect
   * omits the field.
   */
  readonly path: readonly string[]
  /**
   * Whether a reader of the response can find the value.
   * told: the response contains it. derived: it can be computed from other fields of the record, to the cent. open: the response contains a number,
   * but nothing shows its unit. left_out: the dialect omits the field.
   */
  readonly standing: 'told' | 'derived' | 'open' | 'left_out'
}

function unitOf(kind: Kind): TruthUnit {
  switch (kind) {
    case 'price':
      return 'usdc_per_base'
    case 'ms':
    case 'iso':
      return 'unix_ms'
    case 'usdc':
    case 'token':
    case 'percent':
    case 'ratio':
    case 'count':
    case 'flag':
      return kind
    case 'text':
    case 'fixed':
      return 'text'
    default:
      return 'base' in kind ? 'base' : 'id' in kind ? 'id' : 'word' in kind ? 'word' : 'text'
  }
}

/** Returns every field of a route's response with the value that the exchange means by it. */
export function truthOf(writer: RecordWriter, route: string, body: Row): readonly Truth[] {
  const shape = shapeOf(route, body)
  if (shape === null) return []
  const main = shape.main === null ? body : body[shape.main]
  const rows = shape.as === 'page' && isRow(main) ? main.items : main
  if (isRow(rows)) return ofRecord(writer, shape, rows, null)
  return Array.isArray(rows) ? rows.flatMap((row: unknown, index) => (isRow(row) ? ofRecord(writer, shape, row, index) : [])) : []
}

function ofRecord(writer: RecordWriter, shape: Pick<AnswerShape, 'name' | 'resource'>, row: Row, index: number | null, outer = ''): Truth[] {
  const { resource, name } = shape
  const { fields } = writer.plan(resource, 'nested')
  const id = idOf(writer, resource, row)
  return resource.fields.flatMap((field): Truth[] => {
    const { kind, key } = field
    if (!(key in row)) return []
    const value = row[key]
    const planned = fields.find((each) => each.field.key === key)
    if (typeof kind === 'object' && 'one' in kind && isRow(value)) return ofRecord(writer, { name, resource: kind.one }, value, index, `${outer}${key}.`)
    if (typeof kind === 'object' && 'many' in kind)
      return Array.isArray(value)
        ? value.flatMap((each: unknown, at) =>
            isRow(each) ? ofRecord(writer, { name: `${name}.${key}`, resource: kind.many }, each, at, `${outer}${key}.`) : [],
          )
        : []
    if (typeof value === 'object' && value !== null) return []
    return [
      {
        ...{ resource: name, index, id, field: `${outer}${key}`, unit: unitOf(kind), value: textOf(kind, value), path: planned?.path ?? [] },
        standing: planned === undefined ? 'left_out' : standingOf(writer, resource, field, row, planned.path),
      },
    ]
  })
}

function textOf(kind: Kind, value: unknown): string | null {
  if (value === null || value === undefined) return null
  return kind === 'iso' ? Date.parse(String(value)).toString() : String(value)
}

function idOf(writer: RecordWriter, { fields }: Resource, row: Row): Truth['id'] {
  const own = fields.find(({ kind }) => typeof kind === 'object' && 'id' in kind)
  const value = own === undefined ? null : row[own.key]
  return own === undefined || typeof value !== 'string' ? null : { own: value, told: writer.idText(own.kind, value) }
}

const saysBase = (path: readonly string[]): boolean => path.some((name) => /base|coin/i.test(name))

/**
 * Sizes that describe a whole market. Other exchanges write such sizes in USDC as often as in the base asset, so only the field's name can show the
 * unit.
 */
const ofMarket: readonly string[] = ['open_interest_long_usdc', 'open_interest_short_usdc', 'volume_24h_usdc']
const saysUsdc = (path: readonly string[]): boolean => path.some((name) => /usd|quote|cents|notional|turnover/i.test(name))

function standingOf({ dialect }: RecordWriter, resource: Resource, { kind, key }: Field, row: Row, path: readonly string[]): Truth['standing'] {
  const { sizeWitnesses, fields } = resource
  if (ofMarket.includes(key)) return saysUsdc(path) ? 'told' : 'open'
  if (kind === 'percent') return dialect.percent.isNamed ? 'told' : 'open'
  if (!isUsdcSize(kind, dialect)) {
    const isBase = typeof kind === 'object' && 'base' in kind
    // If the dialect writes the record as an array of values, it writes no field name that could show a unit.
    const isNamed = !(resource.isTuple && listForm(dialect, resource, '') === 'tuples')
    // If neither the field's name nor a USDC amount in the same record shows the unit, a reader cannot determine it: a volume, for example, may be in
    // USDC or in the base asset.
    return isBase && !(saysBase(path) && isNamed) && !fields.some((each) => each.kind === 'usdc') ? 'open' : 'told'
  }
  const isSaid = dialect.size.isNamed || sizeWitnesses.length === 0
  if (isSaid) return 'derived'
  const hasWitness = !dialect.size.isOpen && sizeWitnesses.some((key) => key in row && fields.some((each) => each.key === key))
  return hasWitness ? 'derived' : 'open'
}
