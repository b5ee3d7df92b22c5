import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ceiling, decimals, floor, isSame, over, ratio, times, unit, whole } from '../../e2e/support/fixtures/ratio.ts'
import { btc, mark } from '../../e2e/support/fixtures/ticket.ts'
import { formIssueText } from '../text/form-text.ts'
import { baseOfValue, marginOf, readSize, type SizeFacts, type SizeUnit } from './order-size.ts'

const facts: SizeFacts = { entry: mark, leverage: 10, freeMargin: '37189.19', market: btc }
const size = (typed: string, unitOf: SizeUnit, change: Partial<SizeFacts> = {}) => {
  const read = readSize(typed, unitOf, { ...facts, ...change })
  return read.ok ? read.value : formIssueText(read.failure)
}

test('the order form accepts a size in USDC, in base units or as a share of the free margin [ORD-04]', () => {
  expect(size('25,000.00', 'usdc')).toBe('25000')
  expect(size('0.2593', 'base')).toBe('24999.76125')
  expect(size('25', 'free_margin')).toBe('92972.97')
  expect(size('100', 'free_margin', { leverage: 1 })).toBe('37189.19')
})

test.each<[string, SizeUnit, Partial<SizeFacts>, string]>([
  ['x', 'usdc', {}, 'Type an amount in USDC.'],
  ['', 'base', {}, 'Type an amount in BTC.'],
  ['0', 'base', {}, 'Enter a number above zero.'],
  ['0.00001', 'base', {}, 'BTC-PERP sizes have at most 4 decimals.'],
  ['1', 'base', { entry: null }, 'An amount in BTC needs a price first.'],
  ['half', 'free_margin', {}, 'Type a percentage of your free margin.'],
  ['0', 'free_margin', {}, 'Enter more than 0% and at most 100% of your free margin.'],
  ['100.1', 'free_margin', {}, 'Enter more than 0% and at most 100% of your free margin.'],
  ['50', 'free_margin', { freeMargin: null }, 'Your free margin is unknown.'],
  ['50', 'free_margin', { freeMargin: '-3' }, 'You have no free margin.'],
  ['50', 'free_margin', { leverage: null }, 'Enter the leverage first.'],
])('the order ticket explains what is wrong or missing if the size is “%s” in the unit %s', (typed, of, change, sentence) => {
  expect(size(typed, of, change)).toBe(sentence)
})

const price = decimals(1_000_000n, 8)
const leverage = fc.integer({ min: 1, max: 1_000 })

test('the app computes order sizes exactly, and rounds the sizes down, never up [ORD-04]', () => {
  fc.assert(
    fc.property(decimals(10_000n, 8), price, (base, entry) => {
      const value = size(base, 'base', { entry, market: { ...btc, sizeDecimals: 8 } })
      expect(isSame(ratio(value), times(whole(floor(over(times(ratio(base), ratio(entry)), unit(6)))), unit(6)))).toBe(true)
    }),
  )
  fc.assert(
    fc.property(decimals(100n, 4), decimals(10_000_000n, 6), leverage, (percent, freeMargin, times10) => {
      fc.pre(!percent.startsWith('100.'))
      const value = size(percent, 'free_margin', { freeMargin, leverage: times10 })
      const exact = over(times(ratio(freeMargin), whole(BigInt(times10)), ratio(percent)), whole(100n))
      expect(isSame(ratio(value), times(whole(floor(over(exact, unit(2)))), unit(2)))).toBe(true)
    }),
  )
})

test('the order form rounds the shown margin up and the shown base size down, so that neither looks better than it is [ORD-04]', () => {
  fc.assert(
    fc.property(decimals(1_000_000n, 6), leverage, price, fc.integer({ min: 0, max: 8 }), (value, by, entry, sizeDecimals) => {
      expect(isSame(ratio(marginOf(value, by)), times(whole(ceiling(over(over(ratio(value), whole(BigInt(by))), unit(6)))), unit(6)))).toBe(true)
      const base = floor(over(over(ratio(value), ratio(entry)), unit(sizeDecimals)))
      expect(isSame(ratio(baseOfValue(value, entry, { sizeDecimals })), times(whole(base), unit(sizeDecimals)))).toBe(true)
    }),
  )
})
