import { absolute, changePercent, divide, isZero, multiply, roundTo, signOf } from '../../decimal.ts'
import type { SeenOrder, SeenPosition, TimeInForce } from '../../ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../ipc/reads/account.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { baseOfValue, readSize, type SizeFacts, type SizeUnit } from '../order-size.ts'
import { type ExitBy, type ExitFacts, type ExitKind, profitAt, readExit } from '../typed-price.ts'

/** The content of the order form. Texts stay as the user typed them. Fields that the chosen order type does not use also keep their content. */
export interface TicketState {
  readonly side: 'long' | 'short'
  readonly orderType: 'market' | 'limit' | 'stop'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: string
  readonly limitPrice: string
  readonly triggerPrice: string
  /** The size as typed, in the unit that `valueIn` names. */
  readonly orderValue: string
  readonly valueIn: SizeUnit
  /** Max slippage in percent as typed, for example "0.5" for 50 basis points. */
  readonly slippagePercent: string
  /** Used only for limit and stop orders: market orders are always `ioc`. */
  readonly timeInForce: TimeInForce
  /** Used only for limit orders. */
  readonly postOnly: boolean
  /** Used only for market orders. true: an unfilled remainder waits as a limit order. */
  readonly restIfUnfilled: boolean
  /** Whether the form shows the fields for take profit and stop loss. Both may be empty. */
  readonly hasTpSl: boolean
  readonly takeProfit: string
  readonly takeProfitBy: ExitBy
  readonly stopLoss: string
  readonly stopLossBy: ExitBy
  /** The user's own order id. Empty: the app generates one. */
  readonly clientOrderId: string
}

export const initialTicket: TicketState = {
  side: 'long',
  orderType: 'market',
  marginMode: 'cross',
  leverage: '10',
  limitPrice: '',
  triggerPrice: '',
  orderValue: '',
  valueIn: 'usdc',
  slippagePercent: '0.5',
  timeInForce: 'gtc',
  postOnly: false,
  restIfUnfilled: false,
  hasTpSl: false,
  takeProfit: '',
  takeProfitBy: 'price',
  stopLoss: '',
  stopLossBy: 'price',
  clientOrderId: '',
}

/**
 * A change that the user makes to the form. Choosing another market keeps side, mode and slippage, and empties the fields that depend on the
 * market's prices.
 */
export type TicketChange =
  | { readonly type: 'edit'; readonly change: Partial<TicketState> }
  | { readonly type: 'market'; readonly market: Market }
  | { readonly type: 'clear' }

/** The fields that are emptied when the user chooses another market. The order id is also emptied, because an id may be used only once. */
const emptied = { limitPrice: '', triggerPrice: '', takeProfit: '', stopLoss: '', clientOrderId: '' } as const

export function changeTicket(state: TicketState, action: TicketChange): TicketState {
  switch (action.type) {
    case 'edit':
      return { ...state, ...action.change }
    case 'market':
      return {
        ...state,
        ...emptied,
        orderValue: state.valueIn === 'base' ? '' : state.orderValue,
        leverage: withinLeverage(state.leverage, action.market),
      }
    case 'clear':
      return { ...state, ...emptied, orderValue: '' }
  }
}

const withinLeverage = (leverage: string, market: Market): string =>
  market.maxLeverage !== null && /^\d+$/.test(leverage) && Number(leverage) > market.maxLeverage ? String(market.maxLeverage) : leverage

/** Number of decimals after a conversion: cents for USDC, hundredths for percent. */
const shownDecimals = 2

const unlessZero = (value: string): string => (signOf(value) === 0 ? '' : value)

/**
 * Converts the typed size to another unit, rounded down so that the order never grows. Returns empty text if the conversion is impossible, because
 * the same digits in another unit would mean a different order.
 */
export function sizeInUnit(typed: string, from: SizeUnit, to: SizeUnit, facts: SizeFacts): string {
  if (from === to) return typed
  const size = readSize(typed, from, facts)
  if (!size.ok) return ''
  switch (to) {
    case 'usdc': {
      const cents = roundTo(size.value, shownDecimals, 'down')
      return signOf(cents) === 0 ? unlessZero(size.value) : cents
    }
    case 'base':
      return facts.entry === null || signOf(facts.entry) <= 0 ? '' : unlessZero(baseOfValue(size.value, facts.entry, facts.market))
    case 'free_margin': {
      const { freeMargin, leverage } = facts
      if (freeMargin === null || signOf(freeMargin) <= 0 || leverage === null || leverage < 1) return ''
      return unlessZero(divide(multiply(size.value, '100'), multiply(freeMargin, leverage.toString()), shownDecimals, 'down'))
    }
  }
}

/**
 * Converts a typed TP or SL to a price, a distance or a profit. Returns empty text if the conversion is impossible, or if the price is on the wrong
 * side of the entry price, where a distance has no meaning.
 */
export function exitBy(kind: ExitKind, typed: string, from: ExitBy, to: ExitBy, facts: ExitFacts): string {
  if (from === to) return typed
  const price = readExit(kind, typed, from, facts)
  if (!price.ok) return ''
  if (to === 'price') return price.value
  const moved = to === 'percent' ? changePercent(facts.entry, price.value, shownDecimals) : gainAt(price.value, facts)
  const gains = (facts.side === 'long') === signOf(changePercent(facts.entry, price.value, 8) ?? '0') > 0
  return moved === null || gains !== (kind === 'takeProfit') ? '' : unlessZero(absolute(moved))
}

const gainAt = (price: string, { side, entry, orderValueUsdc }: ExitFacts): string | null =>
  orderValueUsdc === null ? null : profitAt(price, { side, entry, orderValueUsdc })

/**
 * Estimates a position's size in base units, if the service does not state it: from the position's value at the mark price, or otherwise from a size
 * of unknown unit, assuming USDC.
 */
function sizeByWorth({ size, notionalUsdc, rawSize, markPrice }: Position): Partial<SeenPosition> {
  if (size !== null || markPrice === null || isZero(markPrice)) return {}
  if (notionalUsdc !== null) return { sizeAbout: divide(absolute(notionalUsdc), markPrice, 8) }
  return rawSize === undefined ? {} : { sizeIfUsdc: divide(rawSize, markPrice, 8) }
}

/** Returns a position as a ticket stores it. */
export function positionSeen(position: Position, positionId: string): SeenPosition {
  const { pairId, symbol, side, size, rawSize, takeProfit, stopLoss } = position
  return { positionId, pairId, symbol, side, size, ...(rawSize !== undefined && { rawSize }), ...sizeByWorth(position), takeProfit, stopLoss }
}

/**
 * Returns an order as a ticket stores it. If the service's word for the side is neither long nor short, the side counts as unknown and is not
 * compared.
 */
export const orderSeen = ({ id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: OpenOrder): SeenOrder => ({
  ...{ orderId: id, pairId, symbol, side: side === 'long' || side === 'short' ? side : null },
  ...{ orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss },
})

/** Returns a position as a ticket stores it; null if the service sent no id, because no action is then possible. */
export const seenPosition = (position: Position): SeenPosition | null =>
  position.id === null || position.id === '' ? null : positionSeen(position, position.id)
export const seenOrder = (order: OpenOrder): SeenOrder | null => (order.id === '' ? null : orderSeen(order))

/** Maximum number of presets of a profile, and maximum length of their names. */
export const presetLimits = { most: 20, longestName: 40 } as const
