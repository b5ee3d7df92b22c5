import { exact, read, shown, total } from './exact.ts'

export interface SentCandle {
  readonly t: number
  readonly o: string
  readonly h: string
  readonly l: string
  readonly c: string
  readonly v: string
}

const highest = (a: string, b: string): string => (exact(b) > exact(a) ? b : a)
const lowest = (a: string, b: string): string => (exact(b) < exact(a) ? b : a)
/** Start of the first Monday in Unix time, because weekly candles start on Mondays. */
const firstMondayMs = 4 * 86_400_000

/** Sums shorter candles into candles of `lengthMs`. Leaves out the first long candle, which may be incomplete. */
export function longer(candles: readonly SentCandle[], lengthMs: number): readonly SentCandle[] {
  const offset = lengthMs === 7 * 86_400_000 ? firstMondayMs : 0
  const groups = Map.groupBy(candles, ({ t }) => Math.floor((t - offset) / lengthMs) * lengthMs + offset)
  return [...groups].slice(1).flatMap(([t, [first, ...rest]]): SentCandle[] => {
    if (first === undefined) return []
    const all = [first, ...rest]
    return [
      {
        ...{ t, o: first.o, c: all.at(-1)?.c ?? first.c },
        ...{ h: all.reduce((so, { h }) => highest(so, h), first.h), l: all.reduce((so, { l }) => lowest(so, l), first.l) },
        v: shown(total(all.map(({ v }) => exact(v)))).replaceAll(',', ''),
      },
    ]
  })
}

/** A candle’s amounts as exact numbers, so that trailing zeros do not matter. */
export const amountsOf = ({ t, o, h, l, c, v }: SentCandle): readonly (number | bigint)[] => [t, ...[o, h, l, c, v].map(exact)]

/** The chart legend’s text for a candle. */
export const legendOf = ({ o, h, l, c, v }: SentCandle, priceDecimals: number, base: string): string => {
  const price = (text: string) => shown(exact(text), { decimals: priceDecimals })
  return `O ${price(o)} H ${price(h)} L ${price(l)} C ${price(c)} Vol ${shown(exact(v), { decimals: 2 })} ${base}`
}

export interface SentLevel {
  readonly price: string
  readonly size: string
}

/** The expected rows of one side of the order book, best price first. Each row: the group’s price, its size, and the total size up to this group. */
export function depth(levels: readonly SentLevel[], step: string, side: 'bid' | 'ask'): readonly (readonly [bigint, bigint, bigint])[] {
  const unit = read(step)
  const groups = Map.groupBy(levels, ({ price }) => {
    const at = exact(price)
    return (side === 'bid' ? at / unit : (at + unit - 1n) / unit) * unit
  })
  let sum = 0n
  return [...groups]
    .toSorted(([a], [b]) => (a === b ? 0 : a < b === (side === 'ask') ? -1 : 1))
    .map(([price, of]) => {
      const size = total(of.map((level) => exact(level.size)))
      sum += size
      return [price, size, sum] as const
    })
}
