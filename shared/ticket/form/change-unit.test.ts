import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimals } from '../../../e2e/support/fixtures/ratio.ts'
import { btc, mark, pepe } from '../../../e2e/support/fixtures/ticket.ts'
import { add, compare, divide, multiply, subtract } from '../../decimal.ts'
import { formIssueText } from '../../text/form-text.ts'
import { readSize, type SizeFacts, type SizeUnit } from '../order-size.ts'
import { type ExitBy, type ExitFacts, type ExitKind, readExit } from '../typed-price.ts'
import { exitBy, sizeInUnit } from './ticket-state.ts'

const facts: SizeFacts = { entry: mark, leverage: 10, freeMargin: '10000', market: btc }
const units = ['usdc', 'base', 'free_margin'] as const satisfies readonly SizeUnit[]

test('the order ticket converts a typed size to another unit without changing the order, except for rounding down [ORD-04]', () => {
  expect(sizeInUnit('25,000', 'usdc', 'base', facts)).toBe('0.2593')
  expect(sizeInUnit('25000', 'usdc', 'free_margin', facts)).toBe('25')
  expect(sizeInUnit('0.2593', 'base', 'usdc', facts)).toBe('24999.76')
  expect(sizeInUnit('25', 'free_margin', 'usdc', facts)).toBe('25000')
  expect(sizeInUnit('25', 'free_margin', 'base', facts)).toBe('0.2593')
  expect(sizeInUnit('25,000.00', 'usdc', 'usdc', facts)).toBe('25,000.00')
})

test('the order ticket empties a size that cannot be converted to the new unit, because the same digits would mean a different order', () => {
  expect(sizeInUnit('250', 'usdc', 'base', { ...facts, entry: null })).toBe('')
  expect(sizeInUnit('250', 'usdc', 'free_margin', { ...facts, freeMargin: null })).toBe('')
  expect(sizeInUnit('250', 'usdc', 'free_margin', { ...facts, leverage: null })).toBe('')
  expect(sizeInUnit('1', 'usdc', 'base', facts)).toBe('')
  for (const typed of ['', 'x', '1e']) for (const to of ['base', 'free_margin'] as const) expect(sizeInUnit(typed, 'usdc', to, facts)).toBe('')
  expect(sizeInUnit('0.001', 'base', 'usdc', { ...facts, entry: '1', market: pepe })).toBe('')
})

test('the order ticket never increases a size when converting it to another unit, and decreases it by less than one step [ORD-04]', () => {
  const steps: Readonly<Record<SizeUnit, string>> = { usdc: '0.01', base: multiply('0.0001', mark), free_margin: multiply('0.0001', multiply('10000', '10')) }
  fc.assert(
    fc.property(decimals(90_000n, 6), fc.constantFrom(...units), fc.constantFrom(...units), (typed, from, to) => {
      const before = readSize(typed, from, facts)
      const told = sizeInUnit(typed, from, to, facts)
      if (!before.ok || told === '') return
      const after = readSize(told, to, facts)
      // As a percentage of the free margin, the size may exceed 100 %. The field shows this percentage, and the form refuses it.
      if (!after.ok) {
        expect([to, compare(told, '100')]).toEqual(['free_margin', 1])
        return
      }
      expect(compare(after.value, before.value)).toBeLessThanOrEqual(0)
      // Allow a millionth more than one step, because order values are rounded to 6 decimals.
      expect(compare(subtract(before.value, after.value), add(steps[to], '0.000001'))).toBeLessThanOrEqual(0)
    }),
    { numRuns: 300 },
  )
})

const exitFacts: ExitFacts = { side: 'long', entry: mark, orderValueUsdc: '25000', market: btc }
const ways = ['price', 'percent', 'profit'] as const satisfies readonly ExitBy[]

test('the order ticket converts a TP or SL between price, percent and profit, and writes percent and profit with two decimals [ORD-03]', () => {
  expect(exitBy('takeProfit', '98500', 'price', 'percent', exitFacts)).toBe('2.17')
  expect(exitBy('takeProfit', '98500', 'price', 'profit', exitFacts)).toBe('541.29')
  expect(exitBy('stopLoss', '94300', 'price', 'profit', exitFacts)).toBe('547.78')
  expect(exitBy('stopLoss', '2', 'percent', 'price', exitFacts)).toBe('94484.5')
  expect(exitBy('stopLoss', '2', 'percent', 'percent', exitFacts)).toBe('2')
  expect(exitBy('takeProfit', '94300', 'price', 'percent', { ...exitFacts, side: 'short' })).toBe('2.19')
})

test('the order ticket empties a TP or SL on the wrong side of the price, or one that it cannot convert to the new unit', () => {
  expect(exitBy('takeProfit', '94300', 'price', 'percent', exitFacts)).toBe('')
  expect(exitBy('stopLoss', '98500', 'price', 'profit', exitFacts)).toBe('')
  expect(exitBy('takeProfit', '98500', 'price', 'profit', { ...exitFacts, orderValueUsdc: null })).toBe('')
  expect(exitBy('takeProfit', 'x', 'price', 'percent', exitFacts)).toBe('')
  expect(exitBy('takeProfit', mark, 'price', 'percent', exitFacts)).toBe('')
})

test('the order ticket keeps a TP or SL within 0.01 % and on the same side when the user switches between price, percent and profit [ORD-03]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<ExitKind>('takeProfit', 'stopLoss'),
      fc.constantFrom<'long' | 'short'>('long', 'short'),
      decimals(90n, 2),
      fc.constantFrom(...ways),
      (kind, side, percent, to) => {
        const of = { ...exitFacts, side }
        const before = readExit(kind, percent, 'percent', of)
        const told = exitBy(kind, percent, 'percent', to, of)
        if (!before.ok || told === '') return
        const after = readExit(kind, told, to, of)
        if (!after.ok) throw new Error(formIssueText(after.failure))
        const apart = subtract(after.value, before.value).replace('-', '')
        expect(compare(apart, add(divide(mark, '10000', 8), '0.5'))).toBeLessThanOrEqual(0)
        expect(compare(after.value, mark)).toBe(compare(before.value, mark))
      },
    ),
    { numRuns: 300 },
  )
})
