import type { Dialect } from '../../electron/practice/dialect/draw.ts'
import { readId } from '../../electron/practice/dialect/ids.ts'
import { isUsdcSize } from '../../electron/practice/dialect/plan.ts'
import type { Kind } from '../../electron/practice/dialect/resources.ts'
import { absolute, compare, equals, isDecimal, multiply, subtract } from '../../shared/decimal.ts'
import { toldKinds } from './views/kinds.ts'
import { nameOf, type Part, type Row, type Told, type View } from './views/view.ts'

/** One response of the exchange: its correct values, and its text in the dialect. */
export interface Answered {
  readonly route: string
  /** The exchange’s own response, before its translation into the dialect. */
  readonly told: Row
  /** The text of the translated response, as the app received it. */
  readonly sent: string
  /** Fields (dotted paths) whose unit the response does not state. The app must not show a value for them. */
  readonly open: ReadonlySet<string>
  /** Fields that the dialect does not send. The app may show a value for them only by calculating it. */
  readonly leftOut: ReadonlySet<string>
  /**
   * Sizes that the dialect sends as a value in USDC, without the price. The app may leave the size empty, but must show the USDC value if the view
   * has a field for it.
   */
  readonly derived: ReadonlySet<string>
}

/**
 * The result of comparing a shown field with the sent value. right: equal. unknown: a value was sent, but none is shown. wrong: another value is
 * shown. silent: no value was sent and none is shown.
 */
export type Verdict = 'right' | 'unknown' | 'wrong' | 'silent'

export interface Finding {
  /** The query and the field’s path: `account.positions positions.size`. */
  readonly field: string
  readonly verdict: Verdict
  /** The value that the app shows in the first row with this verdict. */
  readonly shown: unknown
  readonly told: unknown
}

const severity: Readonly<Record<Verdict, number>> = { silent: 0, right: 1, unknown: 2, wrong: 3 }

const at = (value: unknown, path: string): unknown =>
  path === ''
    ? value
    : path.split('.').reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Row)[name] : undefined), value)

/** Whether the app shows no value. The word `unknown` counts as none, because queries use it for a state that the service did not send. */
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

/** Compares two sizes by their value in USDC. A size that was sent as a USDC value is exact only to the cent. */
function sameWorth(shown: unknown, told: unknown, price: unknown): boolean {
  const [one, other, each] = [String(shown), String(told), String(price)]
  return [one, other, each].every(isDecimal) && compare(multiply(absolute(subtract(one, other)), each), '0.006') <= 0
}

/**
 * Whether a shown value equals the sent one. Amounts are compared as numbers, times in milliseconds, ids by the object that they identify, and words
 * by meaning.
 */
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

/** Whether a shown key id identifies the same key as the exchange’s id `own`. A dialect may write ids in another form. */
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
    // Some dialects omit fields without a value. Such a response does not say that the value is null.
    const isAbsent = (name: string): boolean => dialect?.nulls === 'absent' && at(row, name) === null
    const isLeftOut = field.from.some((name) => answered.leftOut.has(place(name)) || isAbsent(name))
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
  // If the response does not state the field’s unit, the app must show nothing. Zero is allowed, because zero is the same in every unit.
  if (answered.open.has(place(name))) return isNothing(shown) || (sameDecimal(shown, '0') && sameDecimal(value, '0')) ? 'right' : 'wrong'
  if (isNothing(shown)) return isNothing(value) || answered.leftOut.has(place(name)) || answered.derived.has(place(name)) ? 'silent' : 'unknown'
  if (isNothing(value)) return 'wrong'
  const kind = kinds.get(place(name))
  if (kind === undefined) throw new Error(`${answered.route} does not tell ${place(name)}`)
  if (same(kind, shown, value, row, dialect)) return 'right'
  const isWord = typeof kind === 'object' && 'word' in kind
  // If the app does not understand a word of the service, it must show the word unchanged. Any other word is wrong.
  if (isWord && typeof shown === 'string' && answered.sent.includes(JSON.stringify(shown))) return typeof field === 'string' ? 'unknown' : 'right'
  return 'wrong'
}

const agreement = (part: Part, one: Row, row: Row, side: Side): number =>
  Object.entries(part.fields).filter(([name, field]) => judgeField(field, part.told, at(one, name), row, side) === 'right').length

/**
 * Pairs the shown rows with the sent rows: by their key, or else with the row that has the most equal fields. `strangers`: shown rows that match no
 * sent row, which are wrong. Sent rows without a shown row are unknown.
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
  /** Among the rows that `fits` accepts, removes and returns the one with the most fields equal to `row`. */
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
  // If only the time of a history point is readable, the point has no value to compare.
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

/** Compares a query’s result with the exchange’s values, field by field. `shown`: null if the query failed. */
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
