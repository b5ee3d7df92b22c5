import type { BookLevel } from '../../../shared/ipc/reads/markets.ts'
import { type BookRow, type BookSide, bookRows, type Depth, unitsOf } from './book-rows.ts'

/**
 * The latest state of one market's order book. An update is cheap, because it only stores its text.
 * Levels are parsed, sorted and grouped when the rows are read, which happens once a frame.
 */
export interface LiveBook {
  replace(book: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] }): void
  /** Sets one level, in decimal text; a size of "0" removes the level. */
  apply(side: BookSide, price: string, size: string): void
  /** The rows of a side, the best price first; at most `most`. */
  rows(side: BookSide, step: bigint, most: number): BookRow[]
  /** The best price; `null` if the side is empty. */
  best(side: BookSide): bigint | null
  /** Calls the listener at the first change after each read. Returns a function that stops this. */
  onChange(listener: () => void): () => void
}

interface Level extends Depth {
  size: bigint
  text: string
}

function createSide(side: BookSide) {
  const levels = new Map<string, Level>()
  /** Sizes that were updated since the last read. The next read applies them to `levels`. */
  const noted = new Map<string, string>()
  let ordered: Level[] | null = []

  const settle = (): readonly Level[] => {
    for (const [price, text] of noted) {
      const known = levels.get(price)
      const size = known?.text === text ? known.size : unitsOf(text)
      if (size <= 0n) {
        if (levels.delete(price)) ordered = null
      } else if (known === undefined) {
        levels.set(price, { price: unitsOf(price), size, text })
        ordered = null
      } else {
        known.size = size
        known.text = text
      }
    }
    noted.clear()
    ordered ??= [...levels.values()].sort((a, b) => (a.price === b.price ? 0 : a.price < b.price === (side === 'ask') ? -1 : 1))
    return ordered
  }
  return {
    note: (price: string, size: string) => {
      noted.set(price, size)
    },
    replace: (next: readonly BookLevel[]) => {
      noted.clear()
      const stays = new Set(next.map(({ price }) => price))
      for (const price of levels.keys()) if (!stays.has(price)) noted.set(price, '0')
      for (const { price, size } of next) noted.set(price, size)
    },
    settle,
  }
}

export function createLiveBook(): LiveBook {
  const sides = { bid: createSide('bid'), ask: createSide('ask') }
  const listeners = new Set<() => void>()
  let isNotified = false
  const tell = () => {
    if (isNotified) return
    isNotified = true
    for (const listener of listeners) listener()
  }
  const settle = (side: BookSide) => {
    isNotified = false
    return sides[side].settle()
  }
  return {
    replace: ({ bids, asks }) => {
      sides.bid.replace(bids)
      sides.ask.replace(asks)
      tell()
    },
    apply: (side, price, size) => {
      sides[side].note(price, size)
      tell()
    },
    rows: (side, step, most) => bookRows(settle(side), step, side, most),
    best: (side) => settle(side)[0]?.price ?? null,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
