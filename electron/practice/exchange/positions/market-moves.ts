import type { Address } from 'viem'
import { add, compare, isZero, maximum, minimum, multiply, negate, roundTo, signOf, subtract } from '../../../../shared/decimal.ts'
import { type Clock, hour } from '../../../../shared/time.ts'
import { sum } from '../../base/money.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Funding } from '../market/funding.ts'
import { type Marks, priceOfTicks } from '../market/mark-prices.ts'
import { isOpen, type Order, type Position } from '../state/book.ts'
import type { Change } from '../state/changes.ts'
import type { Store } from '../state/store.ts'
import { isCovered } from './carry-out.ts'
import { blockDepth, isWorse, takingPrice } from './fills.ts'
import type { Ledger } from './ledger.ts'
import { accountStatus, type PositionStatus } from './margin.ts'
import { filled, opposite } from './order-placement.ts'

/** Maximum hours of funding to charge at once: two months. The limit matters only if the practice exchange was off for longer. */
const longestFundingHours = 1_440

export interface MarketMoves {
  /**
   * Applies the newest prices, and the funding of all full hours since the last call, to the accounts of all wallets. Per block, a resting limit
   * order fills by at most the market's depth. Returns whether anything changed.
   */
  take(isNewBlock: boolean): boolean
}

export function createMarketMoves({ ledger, store, marks, funding, clock }: Parts): MarketMoves {
  const { state } = store
  const append = (wallet: Address, changes: readonly Change[]): boolean => {
    if (changes.length > 0) ledger.append(wallet, changes, null)
    return changes.length > 0
  }

  const chargeFunding = (): boolean => {
    const now = Math.floor(clock.now() / hour) * hour
    const since = state.fundedUntilMs === 0 ? now : Math.max(state.fundedUntilMs, now - longestFundingHours * hour)
    if (state.fundedUntilMs === now) return false
    const hours = Array.from({ length: (now - since) / hour }, (_, index) => since + (index + 1) * hour)
    state.fundedUntilMs = now
    for (const wallet of ledger.wallets()) {
      const changes = ledger.book(wallet).positions.flatMap((position): Change[] => {
        const paid = fundingOf(position, hours)
        return isZero(paid) ? [] : [{ kind: 'funding', positionId: position.id, amount: paid }]
      })
      append(wallet, changes)
    }
    return true
  }

  const fundingOf = (position: Position, hours: readonly number[]): string => {
    const market = marketOf(position.pairId)
    if (market === null) return '0'
    const paid = sum(
      hours
        .filter((at) => at > position.openedAtMs)
        .map((at) => multiply(multiply(position.size, priceOfTicks(market, marks.ticksAt(market, at))), multiply(funding.rateAt(market, at), '0.01'))),
    )
    return roundTo(position.side === 'long' ? negate(paid) : paid, 6)
  }

  const fillResting = (wallet: Address, isNewBlock: boolean): boolean => {
    let changed = false
    for (const { id } of ledger.book(wallet).orders.filter(isOpen)) {
      const book = ledger.book(wallet)
      const order = book.orders.find((each) => each.id === id)
      const market = order === undefined ? null : marketOf(order.pairId)
      if (order === undefined || market === null || !isOpen(order)) continue
      const closes = order.closes === null ? null : book.positions.find((each) => each.id === order.closes)
      if (closes === undefined) {
        changed = append(wallet, [{ kind: 'ended', orderId: id, reason: 'position_closed' }])
        continue
      }
      const fill = fillOf(order, market, closes?.size ?? null, isNewBlock)
      if (fill === null) continue
      const then = accountStatus(ledger.simulate(book, wallet, [fill]), marks)
      const isAllowed = closes !== null || isCovered(then)
      changed = append(wallet, [isAllowed ? fill : { kind: 'ended', orderId: id, reason: 'open_margin_insufficient' }])
    }
    return changed
  }

  const fillOf = (order: Order, market: Market, closable: string | null, isNewBlock: boolean): Change | null => {
    const mark = marks.mark(market)
    const price = order.price ?? mark
    const open = subtract(order.size, order.filled)
    const left = closable === null ? open : minimum(open, closable)
    if (order.orderType === 'stop') {
      // Check whether the stop order has triggered. For a long, the mark must have risen to the order's price; for a short, it must have fallen to
      // that price.
      if (compare(mark, price) === (order.side === 'long' ? -1 : 1)) return null
      return filled(order.id, takingPrice(market, order.side, mark, multiply(left, mark), null), left)
    }
    if (!isNewBlock || isWorse(order.side, mark, price)) return null
    return filled(order.id, price, minimum(left, blockDepth(market, price)))
  }

  /** Triggers each take profit and stop loss of the wallet that the mark price has reached, which closes the whole position at the market price. */
  const trigger = (wallet: Address): boolean => {
    let changed = false
    for (const position of ledger.book(wallet).positions) {
      const market = marketOf(position.pairId)
      const struck = market === null ? null : struckExit(position, marks.mark(market))
      if (market === null || struck === null) continue
      const side = opposite(position.side)
      const mark = marks.mark(market)
      const price = takingPrice(market, side, mark, multiply(position.size, mark), null)
      const order = {
        ...{ id: `ord_x${state.sequence + 1}`, opens: '', intentId: null, clientOrderId: null, pairId: market.id, side, orderType: struck.kind },
        ...{ marginMode: position.marginMode, leverage: position.leverage, closes: position.id, size: position.size, valueUsdc: null },
        ...{ price: struck.price, takeProfit: null, stopLoss: null, createdAtMs: clock.now() },
      }
      changed = append(wallet, [{ kind: 'placed', order }, filled(order.id, price, position.size)])
    }
    return changed
  }

  const liquidate = (wallet: Address): boolean => {
    const { each, collateral } = accountStatus(ledger.book(wallet), marks)
    const isolated = each.filter(({ position }) => position.marginMode === 'isolated')
    const lostAlone = isolated
      .filter(({ margin, unrealised, maintenance }) => compare(add(margin, unrealised), maintenance) <= 0)
      .map((standing) => liquidation(standing, standing.margin))
    const free = subtract(collateral, sum(isolated.map(({ margin }) => margin)))
    return append(wallet, [
      ...lostAlone,
      ...liquidateCross(
        each.filter((standing) => !isolated.includes(standing)),
        free,
      ),
    ])
  }

  return {
    take: (isNewBlock) => {
      let changed = chargeFunding()
      for (const wallet of ledger.wallets()) {
        changed = fillResting(wallet, isNewBlock) || changed
        changed = trigger(wallet) || changed
        changed = liquidate(wallet) || changed
      }
      return changed
    },
  }
}

