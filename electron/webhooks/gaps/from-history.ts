import { compare } from '../../../shared/decimal.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { EventName } from '../../../shared/webhooks/events.ts'
import type { ExpectedEvent } from './expected.ts'
import type { Mark, MarkKind } from './marks.ts'
import type { Sightings } from './sightings.ts'

export interface History {
  readonly orders: readonly HistoryRow[]
  readonly trades: readonly HistoryRow[]
  readonly closed: readonly HistoryRow[]
}

export interface HistoryInput {
  readonly history: History
  /** Trades and closed positions were read back to here; what is older is not expected. */
  readonly sinceMs: number
  /** When the reading began, and when it had ended. */
  readonly askedMs: number
  readonly readMs: number
  readonly sightings: Sightings
  /** This app's own intent behind a row. */
  readonly intentOf: (row: HistoryRow) => { readonly ref: string; readonly title: string } | null
}

const mark = (kind: MarkKind, value: string | null): readonly Mark[] => (value === null || value === '' ? [] : [{ kind, value }])

/** Hashes and ids that the app does not read from a row, yet the service tells in it. */
function marksOfMore(unknownFields: string | null): readonly Mark[] {
  if (unknownFields === null) return []
  const hashes = unknownFields.match(/0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/g) ?? []
  return hashes.flatMap((hash) => mark('transaction', hash))
}

const has = (word: string | null, part: string): boolean => word?.toLowerCase().includes(part) ?? false

/** Everything that was sent of it was filled. */
function isWhole({ state, size, filledSize }: HistoryRow): boolean {
  if (state !== null && /^filled$|complete|executed|^done$/i.test(state)) return true
  return size !== null && filledSize !== null && compare(size, '0') > 0 && compare(filledSize, size) >= 0
}

/**
 * What must have been sent of orders, trades and closed positions. Assumed: every order of the history was accepted, every trade is a fill and
 * changes a position, and the last trade of an order that is filled fills it. History tells no other change of a position, and no funding.
 */
export function expectedOfHistory({ history, sinceMs, askedMs, readMs, sightings, intentOf }: HistoryInput): ExpectedEvent[] {
  const about = (row: HistoryRow, size: string | null): ExpectedEvent['about'] => ({
    ...{ symbol: row.symbol, side: row.side, size, unit: size === null ? null : (row.symbol?.split('-')[0] ?? null) },
    ...{ txHash: row.txHash, orderId: row.orderId, intentRef: intentOf(row)?.ref ?? null, title: intentOf(row)?.title ?? null },
  })
  const named = history.trades.every(({ orderId }) => orderId !== null)
  const tradesOf = new Map<string, HistoryRow[]>()
  for (const trade of history.trades) {
    if (trade.orderId === null) continue
    const list = tradesOf.get(trade.orderId)
    if (list === undefined) tradesOf.set(trade.orderId, [trade])
    else list.push(trade)
  }
  const orderOf = new Map(history.orders.map((order) => [order.key, order]))
  const lastOf = new Map([...tradesOf].map(([id, trades]) => [id, trades.reduce((last, one) => ((one.atMs ?? 0) > (last.atMs ?? 0) ? one : last))]))

  const ofOrder = (row: HistoryRow): ExpectedEvent[] => {
    const { atMs, key } = row
    if (atMs === null || /refus|reject|fail|invalid/i.test(row.state ?? '')) return []
    const marks = [...mark('order', row.orderId), ...mark('order', row.clientOrderId), ...marksOfMore(row.unknownFields)]
    const base = { marks, doubt: null, about: about(row, row.size) }
    const isCancelled = has(row.state, 'cancel')
    const ended = sightings.ended(`order/${key}`, isCancelled || isWhole(row), { askedMs, readMs })
    const span = { fromMs: Math.max(atMs, ended.openMs ?? 0), toMs: ended.seenMs, vague: atMs < sinceMs && ended.openMs === null }
    const events: ExpectedEvent[] = []
    if (atMs >= sinceMs) events.push({ ...base, key: `order.accepted/${key}`, types: ['order.accepted'], fromMs: atMs, toMs: atMs, vague: false })
    if (isCancelled) events.push({ ...base, key: `order.cancelled/${key}`, types: ['order.cancelled'], ...span })
    // Its trade tells the time; where trades do not name their orders, it is not known which of them did.
    if (!named && isWhole(row) && !lastOf.has(key)) events.push({ ...base, key: `order.filled/${key}`, types: ['order.filled'], ...span })
    return events
  }

  const ofTrade = (row: HistoryRow): ExpectedEvent[] => {
    const { atMs, key, orderId } = row
    if (atMs === null) return []
    const order = orderId === null ? undefined : orderOf.get(orderId)
    const marks = [
      ...mark('transaction', row.txHash),
      ...mark('trade', row.key.includes('/') ? null : row.key),
      ...mark('order', orderId),
      ...mark('order', row.clientOrderId ?? order?.clientOrderId ?? null),
    ]
    const position = mark('position', row.positionId ?? order?.positionId ?? null)
    const base = { fromMs: atMs, toMs: atMs, doubt: null, vague: false, about: about(row, row.size) }
    const fill = order === undefined ? null : isWhole(order) && lastOf.get(order.key) === row ? 'order.filled' : 'order.partially_filled'
    const changed: ExpectedEvent = { ...base, key: `position.changed/${key}`, types: ['position.changed'], marks: [...marks, ...position] }
    // A trade that no order is behind, or none that can be told, may have filled it or a part.
    if (orderId === null && named) return [changed]
    const types: readonly EventName[] = fill === null ? ['order.filled', 'order.partially_filled'] : [fill]
    return [{ ...base, key: `${types[0]}/${key}`, types, marks }, changed]
  }

  const ofClosed = (row: HistoryRow): ExpectedEvent[] => {
    if (row.atMs === null || !has(row.what, 'liquid')) return []
    const marks = [...mark('transaction', row.txHash), ...mark('position', row.positionId), ...mark('trade', row.key.includes('/') ? null : row.key)]
    const base = { key: `liquidation/${row.key}`, types: ['liquidation'] as const, fromMs: row.atMs, toMs: row.atMs }
    return [{ ...base, marks, doubt: null, vague: false, about: about(row, row.size) }]
  }
  return [...history.orders.flatMap(ofOrder), ...history.trades.flatMap(ofTrade), ...history.closed.flatMap(ofClosed)]
}
