import type { z } from 'zod'
import { absolute, signOf } from '../../decimal.ts'
import type { OpenOrder, Position } from '../../ipc/account.ts'
import { assumed } from '../assumptions.ts'
import {
  decimal,
  flag,
  identifier,
  isRecord,
  listUnder,
  may,
  must,
  objectReader,
  type Reader,
  readField,
  schemaOf,
  text,
  time,
  wholeNumber,
  word,
} from '../loose.ts'
import { pageOf } from './page.ts'

const fields = assumed.accountState.fields

const account = objectReader({
  wallet: may(fields.wallet, text),
  equity: may(fields.equity, decimal),
  collateral: may(fields.collateral, decimal),
  freeMargin: may(fields.freeMargin, decimal),
  marginUsedPercent: may(fields.marginUsedPercent, decimal),
  unrealisedPnl: may(fields.unrealisedPnl, decimal),
  healthFactor: may(fields.healthFactor, decimal),
  liquidationState: may(fields.liquidationState, text),
})

export const AccountState = schemaOf((value, complain) => {
  const inner = isRecord(value) ? readField(value, fields.account) : undefined
  return account(isRecord(inner) ? inner : value, complain)
})
export type AccountState = z.output<typeof AccountState>

const sideWords = { buy: 'long', sell: 'short', bid: 'long', ask: 'short' } as const

export interface PositionRecord extends Position {
  readonly unknownFields: string | null
}

const positionFields = objectReader({
  id: may(fields.positionId, identifier),
  pairId: must([...fields.pairId, 'pair'], wholeNumber),
  symbol: may(fields.symbol, text),
  side: may(fields.side, word<'long' | 'short'>(['long', 'short'], sideWords)),
  size: may(fields.size, decimal),
  notionalUsdc: may(fields.notional, decimal),
  entryPrice: may(fields.entryPrice, decimal),
  markPrice: may(fields.markPrice, decimal),
  liquidationPrice: may(fields.liquidationPrice, decimal),
  leverage: may(fields.leverage, decimal),
  marginMode: may(fields.marginMode, text),
  marginUsdc: may(fields.margin, decimal),
  unrealisedPnl: may(fields.unrealisedPnl, decimal),
  takeProfit: may(fields.takeProfit, decimal),
  stopLoss: may(fields.stopLoss, decimal),
})

/** The side by its name, else by the sign of the size; a position of unknown side is not readable. */
const position: Reader<PositionRecord> = (value, complain) => {
  const found = positionFields(value, complain)
  if (found === undefined) return undefined
  const sign = found.size === null ? 0 : signOf(found.size)
  const side = found.side ?? (sign < 0 ? 'short' : null)
  if (side === null) {
    complain(['side'], 'missing')
    return undefined
  }
  // Some services write "none" as 0.
  const price = (written: string | null): string | null => (written === null || signOf(written) === 0 ? null : written)
  return {
    ...found,
    side,
    size: found.size === null ? null : absolute(found.size),
    takeProfit: price(found.takeProfit),
    stopLoss: price(found.stopLoss),
    liquidationPrice: price(found.liquidationPrice),
  }
}

export const PositionList = schemaOf<{ readonly positions: PositionRecord[] }>((value, complain) => {
  const positions = listUnder(fields.positions, position)(value, complain)
  return positions && { positions }
})

export interface OrderRecord extends OpenOrder {
  readonly unknownFields: string | null
}

const order: Reader<OrderRecord> = objectReader({
  id: must(fields.orderId, identifier),
  pairId: may(fields.pairId, wholeNumber),
  symbol: may(fields.symbol, text),
  side: may(fields.side, text),
  type: may(fields.orderType, text),
  price: may(fields.price, decimal),
  size: may(fields.size, decimal),
  filledSize: may(fields.filledSize, decimal),
  orderValueUsdc: may(fields.orderValue, decimal),
  limitPrice: may(fields.limitPrice, decimal),
  triggerPrice: may(fields.triggerPrice, decimal),
  takeProfit: may(fields.takeProfit, decimal),
  stopLoss: may(fields.stopLoss, decimal),
  marginMode: may(fields.marginMode, text),
  leverage: may(fields.leverage, decimal),
  reduceOnly: may(fields.reduceOnly, flag),
  positionId: may(fields.closes, identifier),
  status: may(fields.status, text),
  clientOrderId: may(fields.clientOrderId, text),
  atMs: may(fields.createdAt, time),
})

export const OrderPage = pageOf<OrderRecord>(['orders'], order)
