import { compare, divide, multiply, signOf, subtract } from '../../../shared/decimal.ts'
import type { DelegatedItem, DelegatedTicket, OrderTicket, SeenOrder, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'

/** The risk that an action adds. A missing field: the action adds no risk of this kind. null: the value is unknown. */
export interface NewRisk {
  readonly pairId: number | null
  /** Notional value of the order, USDC. */
  readonly orderValueUsdc?: string | null
  /** Leverage as decimal text, such as "5" or "7.25". */
  readonly leverage?: string | null
}

/** Reads the account’s current positions and orders. A result of null means that the record does not exist or cannot be read. */
export interface AccountNow {
  position(positionId: string): Promise<Position | null>
  order(orderId: string): Promise<OpenOrder | null>
}

interface Replacement {
  readonly order: SeenOrder
  readonly orderValueUsdc?: string | undefined
  readonly limitPrice?: string | undefined
  readonly triggerPrice?: string | undefined
}

const leverageDecimals = 2

/** The risk that a ticket adds; null if it adds none. Closing, cancelling, reducing, TP/SL, adding margin and moving collateral add no risk. */
export function newRiskOf(ticket: OrderTicket, now: AccountNow): Promise<NewRisk | null> {
  if (isOpening(ticket)) return Promise.resolve(opened(ticket))
  switch (ticket.action) {
    case 'invert_position':
      return inverted(ticket.position, ticket.referencePrice, now)
    case 'change_isolated_leverage':
      return leveraged(ticket.position, ticket.leverage, now)
    case 'reduce_isolated_margin':
      return uncovered(ticket.position, ticket.amountUsdc, now)
    case 'replace_order':
      return replaced(ticket, now)
    case 'close_position_market':
    case 'close_position_limit':
    case 'update_tpsl':
    case 'add_isolated_margin':
    case 'cancel_order':
    case 'add_collateral':
    case 'withdraw_collateral':
      return Promise.resolve(null)
  }
}

/** The risk that each action of an executor’s ticket adds. Omits actions that add no risk. */
export async function newRisksOf(ticket: DelegatedTicket, now: AccountNow): Promise<readonly NewRisk[]> {
  const items = ticket.action === 'batch' ? ticket.items : [ticket]
  const risks = await Promise.all(items.map((item) => newRiskOfItem(item, now)))
  return risks.filter((risk) => risk !== null)
}

async function newRiskOfItem(item: DelegatedItem, now: AccountNow): Promise<NewRisk | null> {
  switch (item.action) {
    case 'open_position':
    case 'open_market':
    case 'create_limit':
    case 'create_stop':
      return opened(item.order)
    case 'increase': {
      const held = await now.position(item.position.positionId)
      return { pairId: item.position.pairId, orderValueUsdc: item.orderValueUsdc, leverage: held?.leverage ?? null }
    }
    case 'invert':
      return inverted(item.position, item.referencePrice, now)
    case 'replace':
      return replaced(item, now)
    case 'isolated_manage':
      if ('leverage' in item.change) return leveraged(item.position, item.change.leverage, now)
      return signOf(item.change.marginDeltaUsdc) < 0 ? uncovered(item.position, subtract('0', item.change.marginDeltaUsdc), now) : null
    case 'reduce':
    case 'close':
    case 'cancel':
    case 'set_tp':
    case 'set_sl':
    case 'clear_tp':
    case 'clear_sl':
      return null
  }
}

const opened = (order: { readonly pairId: number; readonly orderValueUsdc: string; readonly leverage: number }): NewRisk => ({
  pairId: order.pairId,
  orderValueUsdc: order.orderValueUsdc,
  leverage: order.leverage.toString(),
})

/** The risk of an inversion, which opens a position of the same size on the other side. */
async function inverted({ positionId, pairId, size: seen }: SeenPosition, price: string, now: AccountNow): Promise<NewRisk> {
  const held = await now.position(positionId)
  const size = held?.size ?? seen
  return { pairId, orderValueUsdc: held?.notionalUsdc ?? (size === null ? null : multiply(size, price)), leverage: held?.leverage ?? null }
}

async function leveraged({ positionId, pairId }: SeenPosition, leverage: number, now: AccountNow): Promise<NewRisk | null> {
  const before = (await now.position(positionId))?.leverage ?? null
  const after = leverage.toString()
  return before !== null && compare(after, before) <= 0 ? null : { pairId, leverage: after }
}

/** The risk of withdrawing margin, which raises the position’s leverage. */
async function uncovered({ positionId, pairId }: SeenPosition, amountUsdc: string, now: AccountNow): Promise<NewRisk> {
  const held = await now.position(positionId)
  if (held?.marginUsdc == null || held.notionalUsdc === null) return { pairId, leverage: null }
  const left = subtract(held.marginUsdc, amountUsdc)
  return { pairId, leverage: signOf(left) > 0 ? divide(held.notionalUsdc, left, leverageDecimals, 'up') : null }
}

/**
 * The risk that replacing an order adds: a larger size or another price adds risk. A reduce-only order, a smaller size and a change of TP/SL add
 * none.
 */
async function replaced({ order, orderValueUsdc, limitPrice, triggerPrice }: Replacement, now: AccountNow): Promise<NewRisk | null> {
  const held = await now.order(order.orderId)
  if (held?.reduceOnly === true) return null
  const before = held?.orderValueUsdc ?? order.orderValueUsdc
  const after = orderValueUsdc ?? before
  const grows = orderValueUsdc !== undefined && (before === null || compare(orderValueUsdc, before) > 0)
  const moves = limitPrice !== undefined || triggerPrice !== undefined
  if (!grows && !moves) return null
  const leverage = held?.leverage ?? null
  return { pairId: held?.pairId ?? order.pairId, orderValueUsdc: after, ...(leverage === null ? {} : { leverage }) }
}
