import { divide, formatDecimal, multiply, negate, subtract } from '../../../shared/decimal.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'

/** A horizontal line of the chart that means something of the user's own. */
export interface Level {
  readonly id: string
  readonly kind: 'position' | 'take_profit' | 'stop_loss' | 'order' | 'liquidation'
  readonly side: 'long' | 'short' | null
  readonly price: string
  readonly label: string
  /** Signed gain in USDC, or null where it is not a gain. */
  readonly gain: string | null
  readonly detail: string | null
  /** Of what it is, where that can be named. */
  readonly positionId: string | null
  readonly orderId: string | null
  /** The gain at another price. */
  readonly gainAt: ((price: string) => string | null) | null
}

/** What the position comes to at a price; null while its entry or size is not known. */
function gainAt(position: Position, price: string): string | null {
  if (position.entryPrice === null || position.size === null) return null
  const rise = multiply(subtract(price, position.entryPrice), position.size)
  return divide(position.side === 'long' ? rise : negate(rise), '1', 2)
}

function positionLevels(position: Position, sizeDecimals: number | null): Level[] {
  const levels: Level[] = []
  const size = position.size === null ? '' : ` ${formatDecimal(position.size, { minDecimals: sizeDecimals ?? 0 })}`
  const name = `${position.side === 'long' ? 'Long' : 'Short'}${size}`
  const add = (kind: Level['kind'], price: string | null, label: string, gain: string | null) => {
    const exit = kind === 'take_profit' || kind === 'stop_loss'
    if (price !== null)
      levels.push({
        id: `${kind}-${position.pairId}`,
        kind,
        side: position.side,
        price,
        label,
        gain,
        detail: null,
        positionId: position.id,
        orderId: null,
        gainAt: exit ? (at) => gainAt(position, at) : null,
      })
  }
  add('position', position.entryPrice, name, position.unrealisedPnl)
  add('take_profit', position.takeProfit, 'TP', position.takeProfit === null ? null : gainAt(position, position.takeProfit))
  add('stop_loss', position.stopLoss, 'SL', position.stopLoss === null ? null : gainAt(position, position.stopLoss))
  add('liquidation', position.liquidationPrice, 'Liquidation', null)
  return levels
}

/** "Limit long"; the service's own words, begun as a label is. */
function orderName(order: OpenOrder): string {
  const words = [order.type, order.side]
    .filter((word) => word !== null)
    .join(' ')
    .replaceAll('_', ' ')
  return words === '' ? 'Order' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The lines of one market: the position with its exits, then the orders that wait. */
export function chartLevels(pairId: number, positions: readonly Position[], orders: readonly OpenOrder[], sizeDecimals: number | null): readonly Level[] {
  const mine = positions.filter((position) => position.pairId === pairId).flatMap((position) => positionLevels(position, sizeDecimals))
  const waiting = orders.flatMap((order): Level[] =>
    order.pairId !== pairId || order.price === null || !isWaiting(order)
      ? []
      : [
          {
            id: `order-${order.id}`,
            kind: 'order',
            side: order.side === 'long' || order.side === 'short' ? order.side : null,
            price: order.price,
            label: orderName(order),
            gain: null,
            detail: order.size === null ? null : formatDecimal(order.size),
            positionId: null,
            orderId: order.id,
            gainAt: null,
          },
        ],
  )
  return [...mine, ...waiting]
}
