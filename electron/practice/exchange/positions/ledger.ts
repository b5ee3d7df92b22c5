import type { Address } from 'viem'
import { add, compare, divide, isZero, minimum, multiply, negate, signOf, subtract } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import { type Book, type ClosedPosition, emptyBook, type Order, type Position, realisedOf, type Trade, type TradeEffect, wholeUnits } from '../state/book.ts'
import type { Change, LedgerRow, Origin } from '../state/changes.ts'
import type { Store } from '../state/store.ts'

export interface Ledger {
  book(wallet: Address): Book
  /** Returns all wallets for which the ledger has a row. */
  wallets(): readonly Address[]
  append(wallet: Address, changes: readonly Change[], origin: Origin | null): void
  /** Returns the ledger rows with this origin, for example all rows that one intent caused. */
  rowsOf(originId: string): readonly LedgerRow[]
  /**
   * Why the exchange could not execute the request of this transaction, although the chain accepted the transaction. null if the request was
   * executed.
   */
  refusalOf(wallet: Address, txHash: string): string | null
  /** Returns the account state to which these changes would lead. Saves nothing. */
  simulate(book: Book, wallet: Address, changes: readonly Change[]): Book
  /**
   * Call after a reorganisation. Removes the rows from block `fromBlock` on whose transaction is no longer on the chain. If a wallet loses a row,
   * also removes its later fills, liquidations and other market changes, because they depended on an account state that no longer exists. Returns
   * whether any row was removed or moved to another block.
   */
  takeBack(standing: ReadonlyMap<string, Pick<Origin, 'txHash' | 'blockNumber'>>, fromBlock: bigint): boolean
}

/**
 * The kinds of market changes that a reorganisation removes. Funding that was charged is kept: on a closed position it has no effect, and an open
 * position must not pay the same funding twice.
 */
const undone: readonly Change['kind'][] = ['placed', 'filled', 'ended', 'liquidated']

export function createLedger({ store, clock }: { store: Store; clock: Clock }): Ledger {
  const { state } = store
  const books = new Map<Address, Book>()

  const start = (wallet: Address): Book => {
    const given = state.seeds.filter((seed) => seed.wallet === wallet).reduce((sum, seed) => add(sum, seed.usdc), '0')
    return { ...emptyBook, collateral: given }
  }
  /** Returns a wallet's account state. The state of a wallet without ledger rows is not cached, because its starting collateral may still change. */
  const book = (wallet: Address): Book => {
    const known = books.get(wallet)
    if (known !== undefined) return known
    const rows = state.ledger.filter((row) => row.wallet === wallet)
    const made = afterRows(start(wallet), rows)
    if (rows.length > 0) books.set(wallet, made)
    return made
  }

  return {
    book,
    wallets: () => [...new Set(state.ledger.map((row) => row.wallet))],
    append: (wallet, changes, origin) => {
      const before = book(wallet)
      const rows = changes.map((change): LedgerRow => {
        state.sequence += 1
        return { sequence: state.sequence, wallet, atMs: clock.now(), change, origin: origin === null ? null : { ...origin } }
      })
      state.ledger.push(...rows)
      books.set(wallet, afterRows(before, rows))
    },
    rowsOf: (originId) => state.ledger.filter(({ origin }) => origin?.id === originId),
    refusalOf: (wallet, txHash) => {
      const row = state.ledger.find(({ change, origin, wallet: owner }) => change.kind === 'refused' && owner === wallet && origin?.txHash === txHash)
      return row?.change.kind === 'refused' ? row.change.reason : null
    },
    simulate: (from, wallet, changes) =>
      afterRows(
        from,
        changes.map((change) => ({ sequence: state.sequence + 1, wallet, atMs: clock.now(), change, origin: null })),
      ),
    takeBack: (standing, fromBlock) => {
      const firstGone = new Map<Address, number>()
      const isGone = ({ origin }: LedgerRow) => origin !== null && BigInt(origin.blockNumber) >= fromBlock && !standing.has(origin.id)
      let moved = false
      for (const row of state.ledger) {
        if (isGone(row)) firstGone.set(row.wallet, Math.min(row.sequence, firstGone.get(row.wallet) ?? row.sequence))
        const now = row.origin === null ? undefined : standing.get(row.origin.id)
        if (row.origin !== null && now !== undefined && (now.txHash !== row.origin.txHash || now.blockNumber !== row.origin.blockNumber)) {
          row.origin = { ...row.origin, ...now }
          moved = true
        }
      }
      if (moved) books.clear()
      if (firstGone.size === 0) return moved
      state.ledger = state.ledger.filter((row) => {
        const first = firstGone.get(row.wallet)
        if (first === undefined || isGone(row)) return first === undefined
        return row.origin !== null || row.sequence < first || !undone.includes(row.change.kind)
      })
      books.clear()
      return true
    },
  }
}

