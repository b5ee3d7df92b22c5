import { isZero, multiply, roundTo } from '../../../../shared/decimal.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Market } from '../market/catalogue.ts'
import type { Position } from '../state/book.ts'
import type { Change, OrderTerms } from '../state/changes.ts'
import type { CloseLimit, CloseMarket, Increase, Invert, OpenPosition, Side } from '../state/instructions.ts'
import { feeOn } from './fees.ts'
import { isWorse, sizeFor, slippageBound, takingPrice } from './fills.ts'

export interface Placing {
  readonly nonce: string
  readonly intentId: string | null
  readonly clientOrderId: string | null
  readonly createdAtMs: number
}

export interface Meeting {
  readonly market: Market
  readonly mark: string
  /** Only for simulations. If true, an order that would stay in the order book counts as filled at its own price. */
  readonly asIfFilled: boolean
}

/** The changes that an instruction causes at once, or the reason why it has no effect. */
export type Ordered = Result<readonly Change[], string>

export const opposite = (side: Side): Side => (side === 'long' ? 'short' : 'long')

const identity = ({ nonce, intentId, clientOrderId, createdAtMs }: Placing) => ({
  ...{ id: `ord_${nonce}`, opens: `pos_${nonce}`, intentId, clientOrderId, createdAtMs },
})

export const filled = (orderId: string, price: string, size: string): Change => ({
  ...{ kind: 'filled', orderId, price, size, feeUsdc: feeOn(multiply(size, price)) },
})

const filledAtOnce = (order: OrderTerms, price: string): Ordered =>
  isZero(order.size) ? fail('order_size_zero') : ok([{ kind: 'placed', order }, filled(order.id, price, order.size)])

const resting = (order: OrderTerms, price: string, asIfFilled: boolean): Ordered =>
  isZero(order.size) ? fail('order_size_zero') : ok([{ kind: 'placed', order }, ...(asIfFilled ? [filled(order.id, price, order.size)] : [])])

const endedAtOnce = (order: OrderTerms, reason: string): Ordered =>
  ok([
    { kind: 'placed', order },
    { kind: 'ended', orderId: order.id, reason },
  ])

export function openOrder(payload: OpenPosition, placing: Placing, meeting: Meeting): Ordered {
  const { market, mark, asIfFilled } = meeting
  const { side, order_value_usdc: value } = payload
  const terms = {
    ...identity(placing),
    ...{ pairId: market.id, side, orderType: payload.order_type, marginMode: payload.margin_mode, leverage: payload.leverage },
    ...{ closes: null, valueUsdc: value, takeProfit: payload.take_profit ?? null, stopLoss: payload.stop_loss ?? null },
  }
  const at = (price: string): OrderTerms => ({ ...terms, price, size: sizeFor(market, value, price) })
  switch (payload.order_type) {
    case 'market': {
      const { reference_price: reference = mark, max_slippage_bps: bps = 0 } = payload
      const taking = takingPrice(market, side, mark, value, bps)
      const bound = slippageBound(side, reference, bps)
      if (asIfFilled || !isWorse(side, taking, bound)) return filledAtOnce(at(taking), taking)
      const limit = roundTo(bound, 8, 'down')
      return payload.rest_if_unfilled === true ? resting(at(limit), limit, false) : endedAtOnce(at(reference), 'slippage_exceeded')
    }
    case 'limit':
      return limitOrder(at(payload.limit_price ?? mark), { ...payload, price: payload.limit_price ?? mark, postOnly: payload.post_only ?? false }, meeting)
    case 'stop': {
      const trigger = payload.trigger_price ?? mark
      return resting(at(trigger), trigger, asIfFilled)
    }
  }
}

function limitOrder(
  order: OrderTerms,
  { price, postOnly, time_in_force: timing }: { price: string; postOnly: boolean; time_in_force: OpenPosition['time_in_force'] },
  { market, mark, asIfFilled }: Meeting,
): Ordered {
  const { side } = order
  const marketable = !isWorse(side, mark, price)
  if (!marketable || asIfFilled) return asIfFilled || timing === 'gtc' ? resting(order, price, asIfFilled) : endedAtOnce(order, 'not_filled')
  if (postOnly) return endedAtOnce(order, 'post_only_would_take')
  const taking = takingPrice(market, side, mark, multiply(order.size, price), null)
  return filledAtOnce(order, isWorse(side, taking, price) ? price : taking)
}

/** The terms of the order that closes a position: on the opposite side, for the given size or else for the whole position. */
const closing = (position: Position, size: string | undefined, placing: Placing) => ({
  ...identity(placing),
  ...{ pairId: position.pairId, side: opposite(position.side), marginMode: position.marginMode, leverage: position.leverage },
  ...{ closes: position.id, size: size ?? position.size, valueUsdc: null, takeProfit: null, stopLoss: null },
})

export function closeAtMarket(position: Position, payload: CloseMarket, placing: Placing, meeting: Meeting): Ordered {
  const order = { ...closing(position, payload.size, placing), orderType: 'market' } as const
  return takeWithin(order, payload, meeting)
}

/** Fills an order at the market price. Refuses if the price is further from the reference price than the payload's max slippage allows. */
function takeWithin(order: Omit<OrderTerms, 'price'>, payload: Pick<CloseMarket, 'reference_price' | 'max_slippage_bps'>, meeting: Meeting): Ordered {
  const { market, mark, asIfFilled } = meeting
  const { reference_price: reference, max_slippage_bps: bps } = payload
  const taking = takingPrice(market, order.side, mark, multiply(order.size, mark), bps)
  const isBeyond = !asIfFilled && isWorse(order.side, taking, slippageBound(order.side, reference, bps))
  return isBeyond ? endedAtOnce({ ...order, price: reference }, 'slippage_exceeded') : filledAtOnce({ ...order, price: taking }, taking)
}

export function closeAtLimit(position: Position, payload: CloseLimit, placing: Placing, meeting: Meeting): Ordered {
  const { limit_price: price, post_only: postOnly, time_in_force } = payload
  const order: OrderTerms = { ...closing(position, payload.size, placing), orderType: 'limit', price }
  return limitOrder(order, { price, postOnly, time_in_force }, meeting)
}

/** Inverts a position with one order of twice the position's size. The wallet then has a position of the same size on the opposite side. */
export function turn(position: Position, payload: Invert, placing: Placing, meeting: Meeting): Ordered {
  const order = { ...closing(position, undefined, placing), closes: null, size: multiply(position.size, '2'), orderType: 'market' } as const
  return takeWithin(order, payload, meeting)
}

export const addTo = (position: Position, payload: Increase, placing: Placing, meeting: Meeting): Ordered =>
  openOrder(
    {
      pair_id: position.pairId,
      side: position.side,
      order_type: 'market',
      margin_mode: position.marginMode,
      leverage: position.leverage,
      order_value_usdc: payload.order_value_usdc,
      reference_price: payload.reference_price,
      max_slippage_bps: payload.max_slippage_bps,
      time_in_force: 'ioc',
      client_order_id: payload.client_order_id,
    },
    placing,
    meeting,
  )
