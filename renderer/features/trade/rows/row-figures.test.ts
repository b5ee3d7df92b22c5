import { expect, test } from 'vitest'
import type { Position } from '../../../../shared/ipc/reads/account.ts'
import { freeAfter, liquidationWith, partInUnit, shareLeft } from './row-subjects.ts'

const position: Position = {
  ...{ id: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '2', notionalUsdc: '200', entryPrice: '100', markPrice: '100' },
  ...{ liquidationPrice: '82', leverage: '5', marginMode: 'isolated', marginUsdc: '40', unrealisedPnl: '0', takeProfit: null, stopLoss: null },
}

test('the app estimates that more margin moves a position’s liquidation price further away, and less margin moves it nearer', () => {
  // This long is worth 200 USDC. Its liquidation price is proportional to 200 minus the margin: 82 at 40 margin, so 82 × 140 / 160 at 60 margin.
  expect(liquidationWith(position, '60')).toBe('71.75')
  expect(liquidationWith(position, '24')).toBe('90.2')
  const short = { ...position, side: 'short', liquidationPrice: '118' } as const
  expect(liquidationWith(short, '60')).toBe('127.83333333')
  expect(liquidationWith(position, '40')).toBe('82')
})

test.each(['size', 'entryPrice', 'marginUsdc', 'liquidationPrice'] as const)('the app shows no liquidation price without %s', (missing) => {
  expect(liquidationWith({ ...position, [missing]: null }, '60')).toBe(null)
})

test('the app shows no liquidation price for a position whose margin covers its whole value', () => {
  expect(liquidationWith(position, '200')).toBe(null)
  expect(liquidationWith(position, null)).toBe(null)
})

test('when part of a position is closed, its margin shrinks in proportion to that part', () => {
  expect(shareLeft('40', '0.5', '2')).toBe('10')
  expect(shareLeft('40', '0', '2')).toBe('0')
  expect(shareLeft(null, '0', null)).toBe('0')
  expect(shareLeft('40', null, '2')).toBe(null)
})

test('the app subtracts margin that the user adds to a position from the free margin, and adds removed margin to the free margin', () => {
  expect(freeAfter('100', '40', '60')).toBe('80')
  expect(freeAfter('100', '40', '10')).toBe('130')
  expect(freeAfter(null, '40', '10')).toBe(null)
})

test('the app converts the share of a position to close from percent to base units and back, rounded down to the market’s step', () => {
  expect(partInUnit('50', 'base', '0.00249', { sizeDecimals: 4 })).toBe('0.0012')
  expect(partInUnit('0.5', 'percent', '2', { sizeDecimals: 4 })).toBe('25')
  expect(partInUnit('', 'percent', '2', { sizeDecimals: 4 })).toBe('100')
  expect(partInUnit('50', 'base', null, { sizeDecimals: 4 })).toBe('')
})
