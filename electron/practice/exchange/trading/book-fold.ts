import { add, multiply, negate, subtract } from '../../../../shared/decimal.ts'
import type { Book, Order, Position } from './book.ts'
import { close, type Draft, fill, marginFor } from './book-fills.ts'
import type { LedgerRow } from './changes.ts'

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
