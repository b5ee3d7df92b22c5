import { expect, test } from 'vitest'
import type { Candle } from '../../../shared/ipc/reads/markets.ts'
import { minute } from '../../../shared/time.ts'
import { intervalMs, orderCandles, toBar, toVolume, untilClose, withMark } from './chart-data.ts'

const candle = (timeMs: number, close: string, volume: string | null = '3.5'): Candle => ({ timeMs, open: '100', high: '101.5', low: '99', close, volume })

test('the chart sorts candles by time, and keeps the one received last of two candles with the same time [MKT-03]', () => {
  expect(orderCandles([candle(60_000, '1'), candle(0, '2'), candle(60_000, '3')]).map((one) => [one.timeMs, one.close])).toEqual([
    [0, '2'],
    [60_000, '3'],
  ])
})

test('the chart moves the last candle’s close to the latest mark price, and its high or low if the mark price lies outside', () => {
  const [moved] = withMark([candle(0, '100.2')], '102.25', 30_000, minute)
  expect(moved).toEqual({ ...candle(0, '102.25'), high: '102.25' })
  const [fell] = withMark([candle(0, '100.2')], '98', 30_000, minute)
  expect(fell).toMatchObject({ close: '98', low: '98', high: '101.5' })
})

test('if the mark price belongs to the next interval, the chart starts a candle that opens at the last close', () => {
  const after = withMark([candle(0, '100.2')], '99.5', 2 * minute + 1, minute)
  expect(after).toHaveLength(2)
  expect(after[1]).toEqual({ timeMs: 2 * minute, open: '100.2', high: '100.2', low: '99.5', close: '99.5', volume: null })
})

test('the chart leaves the candles unchanged without a mark price or with an older one, and adds no candle to an empty list', () => {
  const candles = [candle(minute, '100')]
  expect(withMark(candles, null, minute, minute)).toBe(candles)
  expect(withMark(candles, '5', minute - 1, minute)).toBe(candles)
  expect(withMark([], '5', minute, minute)).toEqual([])
})

test('the app passes times to the chart in Unix seconds, and marks volume as belonging to a rising or falling candle', () => {
  expect(toBar(candle(1_700_000_000_000, '100.5'))).toEqual({ time: 1_700_000_000, open: 100, high: 101.5, low: 99, close: 100.5 })
  expect([toVolume(candle(0, '100')).up, toVolume(candle(0, '99.9')).up, toVolume(candle(0, '1', null)).value]).toEqual([true, false, 0])
})

test('the chart counts down to the close of the current candle, even if the last candle read is one interval older', () => {
  expect(untilClose(0, intervalMs('15m'), 2 * minute)).toBe(13 * minute)
  expect(untilClose(0, minute, 90_000)).toBe(30_000)
})
