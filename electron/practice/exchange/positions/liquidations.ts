import { divide, fromUnits, maximum } from '../../../../shared/decimal.ts'
import { minute } from '../../../../shared/time.ts'
import { fixed } from '../../base/money.ts'
import { catalogue, type Market, marketOf } from '../market/catalogue.ts'
import { type Marks, priceOfTicks } from '../market/mark-prices.ts'
import type { PricePath } from '../market/price-path.ts'
import type { Ledger } from './ledger.ts'

export interface Liquidations {
  /** The latest liquidations, newest first. Includes real liquidations of wallets on this exchange and invented liquidations of other traders. */
  latest(): Record<string, unknown>[]
}

interface Row {
  readonly market: Market
  readonly side: 'long' | 'short'
  readonly size: string
  readonly price: string
  readonly atMs: number
}

const shown = 100
/** Length of a period. In each period there is at most one invented liquidation of another trader, and in a third of the periods there is none. */
const turn = 7 * minute
/**
 * The invented liquidations use noise channels (independent random sequences) from this number on. Prices use lower channels, so the liquidations are
 * independent of the prices.
 */
const channel = 600_000

export function createLiquidations({ marks, path, ledger }: { marks: Marks; path: PricePath; ledger: Ledger }): Liquidations {
  const chance = (kind: number, at: number) => (1 + path.noise(channel + kind, at)) / 2
  const open = catalogue.filter(({ status }) => status === 'open')

  const ofOthers = (index: number): Row[] => {
    if (chance(0, index) < 1 / 3) return []
    const atMs = Math.floor(index * turn + chance(1, index) * (turn - 1))
    const market = open[Math.floor(chance(2, index) * open.length)]
    if (market === undefined || atMs > marks.atMs()) return []
    const price = priceOfTicks(market, marks.ticksAt(market, atMs))
    const usdc = 40 * 1_800 ** chance(3, index)
    const size = maximum(divide(usdc.toFixed(2), price, market.sizeDecimals, 'down'), fromUnits(1n, market.sizeDecimals))
    return [{ market, side: chance(4, index) < 0.55 ? 'long' : 'short', size, price, atMs }]
  }
  const ofOurs = (): Row[] =>
    ledger.wallets().flatMap((wallet) =>
      ledger.book(wallet).closed.flatMap(({ liquidated, pairId, side, size, exitPrice, closedAtMs }) => {
        const market = marketOf(pairId)
        return liquidated && market !== null ? [{ market, side, size, price: exitPrice, atMs: closedAtMs }] : []
      }),
    )

  return {
    latest: () => {
      const current = Math.floor(marks.atMs() / turn)
      const others = Array.from({ length: 2 * shown }, (_, back) => ofOthers(current - back)).flat()
      return [...ofOurs(), ...others]
        .toSorted((a, b) => b.atMs - a.atMs)
        .slice(0, shown)
        .map(({ market, side, size, price, atMs }) => ({
          ...{ pair_id: market.id, symbol: market.symbol, side, size, size_unit: 'base', price: fixed(price, market.priceDecimals), at_ms: atMs },
        }))
    },
  }
}
