import { type BookRow, type BookSide, ownRows } from './book-rows.ts'
import { percentText, shareOf, unitsText } from './book-units.ts'
import type { LiveBook } from './live-book.ts'

/** How the book is looked at. */
export interface BookLook {
  /** In units. */
  readonly step: bigint
  readonly priceDecimals: number
  readonly sizeDecimals: number
  /** Whether sizes are known to be in base units; else only their shares are drawn. */
  readonly sizesKnown: boolean
  /** Prices of the user's own orders, in units. */
  readonly own: readonly bigint[]
}

export interface BookPainter {
  look(look: BookLook): void
  /** The row's price as decimal text; null: the row is empty. */
  priceAt(side: BookSide, index: number): string | null
  stop(): void
}

/** The nodes of one row, and what they show. */
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

/** The rows inside `container` as they stand there: `tr[data-side]`, best first, each with the places `data-at`. */
function takeRows(container: HTMLElement, side: BookSide): PaintedRow[] {
  const rows = [...container.querySelectorAll<HTMLElement>(`tr[data-side=${side}]`)]
  const painted = rows.flatMap((row): PaintedRow[] => {
    const [price, size, total] = ['price', 'size', 'total'].map((name) => row.querySelector(`[data-at=${name}]`))
    const bar = row.querySelector<HTMLElement>('[data-at=bar]')
    if (price == null || size == null || total == null || bar === null) return []
    row.style.setProperty('visibility', 'hidden')
    return [{ row, price: textOf(price), size: textOf(size), total: textOf(total), bar, shown: null, width: -1, own: false }]
  })
  // The best ask stands at the bottom.
  return side === 'ask' ? painted.toReversed() : painted
}

/**
 * Writes a book into rows that are there already, at most once a frame and only what changed, so that its cost follows the frames and not the
 * updates.
 */
export function createBookPainter(container: HTMLElement, book: LiveBook, first: BookLook): BookPainter {
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
      // Another precision writes every text anew.
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
