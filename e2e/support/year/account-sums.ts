import type { ExchangeRows } from '../../../electron/practice/exchange/exchange.ts'
import { exact, product, shown, total } from './exact.ts'

export interface ListedMarket {
  readonly id: number
  readonly symbol: string
  readonly price_decimals: number
  readonly size_decimals: number
}

export const dayMs = 86_400_000
/** A day in UTC, such as `2026-11-22`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

interface Sums {
  readonly realised: bigint
  readonly fees: bigint
  readonly funding: bigint
  readonly trades: number
  readonly closed: number
}

/** A line of the profit report. The name is a day, a market or a key; `null` if the exchange does not name a key. */
export type Line = readonly [name: string | null, sums: Sums]
export type By = 'day' | 'market' | 'key'

export const netOf = ({ realised, fees, funding }: Sums): bigint => realised + funding - fees

/** The API key with which each order was requested. */
function keysOf(rows: ExchangeRows): { readonly ofOrder: (id: string) => string | null; readonly ofPosition: (id: string) => string | null } {
  const byIntent = new Map(rows.intents.map(({ id, keyId }) => [id, keyId]))
  const byOrder = new Map(rows.orders.map(({ id, intentId }) => [id, intentId === null ? null : (byIntent.get(intentId) ?? null)]))
  return {
    ofOrder: (id) => byOrder.get(id) ?? null,
    // Counts only the orders that closed the position, because the app cannot know which orders opened it.
    ofPosition: (position) => {
      const keys = new Set(rows.orders.filter(({ closes, filled }) => closes === position && filled !== '0').map(({ id }) => byOrder.get(id) ?? null))
      const [key = null] = keys
      return keys.size === 1 ? key : null
    },
  }
}

export function report(
  rows: ExchangeRows,
  by: By,
  fromMs: number,
  named: { readonly market: (id: number) => string; readonly key: (id: string) => string },
): { readonly lines: readonly Line[]; readonly all: Sums } {
  const keys = keysOf(rows)
  const label = (id: string | null) => (id === null ? null : named.key(id))
  const parts = [
    ...rows.trades.map((row) => ({
      ...{ atMs: row.atMs, day: dayOf(row.atMs), market: named.market(row.pairId), key: label(keys.ofOrder(row.orderId)) },
      sums: { realised: 0n, fees: exact(row.feeUsdc), funding: 0n, trades: 1, closed: 0 },
    })),
    ...rows.closed.map((row) => ({
      ...{ atMs: row.closedAtMs, day: dayOf(row.closedAtMs), market: named.market(row.pairId) },
      key: row.liquidated ? null : label(keys.ofPosition(row.id)),
      sums: { realised: exact(row.realisedPnlUsdc), fees: 0n, funding: exact(row.fundingUsdc), trades: 0, closed: 1 },
    })),
  ].filter(({ atMs }) => atMs >= fromMs)
  const sum = (of: readonly { readonly sums: Sums }[]): Sums => ({
    realised: total(of.map(({ sums }) => sums.realised)),
    fees: total(of.map(({ sums }) => sums.fees)),
    funding: total(of.map(({ sums }) => sums.funding)),
    trades: of.reduce((count, { sums }) => count + sums.trades, 0),
    closed: of.reduce((count, { sums }) => count + sums.closed, 0),
  })
  const lines = [...Map.groupBy(parts, (part) => part[by])].map(([name, of]): Line => [name, sum(of)])
  return { lines, all: sum(parts) }
}

/** The running total of the net result, for each UTC day from `fromMs` to today. */
export function curve(lines: readonly Line[], fromMs: number, nowMs: number): readonly { readonly day: string; readonly net: bigint; readonly sum: bigint }[] {
  const nets = new Map(lines.map(([name, sums]) => [name, netOf(sums)]))
  let sum = 0n
  return Array.from({ length: Math.floor(nowMs / dayMs) - Math.floor(fromMs / dayMs) + 1 }, (_, index) => {
    const day = dayOf(fromMs + index * dayMs)
    const net = nets.get(day) ?? 0n
    sum += net
    return { day, net, sum }
  })
}

/** The collateral as the sum of all changes: initial amount, deposits, withdrawals, results, funding, fees and network costs. */
export function collateralOf({ given, ledger, trades, closed, intents }: ExchangeRows): bigint {
  const ids = new Set(closed.map(({ id }) => id))
  const invented = intents.flatMap(({ clientOrderId, action, state, payload }) =>
    clientOrderId?.startsWith('past-') === true && state === 'confirmed' && 'amount' in payload
      ? [exact(`${action === 'add_collateral' ? '' : '-'}${payload.amount}`)]
      : [],
  )
  return total([
    ...given.map(exact),
    ...invented,
    ...trades.map(({ feeUsdc }) => -exact(feeUsdc)),
    ...closed.flatMap(({ realisedPnlUsdc, fundingUsdc }) => [exact(realisedPnlUsdc), exact(fundingUsdc)]),
    ...ledger.flatMap(({ change }) => {
      if (change.kind === 'charged') return [-exact(change.usdc)]
      if (change.kind === 'collateral' && change.token === 'USDC') return [exact(change.amount)]
      // Funding of a closed position is already included in the position’s own row.
      return change.kind === 'funding' && !ids.has(change.positionId) ? [exact(change.amount)] : []
    }),
  ])
}

