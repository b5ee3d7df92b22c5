import { expect, test } from 'vitest'
import { returnOn } from './navigation.tsx'

const position = { entryPrice: '100', leverage: '10', side: 'long' } as const

test('the return is the price change times the leverage, with the sign of the side', () => {
  expect(returnOn(position, '101')).toBe('10')
  expect(returnOn({ ...position, side: 'short' }, '101')).toBe('-10')
})

test('without a mark, an entry or a leverage there is no return, never one of 0 [ERR-02]', () => {
  expect(returnOn(position, null)).toBeNull()
  expect(returnOn({ ...position, entryPrice: null }, '101')).toBeNull()
  expect(returnOn({ ...position, leverage: null }, '101')).toBeNull()
})
