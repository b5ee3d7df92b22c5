import { expect, test } from 'vitest'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { choicesAmong, everyPosition, filterPositions, narrowsPositions, symbolOf } from './positions-tab.tsx'

const position = (id: string, change: Partial<Position>): Position => ({
  id,
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  size: '1',
  notionalUsdc: null,
  entryPrice: null,
  markPrice: null,
  liquidationPrice: null,
  leverage: null,
  marginMode: 'cross',
  marginUsdc: null,
  unrealisedPnl: null,
  takeProfit: null,
  stopLoss: null,
  ...change,
})
const eth: Market = {
  id: 2,
  symbol: 'ETH-PERP',
  base: 'ETH',
  status: null,
  priceDecimals: null,
  sizeDecimals: null,
  tickSize: null,
  minOrderUsdc: null,
  maxOrderUsdc: null,
  maxLeverage: null,
  unknownFields: null,
}
const positions = [position('a', {}), position('b', { side: 'short', marginMode: 'isolated' }), position('c', { pairId: 2, symbol: null, marginMode: null })]
const shown = (filter: Partial<typeof everyPosition>) => filterPositions(positions, [eth], { ...everyPosition, ...filter }).map(({ id }) => id)

test('the list of positions filters by market, side and margin mode, alone and combined [ACC-01]', () => {
  expect(shown({})).toEqual(['a', 'b', 'c'])
  expect(shown({ symbol: 'BTC-PERP' })).toEqual(['a', 'b'])
  expect(shown({ side: 'long' })).toEqual(['a', 'c'])
  expect(shown({ marginMode: 'isolated' })).toEqual(['b'])
  expect(shown({ symbol: 'BTC-PERP', side: 'long', marginMode: 'isolated' })).toEqual([])
  expect([narrowsPositions(everyPosition), narrowsPositions({ ...everyPosition, side: 'short' })]).toEqual([false, true])
})

test('the position filter finds a position without a market name by the market list’s name, and offers only margin modes that positions have [ERR-02]', () => {
  expect(shown({ symbol: 'ETH-PERP' })).toEqual(['c'])
  expect(symbolOf(position('d', { pairId: 9, symbol: null }), [eth])).toBe('Market 9')
  expect(choicesAmong(positions.map(({ marginMode }) => marginMode))).toEqual(['cross', 'isolated'])
})
