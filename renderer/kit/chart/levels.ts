import { divide, multiply, negate, subtract } from '../../../shared/decimal.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import type { ChartView } from './chart-view.ts'

/** A horizontal line in the chart for one of the user's own prices: a position's entry, its TP/SL, its liquidation price, or an order. */
export interface Level {
  readonly id: string
  readonly kind: 'position' | 'take_profit' | 'stop_loss' | 'order' | 'liquidation'
  readonly side: 'long' | 'short' | null
  readonly price: string
  readonly label: string
  /** The size of the position or order in base units; `null` if unknown or if another line shows it. */
  readonly size: string | null
  /** The profit or loss at the line's price in USDC, with sign; `null` if unknown or if the line shows none. */
  readonly gain: string | null
  /** The id of the position to which the line belongs; `null` if there is no position or if it has no id. */
  readonly positionId: string | null
  readonly orderId: string | null
  /** Calculates the profit or loss if the line is moved to another price. `null` if this is not possible for the line. */
  readonly gainAt: ((price: string) => string | null) | null
}

/** The position's profit or loss at a price; `null` if the entry price or size is unknown. */
function gainAt(position: Position, price: string): string | null {
  if (position.entryPrice === null || position.size === null) return null
  const rise = multiply(subtract(price, position.entryPrice), position.size)
  return divide(position.side === 'long' ? rise : negate(rise), '1', 2)
}

function positionLevels(position: Position): Level[] {
  const levels: Level[] = []
  const add = (kind: Level['kind'], price: string | null, label: string, gain: string | null) => {
    const exit = kind === 'take_profit' || kind === 'stop_loss'
    if (price !== null)
      levels.push({
        id: `${kind}-${position.pairId}`,
        kind,
        side: position.side,
        price,
        label,
        size: kind === 'position' ? position.size : null,
        gain,
        positionId: position.id,
        orderId: null,
        gainAt: exit ? (at) => gainAt(position, at) : null,
      })
  }
  add('position', position.entryPrice, position.side === 'long' ? partsText.long : partsText.short, position.unrealisedPnl)
  add('take_profit', position.takeProfit, 'TP', position.takeProfit === null ? null : gainAt(position, position.takeProfit))
  add('stop_loss', position.stopLoss, 'SL', position.stopLoss === null ? null : gainAt(position, position.stopLoss))
  add('liquidation', position.liquidationPrice, partsText.liquidation, null)
  return levels
}

/** The label of an order's line, such as "Limit long", from the service's own words. */
function orderName(order: OpenOrder): string {
  const words = [order.type, order.side]
    .filter((word) => word !== null)
    .join(' ')
    .replaceAll('_', ' ')
  return words === '' ? partsText.order : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The lines of one market: its position with TP/SL and liquidation price, then the open orders. */
export function chartLevels(pairId: number, positions: readonly Position[], orders: readonly OpenOrder[]): readonly Level[] {
  const mine = positions.filter((position) => position.pairId === pairId).flatMap((position) => positionLevels(position))
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
            size: order.size,
            gain: null,
            positionId: null,
            orderId: order.id,
            gainAt: null,
          },
        ],
  )
  return [...mine, ...waiting]
}

/**
 * `labelReach`: the room in pixels that a label needs above and below its line. `markReach`: the room below the line of the mark price, whose label
 * also has the countdown.
 */
const labelReach = 11
const markReach = 29

/**
 * Moves every line to the current vertical position of its price, and shifts labels that would overlap.
 * Runs before each drawing. For speed, writes to the DOM without React.
 */
export function placeLevels(layer: HTMLElement, view: ChartView): void {
  const height = layer.clientHeight
  const shown: { readonly line: HTMLElement; readonly y: number; readonly mark: boolean }[] = []
  for (const line of layer.querySelectorAll<HTMLElement>('[data-price]')) {
    const price = view.priceToY(Number(line.dataset.price))
    const y = price === null || price < 0 || price > height ? null : Math.round(price)
    line.style.setProperty('visibility', y === null ? 'hidden' : 'visible')
    if (y === null) continue
    // Use `top` instead of `transform`. A transform would draw each line over the labels of the lines before it.
    line.style.setProperty('top', `${y}px`)
    shown.push({ line, y, mark: line.dataset.mark === 'true' })
  }
  const shift = (lines: typeof shown, name: string) => {
    const places = spread(
      lines.map(({ y, mark }) => ({ at: y, above: labelReach, below: mark ? markReach : labelReach })),
      height,
    )
    for (const [index, { line, y }] of lines.entries()) line.style.setProperty(name, `${(places[index] ?? y) - y}px`)
  }
  shift(
    shown.filter(({ mark }) => !mark),
    '--tag-shift',
  )
  shift(shown, '--price-shift')
}

/** Moves each boundary between two data sources to the current horizontal position of its time. */
export function placeEdges(layer: HTMLElement, view: ChartView): void {
  for (const edge of layer.querySelectorAll<HTMLElement>('[data-edge]')) {
    const x = view.edgeToX(Number(edge.dataset.edge))
    edge.style.setProperty('visibility', x === null ? 'hidden' : 'visible')
    if (x !== null) edge.style.setProperty('transform', `translateX(${Math.round(x)}px)`)
  }
}

/** An item with a height and a preferred vertical position `at`. */
interface Placed {
  /** The item's preferred position, in pixels from the top. */
  readonly at: number
  /** How far the item extends above (`above`) and below (`below`) its position, in pixels. */
  readonly above: number
  readonly below: number
}

/**
 * Computes positions at which no items overlap. Moves items down as little as needed, and up again if they would exceed `height` pixels.
 * Returns the positions in the order of `items`. Items with the same preferred position stay in their order from top to bottom.
 */
export function spread(items: readonly Placed[], height: number): readonly number[] {
  const order = items.map((item, index) => ({ ...item, index })).sort((a, b) => a.at - b.at || a.index - b.index)
  let floor = 0
  const down = order.map((item) => {
    const at = Math.max(item.at, floor + item.above)
    floor = at + item.below
    return { ...item, at }
  })
  let ceiling = height
  const places: number[] = items.map((item) => item.at)
  for (const item of down.toReversed()) {
    const at = Math.min(item.at, ceiling - item.below)
    ceiling = at - item.above
    places[item.index] = at
  }
  return places
}
