export type BookSide = 'bid' | 'ask'

/** Units of `book-units.ts`. */
export interface Depth {
  readonly price: bigint
  readonly size: bigint
}

export interface BookRow extends Depth {
  /** What is offered from the best price up to this one. */
  readonly total: bigint
}

/** The price under which a level is shown: never a better one than it has. */
export function groupPrice(price: bigint, step: bigint, side: BookSide): bigint {
  const rest = price % step
  return rest === 0n ? price : side === 'bid' ? price - rest : price - rest + step
}

/** The first `most` rows of a side whose levels come best first: levels of one multiple of `step` are one row. */
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

/** The prices of the rows in which orders rest: those that are no better than the best of the side, which are the side's own. */
export function ownRows(prices: readonly bigint[], best: bigint | null, step: bigint, side: BookSide): ReadonlySet<bigint> {
  const rests = (price: bigint) => best !== null && (side === 'bid' ? price <= best : price >= best)
  return new Set(prices.filter(rests).map((price) => groupPrice(price, step, side)))
}

/** By how many ticks prices may be grouped. */
export const groupings = [1, 5, 10, 50, 100, 500] as const
