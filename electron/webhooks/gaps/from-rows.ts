import { compare } from '../../../shared/decimal.ts'
import type { Title } from '../../../shared/ipc/intents/titles.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { EventName } from '../../../shared/webhooks/events.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'
import { aboutOwn, type ExpectedEvent, type Mark, type MarkKind, type Observations } from './expected.ts'
import type { TakenBack } from './match.ts'

export interface History {
  readonly orders: readonly HistoryRow[]
  readonly trades: readonly HistoryRow[]
  readonly closed: readonly HistoryRow[]
}

export interface HistoryInput {
  readonly history: History
  /** The time of the oldest trades and closed positions that were read, as Unix ms. The app expects no events for older trades and positions. */
  readonly sinceMs: number
  /** Unix ms when the reading started and ended. */
  readonly askedMs: number
  readonly readMs: number
  readonly observations: Observations
  /** Finds this app's own intent that caused a row; `null` if another client caused it. */
  readonly intentOf: (row: HistoryRow) => { readonly ref: string; readonly title: Title } | null
}

const mark = (kind: MarkKind, value: string | null): readonly Mark[] => (value === null || value === '' ? [] : [{ kind, value }])

/** Finds transaction hashes in those fields of a row that the app does not know. */
function marksOfMore(unknownFields: string | null): readonly Mark[] {
  if (unknownFields === null) return []
  const hashes = unknownFields.match(/0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/g) ?? []
  return hashes.flatMap((hash) => mark('transaction', hash))
}

const has = (word: string | null, part: string): boolean => word?.toLowerCase().includes(part) ?? false

function isWhole({ state, size, filledSize }: HistoryRow): boolean {
  if (state !== null && /^filled$|complete|executed|^done$/i.test(state)) return true
  return size !== null && filledSize !== null && compare(size, '0') > 0 && compare(filledSize, size) >= 0
}

/**
 * The events that the service must have sent about orders, trades and closed positions.
 * Assumes that the service accepted every order in the history, and that every trade is a fill and changes a position. Also assumes that the last
 * trade of a filled order completes the order.
 * The history shows no other position changes and no funding.
 */
