import { expect, test } from 'vitest'
import { returnOn } from './navigation.tsx'

const position = { entryPrice: '100', leverage: '10', side: 'long' } as const

test('the app computes a position’s return as the price change times the leverage, with the sign of the position’s side', () => {
  expect(returnOn(position, '101')).toBe('10')
  expect(returnOn({ ...position, side: 'short' }, '101')).toBe('-10')
})

test('the app shows no return of a position, rather than 0, if the mark price, entry price or leverage is missing [ERR-02]', () => {
  expect(returnOn(position, null)).toBeNull()
  expect(returnOn({ ...position, entryPrice: null }, '101')).toBeNull()
  expect(returnOn({ ...position, leverage: null }, '101')).toBeNull()
})
