import { expect, test } from 'vitest'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import { filledBy } from '../../../shared/positions.ts'
import { positionIn } from './signing-fill.tsx'

const order = { ref: 'r1', action: 'open_position', pairId: 2 }

const row = (key: string, more: Partial<HistoryRow> = {}): HistoryRow => ({
  ...{ key, atMs: 1, pairId: 2, symbol: 'ETH-PERP', side: 'long', what: 'open', state: null, reason: null },
  ...{ size: '0.2', filledSize: null, entryPrice: null, price: '2500', valueUsdc: '500', feeUsdc: '0.25', realisedPnlUsdc: null, fundingUsdc: null },
  ...{ role: 'taker', tradeId: key, orderId: 'o1', positionId: null, clientOrderId: null, intentId: null, txHash: '0x01', keyLabel: null },
  ...{ intentRef: 'r1', unknownFields: null },
  ...more,
})

const page = (rows: HistoryRow[], more: Partial<Parameters<typeof filledBy>[1]> = {}): Parameters<typeof filledBy>[1] => ({
  ...{ rows, total: rows.length, complete: true, cut: false, unreadable: false },
  ...more,
})

test('the signing sheet reports price, size and fee of an order’s only fill as the service states them', () => {
  const found = filledBy(order, page([row('another', { intentRef: 'r2', price: '1' }), row('own'), row('elsewhere', { intentRef: null })]))
  expect(found).toEqual({ fills: 1, price: '2500', size: '0.2', feeUsdc: '0.25', realisedPnlUsdc: null, closes: false })
})

test('the signing sheet averages the price of several fills by size, and adds up sizes and fees exactly', () => {
  const rows = [row('a', { price: '2500', size: '0.1', feeUsdc: '0.1' }), row('b', { price: '2501', size: '0.3', feeUsdc: '0.2' })]
  expect(filledBy(order, page(rows))).toMatchObject({ fills: 2, price: '2500.75', size: '0.4', feeUsdc: '0.3' })
})

test('the signing sheet rounds an average price to as many decimals as the fills’ prices have, but at least to two', () => {
  const thirds = [row('a', { price: '1.0001', size: '1' }), row('b', { price: '1.0002', size: '2' })]
  expect(filledBy(order, page(thirds))?.price).toBe('1.0002')
  const whole = [row('a', { price: '10', size: '1' }), row('b', { price: '11', size: '2' })]
  expect(filledBy(order, page(whole))?.price).toBe('10.67')
})

test('the signing sheet shows a total of several fills as unknown if any fill does not state that value', () => {
  const rows = [row('a'), row('b', { price: '2510', feeUsdc: null })]
  expect(filledBy(order, page(rows))).toMatchObject({ fills: 2, price: '2505', size: '0.4', feeUsdc: null })
  expect(filledBy(order, page([row('a'), row('b', { price: '2510', size: null })]))).toMatchObject({ price: null, size: null, feeUsdc: '0.5' })
  expect(filledBy(order, page([row('a'), row('b', { price: null })]))?.price).toBeNull()
  expect(filledBy(order, page([row('a', { price: '0' })]))?.price).toBeNull()
})

test('the signing sheet states the price of several fills at the same price, even if a size is unknown', () => {
  expect(filledBy(order, page([row('a', { price: '2500.0', size: null }), row('b')]))?.price).toBe('2500.0')
})

test('the signing sheet shows a line for the profit or loss of a closing order, even if the service does not state the amount', () => {
  const close = { ...order, action: 'close_position_market' }
  const rows = [row('a', { side: 'short', realisedPnlUsdc: '12.5' }), row('b', { side: 'short', realisedPnlUsdc: '-2.25' })]
  expect(filledBy(close, page(rows))).toMatchObject({ realisedPnlUsdc: '10.25', closes: true })
  expect(filledBy(close, page([row('a')]))).toMatchObject({ realisedPnlUsdc: null, closes: true })
  for (const action of ['close', 'reduce', 'invert']) expect(filledBy({ ...order, action }, page([row('a')]))?.closes, action).toBe(true)
  expect(filledBy({ ...order, action: 'increase' }, page([row('a')]))?.closes).toBe(false)
  expect(filledBy(order, page([row('a', { realisedPnlUsdc: '0' })]))?.closes).toBe(false)
  expect(filledBy(order, page([row('a', { realisedPnlUsdc: '-1' })]))).toMatchObject({ realisedPnlUsdc: '-1', closes: true })
})

test('the signing sheet shows no fill result before an order’s first fill, and ignores fills in another market', () => {
  expect(filledBy(order, page([]))).toBeNull()
  expect(filledBy(order, page([row('a', { intentRef: 'r2' })]))).toBeNull()
  expect(filledBy(order, page([row('a', { pairId: 7 })]))).toBeNull()
})

test('the signing sheet shows no fill result for an order if the loaded history may lack some of the order’s fills', () => {
  const older = row('older', { intentRef: null })
  expect(filledBy(order, page([row('a')], { complete: false }))).toBeNull()
  expect(filledBy(order, page([row('a')], { cut: true }))).toBeNull()
  expect(filledBy(order, page([row('a')], { total: 2 }))).toBeNull()
  expect(filledBy(order, page([row('a'), older], { unreadable: true }))).toBeNull()
  expect(filledBy(order, page([row('a'), older], { complete: false, total: 900 }))?.fills).toBe(1)
})

const position = (id: string, pairId: number): Position => ({
  ...{ id, pairId, symbol: null, side: 'long', size: '0.2', notionalUsdc: null, entryPrice: '2500', markPrice: null, liquidationPrice: null },
  ...{ leverage: '10', marginMode: 'cross', marginUsdc: null, unrealisedPnl: null, takeProfit: null, stopLoss: null },
})
const whole = { unreadable: 0, more: false }

test('the signing sheet finds the position of an order only if one position fits and the list of positions is complete', () => {
  const positions = [position('1', 1), position('2', 2)]
  expect(positionIn(2, { positions, missing: whole })).toMatchObject({ id: '2' })
  expect(positionIn(3, { positions, missing: whole })).toBe('none')
  expect(positionIn(2, { positions: [...positions, position('3', 2)], missing: whole })).toBeNull()
  expect(positionIn(2, { positions, missing: { unreadable: 1, more: false } })).toBeNull()
  expect(positionIn(3, { positions, missing: { unreadable: 0, more: true } })).toBeNull()
  expect(positionIn(null, { positions, missing: whole })).toBeNull()
})
