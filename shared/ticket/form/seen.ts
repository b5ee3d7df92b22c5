import { absolute, divide, isZero } from '../../decimal.ts'
import type { SeenOrder, SeenPosition } from '../../ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../ipc/reads/account.ts'

/** Base units by what the position is worth, to within what its price moved meanwhile; else what its bare size comes to, if that is USDC. */
function sizeByWorth({ size, notionalUsdc, rawSize, markPrice }: Position): Partial<SeenPosition> {
  if (size !== null || markPrice === null || isZero(markPrice)) return {}
  if (notionalUsdc !== null) return { sizeAbout: divide(absolute(notionalUsdc), markPrice, 8) }
  return rawSize === undefined ? {} : { sizeIfUsdc: divide(rawSize, markPrice, 8) }
}

/** The position as a ticket names it by this id. */
export function positionSeen(position: Position, positionId: string): SeenPosition {
  const { pairId, symbol, side, size, rawSize, takeProfit, stopLoss } = position
  return { positionId, pairId, symbol, side, size, ...(rawSize !== undefined && { rawSize }), ...sizeByWorth(position), takeProfit, stopLoss }
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
