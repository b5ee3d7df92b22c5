import { basisPointsToPercent, isDecimal, normalise } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { LimitTicket, MarketTicket, OpenTicket, Side, StopTicket, TimeInForce } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../result.ts'
import { checkTicket, type OpenPayload, payloadWithoutId, type TicketField } from '../check-ticket.ts'
import { type FormReading, Issues, slippageBps, typedDecimal, typedWhole } from '../typed-number.ts'
import { readTicket } from './read-ticket.ts'
import type { TicketState } from './ticket-state.ts'

/** The API's name of a payload field. Empty text means the whole payload. Error sentences do not contain the name. */
export type PayloadField = string

type OrderType = OpenTicket['orderType']

const everyOrder = ['pair_id', 'side', 'order_type', 'margin_mode', 'leverage', 'order_value_usdc', 'take_profit', 'stop_loss', 'client_order_id']
const own: Readonly<Record<OrderType, readonly string[]>> = {
  market: ['reference_price', 'max_slippage_bps', 'rest_if_unfilled'],
  limit: ['limit_price', 'time_in_force', 'post_only'],
  stop: ['trigger_price', 'time_in_force'],
} satisfies Record<OrderType, readonly (keyof OpenPayload)[]>
const known: ReadonlySet<string> = new Set([...everyOrder, ...Object.values(own).flat()])

const orderTypes = ['market', 'limit', 'stop'] as const
const timesInForce = ['gtc', 'ioc', 'fok'] as const

class PayloadReader {
  readonly issues = new Issues<PayloadField>()
  readonly #source: Readonly<Record<string, unknown>>

  constructor(source: Readonly<Record<string, unknown>>) {
    this.#source = source
  }

  /** Reads one field. `absent`: the default if the field is missing; without a default, a missing field is an error. */
  #read<T>(name: string, take: (value: unknown) => T | null, wrong: FormIssue, missing: FormIssue, absent?: T): T | null {
    const value = this.#source[name]
    if (value === undefined) return absent !== undefined ? absent : this.issues.report(name, missing)
    return take(value) ?? this.issues.report(name, wrong)
  }

  oneOf<W extends string>(name: string, words: readonly W[], absent?: W): W | null {
    const quoted = words.map((word) => `"${word}"`).join(', ')
    return this.#read<W>(name, (value) => words.find((word) => word === value) ?? null, ['choiceWrong', quoted], ['choiceMissing', quoted], absent)
  }

  whole(name: string): number | null {
    return this.#read(name, (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null), ['wholeWrong'], ['wholeMissing'])
  }

  flag(name: string): boolean | null {
    return this.#read(name, (value) => (typeof value === 'boolean' ? value : null), ['flagWrong'], ['flagWrong'], false)
  }

  /** Reads an amount. It must be a JSON string, because a JSON number could lose digits. */
  decimal(name: string): string | null {
    return this.#read(name, (value) => (typeof value === 'string' && isDecimal(value) ? normalise(value) : null), ['decimalWrong'], ['decimalMissing'])
  }

  has = (name: string): boolean => this.#source[name] !== undefined

  text(name: string): string | null {
    return this.#read(name, (value) => (typeof value === 'string' && value !== '' ? value : null), ['textWrong'], ['textWrong'])
  }

  /** Reports every field that the order type does not accept. The service would ignore or refuse such a field. */
  refuseOthers(orderType: OrderType | null): void {
    for (const name of Object.keys(this.#source)) {
      if (!known.has(name)) this.issues.report(name, ['unknownField'])
      else if (orderType !== null && !everyOrder.includes(name) && !own[orderType].includes(name)) this.issues.report(name, ['fieldOfOther', orderType])
    }
  }
}

/**
 * Parses a hand-written `open_position` payload to a ticket. This is the inverse of `buildPayload`, with the defaults of the API table (Resources).
 * Refuses unknown fields by name.
 */
export function readPayload(text: string): FormReading<PayloadField, OpenTicket> {
  const source = parsed(text)
  if (!source.ok) {
    const issues = new Issues<PayloadField>()
    issues.report('', source.failure)
    return issues.reading<OpenTicket>(null)
  }
  const reader = new PayloadReader(source.value)
  const orderType = reader.oneOf('order_type', orderTypes, 'market')
  reader.refuseOthers(orderType)
  const pairId = reader.whole('pair_id')
  const side = reader.oneOf<Side>('side', ['long', 'short'])
  const marginMode = reader.oneOf('margin_mode', ['cross', 'isolated'] as const, 'cross')
  const leverage = reader.whole('leverage')
  const orderValueUsdc = reader.decimal('order_value_usdc')
  const terms = orderType === null ? null : readTerms(reader, orderType)
  const takeProfit = reader.has('take_profit') ? reader.decimal('take_profit') : null
  const stopLoss = reader.has('stop_loss') ? reader.decimal('stop_loss') : null
  const clientOrderId = reader.has('client_order_id') ? reader.text('client_order_id') : null
  if (pairId === null || side === null || marginMode === null || leverage === null || orderValueUsdc === null || terms === null)
    return reader.issues.reading<OpenTicket>(null)
  const opening = { pairId, side, marginMode, leverage, orderValueUsdc, takeProfit, stopLoss }
  return reader.issues.reading<OpenTicket>({ ...opening, ...(clientOrderId === null ? {} : { clientOrderId }), ...terms })
}

function parsed(text: string): Result<Readonly<Record<string, unknown>>, FormIssue> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value })
    return fail(['payloadNotAnObject'])
  } catch {
    return fail(['payloadNotJson'])
  }
}

