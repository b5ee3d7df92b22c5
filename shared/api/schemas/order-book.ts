import { add, compare, signOf } from '../../decimal.ts'
import type { BookLevel } from '../../ipc/markets.ts'
import { assumed } from '../assumptions.ts'
import { decimal, either, fieldsReader, isRecord, list, listUnder, may, must, type Reader, readField, schemaOf, time, wholeNumber } from '../loose.ts'

const book = assumed.orderBook.fields

const levelObject: Reader<BookLevel> = fieldsReader({ price: must(book.price, decimal), size: must(book.size, decimal) })
const levelPair: Reader<BookLevel> = (value, complain) => {
  if (!Array.isArray(value)) return undefined
  const [price, size] = value
  return levelObject({ price, size }, complain)
}
const levels = list(either(levelPair, levelObject))

/** The levels of one side, best first, one per price; a level of nothing is none. */
function orderLevels(found: readonly BookLevel[], better: -1 | 1): BookLevel[] {
  const byPrice = new Map<string, string>()
  for (const { price, size } of found) {
    if (signOf(size) > 0) byPrice.set(price, add(byPrice.get(price) ?? '0', size))
  }
  return [...byPrice].map(([price, size]) => ({ price, size })).sort((a, b) => better * compare(b.price, a.price))
}

interface OrderBookRecord {
  /** null: the answer does not say of which market it is. */
  readonly pairId: number | null
  /** Best first: bids fall, asks rise. */
  readonly bids: BookLevel[]
  readonly asks: BookLevel[]
  readonly atMs: number | null
}

const bookFields = fieldsReader({
  pairId: may(book.pairId, wholeNumber),
  bids: must(book.bids, levels),
  asks: must(book.asks, levels),
  atMs: may(book.updatedAt, time),
})
const bookReader: Reader<OrderBookRecord> = (value, complain) => {
  const found = bookFields(value, complain)
  return found && { ...found, bids: orderLevels(found.bids, 1), asks: orderLevels(found.asks, -1) }
}

/** One book, or those of several markets: the document gives `/orderbook` no parameters. */
export const OrderBookList = schemaOf<{ readonly books: OrderBookRecord[] }>((value, complain) => {
  const inner = isRecord(value) ? readField(value, book.book) : undefined
  const one = bookReader(isRecord(inner) ? inner : value, () => {})
  if (one !== undefined) return { books: [one] }
  const books = listUnder(book.books, bookReader)(value, complain)
  return books && { books }
})
