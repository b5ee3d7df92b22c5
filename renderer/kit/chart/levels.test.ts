import { expect, test } from 'vitest'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { chartLevels } from './levels.ts'

const position: Position = {
  id: 'pos_1',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'short',
  size: '0.5',
  notionalUsdc: '48000',
  entryPrice: '96000',
  markPrice: '95000',
  liquidationPrice: null,
  leverage: '10',
  marginMode: 'cross',
  marginUsdc: '4800',
  unrealisedPnl: '500',
  takeProfit: '94000',
  stopLoss: '97000.5',
}

test('the chart shows the gain at a short’s TP as positive, and the loss at its SL as negative', () => {
  expect(chartLevels(1, [position], []).map((level) => [level.kind, level.label, level.size, level.gain])).toEqual([
    ['position', 'Short', '0.5', '500'],
    ['take_profit', 'TP', null, '1000'],
    ['stop_loss', 'SL', null, '-500.25'],
  ])
})

test('the chart draws a take-profit line without a gain, rather than with a gain of 0, if the position’s size is missing [ERR-02]', () => {
  const [, takeProfit] = chartLevels(1, [{ ...position, size: null }], [])
  expect(takeProfit?.gain).toBeNull()
})

test('the chart draws no line for an order that is on another market, has no price or is finished', () => {
  const order: OpenOrder = {
    id: 'o1',
    pairId: 1,
    symbol: null,
    side: 'long',
    type: 'limit',
    price: '95620',
    size: '0.03',
    filledSize: null,
    orderValueUsdc: null,
    limitPrice: null,
    triggerPrice: null,
    takeProfit: null,
    stopLoss: null,
    marginMode: null,
    leverage: null,
    reduceOnly: null,
    positionId: null,
    status: null,
    clientOrderId: null,
    atMs: null,
  }
  expect(chartLevels(2, [position], [order])).toEqual([])
  expect(chartLevels(1, [], [order, { ...order, id: 'o2', price: null }, { ...order, id: 'o3', status: 'filled' }])).toMatchObject([
    { kind: 'order', label: 'Limit long', price: '95620' },
  ])
})
