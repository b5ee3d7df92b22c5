import { ok } from '../../../../shared/result.ts'
import { amount, type Checked, clientOrderIdOf, oneOf, orderValue, type Payload, referencePrice, tickedPrice, wrong } from './payload-fields.ts'
import { type Held, heldOf, type Validate } from './validation.ts'

const chainDecimals = 8

/** Reads the size to close, in base units. If the payload omits it, returns the size of the whole position. */
function sizeOf(payload: Payload, { position, market }: Held): Checked<{ readonly size?: string }> {
  if (payload.size === undefined) return ok(position === null ? {} : { size: position.size })
  const size = amount(payload, 'size', market?.sizeDecimals ?? chainDecimals)
  return size.ok ? ok({ size: size.value }) : size
}

export const validateCloseMarket: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const size = sizeOf(payload, held.value)
  if (!size.ok) return size
  const prices = referencePrice(payload, held.value.market, world)
  if (!prices.ok) return prices
  const clientOrderId = clientOrderIdOf(payload)
  if (!clientOrderId.ok) return clientOrderId
  const normal = { position_id: held.value.id, ...size.value, ...prices.value, client_order_id: clientOrderId.value }
  return ok({ payload: normal, instruction: { kind: 'close_market', payload: normal }, clientOrderId: clientOrderId.value })
}

export const validateCloseLimit: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const size = sizeOf(payload, held.value)
  if (!size.ok) return size
  const limit = tickedPrice(payload, 'limit_price', held.value.market)
  if (!limit.ok) return limit
  const timing = oneOf(payload, 'time_in_force', ['gtc', 'ioc', 'fok'], 'gtc')
  if (!timing.ok) return timing
  const { post_only: postOnly = false } = payload
  if (typeof postOnly !== 'boolean') return wrong('post_only', 'must be a boolean')
  if (postOnly && timing.value !== 'gtc') return wrong('post_only', 'contradicts time_in_force')
  const clientOrderId = clientOrderIdOf(payload)
  if (!clientOrderId.ok) return clientOrderId
  const normal = {
    ...{ position_id: held.value.id, ...size.value, limit_price: limit.value, time_in_force: timing.value, post_only: postOnly },
    client_order_id: clientOrderId.value,
  }
  return ok({ payload: normal, instruction: { kind: 'close_limit', payload: normal }, clientOrderId: clientOrderId.value })
}

export const validateInvert: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const prices = referencePrice(payload, held.value.market, world)
  if (!prices.ok) return prices
  const clientOrderId = clientOrderIdOf(payload)
  if (!clientOrderId.ok) return clientOrderId
  const normal = { position_id: held.value.id, ...prices.value, client_order_id: clientOrderId.value }
  return ok({ payload: normal, instruction: { kind: 'invert', payload: normal }, clientOrderId: clientOrderId.value })
}

export const validateIncrease: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const value = orderValue(payload, held.value.market)
  if (!value.ok) return value
  const prices = referencePrice(payload, held.value.market, world)
  if (!prices.ok) return prices
  const clientOrderId = clientOrderIdOf(payload)
  if (!clientOrderId.ok) return clientOrderId
  const normal = { position_id: held.value.id, order_value_usdc: value.value, ...prices.value, client_order_id: clientOrderId.value }
  return ok({ payload: normal, instruction: { kind: 'increase', payload: normal }, clientOrderId: clientOrderId.value })
}
