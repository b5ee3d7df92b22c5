import type { DelegatedActionName, PreparedActionName } from '../../../shared/api/actions.ts'
import { compare, divide, multiply, roundToStep } from '../../../shared/decimal.ts'
import type { DelegatedItem, DelegatedTicket, LimitTicket, MarketTicket, OrderTicket, SeenPosition, StopTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { priceStep } from '../../../shared/ticket/market-rules.ts'
import { cancelTicket, cancelTicketOf, closeTicket } from '../../kill-switch/stop-steps.ts'
import type { Known } from './judge-answer.ts'

/** The value of the check's order, in USDC, if a market states no minimum. */
const smallOrderUsdc = '10'
const slippage = { maxSlippageBps: 100 } as const

const opening = (market: Market) =>
  ({
    pairId: market.id,
    side: 'long',
    marginMode: 'cross',
    leverage: 1,
    orderValueUsdc: market.minOrderUsdc ?? smallOrderUsdc,
    takeProfit: null,
    stopLoss: null,
  }) as const

const atMarket = (market: Market, mark: string): MarketTicket => ({
  ...{ ...opening(market), ...slippage, orderType: 'market', referencePrice: mark, restIfUnfilled: false },
})

const atHalf = (price: string, market: Market): string => roundToStep(divide(price, '2', 8), priceStep(market))

/** Builds a limit order far below the price, which could not fill even if it were placed. */
const farLimit = (market: Market, mark: string): LimitTicket => ({
  ...{ ...opening(market), orderType: 'limit', limitPrice: atHalf(mark, market), timeInForce: 'gtc', postOnly: true },
})

/** Builds a stop order far above the price, which could not trigger even if it were placed. */
const farStop = (market: Market, mark: string): StopTicket => ({
  ...{ ...opening(market), orderType: 'stop', triggerPrice: roundToStep(multiply(mark, '2'), priceStep(market)), timeInForce: 'gtc' },
})

/** Builds a replacement that sets an order's price to its current value, so that nothing would change. */
function replacementOf(order: OpenOrder) {
  const price = order.limitPrice ?? order.triggerPrice
  if (price === null) return null
  const changed = order.limitPrice === null ? { triggerPrice: price } : { limitPrice: price }
  return { order: cancelTicket(order).order, ...changed }
}

interface Held {
  readonly position: Position & { readonly id: string }
  readonly price: string
  readonly market: Market | null
}

/** Returns a position with the details that a ticket needs, such as the market's price. null if the position's ID or the price is unknown. */
const heldOf = (position: Position | null, { mark, market }: Known): Held | null => {
  if (position === null || position.id === null) return null
  const own = market?.id === position.pairId ? market : null
  const price = position.markPrice ?? (own === null ? null : mark) ?? position.entryPrice
  return price === null ? null : { position: { ...position, id: position.id }, price, market: own }
}

const exitPrice = ({ position, price, market }: Held, side: 'gain' | 'loss' = 'gain'): string => {
  const far = (position.side === 'long') === (side === 'gain') ? multiply(price, '2') : divide(price, '2', 8)
  return market === null ? far : roundToStep(far, priceStep(market))
}

const seen = ({ position, price }: Held) => closeTicket(position, position.id, price)

type Maker = (known: Known) => OrderTicket | null

const ofPosition =
  (make: (held: Held) => OrderTicket | null): Maker =>
  (known) => {
    const held = heldOf(known.position, known)
    return held === null ? null : make(held)
  }
const ofIsolated =
  (make: (held: Held) => OrderTicket | null): Maker =>
  (known) => {
    const held = heldOf(known.isolated, known)
    return held === null ? null : make(held)
  }
const ofOrder =
  (make: (order: OpenOrder) => OrderTicket | null): Maker =>
  ({ order }) =>
    order === null ? null : make(order)

/**
 * Builds the ticket of each prepared action that the account currently allows. The check never signs or sends it. null if the account has no
 * suitable order or position.
 */
export const preparedTickets: Readonly<Record<PreparedActionName, Maker>> = {
  open_position: ({ market, mark }) => (market === null || mark === null ? null : atMarket(market, mark)),
  close_position_market: ofPosition(seen),
  close_position_limit: ofPosition((held) => ({
    ...{ action: 'close_position_limit', position: seen(held).position, size: null },
    ...{ limitPrice: exitPrice(held), timeInForce: 'gtc', postOnly: true },
  })),
  invert_position: ofPosition((held) => ({ action: 'invert_position', position: seen(held).position, referencePrice: held.price, ...slippage })),
  update_tpsl: ofPosition((held) => ({ action: 'update_tpsl', position: seen(held).position, takeProfit: exitPrice(held) })),
  add_isolated_margin: ofIsolated((held) => ({ action: 'add_isolated_margin', position: seen(held).position, amountUsdc: '1' })),
  reduce_isolated_margin: ofIsolated((held) => ({ action: 'reduce_isolated_margin', position: seen(held).position, amountUsdc: '1' })),
  change_isolated_leverage: ofIsolated((held) => ({
    ...{ action: 'change_isolated_leverage', position: seen(held).position },
    leverage: compare(held.position.leverage ?? '1', '2') >= 0 ? 1 : 2,
  })),
  cancel_order: ofOrder(cancelTicket),
  replace_order: ofOrder((order) => {
    const ticket = replacementOf(order)
    return ticket === null ? null : { action: 'replace_order', ...ticket }
  }),
  add_collateral: () => ({ action: 'add_collateral', token: 'USDC', amount: '1', permit: false }),
  withdraw_collateral: ({ withdrawable }) => (withdrawable === null ? null : { action: 'withdraw_collateral', token: withdrawable, amount: '1' }),
}

type DryMaker = (known: Known, newId: () => string) => DelegatedTicket | null

const dryOfPosition =
  (make: (position: SeenPosition, held: Held) => DelegatedItem | null): DryMaker =>
  (known) => {
    const held = heldOf(known.position, known)
    return held === null ? null : make(seen(held).position, held)
  }
const dryOfMarket =
  (make: (market: Market, mark: string) => DelegatedItem): DryMaker =>
  ({ market, mark }) =>
    market === null || mark === null ? null : make(market, mark)

const noOrder = (newId: () => string): DelegatedItem => ({ action: 'cancel', order: cancelTicketOf(`check-${newId()}`).order })
const atPrice = ({ price }: Held) => ({ referencePrice: price, ...slippage })

/**
 * Delegated actions to validate, in order. The first ones name orders that don't exist, so that even a service that executes them changes nothing.
 * The last ones would close or reverse a position.
 */
export const dryRunTickets: Readonly<Record<DelegatedActionName, DryMaker>> = {
  cancel: (_known, newId) => noOrder(newId),
  batch: (_known, newId) => ({ action: 'batch', items: [noOrder(newId), noOrder(newId)] }),
  create_limit: dryOfMarket((market, mark) => ({ action: 'create_limit', order: farLimit(market, mark) })),
  open_position: dryOfMarket((market, mark) => ({ action: 'open_position', order: farLimit(market, mark) })),
  create_stop: dryOfMarket((market, mark) => ({ action: 'create_stop', order: farStop(market, mark) })),
  replace: ({ order }) => {
    const ticket = order === null ? null : replacementOf(order)
    return ticket === null ? null : { ...ticket, action: 'replace' }
  },
  set_tp: dryOfPosition((position, held) => ({ action: 'set_tp', position, price: exitPrice(held, 'gain') })),
  set_sl: dryOfPosition((position, held) => ({ action: 'set_sl', position, price: exitPrice(held, 'loss') })),
  clear_tp: dryOfPosition((position) => (position.takeProfit === null ? null : { action: 'clear_tp', position })),
  clear_sl: dryOfPosition((position) => (position.stopLoss === null ? null : { action: 'clear_sl', position })),
  isolated_manage: (known) => {
    const held = heldOf(known.isolated, known)
    return held === null ? null : { action: 'isolated_manage', position: seen(held).position, change: { marginDeltaUsdc: '1' } }
  },
  open_market: dryOfMarket((market, mark) => ({ action: 'open_market', order: atMarket(market, mark) })),
  increase: dryOfPosition((position, held) => ({
    action: 'increase',
    position,
    orderValueUsdc: held.market?.minOrderUsdc ?? smallOrderUsdc,
    ...atPrice(held),
  })),
  reduce: dryOfPosition((position, held) => (position.size === null ? null : { action: 'reduce', position, size: position.size, ...atPrice(held) })),
  close: dryOfPosition((position, held) => ({ action: 'close', position, ...atPrice(held) })),
  invert: dryOfPosition((position, held) => ({ action: 'invert', position, ...atPrice(held) })),
}
