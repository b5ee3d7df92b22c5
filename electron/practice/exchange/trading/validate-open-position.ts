import { ok } from '../../../../shared/result.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { OpenPosition } from '../state/state.ts'
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

/** `open_position` payload: every field, default and rule of its table. Fields that the table does not name, and prices of another order type, are left out. */
export function validateOpenPosition(payload: Payload, moment: Moment): Checked<OpenPosition> {
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
  /** Against which take profit and stop loss are judged. */
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
