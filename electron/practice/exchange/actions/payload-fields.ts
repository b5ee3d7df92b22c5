import { absolute, compare, isMultipleOf, multiply, normalise, signOf, subtract } from '../../../../shared/decimal.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { isDecimalText, writtenDecimals } from '../../base/money.ts'
import { newId } from '../../base/tokens.ts'
import { invalid, type Refusal, refuse } from '../http/reply.ts'
import type { Market } from '../market/catalogue.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Exits } from '../state/instructions.ts'

export type Payload = Readonly<Record<string, unknown>>
export type Checked<T> = Result<T, Refusal>

/** The prices and the time that the validation of a payload uses. */
export interface Moment {
  readonly marks: Marks
  readonly nowMs: number
}

const field = (name: string) => `payload.${name}`
export const wrong = (name: string, message: string) => fail(invalid(field(name), message))

/** Maximum age of a reference price (API document: Limits, price age). */
const oldestPriceMs = 8_000
/** Maximum deviation of a reference price from the mark, as a share of the mark (API document: Limits). */
const widestDeviation = '0.015'
/** How many decimals prices and sizes have on the chain. */
const chainDecimals = 8

export const isStale = ({ marks, nowMs }: Moment): boolean => nowMs - marks.atMs() > oldestPriceMs

export function oneOf<T extends string>(payload: Payload, name: string, allowed: readonly T[], fallback: T | null): Checked<T> {
  const value = payload[name]
  if (value === undefined && fallback !== null) return ok(fallback)
  const known = allowed.find((each) => each === value)
  return known === undefined ? wrong(name, `must be one of ${allowed.join(', ')}`) : ok(known)
}

export function integer(payload: Payload, name: string, from: number, to: number): Checked<number> {
  const value = payload[name]
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to
    ? ok(value)
    : wrong(name, `must be an integer from ${from} to ${to}`)
}

/** Reads an id from a payload. The id must have the form in which the account routes return ids. */
export function idOf(payload: Payload, name: 'position_id' | 'order_id'): Checked<string> {
  const value = payload[name]
  return typeof value === 'string' && /^[A-Za-z0-9._:-]{1,96}$/.test(value) ? ok(value) : wrong(name, 'must be an id of /positions or /orders')
}

/** Reads a positive amount with at most `decimals` decimals from a payload. */
export function amount(payload: Payload, name: string, decimals: number): Checked<string> {
  const text = payload[name]
  if (!isDecimalText(text) || signOf(text) <= 0) return wrong(name, 'must be a positive decimal string')
  return writtenDecimals(text) > decimals ? wrong(name, `must have at most ${decimals} decimals`) : ok(normalise(text))
}

export function orderValue(payload: Payload, market: Market | null): Checked<string> {
  const text = payload.order_value_usdc
  if (!isDecimalText(text)) return wrong('order_value_usdc', 'must be a decimal string')
  if (writtenDecimals(text) > 6) return wrong('order_value_usdc', 'must have at most 6 decimals')
  if (market !== null && compare(text, market.minOrderUsdc) < 0) return wrong('order_value_usdc', `must be at least ${market.minOrderUsdc}`)
  if (market !== null && compare(text, market.maxOrderUsdc) > 0) return wrong('order_value_usdc', `must be at most ${market.maxOrderUsdc}`)
  return ok(normalise(text))
}

export function clientOrderIdOf(payload: Payload): Checked<string> {
  const value = payload.client_order_id
  if (value === undefined) return ok(newId('co_', 20))
  return typeof value === 'string' && value.length >= 1 && value.length <= 96 ? ok(value) : wrong('client_order_id', 'must be a string of 1 to 96 characters')
}

const price = (payload: Payload, name: string): Checked<string> => amount(payload, name, chainDecimals)

/** Reads a price that must be a multiple of the market's tick. If `market` is null, the price need not fit any tick. */
export function tickedPrice(payload: Payload, name: string, market: Market | null): Checked<string> {
  const value = price(payload, name)
  if (value.ok && market !== null && !isMultipleOf(value.value, market.tick)) return wrong(name, `must be a multiple of the tick size ${market.tick}`)
  return value
}

/** Reads the price fields of a request at market price: the reference price that the client saw, and the maximum slippage from that price. */
export function referencePrice(
  payload: Payload,
  market: Market | null,
  moment: Moment,
): Checked<{ readonly reference_price: string; readonly max_slippage_bps: number }> {
  const reference = price(payload, 'reference_price')
  if (!reference.ok) return reference
  const slippage = integer(payload, 'max_slippage_bps', 1, 1000)
  if (!slippage.ok) return slippage
  if (isStale(moment)) return fail(refuse(503, 'MARKET_DATA_STALE', 'The prices are older than 8 seconds'))
  const mark = market === null ? null : moment.marks.mark(market)
  if (mark !== null && compare(absolute(subtract(reference.value, mark)), multiply(mark, widestDeviation)) > 0)
    return fail(refuse(422, 'PRICE_DEVIATION_EXCEEDED', 'reference_price is more than 1.5% away from the server price', { field: field('reference_price') }))
  return ok({ reference_price: reference.value, max_slippage_bps: slippage.value })
}

const exitNames = ['take_profit', 'stop_loss'] as const

/**
 * Reads the optional `take_profit` and `stop_loss`. Each must be on the correct side of the entry price.
 * @param entry the entry price; null if no price is known, so that the sides are not checked
 */
export function exitPrices(
  payload: Payload,
  market: Market | null,
  side: 'long' | 'short',
  entry: string | null,
): Checked<{ readonly take_profit?: string; readonly stop_loss?: string }> {
  const exits: { take_profit?: string; stop_loss?: string } = {}
  for (const name of exitNames) {
    if (payload[name] === undefined) continue
    const value = tickedPrice(payload, name, market)
    if (!value.ok) return value
    const above = (side === 'long') === (name === 'take_profit')
    if (entry !== null && compare(value.value, entry) !== (above ? 1 : -1)) return wrong(name, `must be ${above ? 'above' : 'below'} the entry price ${entry}`)
    exits[name] = value.value
  }
  return ok(exits)
}

/** Reads the TP/SL changes for an open position, with the checks of `exitPrices`. A level of null removes that take profit or stop loss. */
export function changedExits(payload: Payload, market: Market | null, side: 'long' | 'short', entry: string | null): Checked<Exits> {
  const cleared = exitNames.filter((name) => payload[name] === null)
  const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !cleared.some((each) => each === name)))
  const exits = exitPrices(kept, market, side, entry)
  return exits.ok ? ok({ ...exits.value, ...Object.fromEntries(cleared.map((name) => [name, null])) }) : exits
}
