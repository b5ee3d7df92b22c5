import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ceiling, decimals, floor, isBelow, isSame, minus, over, plus, ratio, times, whole } from '../../e2e/support/fixtures/ratio.ts'
import { btc, mark, pepe } from '../../e2e/support/fixtures/ticket.ts'
import { formIssueText } from '../text/form-text.ts'
import { type ExitBy, type ExitFacts, type ExitKind, profitAt, readExit } from './typed-price.ts'

const long: ExitFacts = { side: 'long', entry: mark, orderValueUsdc: '25000', market: btc }
const short: ExitFacts = { ...long, side: 'short' }
const exit = (kind: ExitKind, typed: string, by: ExitBy, facts: ExitFacts) => {
  const read = readExit(kind, typed, by, facts)
  return read.ok ? read.value : formIssueText(read.failure)
}

test('the app accepts a TP or SL as a price, as a distance in percent or as a profit [ORD-03]', () => {
  expect(exit('takeProfit', '98,500.0', 'price', long)).toBe('98500')
  expect(exit('takeProfit', '2', 'percent', long)).toBe('98341')
  expect(exit('stopLoss', '2', 'percent', long)).toBe('94484.5')
  expect(exit('takeProfit', '2', 'percent', short)).toBe('94484')
  expect(exit('stopLoss', '2', 'percent', short)).toBe('98340.5')
  expect(exit('takeProfit', '500', 'profit', long)).toBe('98341')
  expect(exit('stopLoss', '500', 'profit', short)).toBe('98340.5')
})

test.each<[ExitKind, string, ExitBy, ExitFacts, string]>([
  ['takeProfit', 'x', 'price', long, 'Type a price.'],
  ['takeProfit', '', 'percent', long, 'Type the distance from the price in percent.'],
  ['takeProfit', '-2', 'percent', long, 'Enter a number above zero.'],
  ['stopLoss', 'x', 'profit', long, 'Type an amount in USDC.'],
  ['stopLoss', '0', 'profit', long, 'Enter a number above zero.'],
  ['stopLoss', '5', 'profit', { ...long, orderValueUsdc: null }, 'Enter the order value first.'],
  ['stopLoss', '100', 'percent', long, 'The price cannot fall by 100% or more.'],
  ['stopLoss', '25000', 'profit', long, 'The loss must be less than the order value.'],
  ['takeProfit', '25000', 'profit', short, 'The profit must be less than the order value.'],
  ['takeProfit', '99.9999', 'percent', short, 'No price of BTC-PERP is that low.'],
])('the order ticket explains why the %s “%s”, typed as a %s, is invalid', (kind, typed, by, facts, sentence) => {
  expect(exit(kind, typed, by, facts)).toBe(sentence)
})

test('the app rounds a calculated TP or SL to the market’s price decimals if the market has no tick size', () => {
  expect(exit('takeProfit', '10', 'percent', { side: 'long', entry: '0.00001234', orderValueUsdc: '100', market: pepe })).toBe('0.00001358')
})

test('the app rounds TP and SL to a price step at which the user earns at least, or loses at most, the typed amount [ORD-03] [ORD-04]', () => {
  fc.assert(
    fc.property(
      fc.record({
        kind: fc.constantFrom<ExitKind>('takeProfit', 'stopLoss'),
        by: fc.constantFrom<ExitBy>('percent', 'profit'),
        side: fc.constantFrom('long' as const, 'short' as const),
        entry: decimals(200_000n, 8),
        value: decimals(1_000_000n, 6),
        typed: decimals(150n, 4),
        tick: fc.constantFrom('0.5', '0.01', '0.000025', '10', '0.00000001'),
      }),
      ({ kind, by, side, entry, value, typed, tick }) => {
        const read = readExit(kind, typed, by, { side, entry, orderValueUsdc: value, market: { ...btc, tickSize: tick } })
        const all = by === 'percent' ? whole(100n) : ratio(value)
        const rises = (kind === 'takeProfit') === (side === 'long')
        const moved = rises ? plus(all, ratio(typed)) : minus(all, ratio(typed))
        const steps = over(over(times(ratio(entry), moved), all), ratio(tick))
        const wanted = side === 'long' ? ceiling(steps) : floor(steps)
        if (moved.top <= 0n || wanted <= 0n) {
          expect(read.ok).toBe(false)
          return
        }
        if (!read.ok) throw new Error(formIssueText(read.failure))
        expect(isSame(ratio(read.value), times(whole(wanted), ratio(tick)))).toBe(true)
        // The profit or loss if the position closes at the returned price.
        const brings = over(times(ratio(value), minus(ratio(read.value), ratio(entry))), ratio(entry))
        const gain = side === 'long' ? brings : { top: -brings.top, bottom: brings.bottom }
        const meant = by === 'profit' ? ratio(typed) : over(times(ratio(value), ratio(typed)), whole(100n))
        expect(isBelow(gain, kind === 'takeProfit' ? meant : { top: -meant.top, bottom: meant.bottom })).toBe(false)
      },
    ),
    { numRuns: 500 },
  )
})

test('the app calculates the profit or loss at a TP or SL price to the cent, with its sign', () => {
  expect(profitAt('98500', { side: 'long', entry: mark, orderValueUsdc: '25000' })).toBe('541.29')
  expect(profitAt('98500', { side: 'short', entry: mark, orderValueUsdc: '25000' })).toBe('-541.29')
})
