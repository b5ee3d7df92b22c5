import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimals } from '../../e2e/support/fixtures/ratio.ts'
import { btc, mark, pepe } from '../../e2e/support/fixtures/ticket.ts'
import { isMultipleOf } from '../decimal.ts'
import { breakEvenInField, markInField, steppedPrice } from './typed-price.ts'

test('the app fills a price field with the mark price, rounded to a price that the market accepts [ORD-03]', () => {
  expect(markInField('96412.37', btc)).toBe('96412.5')
  expect(markInField('96412', btc)).toBe('96412.0')
  expect(markInField('0.000012', pepe)).toBe('0.00001200')
})

test('the app rounds a position’s entry price to a tick at which closing the position makes no loss [ORD-03]', () => {
  expect(breakEvenInField('96412.37', 'long', btc)).toBe('96412.5')
  expect(breakEvenInField('96412.37', 'short', btc)).toBe('96412.0')
  expect(breakEvenInField('96412.5', 'long', btc)).toBe('96412.5')
})

test('an arrow key moves the price in a price field by one tick, and a price between ticks to the next tick [ORD-03]', () => {
  expect(steppedPrice('96,412.5', 1, btc, null)).toBe('96413.0')
  expect(steppedPrice('96412.5', -10, btc, null)).toBe('96407.5')
  expect(steppedPrice('96412.3', 1, btc, null)).toBe('96412.5')
  expect(steppedPrice('96412.3', -1, btc, null)).toBe('96412.0')
  expect(steppedPrice('0.00001', 1, pepe, null)).toBe('0.00001001')
  expect(steppedPrice(' ', 1, btc, mark)).toBe('96412.5')
})

test('an arrow key does not change a price field without a price to start from, and never moves the price to zero', () => {
  expect(steppedPrice('', 1, btc, null)).toBeNull()
  expect(steppedPrice('x', 1, btc, mark)).toBeNull()
  expect(steppedPrice('0.5', -1, btc, mark)).toBeNull()
  expect(steppedPrice('0.2', -1, btc, mark)).toBeNull()
})

test('an arrow key always moves the price in a price field to a tick, for any content of the field [ORD-03]', () => {
  fc.assert(
    fc.property(decimals(200_000n, 4), fc.constantFrom(-10, -1, 1, 10), (typed, steps) => {
      const next = steppedPrice(typed, steps, btc, mark)
      if (next !== null) expect(isMultipleOf(next, '0.5')).toBe(true)
    }),
  )
})