type Terms =
  | Pick<MarketTicket, 'orderType' | 'referencePrice' | 'maxSlippageBps' | 'restIfUnfilled'>
  | Pick<LimitTicket, 'orderType' | 'limitPrice' | 'timeInForce' | 'postOnly'>
  | Pick<StopTicket, 'orderType' | 'triggerPrice' | 'timeInForce'>

function readTerms(reader: PayloadReader, orderType: OrderType): Terms | null {
  switch (orderType) {
    case 'market': {
      const referencePrice = reader.decimal('reference_price')
      const maxSlippageBps = reader.whole('max_slippage_bps')
      const restIfUnfilled = reader.flag('rest_if_unfilled')
      return referencePrice === null || maxSlippageBps === null || restIfUnfilled === null
        ? null
        : { orderType, referencePrice, maxSlippageBps, restIfUnfilled }
    }
    case 'limit': {
      const limitPrice = reader.decimal('limit_price')
      const timeInForce = reader.oneOf<TimeInForce>('time_in_force', timesInForce)
      const postOnly = reader.flag('post_only')
      return limitPrice === null || timeInForce === null || postOnly === null ? null : { orderType, limitPrice, timeInForce, postOnly }
    }
    case 'stop': {
      const triggerPrice = reader.decimal('trigger_price')
      const timeInForce = reader.oneOf<TimeInForce>('time_in_force', timesInForce)
      return triggerPrice === null || timeInForce === null ? null : { orderType, triggerPrice, timeInForce }
    }
  }
}

const wireNames: Readonly<Record<TicketField, keyof OpenPayload>> = {
  leverage: 'leverage',
  limitPrice: 'limit_price',
  triggerPrice: 'trigger_price',
  orderValue: 'order_value_usdc',
  slippage: 'max_slippage_bps',
  takeProfit: 'take_profit',
  stopLoss: 'stop_loss',
  clientOrderId: 'client_order_id',
  referencePrice: 'reference_price',
}

/** Parses a hand-written `open_position` payload, and checks it against the rules and limits of the market. */
export function checkPayload(text: string, market: Market): FormReading<PayloadField, OpenTicket> {
  const { errors, ticket } = readPayload(text)
  if (ticket === null) return { errors, ticket }
  const issues = new Issues<PayloadField>()
  if (ticket.pairId !== market.id) issues.report('pair_id', ['payloadOtherMarket', market.symbol, market.id])
  else for (const { field, issue } of checkTicket(ticket, market)) issues.report(wireNames[field], issue)
  return issues.reading(ticket)
}

/** Returns the form's content as payload text, without a generated order id. Missing values are left empty for the user to fill in. */
export function payloadText(state: TicketState, market: Market, mark: string | null, freeMargin: string | null): string {
  const { ticket } = readTicket(state, market, mark, freeMargin)
  return JSON.stringify(ticket === null ? unfinished(state, market, mark) : withOwnId(ticket), null, 2)
}

const withOwnId = (ticket: OpenTicket): object => ({
  ...payloadWithoutId(ticket),
  ...(ticket.clientOrderId === undefined ? {} : { client_order_id: ticket.clientOrderId }),
})

function unfinished(state: TicketState, market: Market, mark: string | null): object {
  const { orderType, timeInForce, postOnly, restIfUnfilled } = state
  return {
    pair_id: market.id,
    side: state.side,
    order_type: orderType,
    margin_mode: state.marginMode,
    leverage: typedWhole(state.leverage) ?? 1,
    order_value_usdc: (state.valueIn === 'usdc' ? typedDecimal(state.orderValue) : null) ?? '',
    ...(orderType === 'market'
      ? { reference_price: mark ?? '', max_slippage_bps: slippageBps(state.slippagePercent) ?? 50, rest_if_unfilled: restIfUnfilled }
      : orderType === 'limit'
        ? { limit_price: typedDecimal(state.limitPrice) ?? '', time_in_force: timeInForce, post_only: postOnly }
        : { trigger_price: typedDecimal(state.triggerPrice) ?? '', time_in_force: timeInForce }),
  }
}

/**
 * Returns form content that produces the given ticket, with the size in USDC and with TP and SL as prices. All other fields are copied from
 * `before`.
 */
export function stateOfTicket(ticket: OpenTicket, before: TicketState): TicketState {
  const common = {
    ...before,
    side: ticket.side,
    orderType: ticket.orderType,
    marginMode: ticket.marginMode,
    leverage: String(ticket.leverage),
    orderValue: ticket.orderValueUsdc,
    valueIn: 'usdc' as const,
    hasTpSl: ticket.takeProfit !== null || ticket.stopLoss !== null,
    takeProfit: ticket.takeProfit ?? '',
    takeProfitBy: 'price' as const,
    stopLoss: ticket.stopLoss ?? '',
    stopLossBy: 'price' as const,
    clientOrderId: ticket.clientOrderId ?? '',
  }
  switch (ticket.orderType) {
    case 'market':
      return { ...common, slippagePercent: basisPointsToPercent(ticket.maxSlippageBps), restIfUnfilled: ticket.restIfUnfilled }
    case 'limit':
      return { ...common, limitPrice: ticket.limitPrice, timeInForce: ticket.timeInForce, postOnly: ticket.postOnly }
    case 'stop':
      return { ...common, triggerPrice: ticket.triggerPrice, timeInForce: ticket.timeInForce }
  }
}
