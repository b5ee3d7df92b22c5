import { expect, test } from 'vitest'
import { exitPrice } from './positions.ts'

const nothing = { size: null, notionalUsdc: null, entryPrice: null, markPrice: null, unrealisedPnl: null }
const held = { ...nothing, side: 'long', size: '0.5' } as const

test('the app uses the newest mark price as a position’s exit price, or otherwise the mark price that the position states', () => {
  const position = { ...held, markPrice: '64000', notionalUsdc: '1' }
  expect(exitPrice(position, { mark: '65000', index: '1' })).toBe('65000')
  expect(exitPrice(position, { mark: null, index: '1' })).toBe('64000')
  expect(exitPrice(position, null)).toBe('64000')
})

test('the app derives a position’s exit price without a mark price from its size, notional and profit, or else uses the index price', () => {
  expect(exitPrice({ ...held, notionalUsdc: '32000' }, { mark: null, index: '61234' })).toBe('64000')
  expect(exitPrice({ ...held, entryPrice: '60000', unrealisedPnl: '-500' }, null)).toBe('59000')
  expect(exitPrice({ ...held, side: 'short', entryPrice: '60000', unrealisedPnl: '-500' }, null)).toBe('61000')
  expect(exitPrice({ ...held, entryPrice: '60000' }, { mark: null, index: '61234' })).toBe('61234')
})

test('the app returns no exit price for a position with impossible figures, or with too few figures to derive one', () => {
  expect(exitPrice({ ...held, entryPrice: '60000' }, null)).toBeNull()
  expect(exitPrice({ ...held, size: '0', notionalUsdc: '32000' }, { mark: '0', index: '-1' })).toBeNull()
  expect(exitPrice({ ...held, entryPrice: '100', unrealisedPnl: '-500' }, null)).toBeNull()
})