/** The actions whose words are not simply their code. */
const actionWords: Readonly<Record<string, string>> = {
  close_position_market: 'Close position at market',
  close_position_limit: 'Close position at limit',
  update_tpsl: 'Set TP/SL',
  add_isolated_margin: 'Add margin',
  reduce_isolated_margin: 'Remove margin',
  change_isolated_leverage: 'Change leverage',
  replace_order: 'Change order',
  add_collateral: 'Deposit',
  withdraw_collateral: 'Withdraw',
}

const word = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')
const side = (text: string | undefined): string => (text === undefined ? '—' : word(text))
const id = (text: string | null): string => (text === null ? '—' : text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)

export type TableName = 'Orders' | 'Trades' | 'Transactions' | 'Closed positions'

export interface TableRow {
  readonly atMs: number
  readonly symbol: string
  readonly side: string
  readonly state: string
  /** The texts of the row’s cells, in column order. */
  readonly cells: readonly string[]
}

/** The expected rows of every table, newest first. `time`: formats a time in the computer’s time zone. */
export function tableRows(
  rows: ExchangeRows,
  { marketOf, time, nowMs }: { readonly marketOf: (id: number) => ListedMarket; readonly time: (ms: number) => string; readonly nowMs: number },
): Readonly<Record<TableName, readonly TableRow[]>> {
  const newestFirst = <T extends { readonly sequence: number }>(of: readonly T[]) => of.toSorted((a, b) => b.sequence - a.sequence)
  const price = (text: string | null, market: ListedMarket) => (text === null ? '—' : shown(exact(text), { decimals: market.price_decimals }))
  const size = (text: string, market: ListedMarket) => shown(exact(text), { minDecimals: market.size_decimals })
  const signed = (text: string | null) => (text === null ? '—' : shown(exact(text), { decimals: 2, plus: true }))
  const orderOf = new Map(rows.orders.map((order) => [order.intentId, order]))
  // The side of each closed position, by id. A request to close a position may lack the side.
  const heldSide = new Map(rows.closed.map((row) => [row.id, row.side]))
  const stateOf = ({ state, status, expiresAtMs }: ExchangeRows['intents'][number]): string => {
    if (status !== 'signature_ready' && status !== 'ready') return status
    return state === 'prepared' && nowMs >= expiresAtMs ? 'expired' : state
  }
  return {
    Orders: newestFirst(rows.orders).map((row) => {
      const market = marketOf(row.pairId)
      const at = row.fillPrice ?? row.price
      const value = row.valueUsdc === null ? (at === null ? null : product(row.size, at)) : exact(row.valueUsdc)
      return {
        ...{ atMs: row.createdAtMs, symbol: market.symbol, side: row.side, state: row.status },
        cells: [
          ...[time(row.createdAtMs), market.symbol, side(row.side), word(row.orderType), word(row.status)],
          ...[size(row.size, market), shown(exact(row.filled)), price(at, market), value === null ? '—' : shown(value, { decimals: 2 })],
          ...[id(row.id), id(row.clientOrderId)],
        ],
      }
    }),
    Trades: newestFirst(rows.trades).map((row) => {
      const market = marketOf(row.pairId)
      return {
        ...{ atMs: row.atMs, symbol: market.symbol, side: row.side, state: '' },
        cells: [
          ...[time(row.atMs), market.symbol, side(row.side), word(row.effect), size(row.size, market), price(row.price, market)],
          ...[shown(product(row.size, row.price), { decimals: 2 }), shown(exact(row.feeUsdc), { decimals: 4 }), signed(row.realisedPnlUsdc)],
          ...[word(row.role), id(row.txHash)],
        ],
      }
    }),
    'Closed positions': newestFirst(rows.closed).map((row) => {
      const market = marketOf(row.pairId)
      return {
        ...{ atMs: row.closedAtMs, symbol: market.symbol, side: row.side, state: '' },
        cells: [
          ...[time(row.closedAtMs), market.symbol, side(row.side), size(row.size, market), price(row.entryPrice, market), price(row.exitPrice, market)],
          ...[signed(row.realisedPnlUsdc), signed(row.fundingUsdc), row.liquidated ? 'Liquidation' : 'Trade', id(row.id)],
        ],
      }
    }),
    Transactions: newestFirst(rows.intents.filter(({ status }) => status === 'signature_ready' || status === 'ready')).map((row) => {
      const { pair_id: pair, side: stated } = row.payload as { readonly pair_id?: number; readonly side?: string } // safe cast: the API document defines the payloads
      const order = orderOf.get(row.id)
      const pairId = pair ?? order?.pairId
      const asked = stated ?? heldSide.get(order?.closes ?? '')
      const symbol = pairId === undefined ? '—' : marketOf(pairId).symbol
      const state = stateOf(row)
      return {
        ...{ atMs: row.createdAtMs, symbol, side: asked ?? '', state },
        cells: [time(row.createdAtMs), actionWords[row.action] ?? word(row.action), symbol, side(asked), word(state), '—', id(row.id), id(row.txHash)],
      }
    }),
  }
}
