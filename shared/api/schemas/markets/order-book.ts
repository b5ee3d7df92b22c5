import { absolute, add, compare, divide, isZero, signOf } from '../../../decimal.ts'
import type { BookLevel } from '../../../ipc/reads/markets.ts'
import { answerReader, type ListRead, listIn } from '../../reader/answer.ts'
import { type Complain, may, must, type ReadContext } from '../../reader/field.ts'
import { inspectRecords } from '../../reader/inspect.ts'
import { amount, anything, base, count, isRecord, price, time } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { resource } from '../../reader/resource.ts'
import { unwrap } from '../../reader/unwrap.ts'
import { each, names } from '../name-lists.ts'

const sizeNames = ['size', 'position_size', 'order_size', 'level_size', 's', 'sz', 'quantity', 'qty', 'amount', 'volume', 'size_base', 'base_size'] as const

export const bookLevel = resource({
  name: 'book_level',
  words: ['level'],
  sentence: null,
  source: '',
  fields: {
    price: must(['price', 'p', 'px', 'limit_price', 'price_value', 'price_level', 'rate', 'level'], price),
    size: must([...sizeNames, 'size_usdc', 'notional', 'value'], amount),
    inBase: may(sizeNames, base),
  },
  tuples: [['price', 'size']],
  keyed: { key: 'price', value: 'size' },
})
const sideNames = (...sides: readonly string[]): readonly string[] => [...sides, ...each(sides, ['level', 'side', 'order', 'book', 'depth', 'entry', 'list'])]

type Level = NonNullable<ReturnType<typeof readLevels>>['items'][number]

/** Reads the levels of one side of an order book from a list of levels, a list of pairs, or an object that maps prices to sizes. */
const readLevels = (value: unknown, complain: Complain, context: ReadContext) => listIn(bookLevel, ['levels'], value, complain, context)

/** Returns the levels of one side of the order book, best price first, with the sizes of equal prices added up and empty levels removed. */
function orderLevels(found: readonly Level[], better: -1 | 1): BookLevel[] {
  const byPrice = new Map<string, string>()
  for (const { price: at, size } of found) if (signOf(size) > 0) byPrice.set(at, add(byPrice.get(at) ?? '0', size))
  return [...byPrice].map(([at, size]) => ({ price: at, size })).sort((a, b) => better * compare(b.price, a.price))
}

interface OrderBookRecord {
  /** The market's id; null if the answer does not state the market. */
  readonly pairId: number | null
  /** The levels of the bids and of the asks, best price first: bid prices fall, ask prices rise. */
  readonly bids: BookLevel[]
  readonly asks: BookLevel[]
  /** The unit of the sizes: base units. null if the answer does not show whether they are in base units or in USDC. */
  readonly sizeUnit: 'base' | null
  readonly atMs: number | null
}

export const orderBook = resource({
  name: 'order_book',
  words: ['orderbook', 'book', 'depth'],
  sentence:
    'A book stands under `orderbook`, or beside others under `orderbooks` with its `pair_id`; bids and asks are lists of price and size, as objects or as pairs. Sizes are in base units where a name or a field beside them says so.',
  source: 'Resources: bodies of market read resources not shown',
  fields: {
    pairId: may([...names.pairId, 'id', 'pair', 'market', 'product', 'instrument'], count),
    bids: must([...sideNames('bid', 'buy', 'buyer'), 'b'], anything),
    asks: must([...sideNames('ask', 'sell', 'offer', 'seller'), 'a'], anything),
    atMs: may(names.updatedAt, time),
  },
  keyed: { key: 'pairId' },
})

function readBook(source: unknown, complain: Complain, context: ReadContext): OrderBookRecord | undefined {
  const [found] = readRecords(orderBook, [source], context, ([, ...path], issue) => complain(path, issue)).items
  if (found === undefined) return undefined
  // If the order book states a unit for sizes, the unit applies to all its levels.
  const around = isRecord(source) ? source : {}
  const sided = (value: unknown): ListRead<Level> | undefined =>
    Array.isArray(value) && value.length === 0
      ? { items: [], sources: [], unreadable: null, around: {} }
      : readLevels(value, complain, { ...context, around: { ...context.around, ...around } })
  const [bids, asks] = [sided(found.bids), sided(found.asks)]
  // An order book with missing levels would show false prices. So if one level is unreadable, the whole book is unreadable.
  if (bids === undefined || asks === undefined || bids.unreadable !== null || asks.unreadable !== null) {
    complain(['levels'], 'not readable')
    return undefined
  }
  const inBase = [...bids.items, ...asks.items].every((level) => level.inBase !== null)
  return { pairId: found.pairId, bids: orderLevels(bids.items, 1), asks: orderLevels(asks.items, -1), sizeUnit: inBase ? 'base' : null, atMs: found.atMs }
}

/** One order book, or the books of several markets. The API document shows no parameters for `/orderbook`, so the answer may contain all markets. */
export const OrderBookList = answerReader<{ readonly books: OrderBookRecord[] }>(
  (json, complain, context) => {
    const { inner, outer } = unwrap(json, orderBook.words, orderBook.matcher)
    const around = Object.assign({}, ...outer) as Readonly<Record<string, unknown>> // the cast is safe: `outer` contains only objects
    const one = readBook(inner, () => {}, { ...context, around })
    if (one !== undefined) return { books: [one.pairId === null ? { ...one, pairId: pairIn(around) } : one] }
    const list = listIn(orderBook, ['orderbooks', 'order_books', 'books'], json, complain, context)
    if (list === undefined) return undefined
    const books = list.sources.flatMap((source) => readBook(source, complain, { ...context, around: list.around }) ?? [])
    return books.length === 0 && list.sources.length > 0 ? undefined : { books }
  },
  (json, fieldMap) => [inspectRecords(orderBook, [unwrap(json, orderBook.words, orderBook.matcher).inner], fieldMap)],
)

const pairIn = (around: Readonly<Record<string, unknown>>): number | null =>
  readRecords({ ...orderBook, list: orderBook.list.map((field) => ({ ...field, required: false })) }, [around], {}, () => {}).items[0]?.pairId ?? null

/** Converts an amount in USDC to base units at a price. Keeps one decimal more than an amount that is exact to the cent needs. */
export function sizeFrom(valueUsdc: string | null, price: string | null): string | null {
  if (valueUsdc === null || price === null || isZero(price)) return null
  const [whole = ''] = absolute(price).split('.', 1)
  return divide(valueUsdc, price, whole.length + 3)
}
