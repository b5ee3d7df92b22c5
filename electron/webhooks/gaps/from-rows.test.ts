import { expect, test } from 'vitest'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import { closedRow, orderRow, tradeRow, transactionRow } from '../../reads/history/history-rows.ts'
import { createObservations } from './expected.ts'
import { expectedOfHistory, expectedOfTransactions, type History } from './from-rows.ts'

const t0 = 1_800_000_000_000
const hash = `0x${'ab'.repeat(32)}`
type Order = Parameters<typeof orderRow>[0]
type Trade = Parameters<typeof tradeRow>[0]
type Closed = Parameters<typeof closedRow>[0]
type Listed = Parameters<typeof transactionRow>[0]

/** A row as the service sends it; fields the test does not name are empty. */
const told = <T>(given: object) => new Proxy(given, { get: (target, name) => (target as Record<string | symbol, unknown>)[name] ?? null }) as T
const order = (given: object): HistoryRow => orderRow(told<Order>({ id: 'ord_1', symbol: 'BTC-PERP', size: '2', atMs: t0, ...given }))
const trade = (given: object): HistoryRow => tradeRow(told<Trade>({ symbol: 'BTC-PERP', orderId: 'ord_1', size: '1', atMs: t0 + 1_000, ...given }))

const expectedOf = (history: Partial<History>, change: Partial<Parameters<typeof expectedOfHistory>[0]> = {}) =>
  expectedOfHistory({
    ...{ history: { orders: [], trades: [], closed: [], ...history }, sinceMs: t0 - 1_000, askedMs: t0 + 60_000, readMs: t0 + 61_000 },
    ...{ observations: createObservations(), intentOf: () => null },
    ...change,
  })
const shape = (of: ReturnType<typeof expectedOf>) => of.map(({ types, fromMs, toMs }) => [types.join(' or '), fromMs - t0, toMs - t0])

test('for an order filled in parts, the gap check expects accepted, partly filled and filled events, and a position change per fill', () => {
  const trades = [trade({ id: 'tr_2', atMs: t0 + 5_000, txHash: hash }), trade({ id: 'tr_1', atMs: t0 + 1_000 })]
  const whole = expectedOf({ orders: [order({ status: 'filled', filledSize: '2' })], trades })
  expect(shape(whole)).toEqual([
    ['order.accepted', 0, 0],
    ['order.filled', 5_000, 5_000],
    ['position.changed', 5_000, 5_000],
    ['order.partially_filled', 1_000, 1_000],
    ['position.changed', 1_000, 1_000],
  ])
  expect(whole[1]?.marks).toEqual([
    { kind: 'transaction', value: hash },
    { kind: 'trade', value: 'tr_2' },
    { kind: 'order', value: 'ord_1' },
  ])
  expect(whole[1]?.about).toMatchObject({ symbol: 'BTC-PERP', size: '1', unit: 'BTC', txHash: hash })
  const part = expectedOf({ orders: [order({ status: 'partially_filled', filledSize: '1' })], trades: [trade({ id: 'tr_1' })] })
  expect(shape(part).map(([types]) => types)).toEqual(['order.accepted', 'order.partially_filled', 'position.changed'])
  // The trade's order is older than the rows that were read, so the app can't tell whether the trade filled the order wholly or in part.
  expect(shape(expectedOf({ trades: [trade({})] }))[0]).toEqual(['order.filled or order.partially_filled', 1_000, 1_000])
  expect(expectedOf({ orders: [order({ status: 'rejected' }), order({ status: 'open', atMs: null })] })).toEqual([])
})

test('the gap check assumes a cancellation between two readings: the last with the order open and the first with the order cancelled', () => {
  const observations = createObservations()
  const look = (status: string, askedMs: number) =>
    shape(expectedOf({ orders: [order({ status })] }, { observations, askedMs, readMs: askedMs + 100 })).filter(([types]) => types === 'order.cancelled')
  expect(look('cancelled', t0 + 9_000)).toEqual([['order.cancelled', 0, 9_100]])
  expect(look('cancelled', t0 + 20_000)).toEqual([['order.cancelled', 0, 9_100]])
  // A reorganisation undid the cancellation, so the order is open again for a while.
  expect(look('open', t0 + 30_000)).toEqual([])
  expect(look('cancelled', t0 + 40_000)).toEqual([['order.cancelled', 30_000, 40_100]])
  const old = expectedOf({ orders: [order({ status: 'cancelled', atMs: t0 - 90_000 })] })
  expect(old).toMatchObject([{ types: ['order.cancelled'], vague: true }])
})

test('the gap check expects a liquidation event for a liquidated position, and for any other close only the closing trade’s event', () => {
  const closed = (closedBy: string) => closedRow(told<Closed>({ id: 'pos_1', closeId: `cl_${closedBy}`, closedBy, closedAtMs: t0 + 2_000 }))
  const all = expectedOf({ closed: [closed('liquidation'), closed('trade')] })
  expect(shape(all)).toEqual([['liquidation', 2_000, 2_000]])
  expect(all[0]?.marks).toContainEqual({ kind: 'position', value: 'pos_1' })
})

test('the gap check expects another client’s confirmed transaction to send a collateral event, and is not sure of a transaction event [HOOK-09]', () => {
  const listed = (state: string, action = 'add_collateral') =>
    transactionRow(told<Listed>({ intentId: `dx_${state}`, action, state, txHash: hash, createdAtMs: t0 }))
  const of = (rows: HistoryRow[]) =>
    expectedOfTransactions({ own: [], listed: rows, askedMs: t0 + 5_000, readMs: t0 + 6_000, observations: createObservations() }).map(({ types, doubt }) => [
      ...types,
      doubt,
    ])
  expect(of([listed('confirmed')])).toEqual([
    ['transaction.confirmed', 'elsewhere'],
    ['collateral.changed', null],
  ])
  expect(of([listed('reverted', 'open_position'), listed('submitted')])).toEqual([['transaction.reverted', 'elsewhere']])
})
