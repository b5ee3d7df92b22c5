import { absolute, signOf } from '../../../../shared/decimal.ts'
import { fail, ok } from '../../../../shared/result.ts'
import { isDecimalText, writtenDecimals } from '../../base/money.ts'
import { invalid } from '../http/reply.ts'
import { amount, changedExits, integer, wrong } from './payload-fields.ts'
import { heldOf, type Validate } from './validation.ts'

const highestLeverage = 50

/** Checks a position's TP/SL against the mark price. A level that the mark has already passed would trigger immediately. */
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

/**
 * Creates the validation of a change to a position's margin.
 * @param sign 1 adds margin, -1 removes it
 */
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

/** `isolated_manage` changes either the margin, by a signed amount, or the leverage. The payload must contain exactly one of the two. */
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
