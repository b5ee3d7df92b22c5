import { absolute, compare, isMultipleOf, multiply, normalise, signOf, subtract } from '../../../../shared/decimal.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { newId } from '../auth/tokens.ts'
import { invalid, type Refusal, refuse } from '../http/reply.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import { isDecimalText, writtenDecimals } from '../money.ts'
import type { OpenPosition } from '../state/state.ts'

type Payload = Readonly<Record<string, unknown>>
type Checked<T> = Result<T, Refusal>

const field = (name: string) => `payload.${name}`
const wrong = (name: string, message: string) => fail(invalid(field(name), message))

/** Limits, price age: 8 seconds. */
const oldestPriceMs = 8_000
/** Limits, reference price deviation: 1.5 %. */
const widestDeviation = '0.015'
/** Prices go on chain with 8 decimals. */
const chainDecimals = 8

/** `open_position` payload: every field, default and rule of its table. Fields that the table does not name, and prices of another order type, are left out. */
export function validateOpenPosition(payload: Payload, { marks, nowMs }: { marks: Marks; nowMs: number }): Checked<OpenPosition> {
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
  const prices = pricesFor(orderType.value, payload, market, { marks, nowMs })
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

function oneOf<T extends string>(payload: Payload, name: string, allowed: readonly T[], fallback: T | null): Checked<T> {
  const value = payload[name]
  if (value === undefined && fallback !== null) return ok(fallback)
  const known = allowed.find((each) => each === value)
  return known === undefined ? wrong(name, `must be one of ${allowed.join(', ')}`) : ok(known)
}

function integer(payload: Payload, name: string, from: number, to: number): Checked<number> {
  const value = payload[name]
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to
    ? ok(value)
    : wrong(name, `must be an integer from ${from} to ${to}`)
}

function orderValue(payload: Payload, market: Market): Checked<string> {
  const text = payload.order_value_usdc
  if (!isDecimalText(text)) return wrong('order_value_usdc', 'must be a decimal string')
  if (writtenDecimals(text) > 6) return wrong('order_value_usdc', 'must have at most 6 decimals')
  if (compare(text, market.minOrderUsdc) < 0) return wrong('order_value_usdc', `must be at least ${market.minOrderUsdc}`)
  if (compare(text, market.maxOrderUsdc) > 0) return wrong('order_value_usdc', `must be at most ${market.maxOrderUsdc}`)
  return ok(normalise(text))
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

function clientOrderIdOf(payload: Payload): Checked<string> {
  const value = payload.client_order_id
  if (value === undefined) return ok(newId('co_', 20))
  return typeof value === 'string' && value.length >= 1 && value.length <= 96 ? ok(value) : wrong('client_order_id', 'must be a string of 1 to 96 characters')
}

function price(payload: Payload, name: string): Checked<string> {
  const text = payload[name]
  if (!isDecimalText(text) || signOf(text) <= 0) return wrong(name, 'must be a positive decimal string')
  return writtenDecimals(text) > chainDecimals ? wrong(name, `must have at most ${chainDecimals} decimals`) : ok(normalise(text))
}

function tickedPrice(payload: Payload, name: string, market: Market): Checked<string> {
  const value = price(payload, name)
  if (value.ok && !isMultipleOf(value.value, market.tick)) return wrong(name, `must be a multiple of the tick size ${market.tick}`)
  return value
}

interface Prices {
  /** Against which take profit and stop loss are judged. */
  readonly entry: string
  readonly fields: Pick<OpenPosition, 'reference_price' | 'max_slippage_bps' | 'limit_price' | 'trigger_price'>
}

function pricesFor(orderType: OpenPosition['order_type'], payload: Payload, market: Market, now: { marks: Marks; nowMs: number }): Checked<Prices> {
  switch (orderType) {
    case 'market':
      return marketPrices(payload, market, now)
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

function marketPrices(payload: Payload, market: Market, { marks, nowMs }: { marks: Marks; nowMs: number }): Checked<Prices> {
  const reference = price(payload, 'reference_price')
  if (!reference.ok) return reference
  const slippage = integer(payload, 'max_slippage_bps', 1, 1000)
  if (!slippage.ok) return slippage
  if (nowMs - marks.atMs() > oldestPriceMs) return fail(refuse(503, 'MARKET_DATA_STALE', 'The prices are older than 8 seconds'))
  const mark = marks.mark(market)
  if (compare(absolute(subtract(reference.value, mark)), multiply(mark, widestDeviation)) > 0)
    return fail(refuse(422, 'PRICE_DEVIATION_EXCEEDED', 'reference_price is more than 1.5% away from the server price', { field: field('reference_price') }))
  return ok({ entry: mark, fields: { reference_price: reference.value, max_slippage_bps: slippage.value } })
}

/** `take_profit`, `stop_loss`: optional; must lie on the correct side of the entry price. */
function exitPrices(payload: Payload, market: Market, side: 'long' | 'short', entry: string): Checked<Pick<OpenPosition, 'take_profit' | 'stop_loss'>> {
  const exits: { take_profit?: string; stop_loss?: string } = {}
  for (const name of ['take_profit', 'stop_loss'] as const) {
    if (payload[name] === undefined) continue
    const value = tickedPrice(payload, name, market)
    if (!value.ok) return value
    const above = (side === 'long') === (name === 'take_profit')
    if (compare(value.value, entry) !== (above ? 1 : -1)) return wrong(name, `must be ${above ? 'above' : 'below'} the entry price ${entry}`)
    exits[name] = value.value
  }
  return ok(exits)
}
