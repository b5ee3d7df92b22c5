import { ok } from '../../../../shared/result.ts'
import { minute, second } from '../../../../shared/time.ts'
import type { Scope } from '../../base/scopes.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { OpenPosition } from '../state/instructions.ts'
import {
  type Checked,
  clientOrderIdOf,
  exitPrices,
  integer,
  type Moment,
  oneOf,
  orderValue,
  type Payload,
  referencePrice,
  tickedPrice,
  wrong,
} from './payload-fields.ts'
import { validateCloseLimit, validateCloseMarket, validateInvert } from './validate-close.ts'
import { validateCollateral } from './validate-collateral.ts'
import { validateCancel, validateReplace } from './validate-order.ts'
import { validateLeverage, validateMargin, validateTpsl } from './validate-position.ts'
import type { Validate } from './validation.ts'

/** The lifetime, signing mode and validation of one action that `/orders/prepare` accepts. */
export interface PreparedAction {
  readonly scope: Scope
  /** How long the prepared action is valid: 120 s for trading, 180 s for collateral, 300 s for signed intents (API document: Limits). */
  readonly lifetimeMs: number
  /** `signed_intent` if the wallet signs an intent; null if the wallet sends transactions. */
  readonly mode: 'signed_intent' | null
  readonly validate: Validate
}

const signed = (validate: Validate): PreparedAction => ({ scope: 'trade:prepare', lifetimeMs: 5 * minute, mode: 'signed_intent', validate })
const sent = (scope: Scope, validate: Validate): PreparedAction => ({ scope, lifetimeMs: 2 * minute, mode: null, validate })
const moved = (validate: Validate): PreparedAction => ({ scope: 'collateral:manage', lifetimeMs: 180 * second, mode: null, validate })

export const validateOpen: Validate = (payload, world) => {
  const valid = validateOpenPosition(payload, world)
  if (!valid.ok) return valid
  return {
    ok: true,
    value: { payload: valid.value, instruction: { kind: 'open', payload: valid.value }, clientOrderId: valid.value.client_order_id },
  }
}

export const preparedActions: Readonly<Record<string, PreparedAction>> = {
  open_position: signed(validateOpen),
  close_position_market: signed(validateCloseMarket),
  close_position_limit: signed(validateCloseLimit),
  invert_position: signed(validateInvert),
  update_tpsl: sent('trade:prepare', validateTpsl),
  add_isolated_margin: sent('trade:prepare', validateMargin(1)),
  reduce_isolated_margin: sent('trade:prepare', validateMargin(-1)),
  change_isolated_leverage: sent('trade:prepare', validateLeverage),
  cancel_order: sent('orders:manage', validateCancel),
  replace_order: sent('orders:manage', validateReplace),
  add_collateral: moved(validateCollateral(1)),
  withdraw_collateral: moved(validateCollateral(-1)),
}

/**
 * Validates the payload of `open_position` by the fields, defaults and rules in the API document's table. Drops fields that the table does
 * not name, and prices that belong to other order types.
 */
function validateOpenPosition(payload: Payload, moment: Moment): Checked<OpenPosition> {
  const market = marketOf(payload.pair_id)
  if (typeof payload.pair_id !== 'number' || market === null) return wrong('pair_id', 'must be the id of a market')
  const side = oneOf(payload, 'side', ['long', 'short'], null)
  if (!side.ok) return side
  const orderType = oneOf(payload, 'order_type', ['market', 'limit', 'stop'], 'market')
  if (!orderType.ok) return orderType
  const marginMode = oneOf(payload, 'margin_mode', ['cross', 'isolated'], 'cross')
  if (!marginMode.ok) return marginMode
  const leverage = integer(payload, 'leverage', 1, market.maxLeverage)
  if (!leverage.ok) return leverage
  const value = orderValue(payload, market)
  if (!value.ok) return value
  const timing = timeInForce(payload, orderType.value)
  if (!timing.ok) return timing
  const kind = flags(payload, orderType.value, timing.value)
  if (!kind.ok) return kind
  const clientOrderId = clientOrderIdOf(payload)
  if (!clientOrderId.ok) return clientOrderId
  const prices = pricesFor(orderType.value, payload, market, moment)
  if (!prices.ok) return prices
  const exits = exitPrices(payload, market, side.value, prices.value.entry)
  if (!exits.ok) return exits
  return ok({
    pair_id: market.id,
    side: side.value,
    order_type: orderType.value,
    margin_mode: marginMode.value,
    leverage: leverage.value,
    order_value_usdc: value.value,
    ...prices.value.fields,
    time_in_force: timing.value,
    ...kind.value,
    ...exits.value,
    client_order_id: clientOrderId.value,
  })
}

function timeInForce(payload: Payload, orderType: OpenPosition['order_type']): Checked<OpenPosition['time_in_force']> {
  const given = oneOf(payload, 'time_in_force', ['gtc', 'ioc', 'fok'], orderType === 'market' ? 'ioc' : 'gtc')
  if (given.ok && orderType === 'market' && given.value !== 'ioc') return wrong('time_in_force', 'market orders are always ioc')
  return given
}

function flags(payload: Payload, orderType: OpenPosition['order_type'], timing: string): Checked<Pick<OpenPosition, 'rest_if_unfilled' | 'post_only'>> {
  const { rest_if_unfilled: rest, post_only: post } = payload
  if (rest !== undefined && typeof rest !== 'boolean') return wrong('rest_if_unfilled', 'must be a boolean')
  if (post !== undefined && typeof post !== 'boolean') return wrong('post_only', 'must be a boolean')
  if (rest !== undefined && orderType !== 'market') return wrong('rest_if_unfilled', 'is for market orders only')
  if (post !== undefined && orderType !== 'limit') return wrong('post_only', 'is for limit orders only')
  if (post === true && timing !== 'gtc') return wrong('post_only', 'contradicts time_in_force')
  return ok({ ...(orderType === 'market' && { rest_if_unfilled: rest ?? false }), ...(orderType === 'limit' && { post_only: post ?? false }) })
}

interface Prices {
  readonly entry: string
  readonly fields: Pick<OpenPosition, 'reference_price' | 'max_slippage_bps' | 'limit_price' | 'trigger_price'>
}

function pricesFor(orderType: OpenPosition['order_type'], payload: Payload, market: Market, moment: Moment): Checked<Prices> {
  switch (orderType) {
    case 'market': {
      const fields = referencePrice(payload, market, moment)
      return fields.ok ? ok({ entry: moment.marks.mark(market), fields: fields.value }) : fields
    }
    case 'limit': {
      const limit = tickedPrice(payload, 'limit_price', market)
      return limit.ok ? ok({ entry: limit.value, fields: { limit_price: limit.value } }) : limit
    }
    case 'stop': {
      const trigger = tickedPrice(payload, 'trigger_price', market)
      return trigger.ok ? ok({ entry: trigger.value, fields: { trigger_price: trigger.value } }) : trigger
    }
  }
}