/** Computes an account state only from ledger rows. A row whose order or position does not exist has no effect. */
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

interface Draft {
  readonly positions: Map<string, Position>
  readonly orders: Map<string, Order>
  readonly trades: Trade[]
  readonly closed: ClosedPosition[]
  collateral: string
  ownTokens: string
}

/** Number of decimals of an average entry price. The price is the result of a division, so it needs more decimals than a market price. */
const entryDecimals = 18

const marginFor = (notionalUsdc: string, leverage: number): string => divide(notionalUsdc, leverage.toString(), 6, 'up')

/** Applies a fill to the position of the order. The fill may open, increase, reduce, close or invert the position. */
function fill(draft: Draft, row: LedgerRow, { orderId, price, size, feeUsdc }: { orderId: string; price: string; size: string; feeUsdc: string }): void {
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
    // The market caused a fill without an origin, after the order was placed. If that order is a limit order, it was resting in the order book, so it
    // is the maker.
    role: order.orderType === 'limit' && row.origin === null ? 'maker' : 'taker',
    realisedPnlUsdc: isLess ? realisedOf({ ...held, size: minimum(size, held.size) }, price) : null,
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

/** Finds the open position in the order's market and margin mode. This is the position that a fill changes if its order names no position. */
const sameOf = ({ positions }: Draft, { pairId, marginMode }: Order): Position | undefined =>
  [...positions.values()].find((each) => each.pairId === pairId && each.marginMode === marginMode)

const average = (price: string, size: string, otherPrice: string, otherSize: string): string =>
  divide(add(multiply(price, size), multiply(otherPrice, otherSize)), add(size, otherSize), entryDecimals)

/**
 * Applies the fill of an order without a position id. There is one position per market and margin mode: a fill on the same side increases that
 * position; a fill on the other side reduces, closes or inverts it.
 */
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

/**
 * Closes a position or a part of it.
 * @param end set only for a liquidation; contains the loss, because the loss of a liquidation does not depend on the price
 */
function close(draft: Draft, row: LedgerRow, held: Position, size: string, price: string, end?: { realised: string; liquidated: true }): void {
  const realised = end === undefined ? realisedOf({ ...held, size }, price) : wholeUnits(end.realised)
  const left = subtract(held.size, size)
  const { id, pairId, side, entryPrice } = held
  draft.closed.push({
    ...{ id, sequence: row.sequence, pairId, side, size, entryPrice, exitPrice: price, realisedPnlUsdc: realised },
    // The funding of a position is reported only once, in the row for the last part that is closed.
    ...{ fundingUsdc: signOf(left) > 0 ? '0' : held.fundingUsdc, liquidated: end !== undefined, closedAtMs: row.atMs },
  })
  draft.collateral = add(draft.collateral, realised)
  if (signOf(left) <= 0) draft.positions.delete(id)
  else
    draft.positions.set(id, { ...held, size: left, ownMargin: held.ownMargin === null ? null : divide(multiply(held.ownMargin, left), held.size, 6, 'down') })
}
