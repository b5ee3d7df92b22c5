import { add, compare, divide, isZero, minimum, multiply, signOf, subtract } from '../../../../shared/decimal.ts'
import { type ClosedPosition, type Order, type Position, resultOf, type Trade, type TradeEffect } from './book.ts'
import type { LedgerRow } from './changes.ts'

/** A book while rows are applied to it. */
export interface Draft {
  readonly positions: Map<string, Position>
  readonly orders: Map<string, Order>
  readonly trades: Trade[]
  readonly closed: ClosedPosition[]
  collateral: string
  ownTokens: string
}

/** An average of prices needs more decimals than a price. */
const entryDecimals = 18

/** Initial margin in USDC, rounded up to its 6 decimals. */
export const marginFor = (notionalUsdc: string, leverage: number): string => divide(notionalUsdc, leverage.toString(), 6, 'up')

/** What a fill of an order does to the position that it opens, adds to, reduces, closes or turns. */
export function fill(draft: Draft, row: LedgerRow, { orderId, price, size, feeUsdc }: { orderId: string; price: string; size: string; feeUsdc: string }): void {
  const order = draft.orders.get(orderId)
  if (order === undefined) return
  const filled = add(order.filled, size)
  const fillPrice = isZero(order.filled) ? price : average(order.fillPrice ?? price, order.filled, price, size)
  draft.orders.set(orderId, { ...order, filled, fillPrice, status: compare(filled, order.size) < 0 ? 'partially_filled' : 'filled' })
  draft.collateral = subtract(draft.collateral, feeUsdc)
  const { pairId, side } = order
  const held = order.closes === null ? sameOf(draft, order) : draft.positions.get(order.closes)
  const isLess = held !== undefined && held.side !== side
  draft.trades.push({
    ...{ orderId, sequence: row.sequence, pairId, side, price, size, feeUsdc, txHash: order.txHash, atMs: row.atMs },
    effect: effectOf(order, held, size),
    // Filled by the market, not by the transaction that placed it: it had waited.
    role: order.orderType === 'limit' && row.origin === null ? 'maker' : 'taker',
    realisedPnlUsdc: isLess ? resultOf({ ...held, size: minimum(size, held.size) }, price) : null,
  })
  if (order.closes === null) open(draft, row, order, price, size)
  else if (held !== undefined) close(draft, row, held, minimum(size, held.size), price)
}

function effectOf({ side, closes }: Order, held: Position | undefined, size: string): TradeEffect {
  if (held === undefined) return closes === null ? 'open' : 'close'
  if (held.side === side) return 'increase'
  const beyond = compare(size, held.size)
  if (beyond < 0) return 'reduce'
  return beyond === 0 || closes !== null ? 'close' : 'invert'
}

/** The position that an order without one of its own adds to, reduces or turns. */
const sameOf = ({ positions }: Draft, { pairId, marginMode }: Order): Position | undefined =>
  [...positions.values()].find((each) => each.pairId === pairId && each.marginMode === marginMode)

const average = (price: string, size: string, otherPrice: string, otherSize: string): string =>
  divide(add(multiply(price, size), multiply(otherPrice, otherSize)), add(size, otherSize), entryDecimals)

/** One position for each market and margin mode: the same side adds to it, the other reduces, closes or turns it. */
function open(draft: Draft, row: LedgerRow, order: Order, price: string, size: string): void {
  const held = sameOf(draft, order)
  if (held === undefined) {
    begin(draft, row, order, price, size)
    return
  }
  if (held.side !== order.side) {
    const closing = minimum(size, held.size)
    close(draft, row, held, closing, price)
    const turned = subtract(size, closing)
    if (signOf(turned) > 0) begin(draft, row, order, price, turned)
    return
  }
  const { leverage } = order
  draft.positions.set(held.id, {
    ...held,
    size: add(held.size, size),
    entryPrice: average(held.entryPrice, held.size, price, size),
    leverage,
    ownMargin: held.ownMargin === null ? null : add(held.ownMargin, marginFor(multiply(price, size), leverage)),
    takeProfit: order.takeProfit ?? held.takeProfit,
    stopLoss: order.stopLoss ?? held.stopLoss,
  })
}

function begin(draft: Draft, row: LedgerRow, order: Order, price: string, size: string): void {
  const { opens: id, pairId, marginMode, side, leverage, takeProfit, stopLoss } = order
  const ownMargin = marginMode === 'isolated' ? marginFor(multiply(price, size), leverage) : null
  const fresh = { openedAtMs: row.atMs, fundingUsdc: '0' }
  draft.positions.set(id, { id, pairId, marginMode, side, size, entryPrice: price, leverage, ownMargin, takeProfit, stopLoss, ...fresh })
}

/** @param end of a liquidation, which costs what it says whatever the price */
export function close(draft: Draft, row: LedgerRow, held: Position, size: string, price: string, end?: { realised: string; liquidated: true }): void {
  const realised = end?.realised ?? resultOf({ ...held, size }, price)
  const left = subtract(held.size, size)
  const { id, pairId, side, entryPrice } = held
  draft.closed.push({
    ...{ id, sequence: row.sequence, pairId, side, size, entryPrice, exitPrice: price, realisedPnlUsdc: realised },
    // The funding goes to the row that ends the position.
    ...{ fundingUsdc: signOf(left) > 0 ? '0' : held.fundingUsdc, liquidated: end !== undefined, closedAtMs: row.atMs },
  })
  draft.collateral = add(draft.collateral, realised)
  if (signOf(left) <= 0) draft.positions.delete(id)
  else
    draft.positions.set(id, { ...held, size: left, ownMargin: held.ownMargin === null ? null : divide(multiply(held.ownMargin, left), held.size, 6, 'down') })
}
