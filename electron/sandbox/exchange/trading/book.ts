import { add, compare, divide, isZero, minimum, multiply, negate, signOf, subtract } from '../../../../shared/decimal.ts'
import type { LedgerRow, OrderTerms } from './changes.ts'
import type { Side } from './instructions.ts'

export interface Position {
  readonly id: string
  readonly pairId: number
  readonly marginMode: 'cross' | 'isolated'
  readonly side: Side
  /** In base units. */
  readonly size: string
  readonly entryPrice: string
  readonly leverage: number
  /** USDC set aside for an isolated one; null for a cross one, whose margin follows from entry and leverage. */
  readonly ownMargin: string | null
  readonly takeProfit: string | null
  readonly stopLoss: string | null
  readonly openedAtMs: number
  /** Funding so far, signed: what the wallet got. */
  readonly fundingUsdc: string
}

export interface Order extends OrderTerms {
  readonly sequence: number
  readonly status: 'open' | 'partially_filled' | 'filled' | 'cancelled'
  /** Why it ended unfilled. */
  readonly reason: string | null
  readonly filled: string
  /** Average, null before the first fill. */
  readonly fillPrice: string | null
  readonly txHash: string | null
}

export interface Trade {
  readonly orderId: string
  readonly sequence: number
  readonly pairId: number
  readonly side: Side
  readonly price: string
  readonly size: string
  readonly feeUsdc: string
  readonly txHash: string | null
  readonly atMs: number
}

/** A position, or the part of one, that was closed. */
export interface ClosedPosition {
  readonly id: string
  readonly sequence: number
  readonly pairId: number
  readonly side: Side
  readonly size: string
  readonly entryPrice: string
  readonly exitPrice: string
  readonly realisedPnlUsdc: string
  readonly fundingUsdc: string
  readonly liquidated: boolean
  readonly closedAtMs: number
}

export interface Book {
  readonly positions: readonly Position[]
  readonly orders: readonly Order[]
  readonly trades: readonly Trade[]
  readonly closed: readonly ClosedPosition[]
  /** USDC after all fees, costs, funding and realised results. */
  readonly collateral: string
  /** The protocol's own token, which backs nothing. */
  readonly ownTokens: string
}

export const emptyBook: Book = { positions: [], orders: [], trades: [], closed: [], collateral: '0', ownTokens: '0' }

/** An average of prices needs more decimals than a price. */
const entryDecimals = 18

export const isOpen = ({ status }: Order): boolean => status === 'open' || status === 'partially_filled'

/** What a position would bring at `price`, in USDC. */
export const resultOf = ({ side, entryPrice, size }: Pick<Position, 'side' | 'entryPrice' | 'size'>, price: string): string =>
  multiply(side === 'long' ? subtract(price, entryPrice) : subtract(entryPrice, price), size)

interface Draft {
  readonly positions: Map<string, Position>
  readonly orders: Map<string, Order>
  readonly trades: Trade[]
  readonly closed: ClosedPosition[]
  collateral: string
  ownTokens: string
}

/** The book of a wallet follows from what happened to it and nothing else. A step about what is not there has no effect. */
export function afterRows(book: Book, rows: readonly LedgerRow[]): Book {
  const draft: Draft = {
    ...book,
    positions: new Map(book.positions.map((each) => [each.id, each])),
    orders: new Map(book.orders.map((each) => [each.id, each])),
    trades: [...book.trades],
    closed: [...book.closed],
  }
  for (const row of rows) applyRow(draft, row)
  return { ...draft, positions: [...draft.positions.values()], orders: [...draft.orders.values()] }
}