interface Parts {
  readonly ledger: Ledger
  readonly store: Store
  readonly marks: Marks
  readonly funding: Funding
  readonly clock: Clock
}

function struckExit({ side, takeProfit, stopLoss }: Position, mark: string): { kind: 'take_profit' | 'stop_loss'; price: string } | null {
  const gain = side === 'long' ? 1 : -1
  if (takeProfit !== null && compare(mark, takeProfit) !== -gain) return { kind: 'take_profit', price: takeProfit }
  return stopLoss !== null && compare(mark, stopLoss) !== gain ? { kind: 'stop_loss', price: stopLoss } : null
}

const liquidation = ({ position, mark }: PositionStatus, lost: string): Change => ({ kind: 'liquidated', positionId: position.id, price: mark, lost })

/**
 * Liquidates cross positions together. Once the equity of all cross positions is at or below their maintenance margin, all are closed. Their loss is
 * limited to the collateral that backs them.
 */
function liquidateCross(cross: readonly PositionStatus[], backing: string): Change[] {
  const equity = add(backing, sum(cross.map(({ unrealised }) => unrealised)))
  const needed = sum(cross.map(({ maintenance }) => maintenance))
  if (cross.length === 0 || compare(equity, needed) > 0) return []
  let left = backing
  return cross
    .toSorted((a, b) => signOf(subtract(b.unrealised, a.unrealised)))
    .map((standing) => {
      const lost = minimum(subtract(standing.maintenance, standing.unrealised), maximum('0', left))
      left = subtract(left, lost)
      return liquidation(standing, lost)
    })
}
