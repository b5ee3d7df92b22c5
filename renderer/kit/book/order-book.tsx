import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { cx } from '../cx.ts'
import { roveOnKey } from '../roving.ts'
import textStyles from '../text.module.css'
import bookStyles from './book.module.css'
import { type BookRow, type BookSide, type LiveBook, ownRows, percentText, shareOf, unitsOf, unitsText } from './book-rows.ts'

interface OrderBookProps {
  readonly market: Market
  readonly book: LiveBook
  /** The step by which prices are grouped, as decimal text. */
  readonly step: string
  readonly decimals: number
  /** Whether sizes are known to be in base units. */
  readonly sizesKnown: boolean
  /** Prices of the user's own open orders. */
  readonly own: readonly string[]
  /** Called with a row's price on a click. Absent if clicking does nothing. */
  readonly onPrice?: (price: string) => void
}

const rowPx = 24
const middlePx = 32
const mostRows = 40

/** Returns how many rows of a side fit the element. Updated when the element is resized. */
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

/**
 * Shows both sides of an order book with their depth, and the spread between them. A painter (`createBookPainter`) writes the content into the rows
 * directly, without React, because the book changes so often.
 */
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
    // Create a new painter when `count` changes, because a painter only fills the rows that existed when it was created.
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
    <div ref={setBody} className={bookStyles.bookBody} onClick={choose} onKeyDown={(event) => roveOnKey(event, 'button[data-at=price]', false)}>
      <BookRows side="ask" count={count} pressable={onPrice !== undefined} />
      <p className={bookStyles.bookMid}>
        <span className={textStyles.muted}>{partsText.spread}</span> <b data-at="spread" /> <span className={textStyles.muted} data-at="spread-share" />
      </p>
      <BookRows side="bid" count={count} pressable={onPrice !== undefined} />
    </div>
  )
}

