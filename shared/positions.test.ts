import { expect, test } from 'vitest'
import type { Position } from './ipc/reads/account.ts'
import { atMark, causesTrades } from './positions.ts'

const told: Position = {
  id: 'pos_1',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  size: '0.5',
  notionalUsdc: '50000',
  entryPrice: '99000',
  markPrice: '100000',
  liquidationPrice: '90000',
  leverage: '10',
  marginMode: 'cross',
  marginUsdc: '5000',
  // The stated profit: 500 USDC from the price change, plus 1.25 USDC of funding received.
  unrealisedPnl: '501.25',
  takeProfit: null,
  stopLoss: null,
}

test('the app recomputes a long’s or short’s profit and notional at a newer mark price, and keeps funding and fees in the profit [ACC-01]', () => {
  expect(atMark(told, '100010.2')).toEqual({ ...told, markPrice: '100010.2', notionalUsdc: '50005.1', unrealisedPnl: '506.35' })
  expect(atMark({ ...told, side: 'short' }, '100010.2')).toMatchObject({ notionalUsdc: '50005.1', unrealisedPnl: '496.15' })
  expect(atMark(told, '100000')).toEqual(told)
})

test('the app leaves a position’s profit and notional unchanged at a newer mark price if the size, old price or old values are unknown [ERR-02]', () => {
  expect(atMark({ ...told, size: null }, '100010')).toEqual({ ...told, size: null, markPrice: '100010' })
  expect(atMark({ ...told, markPrice: null }, '100010')).toEqual({ ...told, markPrice: '100010' })
  expect(atMark({ ...told, unrealisedPnl: null, notionalUsdc: null }, '100010')).toMatchObject({ unrealisedPnl: null, notionalUsdc: null })
})

test('an order causes trades under the name that the wallet prepares and under the executor’s name; a resting order may cause none', () => {
  const prepared = ['open_position', 'close_position_market', 'close_position_limit', 'invert_position']
  const delegated = ['open_market', 'increase', 'reduce', 'close', 'invert']
  expect([...prepared, ...delegated].filter((action) => !causesTrades(action))).toEqual([])
  expect(['create_limit', 'create_stop', 'cancel', 'replace', 'set_tp', 'isolated_manage', 'batch'].filter(causesTrades)).toEqual([])
})
