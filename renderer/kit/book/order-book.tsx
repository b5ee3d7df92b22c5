import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { roveOnKey } from '../roving.ts'
import { type BookLook, type BookPainter, createBookPainter } from './book-painter.ts'
import type { BookSide } from './book-rows.ts'
import { unitsOf } from './book-units.ts'
import type { LiveBook } from './live-book.ts'
import './book.css'

interface OrderBookProps {
  readonly market: Market
  readonly book: LiveBook
  /** By what prices are grouped: decimal text. */
  readonly step: string
  /** Of a price. */
  readonly decimals: number
  /** Whether sizes are known to be in base units. */
  readonly sizesKnown: boolean
  /** Prices of the user's own waiting orders. */
  readonly own: readonly string[]
  /** Absent where a price leads nowhere. */
  readonly onPrice?: (price: string) => void
}

const rowPx = 20
const middlePx = 32
const mostRows = 40

/** How many rows of a side fit into the element, counted anew when it changes its size. */
function useRowCount(element: HTMLElement | null): number {
  const [count, setCount] = useState(12)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setCount(Math.min(mostRows, Math.max(1, Math.floor((entry.contentRect.height - middlePx) / 2 / rowPx))))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return count
}

/** Both sides of a book with their depth, the spread between them. What it shows is written by the painter, past React. */
export function OrderBook({ market, book, step, decimals, sizesKnown, own, onPrice }: OrderBookProps) {
  const [body, setBody] = useState<HTMLElement | null>(null)
  const painter = useRef<BookPainter | null>(null)
  const count = useRowCount(body)
  const sizeDecimals = market.sizeDecimals ?? 4
  const look = useMemo(
    (): BookLook => ({ step: unitsOf(step), priceDecimals: decimals, sizeDecimals, sizesKnown, own: own.map(unitsOf) }),
    [step, decimals, sizeDecimals, sizesKnown, own],
  )
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    // The rows that the painter takes are those of this count.
    if (body === null || count === 0) return
    const made = createBookPainter(body, book, latest.current)
    painter.current = made
    return () => {
      painter.current = null
      made.stop()
    }
  }, [body, book, count])
  useEffect(() => painter.current?.look(look), [look])

  const choose = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('tr[data-side]') : null
    if (row === null || onPrice === undefined) return
    const price = painter.current?.priceAt(row.dataset.side === 'ask' ? 'ask' : 'bid', Number(row.dataset.index))
    if (price != null) onPrice(price)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the prices inside are buttons, this hears them
    <div ref={setBody} className="bk-body" onClick={choose} onKeyDown={(event) => roveOnKey(event, 'button.bk-price', false)}>
      <BookRows side="ask" count={count} pressable={onPrice !== undefined} />
      <p className="bk-mid">
        <span className="muted">Spread</span> <b data-at="spread" /> <span className="muted" data-at="spread-share" />
      </p>
      <BookRows side="bid" count={count} pressable={onPrice !== undefined} />
    </div>
  )
}

/** Empty rows, the best nearest to the middle. */
const BookRows = memo(function BookRows({ side, count, pressable }: { readonly side: BookSide; readonly count: number; readonly pressable: boolean }) {
  const indices = Array.from({ length: count }, (_, index) => (side === 'ask' ? count - 1 - index : index))
  return (
    <table className={`bk-side ${side}`} aria-label={side === 'ask' ? 'Asks' : 'Bids'}>
      <thead className="sr">
        <tr>
          <th>Price</th>
          <th>Size</th>
          <th>Total</th>
        </tr>
      </thead>
      <tbody>
        {indices.map((index) => (
          <tr key={index} data-side={side} data-index={index}>
            <td>
              {pressable ? (
                <button type="button" className="bk-price" data-at="price" tabIndex={side === 'bid' && index === 0 ? 0 : -1} title="Use as the limit price" />
              ) : (
                <span data-at="price" />
              )}
              <span className="bk-own" title="Your order">
                <span className="sr">, your order</span>
              </span>
            </td>
            <td data-at="size" />
            <td>
              <span data-at="total" />
              <i className="bk-bar" data-at="bar" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})