/** The empty rows of one side, best price nearest to the middle. The painter fills them. */
const BookRows = memo(function BookRows({ side, count, pressable }: { readonly side: BookSide; readonly count: number; readonly pressable: boolean }) {
  const indices = Array.from({ length: count }, (_, index) => (side === 'ask' ? count - 1 - index : index))
  return (
    <table className={cx(bookStyles.bookSide, bookStyles[side])} aria-label={side === 'ask' ? partsText.asks : partsText.bids}>
      <thead className={textStyles.screenReaderOnly}>
        <tr>
          <th>{partsText.price}</th>
          <th>{partsText.size}</th>
          <th>{partsText.total}</th>
        </tr>
      </thead>
      <tbody>
        {indices.map((index) => (
          <tr key={index} data-side={side} data-index={index}>
            <td>
              {pressable ? (
                <button
                  type="button"
                  className={bookStyles.bookPrice}
                  data-at="price"
                  tabIndex={side === 'bid' && index === 0 ? 0 : -1}
                  title={partsText.useAsLimitPrice}
                />
              ) : (
                <span data-at="price" />
              )}
              <span className={bookStyles.ownOrder} title={partsText.yourOrder}>
                <span className={textStyles.screenReaderOnly}>, {partsText.yourOrder}</span>
              </span>
            </td>
            <td data-at="size" />
            <td>
              <span data-at="total" />
              <i className={bookStyles.bookBar} data-at="bar" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

/** How the order book is displayed. */
interface BookLook {
  /** The step by which prices are grouped, in whole units of the book (see `unitsOf`). */
  readonly step: bigint
  readonly priceDecimals: number
  readonly sizeDecimals: number
  /** True if the service's sizes are known to be in base units. If not, the book shows no sizes, only bars with their shares. */
  readonly sizesKnown: boolean
  readonly own: readonly bigint[]
}

interface BookPainter {
  look(look: BookLook): void
  priceAt(side: BookSide, index: number): string | null
  stop(): void
}

/** The DOM nodes of one row, and what they show now. */
interface PaintedRow {
  readonly row: HTMLElement
  readonly price: Text
  readonly size: Text
  readonly total: Text
  readonly bar: HTMLElement
  shown: BookRow | null
  width: number
  own: boolean
}

function textOf(element: Element): Text {
  const text = new Text('')
  element.replaceChildren(text)
  return text
}

function takeRows(container: HTMLElement, side: BookSide): PaintedRow[] {
  const rows = [...container.querySelectorAll<HTMLElement>(`tr[data-side=${side}]`)]
  const painted = rows.flatMap((row): PaintedRow[] => {
    const [price, size, total] = ['price', 'size', 'total'].map((name) => row.querySelector(`[data-at=${name}]`))
    const bar = row.querySelector<HTMLElement>('[data-at=bar]')
    if (price == null || size == null || total == null || bar === null) return []
    row.style.setProperty('visibility', 'hidden')
    return [{ row, price: textOf(price), size: textOf(size), total: textOf(total), bar, shown: null, width: -1, own: false }]
  })
  // The rows of the asks are in reverse: the best ask is at the bottom.
  return side === 'ask' ? painted.toReversed() : painted
}

/** Writes a book into existing rows. Writes at most once a frame, and only what has changed, so that many updates cost no more than one. */
function createBookPainter(container: HTMLElement, book: LiveBook, first: BookLook): BookPainter {
  let look = first
  let frame = 0
  const sides = { bid: takeRows(container, 'bid'), ask: takeRows(container, 'ask') }
  const spread = container.querySelector('[data-at=spread]')
  const share = container.querySelector('[data-at=spread-share]')
  const spreadText = spread === null ? null : textOf(spread)
  const shareText = share === null ? null : textOf(share)

  const paintRow = (row: PaintedRow, next: BookRow | undefined, deepest: bigint, own: boolean) => {
    const before = row.shown
    if (next === undefined) {
      if (before === null) return
      row.row.style.setProperty('visibility', 'hidden')
      row.shown = null
      return
    }
    if (before === null) row.row.style.setProperty('visibility', 'visible')
    if (before?.price !== next.price) row.price.data = unitsText(next.price, look.priceDecimals, true)
    if (before?.size !== next.size) row.size.data = look.sizesKnown ? unitsText(next.size, look.sizeDecimals, true) : '—'
    if (before?.total !== next.total) row.total.data = look.sizesKnown ? unitsText(next.total, look.sizeDecimals, true) : '—'
    const width = shareOf(next.total, deepest)
    if (width !== row.width) {
      row.width = width
      row.bar.style.setProperty('transform', `scaleX(${width})`)
    }
    if (own !== row.own) {
      row.own = own
      row.row.toggleAttribute('data-own', own)
    }
    row.shown = next
  }

  const paint = () => {
    frame = 0
    const found = { bid: book.rows('bid', look.step, sides.bid.length), ask: book.rows('ask', look.step, sides.ask.length) }
    const totals = [found.bid.at(-1)?.total ?? 0n, found.ask.at(-1)?.total ?? 0n] as const
    const deepest = totals[0] > totals[1] ? totals[0] : totals[1]
    const best = { bid: book.best('bid'), ask: book.best('ask') }
    for (const side of ['bid', 'ask'] as const) {
      const own = ownRows(look.own, best[side], look.step, side)
      for (const [index, row] of sides[side].entries()) {
        const next = found[side][index]
        paintRow(row, next, deepest, next !== undefined && own.has(next.price))
      }
    }
    const { bid, ask } = best
    const gap = bid === null || ask === null || ask < bid ? null : ask - bid
    const gapText = gap === null ? '—' : unitsText(gap, look.priceDecimals, true)
    if (spreadText !== null && spreadText.data !== gapText) spreadText.data = gapText
    const percent = gap === null || bid === null ? null : percentText(gap, bid)
    const percentShown = percent === null ? '' : `${percent} %`
    if (shareText !== null && shareText.data !== percentShown) shareText.data = percentShown
  }
  const soon = () => {
    if (frame === 0) frame = requestAnimationFrame(paint)
  }
  const stop = book.onChange(soon)
  paint()
  return {
    look: (next) => {
      // If the number of decimals has changed, every text has changed too. Write all rows again.
      if (next.priceDecimals !== look.priceDecimals || next.sizeDecimals !== look.sizeDecimals || next.sizesKnown !== look.sizesKnown)
        for (const row of [...sides.bid, ...sides.ask]) row.shown = null
      look = next
      cancelAnimationFrame(frame)
      paint()
    },
    priceAt: (side, index) => {
      const shown = sides[side][index]?.shown
      return shown == null ? null : unitsText(shown.price, look.priceDecimals, false)
    },
    stop: () => {
      stop()
      cancelAnimationFrame(frame)
    },
  }
}
