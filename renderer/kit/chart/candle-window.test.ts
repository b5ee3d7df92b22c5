import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candle } from '../../../shared/ipc/reads/markets.ts'
import { firstDifference, firstWindow, indexAt, windowFor } from './chart-data.ts'

const candle = (timeMs: number, close = '1'): Candle => ({ timeMs, open: '1', high: '1', low: '1', close, volume: null })

test('the app passes all visible candles to the chart, and a limited number of further candles on each side', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60_000 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          moves: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), width: fc.double({ min: 2, max: 2_900, noNaN: true }) }), {
            minLength: 1,
            maxLength: 30,
          }),
        }),
      ),
      ({ count, moves }) => {
        let window = firstWindow(count)
        for (const { at, width } of moves) {
          const visible = { from: at * count - width / 2, to: at * count + width / 2 }
          window = windowFor(visible, window, count)
          expect(window.from).toBeLessThanOrEqual(Math.max(0, visible.from - 700))
          expect(window.to).toBeGreaterThanOrEqual(Math.min(count, visible.to + 700))
          expect(window.from).toBeGreaterThanOrEqual(0)
          expect(window.to).toBeLessThanOrEqual(count)
          expect(windowFor(visible, window, count)).toBe(window)
          expect(window.to - window.from).toBeLessThanOrEqual(5 * 2_900 + 2)
        }
      },
    ),
  )
})

test('the chart draws the same number of candles however much candle history the app has read', () => {
  const at = (count: number) => {
    const window = windowFor({ from: count / 2, to: count / 2 + 130 }, firstWindow(count), count)
    return window.to - window.from
  }
  expect(at(50_000)).toBe(at(500_000))
  expect(at(50_000)).toBeLessThan(3_100)
})

test('the app passes the same candles to the chart again after the user scrolls only a little', () => {
  const window = windowFor({ from: 25_000, to: 25_130 }, firstWindow(50_000), 50_000)
  expect(windowFor({ from: 24_500, to: 24_630 }, window, 50_000)).toBe(window)
  expect(windowFor({ from: 24_000, to: 24_130 }, window, 50_000)).not.toBe(window)
})

test('the chart finds the first candle that opens at or after a given time', () => {
  const candles = [10, 20, 30].map((timeMs) => candle(timeMs))
  expect([0, 10, 11, 30, 31].map((timeMs) => indexAt(candles, timeMs))).toEqual([0, 0, 1, 2, 3])
})

test('the chart finds the first position at which two lists of candles differ', () => {
  const candles = [candle(1), candle(2), candle(3)]
  expect(firstDifference(candles, [candle(1), candle(2), candle(3)], 0)).toBe(3)
  expect(firstDifference(candles, [candle(1), candle(2, '5'), candle(3)], 0)).toBe(1)
  expect(firstDifference(candles, [candle(1), candle(2), candle(3), candle(4)], 0)).toBe(3)
  expect(firstDifference(candles, [candle(1)], 0)).toBe(1)
})
