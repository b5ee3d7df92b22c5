import { absolute, signOf } from '../../../../shared/decimal.ts'
import { fail, ok } from '../../../../shared/result.ts'
import { invalid } from '../http/reply.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import { isDecimalText, writtenDecimals } from '../money.ts'
import type { Book, Order, Position } from './book.ts'
import type { Instruction, Side } from './instructions.ts'
import {
  amount,
  type Checked,
  changedExits,
  clientOrderIdOf,
  idOf,
  integer,
  type Moment,
  oneOf,
  orderValue,
  type Payload,
  referencePrice,
  tickedPrice,
  wrong,
} from './payload-fields.ts'

/** The wallet's book and the moment's prices. */
export interface World extends Moment {
  readonly book: Book
}

/** A payload in its normal form, and what it asks for. */
export interface Valid {
  readonly payload: object
  readonly instruction: Instruction
  readonly clientOrderId: string | null
}

export type Validate = (payload: Payload, world: World) => Checked<Valid>

/** Leverage of markets goes no higher. */
const highestLeverage = 50
/** Size decimals where the market is not known: as many as go on chain. */
const chainDecimals = 8

interface Held {
  readonly id: string
  /** null: not there (any more), which is no fault of the payload. What it would be judged by is then left out. */
  readonly position: Position | null
  readonly market: Market | null
}

function heldOf(payload: Payload, { book }: World): Checked<Held> {
  const id = idOf(payload, 'position_id')
  if (!id.ok) return id
  const position = book.positions.find((each) => each.id === id.value) ?? null
  return ok({ id: id.value, position, market: position === null ? null : marketOf(position.pairId) })
}

/** A part of the position, in base units; absent it is all of it. */
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

/** TP/SL are judged by the mark: what it has passed already would strike at once. */
export const validateTpsl: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const { id, position, market } = held.value
  if (payload.take_profit === undefined && payload.stop_loss === undefined) return wrong('take_profit', 'or stop_loss must be given; null takes one away')
  const entry = market === null ? null : world.marks.mark(market)
  const exits = changedExits(payload, market, position?.side ?? 'long', entry)
  if (!exits.ok) return exits
  const normal = { position_id: id, ...exits.value }
  return ok({ payload: normal, instruction: { kind: 'exits', positionId: id, exits: exits.value }, clientOrderId: null })
}

/** @param sign -1 takes margin away */
export const validateMargin =
  (sign: 1 | -1): Validate =>
  (payload, world) => {
    const held = heldOf(payload, world)
    if (!held.ok) return held
    const usdc = amount(payload, 'amount_usdc', 6)
    if (!usdc.ok) return usdc
    const { id } = held.value
    const signed = sign > 0 ? usdc.value : `-${usdc.value}`
    return ok({
      payload: { position_id: id, amount_usdc: usdc.value },
      instruction: { kind: 'margin', positionId: id, amount: signed },
      clientOrderId: null,
    })
  }

export const validateLeverage: Validate = (payload, world) => {
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const leverage = integer(payload, 'leverage', 1, held.value.market?.maxLeverage ?? highestLeverage)
  if (!leverage.ok) return leverage
  const { id } = held.value
  return ok({
    payload: { position_id: id, leverage: leverage.value },
    instruction: { kind: 'leverage', positionId: id, leverage: leverage.value },
    clientOrderId: null,
  })
}

/** `isolated_manage`: exactly one of a signed change of the margin and a leverage. */
export const validateIsolated: Validate = (payload, world) => {
  const { margin_delta_usdc: delta, leverage } = payload
  if ((delta === undefined) === (leverage === undefined)) return wrong('margin_delta_usdc', 'or leverage must be given, and not both')
  if (leverage !== undefined) return validateLeverage(payload, world)
  const held = heldOf(payload, world)
  if (!held.ok) return held
  const unsigned = typeof delta === 'string' ? delta.replace(/^-/, '') : delta
  if (typeof delta !== 'string' || !isDecimalText(unsigned) || signOf(unsigned) === 0) return wrong('margin_delta_usdc', 'must be a decimal string, not zero')
  if (writtenDecimals(unsigned) > 6) return wrong('margin_delta_usdc', 'must have at most 6 decimals')
  const normal = absolute(unsigned)
  const amountText = delta.startsWith('-') ? `-${normal}` : normal
  const { id } = held.value
  return ok({
    payload: { position_id: id, margin_delta_usdc: amountText },
    instruction: { kind: 'margin', positionId: id, amount: amountText },
    clientOrderId: null,
  })
}

/** One of the four primitives: sets or clears the take profit or the stop loss of a position. */
export const validateExit =
  (name: 'take_profit' | 'stop_loss', sets: boolean): Validate =>
  (payload, world) => {
    const { price = '', position_id: positionId } = payload
    const valid = validateTpsl({ position_id: positionId, [name]: sets ? (price ?? '') : null }, world)
    if (valid.ok) {
      const { instruction } = valid.value
      const set = sets && instruction.kind === 'exits' ? { price: instruction.exits[name] } : {}
      return ok({ ...valid.value, payload: { position_id: positionId, ...set } })
    }
    const { failure } = valid
    const isPrice = failure.fields.field === `payload.${name}`
    return isPrice ? fail(invalid('payload.price', failure.message.replace(`payload.${name}: `, ''))) : valid
  }

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

/** A limit order has a limit price, a stop order a trigger. */
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

/** USDC has 6 decimals, the protocol's own token 18. */
export const tokenDecimals = { USDC: 6, SVC: 18 } as const

/** @param sign -1 withdraws */
export const validateCollateral =
  (sign: 1 | -1): Validate =>
  (payload) => {
    const token = oneOf(payload, 'token', ['USDC', 'SVC'], null)
    if (!token.ok) return token
    const value = amount(payload, 'amount', tokenDecimals[token.value])
    if (!value.ok) return value
    return ok({
      payload: { token: token.value, amount: value.value },
      instruction: { kind: 'collateral', token: token.value, amount: sign > 0 ? value.value : `-${value.value}` },
      clientOrderId: null,
    })
  }
