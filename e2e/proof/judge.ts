import type { Dialect } from '../../electron/practice/dialect/draw.ts'
import { readId } from '../../electron/practice/dialect/ids.ts'
import { isUsdcSize } from '../../electron/practice/dialect/plan.ts'
import type { Kind } from '../../electron/practice/dialect/resources.ts'
import { absolute, compare, equals, isDecimal, multiply, subtract } from '../../shared/decimal.ts'
import { toldKinds } from './views/kinds.ts'
import { nameOf, type Part, type Row, type Told, type View } from './views/view.ts'

/** One answer: what the exchange meant, and what it sent. */
export interface Answered {
  readonly route: string
  /** The exchange's own answer, before the dialect. */
  readonly told: Row
  /** The answer as text in the dialect. */
  readonly sent: string
  /** Fields, by their dotted path, whose unit nothing tells: a value shown for one is wrong, whichever it is. */
  readonly open: ReadonlySet<string>
  /** Fields that the dialect does not tell. What the app shows for one it has worked out by itself. */
  readonly leftOut: ReadonlySet<string>
  /** Sizes that are told as what they are worth. At which price, nothing tells: the app may leave the size open, and states the worth where it has a place. */
  readonly derived: ReadonlySet<string>
}

/** silent: the exchange has nothing to tell, and nothing is shown. */
export type Verdict = 'right' | 'unknown' | 'wrong' | 'silent'

export interface Finding {
  /** `account.positions positions.size` */
  readonly field: string
  /** The worst of all rows. */
  readonly verdict: Verdict
  /** Of the first row with this verdict. */
  readonly shown: unknown
  readonly told: unknown
}

const severity: Readonly<Record<Verdict, number>> = { silent: 0, right: 1, unknown: 2, wrong: 3 }

const at = (value: unknown, path: string): unknown =>
  path === ''
    ? value
    : path.split('.').reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Row)[name] : undefined), value)

/** The contract has a word for a state that the service does not tell. */
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === 'unknown'
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const rowsAt = (value: unknown, path: string): readonly Row[] => {
  const found = at(value, path)
  return Array.isArray(found) ? found.filter(isRow) : []
}

function sameDecimal(shown: unknown, told: unknown): boolean {
  const [one, other] = [String(shown), String(told)]
  return isDecimal(one) && isDecimal(other) && equals(one, other)
}

const sameText = (shown: unknown, told: unknown): boolean =>
  Array.isArray(told)
    ? Array.isArray(shown) && JSON.stringify(shown.toSorted()) === JSON.stringify(told.toSorted())
    : String(shown).toLowerCase() === String(told).toLowerCase()

/** A size that the service writes in USDC comes with cents, and no more exactly than that. */
function sameWorth(shown: unknown, told: unknown, price: unknown): boolean {
  const [one, other, each] = [String(shown), String(told), String(price)]
  return [one, other, each].every(isDecimal) && compare(multiply(absolute(subtract(one, other)), each), '0.006') <= 0
}

/** Whether a shown value is the one that was told: amounts by value, times in milliseconds, ids by what they name, words by their meaning. */
function same(kind: Kind, shown: unknown, told: unknown, row: Row, dialect: Dialect | null): boolean {
  if (typeof kind === 'object') {
    if ('id' in kind) return shown === told || (dialect !== null && readId(kind.id, dialect.ids[kind.id], shown) === told)
    if ('base' in kind)
      return sameDecimal(shown, told) || (kind.base !== null && dialect !== null && isUsdcSize(kind, dialect) && sameWorth(shown, told, row[kind.base]))
    return sameText(shown, told)
  }
  switch (kind) {
    case 'price':
    case 'usdc':
    case 'token':
    case 'percent':
    case 'ratio':
    case 'count':
      return sameDecimal(shown, told)
    case 'ms':
      return shown === told
    case 'iso':
      return typeof told === 'string' && shown === Date.parse(told)
    case 'flag':
      return shown === told
    case 'text':
    case 'fixed':
      return sameText(shown, told)
  }
}

/** An id of a key, as the exchange has it or as the dialect writes it. */
const namesKey = (shown: unknown, own: unknown, dialect: Dialect | null): boolean => dialect !== null && readId('key', dialect.ids.key, shown) === own

interface Side {
  readonly kinds: ReadonlyMap<string, Kind>
  readonly answered: Answered
  readonly dialect: Dialect | null
}

