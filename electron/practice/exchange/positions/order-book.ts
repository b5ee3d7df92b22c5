import { add, compare, divide, fromUnits, isZero, maximum, subtract } from '../../../../shared/decimal.ts'
import { fixed } from '../../base/money.ts'
import type { Market } from '../market/catalogue.ts'
import { type Marks, priceOfTicks } from '../market/mark-prices.ts'
import type { PricePath } from '../market/price-path.ts'
import { isOpen, type Order } from '../state/book.ts'
import type { Ledger } from './ledger.ts'

export interface OrderBook {
  /**
   * The order book around the mark, with the best price first on each side. Combines the limit orders of this exchange's wallets with simulated
   * orders.
   */
  of(market: Market): Record<string, unknown>
}

const levelsShown = 48

export function createOrderBook({ marks, path, ledger }: { marks: Marks; path: PricePath; ledger: Ledger }): OrderBook {
  const smallest = (market: Market) => fromUnits(1n, market.sizeDecimals)

  /** The invented orders at each price level. Every tenth level is larger, and levels are further apart far from the mark. */
  const played = (market: Market, direction: 1 | -1): [string, string][] => {
    const mark = marks.mark(market)
    const ticks = marks.ticksAt(market, marks.atMs())
    const gap = Math.max(1, Math.round((market.anchor * 0.0002) / Number(market.tick)))
    return Array.from({ length: levelsShown }, (_, index) => {
      const step = index + 1
      const jitter = gap < 4 ? 0 : Math.floor((gap / 4) * (1 + path.noise(market.id * 32 + 26, direction * step * 31 + marks.atMs() / 7_000)))
      const away = gap * (step + Math.floor((step * step) / levelsShown)) + jitter
      const at = ticks + direction * away
      if (at <= 0) return null
      const price = priceOfTicks(market, at)
      const thick = step % 10 === 0 ? 4 : 1
      const usdc = (market.dailyVolume / 6_000) * thick * (1 + 0.7 * path.noise(market.id * 32 + 25, marks.atMs() / 4_000 + direction * step * 17))
      return [price, maximum(divide(usdc.toFixed(2), mark, market.sizeDecimals, 'down'), smallest(market))] as [string, string]
    }).filter((level) => level !== null)
  }

  const resting = (market: Market): Order[] =>
    ledger
      .wallets()
      .flatMap((wallet) => ledger.book(wallet).orders.filter((order) => order.pairId === market.id && order.orderType === 'limit' && isOpen(order)))

  const side = (market: Market, orders: readonly Order[], direction: 1 | -1) => {
    const levels = new Map(played(market, direction))
    for (const { price, size, filled } of orders) {
      const left = subtract(size, filled)
      if (price !== null && !isZero(left)) levels.set(price, add(levels.get(price) ?? '0', left))
    }
    return [...levels]
      .toSorted(([a], [b]) => direction * compare(a, b))
      .map(([price, size]) => ({ price: fixed(price, market.priceDecimals), size: fixed(size, market.sizeDecimals) }))
  }

  return {
    of: (market) => {
      const mark = marks.mark(market)
      // Leave out an order whose price the mark has reached: that order fills at the next block.
      const orders = resting(market).filter((order) => order.price !== null && compare(order.price, mark) === (order.side === 'long' ? -1 : 1))
      const ofSide = (wanted: Order['side']) => orders.filter((order) => order.side === wanted)
      return {
        pair_id: market.id,
        size_unit: 'base',
        bids: side(market, ofSide('long'), -1),
        asks: side(market, ofSide('short'), 1),
        updated_at_ms: marks.atMs(),
      }
    },
  }
}
