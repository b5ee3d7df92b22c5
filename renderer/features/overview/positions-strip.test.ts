import { expect, test } from 'vitest'
import { toLiquidation } from './overview-page.tsx'

test('the overview shows a position’s distance from mark price to liquidation price, for longs and shorts', () => {
  expect(toLiquidation({ markPrice: '96412.5', liquidationPrice: '87240.5' })).toBe('9.5')
  expect(toLiquidation({ markPrice: '3284.15', liquidationPrice: '3890.60' })).toBe('18.5')
})

test('the overview shows no distance to liquidation, rather than 0, if a price is unknown [ERR-02]', () => {
  expect(toLiquidation({ markPrice: null, liquidationPrice: '1' })).toBeNull()
  expect(toLiquidation({ markPrice: '1', liquidationPrice: null })).toBeNull()
})
