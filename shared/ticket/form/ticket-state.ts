import type { TimeInForce } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import type { SizeUnit } from '../order-size.ts'
import type { ExitBy } from '../read-exit.ts'

/** What stands in the form: text as typed, so that nothing is lost or changed while typing. What another order type uses is kept, too. */
export interface TicketState {
  readonly side: 'long' | 'short'
  readonly orderType: 'market' | 'limit' | 'stop'
  readonly marginMode: 'cross' | 'isolated'
  readonly leverage: string
  readonly limitPrice: string
  readonly triggerPrice: string
  /** In the unit of `valueIn`. */
  readonly orderValue: string
  readonly valueIn: SizeUnit
  /** For example "0.5" for 50 bps. */
  readonly slippagePercent: string
  /** Of limit and stop orders: market orders are always `ioc`. */
  readonly timeInForce: TimeInForce
  /** Limit orders only. */
  readonly postOnly: boolean
  /** Market orders only. */
  readonly restIfUnfilled: boolean
  /** Whether take profit and stop loss are shown; both may stay empty. */
  readonly exits: boolean
  readonly takeProfit: string
  readonly takeProfitBy: ExitBy
  readonly stopLoss: string
  readonly stopLossBy: ExitBy
  /** Empty: one is made. */
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
  exits: false,
  takeProfit: '',
  takeProfitBy: 'price',
  stopLoss: '',
  stopLossBy: 'price',
  clientOrderId: '',
}

/** A change by the user. Another market keeps side, mode and slippage, and empties what depends on its prices. */
export type TicketChange =
  | { readonly type: 'edit'; readonly change: Partial<TicketState> }
  | { readonly type: 'market'; readonly market: Market }
  | { readonly type: 'clear' }

/** An order id names one order only. */
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
