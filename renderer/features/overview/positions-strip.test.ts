import { expect, test } from 'vitest'
import { toLiquidation } from './overview-page.tsx'

test('says how far the mark is from liquidation, whichever way that lies', () => {
  expect(toLiquidation({ markPrice: '96412.5', liquidationPrice: '87240.5' })).toBe('9.5')
  expect(toLiquidation({ markPrice: '3284.15', liquidationPrice: '3890.60' })).toBe('18.5')
})

test('an unknown price gives no distance, never 0 [ERR-02]', () => {
  expect(toLiquidation({ markPrice: null, liquidationPrice: '1' })).toBeNull()
  expect(toLiquidation({ markPrice: '1', liquidationPrice: null })).toBeNull()
})
