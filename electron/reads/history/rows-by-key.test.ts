import { expect, test } from 'vitest'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import { tradeRow } from './history-rows.ts'
import { withKeys } from './reports.ts'

const blank = tradeRow({
  id: 'blank',
  orderId: null,
  positionId: null,
  pairId: null,
  symbol: null,
  side: null,
  did: null,
  role: null,
  price: null,
  size: null,
  valueUsdc: null,
  feeUsdc: null,
  realisedPnlUsdc: null,
  clientOrderId: null,
  keyId: null,
  txHash: null,
  atMs: null,
  unknownFields: null,
})
const row = (change: Partial<HistoryRow>): HistoryRow => ({ ...blank, ...change })
const keysOf = (rows: readonly HistoryRow[]) => rows.map(({ keyLabel }) => keyLabel)
const find = (rows: { trades?: HistoryRow[]; closed?: HistoryRow[]; transactions?: HistoryRow[]; orders?: HistoryRow[]; complete?: boolean }) => {
  const { trades, closed } = withKeys({ trades: [], closed: [], transactions: [], orders: [], complete: true, ...rows })
  return [keysOf(trades), keysOf(closed)]
}

test('the app attributes a closed position to the key of its closing transaction, or else to the key that all its trades share [ACC-01]', () => {
  const transactions = [row({ txHash: '0xa', keyLabel: 'k1' }), row({ txHash: '0xb', keyLabel: 'k1' })]
  const trades = [row({ txHash: '0xa', positionId: 'p1' }), row({ txHash: '0xb', positionId: 'p1' }), row({ txHash: '0xc', positionId: 'p2', keyLabel: 'k2' })]
  const closed = [row({ positionId: 'p1' }), row({ txHash: '0xb' }), row({ txHash: '0xc' }), row({ keyLabel: 'own', positionId: 'p1' })]
  expect(find({ trades, closed, transactions })).toEqual([
    ['k1', 'k1', 'k2'],
    ['k1', 'k1', 'k2', 'own'],
  ])
})

test('the app attributes a closed position to no key if its trades name several keys or none, or some trades may be missing [ACC-01]', () => {
  const one = row({ positionId: 'p1', keyLabel: 'k1' })
  const closed = [row({ positionId: 'p1' })]
  expect(find({ trades: [one, row({ positionId: 'p1', keyLabel: 'k2' })], closed })[1]).toEqual([null])
  expect(find({ trades: [one, row({ positionId: 'p1' })], closed })[1]).toEqual([null])
  expect(find({ trades: [one], closed, complete: false })[1]).toEqual([null])
  expect(find({ trades: [one], closed: [row({})] })[1]).toEqual([null])
  expect(find({ trades: [one], closed })[1]).toEqual(['k1'])
  // No key requests a liquidation, so the report must attribute a liquidation to no key.
  expect(find({ trades: [one], closed: [row({ positionId: 'p1', what: 'liquidation' })] })[1]).toEqual([null])
})

test('the app finds a closed position’s key through its trades’ orders, but finds none if the order of any trade in that market is unknown [ACC-01]', () => {
  const orders = [row({ orderId: 'o1', positionId: null }), row({ orderId: 'o2', positionId: 'p1' })]
  const opened = row({ orderId: 'o1', pairId: 1, keyLabel: 'k2' })
  const closing = row({ orderId: 'o2', pairId: 1, keyLabel: 'k1' })
  const closed = [row({ positionId: 'p1', pairId: 1 })]
  expect(find({ trades: [opened, closing], orders, closed })[1]).toEqual(['k1'])
  const lost = row({ orderId: 'o9', pairId: 1, keyLabel: 'k1' })
  expect(find({ trades: [opened, closing, lost], orders, closed })[1]).toEqual([null])
  expect(find({ trades: [opened, closing, { ...lost, pairId: 2 }], orders, closed })[1]).toEqual(['k1'])
  expect(find({ trades: [opened, closing, { ...lost, pairId: null }], orders, closed })[1]).toEqual([null])
})
