import type { OrderRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { IntentRecord } from '../../../shared/api/schemas/intents.ts'
import type { ClosedPositionRecord, TradeRecord } from '../../../shared/api/schemas/position-history.ts'
import { isZero, multiply } from '../../../shared/decimal.ts'
import type { HistoryFilter, HistoryRow } from '../../../shared/ipc/reads/account-history.ts'

const blank: Omit<HistoryRow, 'key' | 'atMs' | 'unknownFields'> = {
  pairId: null,
  symbol: null,
  side: null,
  what: null,
  state: null,
  reason: null,
  size: null,
  filledSize: null,
  entryPrice: null,
  price: null,
  valueUsdc: null,
  feeUsdc: null,
  realisedPnlUsdc: null,
  fundingUsdc: null,
  role: null,
  tradeId: null,
  orderId: null,
  positionId: null,
  clientOrderId: null,
  intentId: null,
  txHash: null,
  keyLabel: null,
  intentRef: null,
}

/** For a row whose id the service does not tell: what it says of itself, which no other row says. */
const bySelf = (...parts: readonly (string | number | null)[]): string => parts.map((part) => part ?? '').join('/')

/** Some services write no price as 0. */
const worth = (size: string | null, price: string | null): string | null => (size === null || price === null || isZero(price) ? null : multiply(size, price))

export const orderRow = (order: OrderRecord): HistoryRow => ({
  ...blank,
  key: order.id,
  atMs: order.atMs,
  pairId: order.pairId,
  symbol: order.symbol,
  side: order.side,
  what: order.type,
  state: order.status,
  size: order.size,
  filledSize: order.filledSize,
  price: order.price,
  valueUsdc: order.orderValueUsdc ?? worth(order.size, order.price),
  orderId: order.id,
  positionId: order.positionId,
  clientOrderId: order.clientOrderId,
  unknownFields: order.unknownFields,
})

export const tradeRow = (trade: TradeRecord): HistoryRow => ({
  ...blank,
  key: trade.id ?? bySelf(trade.txHash, trade.orderId, trade.atMs, trade.pairId, trade.side, trade.price, trade.size),
  atMs: trade.atMs,
  pairId: trade.pairId,
  symbol: trade.symbol,
  side: trade.side,
  what: trade.did,
  size: trade.size,
  price: trade.price,
  valueUsdc: trade.valueUsdc ?? worth(trade.size, trade.price),
  feeUsdc: trade.feeUsdc,
  realisedPnlUsdc: trade.realisedPnlUsdc,
  role: trade.role,
  tradeId: trade.id,
  orderId: trade.orderId,
  positionId: trade.positionId,
  clientOrderId: trade.clientOrderId,
  txHash: trade.txHash,
  keyLabel: trade.keyId,
  unknownFields: trade.unknownFields,
})

/** A position may be closed in parts, which share its id. */
export const closedRow = (closed: ClosedPositionRecord): HistoryRow => ({
  ...blank,
  key: closed.closeId ?? bySelf(closed.id, closed.closedAtMs, closed.size, closed.exitPrice, closed.realisedPnlUsdc, closed.id === null ? closed.pairId : null),
  atMs: closed.closedAtMs,
  pairId: closed.pairId,
  symbol: closed.symbol,
  side: closed.side,
  what: closed.closedBy,
  size: closed.size,
  entryPrice: closed.entryPrice,
  price: closed.exitPrice,
  valueUsdc: worth(closed.size, closed.exitPrice),
  realisedPnlUsdc: closed.realisedPnlUsdc,
  fundingUsdc: closed.fundingUsdc,
  positionId: closed.id,
  txHash: closed.txHash,
  keyLabel: closed.keyId,
  unknownFields: closed.unknownFields,
})

const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null)
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const transactionRow = (intent: IntentRecord): HistoryRow => ({
  ...blank,
  key: intent.intentId,
  atMs: intent.createdAtMs,
  pairId: numberOf(intent.payload?.pair_id),
  side: textOf(intent.payload?.side),
  what: intent.action,
  state: intent.state,
  reason: intent.reason,
  clientOrderId: intent.clientOrderId,
  intentId: intent.intentId,
  txHash: intent.txHash,
  keyLabel: intent.keyId,
  unknownFields: intent.unknownFields,
})

const sides: Readonly<Record<string, 'long' | 'short'>> = { long: 'long', buy: 'long', bid: 'long', short: 'short', sell: 'short', ask: 'short' }

/** The service's word for a side as one of two; null: it is another. */
const sideOf = (side: string | null): 'long' | 'short' | null => (side === null ? null : (sides[side.toLowerCase()] ?? null))

const searched = (row: HistoryRow): string =>
  [
    row.symbol,
    row.side,
    row.what,
    row.state,
    row.reason,
    row.role,
    row.key,
    row.tradeId,
    row.orderId,
    row.positionId,
    row.clientOrderId,
    row.intentId,
    row.txHash,
    row.keyLabel,
  ]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()

export function fits(filter: HistoryFilter): (row: HistoryRow) => boolean {
  const text = filter.text.trim().toLowerCase()
  const { fromMs, toMs, symbol, side, state } = filter
  return (row) =>
    (symbol === null || row.symbol === symbol) &&
    (side === null || sideOf(row.side) === side) &&
    (state === null || row.state === state) &&
    (fromMs === null || (row.atMs !== null && row.atMs >= fromMs)) &&
    (toMs === null || (row.atMs !== null && row.atMs < toMs)) &&
    (text === '' || searched(row).includes(text))
}
