import { z } from 'zod'
import type { OrderRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { IntentRecord } from '../../../shared/api/schemas/intents.ts'
import type { ClosedPositionRecord, TradeRecord } from '../../../shared/api/schemas/position-history.ts'
import { isZero, multiply } from '../../../shared/decimal.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import type { HistoryFilter, HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { Markets } from '../markets/markets.ts'
import type { Subject } from './account-reader.ts'

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

/** Builds the key of a row from its content, because the service gave the row no id. */
const bySelf = (...parts: readonly (string | number | null)[]): string => parts.map((part) => part ?? '').join('/')

/** Computes size times price; `null` if either is unknown. A price of 0 counts as unknown, because some services write 0 if there is no price. */
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

/**
 * Converts a closed position to a row. If a position is closed in several parts, all parts have the same position id. The key of a row therefore also
 * contains time, size and price.
 */
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

interface KnownRowsDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents'>
  readonly credentials: Pick<Credentials, 'facts'>
  readonly markets: Pick<Markets, 'known'>
}

/** Adds data that only this app has to a row from the service. */
export type KnownRows = (subject: Subject) => (row: HistoryRow) => HistoryRow

/** How many intents the app searches for the intent that caused a row. */
const mostIntents = 1_000

/** Adds to a row the market’s name, the key’s label, and this app’s intent with its requested side. Rows of a watched wallet have no intent. */
export function createKnownRows({ profile, journal, credentials, markets }: KnownRowsDeps): KnownRows {
  return (subject) => {
    const { intents } =
      subject.watchedAs === null ? journal.intents.list(profile.id, { wallet: subject.wallet, beforeMs: null, limit: mostIntents }) : { intents: [] }
    const by = (name: 'intentId' | 'txHash' | 'clientOrderId') =>
      new Map(intents.flatMap((intent) => (intent[name] === null ? [] : [[String(intent[name]).toLowerCase(), intent] as const])))
    const [byId, byHash, byClientId] = [by('intentId'), by('txHash'), by('clientOrderId')]
    return (row) => {
      const own =
        byId.get(row.intentId?.toLowerCase() ?? '') ??
        byHash.get(row.txHash?.toLowerCase() ?? '') ??
        byClientId.get(row.clientOrderId?.toLowerCase() ?? '') ??
        null
      const pairId = row.pairId ?? own?.pairId ?? null
      return {
        ...row,
        pairId,
        symbol: row.symbol ?? own?.symbol ?? (pairId === null ? null : (markets.known(pairId)?.symbol ?? null)),
        side: row.side ?? own?.side ?? null,
        keyLabel: row.keyLabel === null ? null : (credentials.facts(row.keyLabel)?.label ?? row.keyLabel),
        intentRef: own?.ref ?? null,
      }
    }
  }
}

export type OwnCancels = (wallet: string) => ReadonlySet<string>

/** Maximum number of cancels to search of each kind: those that the wallet signed, and those that an executor sent. */
const most = 500
const Cancel = z.object({ order: z.object({ orderId: z.string() }) })

/**
 * Returns the ids, in canonical form, of orders whose cancel by wallet or executor is FINAL. Ignores unreadable parts of the journal, so that the
 * list of open orders, and any cancel or close that needs the list, still works.
 */
export function createOwnCancels({ profile, journal }: { readonly profile: ProfileFacts; readonly journal: Pick<Journal, 'intents'> }): OwnCancels {
  const finalCancels = (wallet: string): IntentRow[] => {
    try {
      const listed = (action: string) => journal.intents.list(profile.id, { wallet, beforeMs: null, limit: most, action }).intents
      return ['cancel_order', 'cancel'].flatMap(listed).filter(({ state }) => state === 'FINAL')
    } catch {
      return []
    }
  }
  return (wallet) => {
    const ids = finalCancels(wallet).flatMap(({ ticket }) => {
      const cancel = Cancel.safeParse(parseJson(ticket))
      return cancel.success ? [canonicalId(cancel.data.order.orderId)] : []
    })
    return new Set(ids)
  }
}