export function expectedOfHistory({ history, sinceMs, askedMs, readMs, observations, intentOf }: HistoryInput): ExpectedEvent[] {
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
    const ended = observations.ended(`order/${key}`, isCancelled || isWhole(row), { askedMs, readMs })
    const span = { fromMs: Math.max(atMs, ended.openMs ?? 0), toMs: ended.seenMs, vague: atMs < sinceMs && ended.openMs === null }
    const events: ExpectedEvent[] = []
    if (atMs >= sinceMs) events.push({ ...base, key: `order.accepted/${key}`, types: ['order.accepted'], fromMs: atMs, toMs: atMs, vague: false })
    if (isCancelled) events.push({ ...base, key: `order.cancelled/${key}`, types: ['order.cancelled'], ...span })
    // Normally a trade shows when its order filled. If trades do not name their orders, the app cannot tell which trade filled this order.
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
    // The other trades name their orders, but this trade does not. The app therefore cannot tell whether the trade filled its order wholly or in
    // part.
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

/** One of this app's own intents and the transactions the wallet sent for it. */
export interface OwnIntent {
  readonly intent: IntentRow
  readonly transactions: readonly TransactionRow[]
  /** Unix ms when the intent reached its current state. */
  readonly sinceMs: number
  /** The reorganisations that undid the intent's transactions, oldest first. */
  readonly takenBack: readonly TakenBack[]
}

interface TransactionInput {
  readonly own: readonly OwnIntent[]
  /** The service's list of intents. It contains intents that this app prepared and intents that other clients prepared. */
  readonly listed: readonly HistoryRow[]
  readonly askedMs: number
  readonly readMs: number
  readonly observations: Observations
}

const moves = ['add_collateral', 'withdraw_collateral']

const marksOf = (hashes: readonly (string | null)[], ...ids: readonly (string | null)[]): Mark[] => [
  ...hashes.flatMap((value): Mark[] => (value === null ? [] : [{ kind: 'transaction', value }])),
  ...ids.flatMap((value): Mark[] => (value === null ? [] : [{ kind: 'intent', value }])),
]

/**
 * The events that the service must have sent about transactions. Each deposit and withdrawal has a collateral change. Each transaction whose hash the
 * service knows has `transaction.confirmed` or `transaction.reverted`.
 * The service knows the hash if it relayed the transaction, if the executor sent the transaction, or if a client reported the hash (HOOK-09). If an
 * intent was made elsewhere, the app cannot find out whether a client reported its hash.
 */
export function expectedOfTransactions({ own, listed, askedMs, readMs, observations }: TransactionInput): ExpectedEvent[] {
  const ofOwn = ({ intent, transactions, sinceMs, takenBack }: OwnIntent): ExpectedEvent[] => {
    const { ref, state, txHash, intentId, commandId, createdAtMs, action } = intent
    const sent = transactions.filter((one) => one.txHash !== null)
    // If a reorganisation removed the transaction and it returned to a block, it became final only after that reorganisation.
    const from = (hash: string | null, atMs: number) => Math.max(atMs, takenBack.findLast((one) => one.txHash === hash)?.toMs ?? atMs)
    const common = { vague: false, fromMs: from(txHash, createdAtMs), seenMs: sinceMs }
    const events: ExpectedEvent[] = sent.flatMap((one): ExpectedEvent[] => {
      const type = one.state === 'final' ? 'transaction.confirmed' : one.state === 'reverted' ? 'transaction.reverted' : null
      if (type === null) return []
      const fromMs = from(one.txHash, one.askedAtMs ?? createdAtMs)
      const times = { fromMs, toMs: Math.max(fromMs, one.updatedAtMs), seenMs: one.updatedAtMs }
      const doubt = one.receipt === 'reported' ? null : 'not_reported'
      return [
        {
          ...common,
          ...times,
          doubt,
          key: `${type}/${ref}/${one.position}`,
          types: [type],
          marks: marksOf([one.txHash], intentId),
          about: aboutOwn(intent, one.txHash),
        },
      ]
    })
    const type = state === 'FINAL' ? 'transaction.confirmed' : state === 'REVERTED' ? 'transaction.reverted' : null
    if (transactions.length === 0 && txHash !== null && type !== null)
      events.push({
        ...{ ...common, toMs: Math.max(common.fromMs, sinceMs), doubt: null, key: `${type}/${ref}`, types: [type] },
        ...{ marks: marksOf([txHash], intentId, commandId), about: aboutOwn(intent, txHash) },
      })
    if (moves.includes(action) && (state === 'FINAL' || state === 'CONFIRMING')) {
      const last = sent.at(-1)?.txHash ?? txHash
      const fromMs = from(last, createdAtMs)
      const settled = observations.ended(`collateral/${ref}/${takenBack.length}`, true, { askedMs, readMs: Math.min(readMs, sinceMs) })
      events.push({
        ...{ ...common, fromMs, toMs: Math.max(fromMs, settled.seenMs), doubt: null, key: `collateral.changed/${ref}`, types: ['collateral.changed'] },
        ...{ marks: marksOf([last], intentId), about: aboutOwn(intent, last) },
      })
    }
    return events
  }

  const ids = new Set(own.flatMap(({ intent }) => (intent.intentId === null ? [] : [intent.intentId.toLowerCase()])))
  const hashes = new Set(own.flatMap(({ intent, transactions }) => [intent, ...transactions].flatMap(({ txHash }) => txHash?.toLowerCase() ?? [])))
  const ofElsewhere = (row: HistoryRow): ExpectedEvent[] => {
    const { txHash, intentId, atMs, state } = row
    if (txHash === null || atMs === null || hashes.has(txHash.toLowerCase()) || ids.has(intentId?.toLowerCase() ?? '')) return []
    const word = state?.toLowerCase() ?? ''
    const type = word.includes('revert') ? 'transaction.reverted' : /^(final|finali[sz]ed|confirmed)$/.test(word) ? 'transaction.confirmed' : null
    if (type === null) return []
    const { seenMs } = observations.ended(`elsewhere/${row.key}`, true, { askedMs, readMs })
    const about = { symbol: row.symbol, side: row.side, size: null, unit: null, txHash, orderId: null, intentRef: null, title: null }
    const base = { fromMs: atMs, toMs: seenMs, vague: false, marks: marksOf([txHash], intentId), about }
    const events: ExpectedEvent[] = [{ ...base, key: `${type}/${row.key}`, types: [type], doubt: 'elsewhere' }]
    if (moves.includes(row.what ?? '') && type === 'transaction.confirmed')
      events.push({ ...base, key: `collateral.changed/${row.key}`, types: ['collateral.changed'], doubt: null })
    return events
  }
  return [...own.flatMap(ofOwn), ...listed.flatMap(ofElsewhere)]
}
