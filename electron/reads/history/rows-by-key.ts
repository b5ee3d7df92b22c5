import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'

interface Rows {
  readonly trades: readonly HistoryRow[]
  readonly closed: readonly HistoryRow[]
}

interface Told extends Rows {
  readonly transactions: readonly HistoryRow[]
  readonly orders: readonly HistoryRow[]
  /** Every trade and order that could matter was read. */
  readonly complete: boolean
}

/** The one key of all of them; null: they name different ones, or one of them names none. */
const onlyKey = (rows: readonly HistoryRow[]): string | null => {
  const [first] = rows
  return first !== undefined && rows.every(({ keyLabel }) => keyLabel === first.keyLabel) ? first.keyLabel : null
}

const grouped = (rows: readonly HistoryRow[], nameOf: (row: HistoryRow) => string | null): ReadonlyMap<string, readonly HistoryRow[]> => {
  const groups = new Map<string, HistoryRow[]>()
  for (const row of rows) {
    const name = nameOf(row)
    if (name === null) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}

/** Nobody asked for it. */
const isLiquidation = ({ what }: HistoryRow): boolean => what?.toLowerCase().includes('liquid') ?? false

/**
 * Trades and closed positions with the key that asked for them, as far as the service's own words lead to it. A trade: its own word, else that of
 * its transaction. A closed position: its own word, else that of its transaction, else that of the trades that name the position, or whose order
 * names it, if all of them were read and name one and the same key: whichever of them closed it, that key asked. Anything else is left without one.
 */
export function withKeys({ trades, closed, transactions, orders, complete }: Told): Rows {
  const byTransaction = grouped(transactions, ({ txHash }) => txHash)
  const keyed = (row: HistoryRow, key: string | null): HistoryRow => (key === null ? row : { ...row, keyLabel: key })
  const ofTransaction = ({ keyLabel, txHash }: HistoryRow) => keyLabel ?? (txHash === null ? null : onlyKey(byTransaction.get(txHash) ?? []))
  const namedTrades = trades.map((trade) => keyed(trade, ofTransaction(trade)))
  const byHash = grouped(namedTrades, ({ txHash }) => txHash)
  const orderOf = new Map(orders.map((order) => [order.orderId, order]))
  const byPosition = grouped(namedTrades, ({ positionId, orderId }) => positionId ?? (orderId === null ? null : (orderOf.get(orderId)?.positionId ?? null)))
  // A trade that may have closed anything in its market.
  const loose = new Set(namedTrades.flatMap(({ positionId, orderId, pairId }) => (positionId !== null || orderOf.has(orderId) ? [] : [pairId])))
  const mayBeOfAnother = (pairId: number | null): boolean => loose.has(null) || (pairId === null ? loose.size > 0 : loose.has(pairId))
  const ofTrades = ({ txHash, positionId, pairId }: HistoryRow): string | null =>
    (txHash === null ? null : onlyKey(byHash.get(txHash) ?? [])) ??
    (positionId === null || !complete || mayBeOfAnother(pairId) ? null : onlyKey(byPosition.get(positionId) ?? []))
  return {
    trades: namedTrades,
    closed: closed.map((row) => keyed(row, ofTransaction(row) ?? (isLiquidation(row) ? null : ofTrades(row)))),
  }
}
