import { ok } from '../../../../shared/result.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Order } from '../state/book.ts'
import type { Side } from '../state/instructions.ts'
import { type Checked, changedExits, idOf, orderValue, type Payload, tickedPrice, wrong } from './payload-fields.ts'
import type { Validate } from './validation.ts'

export const validateCancel: Validate = (payload) => {
  const id = idOf(payload, 'order_id')
  return id.ok ? ok({ payload: { order_id: id.value }, instruction: { kind: 'cancel', orderId: id.value }, clientOrderId: null }) : id
}

export const validateReplace: Validate = (payload, { book, marks }) => {
  const id = idOf(payload, 'order_id')
  if (!id.ok) return id
  const order = book.orders.find((each) => each.id === id.value) ?? null
  const market = order === null ? null : marketOf(order.pairId)
  const priced = newPrice(payload, order, market)
  if (!priced.ok) return priced
  const value = payload.order_value_usdc === undefined ? null : orderValue(payload, market)
  if (value !== null && !value.ok) return value
  const side: Side = order?.side ?? 'long'
  const entry = priced.value.limit_price ?? priced.value.trigger_price ?? order?.price ?? (market === null ? null : marks.mark(market))
  const exits = changedExits(payload, market, side, entry)
  if (!exits.ok) return exits
  const terms = { ...(value !== null && { order_value_usdc: value.value }), ...priced.value, ...exits.value }
  if (Object.keys(terms).length === 0) return wrong('order_value_usdc', 'or another field to change must be given')
  return ok({ payload: { order_id: id.value, ...terms }, instruction: { kind: 'replace', orderId: id.value, terms }, clientOrderId: null })
}

/** Reads the new price of an order: the limit price of a limit order, or the trigger price of a stop order. */
function newPrice(payload: Payload, order: Order | null, market: Market | null): Checked<{ readonly limit_price?: string; readonly trigger_price?: string }> {
  const isStop = order?.orderType === 'stop'
  if (payload.trigger_price !== undefined) {
    if (order !== null && !isStop) return wrong('trigger_price', 'is for stop orders only')
    const trigger = tickedPrice(payload, 'trigger_price', market)
    return trigger.ok ? ok({ trigger_price: trigger.value }) : trigger
  }
  if (payload.limit_price === undefined) return ok({})
  if (isStop) return wrong('limit_price', 'is for limit orders only')
  const limit = tickedPrice(payload, 'limit_price', market)
  return limit.ok ? ok({ limit_price: limit.value }) : limit
}
