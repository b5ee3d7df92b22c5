import { expect, test } from 'vitest'
import type { Position } from '../../ipc/reads/account.ts'
import { seenPosition } from './ticket-state.ts'

const held: Position = {
  ...{ id: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: null, notionalUsdc: '-250.50', entryPrice: null, markPrice: '96000' },
  ...{ liquidationPrice: null, leverage: null, marginMode: null, marginUsdc: null, unrealisedPnl: null, takeProfit: null, stopLoss: null },
}

test('the app estimates a position’s unknown size from the position’s value and mark price', () => {
  expect(seenPosition(held)).toMatchObject({ size: null, sizeAbout: '0.00260938' })
  expect(seenPosition({ ...held, size: '0.0026' })).not.toHaveProperty('sizeAbout')
  for (const unknown of [{ notionalUsdc: null }, { markPrice: null }, { markPrice: '0' }])
    expect(seenPosition({ ...held, ...unknown })).not.toHaveProperty('sizeAbout')
})

test('the app offers no ticket for a position without an id, because no ticket could name the position', () => {
  expect([seenPosition({ ...held, id: null }), seenPosition({ ...held, id: '' })]).toEqual([null, null])
})

test('the app converts a position’s size of unknown unit to base units as if the size were in USDC, if the mark price is known', () => {
  const bare: Position = { ...held, notionalUsdc: null, rawSize: '250.50' }
  expect(seenPosition(bare)).toMatchObject({ size: null, rawSize: '250.50', sizeIfUsdc: '0.00260938' })
  expect(seenPosition({ ...bare, markPrice: null })).not.toHaveProperty('sizeIfUsdc')
  expect(seenPosition(held)).not.toHaveProperty('rawSize')
})
