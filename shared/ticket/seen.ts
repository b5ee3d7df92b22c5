import { absolute, divide, isZero } from '../decimal.ts'
import type { OpenOrder, Position } from '../ipc/account.ts'
import type { SeenOrder, SeenPosition } from '../ipc/tickets.ts'

/** Base units by what the position is worth, to within what its price moved meanwhile; null: that does not tell. */
function sizeAbout({ size, notionalUsdc, markPrice }: Position): string | null {
  if (size !== null || notionalUsdc === null || markPrice === null || isZero(markPrice)) return null
  return divide(absolute(notionalUsdc), markPrice, 8)
}

/** The position as a ticket names it by this id. */
export function positionSeen(position: Position, positionId: string): SeenPosition {
  const { pairId, symbol, side, size, takeProfit, stopLoss } = position
  const about = sizeAbout(position)
  return { positionId, pairId, symbol, side, size, ...(about !== null && { sizeAbout: about }), takeProfit, stopLoss }
}

/** A side that is neither long nor short is not known, so it is not held against anything. */
export const orderSeen = ({ id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: OpenOrder): SeenOrder => ({
  ...{ orderId: id, pairId, symbol, side: side === 'long' || side === 'short' ? side : null },
  ...{ orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss },
})

/** null: the service gives no id, and nothing can be asked for it. */
export const seenPosition = (position: Position): SeenPosition | null =>
  position.id === null || position.id === '' ? null : positionSeen(position, position.id)
export const seenOrder = (order: OpenOrder): SeenOrder | null => (order.id === '' ? null : orderSeen(order))
