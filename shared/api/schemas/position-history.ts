import { assumed } from '../assumptions.ts'
import { decimal, fieldsReader, may, type Reader, time } from '../loose.ts'
import { pageOf } from './page.ts'

const history = assumed.positionHistory.fields
const trades = assumed.tradeRecord.fields

/** USDC. null: not told. */
export interface ClosedPositionRecord {
  readonly realisedPnlUsdc: string | null
  readonly closedAtMs: number | null
}

const closed: Reader<ClosedPositionRecord> = fieldsReader({ realisedPnlUsdc: may(history.realisedPnl, decimal), closedAtMs: may(history.closedAt, time) })

export const PositionHistoryPage = pageOf<ClosedPositionRecord>(['history'], closed)

/** USDC. null: not told. */
export interface TradeFee {
  readonly feeUsdc: string | null
  readonly atMs: number | null
}

const fee: Reader<TradeFee> = fieldsReader({ feeUsdc: may(trades.fee, decimal), atMs: may(trades.executedAt, time) })

export const TradeFeePage = pageOf<TradeFee>(['trades'], fee)