function applyRow(draft: Draft, row: LedgerRow): void {
  const { change } = row
  const changePosition = (id: string, how: (position: Position) => Partial<Position>) => {
    const held = draft.positions.get(id)
    if (held !== undefined) draft.positions.set(id, { ...held, ...how(held) })
  }
  const changeOrder = (id: string, how: (order: Order) => Partial<Order>) => {
    const known = draft.orders.get(id)
    if (known !== undefined) draft.orders.set(id, { ...known, ...how(known) })
  }
  switch (change.kind) {
    case 'charged':
      draft.collateral = subtract(draft.collateral, change.usdc)
      return
    case 'collateral':
      if (change.token === 'USDC') draft.collateral = add(draft.collateral, change.amount)
      else draft.ownTokens = add(draft.ownTokens, change.amount)
      return
    case 'placed':
      draft.orders.set(change.order.id, {
        ...change.order,
        sequence: row.sequence,
        status: 'open',
        reason: null,
        filled: '0',
        fillPrice: null,
        txHash: row.origin?.txHash ?? null,
      })
      return
    case 'filled':
      fill(draft, row, change)
      return
    case 'ended':
      changeOrder(change.orderId, () => ({ status: 'cancelled', reason: change.reason }))
      return
    case 'replaced':
      changeOrder(change.orderId, () => change.terms)
      return
    case 'exits':
      changePosition(change.positionId, (held) => ({
        takeProfit: change.exits.take_profit === undefined ? held.takeProfit : change.exits.take_profit,
        stopLoss: change.exits.stop_loss === undefined ? held.stopLoss : change.exits.stop_loss,
      }))
      return
    case 'margin':
      changePosition(change.positionId, ({ ownMargin }) => ({ ownMargin: ownMargin === null ? null : add(ownMargin, change.amount) }))
      return
    case 'leverage':
      changePosition(change.positionId, (held) => ({
        leverage: change.leverage,
        ownMargin: held.ownMargin === null ? null : marginFor(multiply(held.size, held.entryPrice), change.leverage),
      }))
      return
    case 'funding':
      if (!draft.positions.has(change.positionId)) return
      changePosition(change.positionId, ({ fundingUsdc }) => ({ fundingUsdc: add(fundingUsdc, change.amount) }))
      draft.collateral = add(draft.collateral, change.amount)
      return
    case 'liquidated': {
      const held = draft.positions.get(change.positionId)
      if (held === undefined) return
      close(draft, row, held, held.size, change.price, { realised: negate(change.lost), liquidated: true })
      return
    }
    case 'refused':
      return
  }
}

/** Initial margin in USDC, rounded up to its 6 decimals. */
export const marginFor = (notionalUsdc: string, leverage: number): string => divide(notionalUsdc, leverage.toString(), 6, 'up')

function fill(draft: Draft, row: LedgerRow, { orderId, price, size, feeUsdc }: { orderId: string; price: string; size: string; feeUsdc: string }): void {
  const order = draft.orders.get(orderId)
  if (order === undefined) return
  const filled = add(order.filled, size)
  const fillPrice = isZero(order.filled) ? price : average(order.fillPrice ?? price, order.filled, price, size)
  draft.orders.set(orderId, { ...order, filled, fillPrice, status: compare(filled, order.size) < 0 ? 'partially_filled' : 'filled' })
  draft.collateral = subtract(draft.collateral, feeUsdc)
  const { pairId, side } = order
  draft.trades.push({ orderId, sequence: row.sequence, pairId, side, price, size, feeUsdc, txHash: order.txHash, atMs: row.atMs })
  if (order.closes === null) open(draft, row, order, price, size)
  else {
    const held = draft.positions.get(order.closes)
    if (held !== undefined) close(draft, row, held, minimum(size, held.size), price)
  }
}

const average = (price: string, size: string, otherPrice: string, otherSize: string): string =>
  divide(add(multiply(price, size), multiply(otherPrice, otherSize)), add(size, otherSize), entryDecimals)

/** One position for each market and margin mode: the same side adds to it, the other reduces, closes or turns it. */
function open(draft: Draft, row: LedgerRow, order: Order, price: string, size: string): void {
  const held = [...draft.positions.values()].find((each) => each.pairId === order.pairId && each.marginMode === order.marginMode)
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
function close(draft: Draft, row: LedgerRow, held: Position, size: string, price: string, end?: { realised: string; liquidated: true }): void {
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
