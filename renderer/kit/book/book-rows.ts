import { roundTo } from '../../../shared/decimal.ts'
import type { BookLevel } from '../../../shared/ipc/reads/markets.ts'

export type BookSide = 'bid' | 'ask'

/** Price and size in the book's units (see `unitsOf`). */
export interface Depth {
  readonly price: bigint
  readonly size: bigint
}

export interface BookRow extends Depth {
  /** The total size of all levels from the best price to this level. */
  readonly total: bigint
}

/** The price of the row in which a level is shown: the level's price, rounded to `step` so that it is never better than the real price. */
export function groupPrice(price: bigint, step: bigint, side: BookSide): bigint {
  const rest = price % step
  return rest === 0n ? price : side === 'bid' ? price - rest : price - rest + step
}

/** The first `most` rows of a side. Levels with the same rounded price share a row. `levels` must be sorted with the best price first. */
export function bookRows(levels: Iterable<Depth>, step: bigint, side: BookSide, most: number): BookRow[] {
  const rows: BookRow[] = []
  let total = 0n
  let price = -1n
  let size = 0n
  const close = () => {
    if (price >= 0n && rows.length < most) rows.push({ price, size, total })
  }
  for (const level of levels) {
    const at = groupPrice(level.price, step, side)
    if (at !== price) {
      close()
      if (rows.length === most) return rows
      price = at
      size = 0n
    }
    size += level.size
    total += level.size
  }
  close()
  return rows
}

/**
 * The prices of the rows in which the user's own orders rest. An order is on this side of the book if its price is not better than the side's best
 * price.
 */
export function ownRows(prices: readonly bigint[], best: bigint | null, step: bigint, side: BookSide): ReadonlySet<bigint> {
  const rests = (price: bigint) => best !== null && (side === 'bid' ? price <= best : price >= best)
  return new Set(prices.filter(rests).map((price) => groupPrice(price, step, side)))
}

/** The grouping steps that the user can choose for the order book: each row covers this many ticks. */
export const groupings = [1, 5, 10, 50, 100, 500] as const

/** The decimals of the book's unit. The book calculates with whole units, which is exact and many times faster than with decimal text. */
const scale = 18
const powers = Array.from({ length: scale + 1 }, (_, power) => 10n ** BigInt(power))
const power = (of: number): bigint => powers[of] ?? 1n

/** Converts decimal text such as `"1.5"` to units. Rounds if the text has more decimals than a unit. */
export function unitsOf(value: string): bigint {
  const point = value.indexOf('.')
  if (point < 0) return BigInt(value) * power(scale)
  const fraction = value.length - point - 1
  if (fraction > scale) return unitsOf(roundTo(value, scale))
  return BigInt(value.slice(0, point) + value.slice(point + 1)) * power(scale - fraction)
}

/** Formats units as decimal text with exactly `decimals` decimals, rounded half up, with thousands commas if `grouped`. Not for negative values. */
export function unitsText(units: bigint, decimals: number, grouped: boolean): string {
  const divisor = power(scale - Math.min(decimals, scale))
  const digits = (divisor === 1n ? units : (units + divisor / 2n) / divisor).toString().padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  const shown = grouped && whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
  return decimals === 0 ? shown : `${shown}.${digits.slice(-decimals)}`
}

/** The share of `part` in `whole`, from 0 to 1. For drawing only. */
export const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000)

/** The share of `part` in `whole`, in percent with three decimals; `null` if `whole` is zero. */
export const percentText = (part: bigint, whole: bigint): string | null => (whole === 0n ? null : unitsText((part * 100n * power(scale)) / whole, 3, false))

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
