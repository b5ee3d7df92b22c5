import { assumed } from '../assumptions.ts'
import { decimal, identifier, may, objectReader, text, time, wholeNumber } from '../loose.ts'
import { pageOf } from './page.ts'

const common = assumed.accountState.fields
const history = assumed.positionHistory.fields
const trades = assumed.tradeRecord.fields

const closed = objectReader({
  id: may(common.positionId, identifier),
  /** Of this closing: a position that is closed in parts has several. */
  closeId: may(history.closeId, identifier),
  pairId: may(common.pairId, wholeNumber),
  symbol: may(common.symbol, text),
  side: may(common.side, text),
  size: may(common.size, decimal),
  entryPrice: may(common.entryPrice, decimal),
  exitPrice: may(history.exitPrice, decimal),
  realisedPnlUsdc: may(history.realisedPnl, decimal),
  fundingUsdc: may(history.funding, decimal),
  closedBy: may(history.closedBy, text),
  openedAtMs: may(history.openedAt, time),
  closedAtMs: may(history.closedAt, time),
  txHash: may(assumed.intentRecord.fields.txHash, text),
  keyId: may(trades.keyId, identifier),
})

/** A position that was closed, or a part of one. Amounts in USDC. null: not told. */
export type ClosedPositionRecord = NonNullable<ReturnType<typeof closed>>

export const PositionHistoryPage = pageOf<ClosedPositionRecord>(['history'], closed)

const tradeFields = objectReader({
  id: may(trades.tradeId, identifier),
  orderId: may(['order_id'], identifier),
  positionId: may(trades.positionId, identifier),
  clientOrderId: may(common.clientOrderId, text),
  pairId: may(common.pairId, wholeNumber),
  symbol: may(common.symbol, text),
  side: may(common.side, text),
  did: may(trades.did, text),
  price: may(trades.price, decimal),
  size: may(common.size, decimal),
  valueUsdc: may(common.orderValue, decimal),
  feeUsdc: may(trades.fee, decimal),
  realisedPnlUsdc: may(trades.realisedPnl, decimal),
  role: may(trades.role, text),
  txHash: may(assumed.intentRecord.fields.txHash, text),
  keyId: may(trades.keyId, identifier),
  atMs: may(trades.executedAt, time),
})

/** An executed trade. Fee in USDC. null: not told. */
export type TradeRecord = NonNullable<ReturnType<typeof tradeFields>>

export const TradePage = pageOf<TradeRecord>(['trades'], tradeFields)
