import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDecimal } from '../../../shared/decimal.ts'
import { percentText, shareOf, unitsOf, unitsText } from './book-rows.ts'

test('the order book formats numbers as the decimal library does, with the same rounding and grouping of digits', () => {
  const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.bigInt({ min: 0n, max: 10n ** 9n - 1n }), fc.integer({ min: 0, max: 12 }), fc.boolean())
  fc.assert(
    fc.property(digits, ([whole, part, decimals, grouped]) => {
      const value = `${whole}.${part.toString().padStart(9, '0')}`
      expect(unitsText(unitsOf(value), decimals, grouped)).toBe(formatDecimal(value, { decimals, grouped }))
    }),
  )
})

test('the order book shows a depth share of 0 if the total is zero, and no percentage relative to a price of zero', () => {
  expect([shareOf(5n, 0n), shareOf(1n, 4n), percentText(1n, 0n), percentText(unitsOf('0.5'), unitsOf('96412.5'))]).toEqual([0, 0.25, null, '0.001'])
})