function judgeField(field: Told, path: string, shown: unknown, row: Row, { kinds, answered, dialect }: Side): Verdict {
  const place = (name: string) => [path, name].filter(Boolean).join('.')
  if (typeof field === 'object' && 'derived' in field) {
    const value = field.value(row)
    const isOpen = field.from.some((name) => answered.open.has(place(name)))
    const isLeftOut = field.from.some((name) => answered.leftOut.has(place(name)))
    const isDerived = answered.derived.has(place(field.from[0] ?? ''))
    if (isNothing(shown)) return isNothing(value) || isLeftOut || isDerived ? 'silent' : isOpen ? 'right' : 'unknown'
    const other = field.or?.(row) ?? null
    if (isOpen && field.or === undefined) return 'wrong'
    if (!isNothing(value) && (sameDecimal(shown, value) || sameText(shown, value))) return 'right'
    const instead = field.instead?.(row) ?? null
    if (instead !== null && (sameText(shown, instead) || namesKey(shown, instead, dialect))) return 'unknown'
    return !isNothing(other) && sameWorth(shown, other, '1') ? 'right' : 'wrong'
  }
  const name = typeof field === 'string' ? field : field.said
  const value = at(row, name)
  // Nothing is nothing in any unit.
  if (answered.open.has(place(name))) return isNothing(shown) || (sameDecimal(shown, '0') && sameDecimal(value, '0')) ? 'right' : 'wrong'
  if (isNothing(shown)) return isNothing(value) || answered.leftOut.has(place(name)) || answered.derived.has(place(name)) ? 'silent' : 'unknown'
  if (isNothing(value)) return 'wrong'
  const kind = kinds.get(place(name))
  if (kind === undefined) throw new Error(`${answered.route} does not tell ${place(name)}`)
  if (same(kind, shown, value, row, dialect)) return 'right'
  const isWord = typeof kind === 'object' && 'word' in kind
  // The service's own word, as the contract promises it where the app knows no better one; anything else is nobody's word.
  if (isWord && typeof shown === 'string' && answered.sent.includes(JSON.stringify(shown))) return typeof field === 'string' ? 'unknown' : 'right'
  return 'wrong'
}

/** How many of the fields of two rows agree. */
const agreement = (part: Part, one: Row, row: Row, side: Side): number =>
  Object.entries(part.fields).filter(([name, field]) => judgeField(field, part.told, at(one, name), row, side) === 'right').length

/**
 * Rows of both sides that belong together: by their key, else those that agree in most fields. Rows that are shown and agree with none were never told;
 * rows that are told and not shown are unknown.
 */
function paired(part: Part, view: unknown, side: Side): { readonly pairs: readonly (readonly [Row, Row])[]; readonly strangers: readonly Row[] } {
  const { shown, told, by, added = () => [] } = part
  const { answered, kinds, dialect } = side
  const empty: Row = {}
  if (by === undefined) {
    const [one, other] = [at(view, shown), at(answered.told, told)]
    return { pairs: isRow(other) ? [[isRow(one) ? one : empty, other]] : [], strangers: [] }
  }
  const kind = kinds.get([told, by[1]].filter(Boolean).join('.'))
  if (kind === undefined) throw new Error(`${answered.route} does not tell ${told}.${by[1]}`)
  const left = [...rowsAt(view, shown)]
  /** Of the rows that are left and fit, the one that agrees in most fields. */
  const take = (row: Row, fits: (one: Row) => boolean, atLeast: number): Row | undefined => {
    const scored = left.filter(fits).map((one) => ({ one, score: agreement(part, one, row, side) }))
    const [best] = scored.toSorted((a, b) => b.score - a.score)
    if (best === undefined || best.score < atLeast) return undefined
    left.splice(left.indexOf(best.one), 1)
    return best.one
  }
  const takeByKey = (row: Row) => {
    const value = at(row, by[1])
    const fits = (one: Row): boolean => {
      const key = at(one, by[0])
      return isNothing(key) || isNothing(value) ? isNothing(key) && isNothing(value) : same(kind, key, value, row, dialect)
    }
    return take(row, fits, 0)
  }
  const byKey = rowsAt(answered.told, told).map((row) => ({ row, found: takeByKey(row) }))
  const more = added(answered.told).flatMap((row): [Row, Row][] => {
    const found = takeByKey(row) ?? take({ ...row, [by[1]]: null }, () => true, 1)
    return found === undefined ? [] : [[found, { ...row, [by[1]]: at(found, by[0]) }]]
  })
  const isFull = rowsAt(view, shown).length === part.most
  // A point in time of which nothing is known but the time says nothing.
  const saysNothing = (row: Row): boolean =>
    Object.values(part.fields).every(
      (field) => field === by[1] || (typeof field === 'string' && answered.open.has([told, field].join('.')) && at(row, field) !== undefined),
    )
  const pairs = byKey.flatMap(({ row, found }): [Row, Row][] => {
    const one = found ?? take(row, () => true, 1)
    return one === undefined && (isFull || saysNothing(row)) ? [] : [[one ?? empty, row]]
  })
  return { pairs: [...pairs, ...more], strangers: part.ownRows?.(view) === true ? [] : left }
}

/** Holds what a query shows against what the exchange meant, field by field. `shown` null: the query failed, and shows nothing. */
export function judge(view: View, shown: unknown, answered: Answered, dialect: Dialect | null): Finding[] {
  const stated = view.stated?.(shown) ?? shown
  const side: Side = { kinds: toldKinds(view.route), answered, dialect }
  return view.parts.flatMap((part) => {
    const { pairs, strangers } = paired(part, stated, side)
    return Object.entries(part.fields).map(([name, field]): Finding => {
      const found = pairs.map(([one, row]) => {
        const value = at(one, name)
        return { verdict: judgeField(field, part.told, value, row, side), shown: value, told: typeof field === 'string' ? at(row, field) : row }
      })
      const invented = strangers.map((one) => ({
        verdict: isNothing(at(one, name)) ? ('silent' as const) : ('wrong' as const),
        shown: at(one, name),
        told: undefined,
      }))
      const worst = [...found, ...invented].reduce((a, b) => (severity[b.verdict] > severity[a.verdict] ? b : a), {
        verdict: 'silent' as Verdict,
        shown: null as unknown,
        told: null as unknown,
      })
      return { field: `${nameOf(view)} ${[part.shown, name].filter(Boolean).join('.')}`, ...worst }
    })
  })
}
