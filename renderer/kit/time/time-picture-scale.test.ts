import { expect, test } from 'vitest'
import { day, hour, minute } from '../../../shared/time.ts'
import { linePath, nearest, place, roundTicks, scaleOf, timeTicks } from './time-picture.tsx'

const at = Date.UTC(2026, 10, 18)
const utc = () => 0

test('a chart labels its axis at round values between its lowest and highest value', () => {
  expect(roundTicks(0, 10, 4)).toEqual([0, 2.5, 5, 7.5, 10])
  expect(roundTicks(-0.012, 0.021, 4).map((tick) => tick.toFixed(2))).toEqual(['-0.01', '0.00', '0.01', '0.02'])
  expect(roundTicks(95_800, 96_900, 4)).toEqual([96_000, 96_500])
})

test('a chart’s scale covers all points and, on request, zero; if all points have the same time, there is no chart', () => {
  const points = [3, 5, 4].map((value, index) => ({ atMs: at + index * hour, value }))
  const scale = scaleOf(points, false)
  expect(scale).toMatchObject({ fromMs: at, toMs: at + 2 * hour })
  expect(scale?.low).toBeLessThan(3)
  expect(scale?.low).toBeGreaterThan(2.5)
  expect(scale?.high).toBeGreaterThan(5)
  expect(scaleOf(points, true)?.low).toBeLessThan(0)
  expect(scaleOf(points.slice(0, 1), false)).toBe(null)
  expect(scaleOf([], false)).toBe(null)
  const flat = scaleOf(
    [0, 0].map((value, index) => ({ atMs: at + index, value })),
    false,
  )
  expect([flat?.low, flat?.high]).toEqual([-1, 1])
})

test('a chart labels its time axis with round times, and with no more labels than fit', () => {
  expect(timeTicks(at + minute, at + 24 * hour, utc)).toEqual([4, 8, 12, 16, 20].map((hours) => at + hours * hour))
  for (const span of [3 * minute, 50 * minute, 3 * day, 90 * day, 900 * day]) {
    const ticks = timeTicks(at, at + span, utc)
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.length).toBeLessThanOrEqual(8)
  }
})

test('a chart labels times that are round in the chosen time zone, even if the zone’s clocks change within the chart', () => {
  // Berlin goes from UTC+2 to UTC+1 on 25 October at 01:00 UTC.
  const change = Date.UTC(2026, 9, 25, 1)
  const berlin = (ms: number) => (ms < change ? 2 : 1) * hour
  const ticks = timeTicks(change - 12 * hour, change + 12 * hour, berlin)
  expect(ticks.map((tick) => ((tick + berlin(tick)) / hour) % 24)).toEqual([20, 0, 4, 8, 12])
  // Kathmandu's offset is not a whole number of hours: UTC+5:45.
  expect(timeTicks(at, at + 24 * hour, () => 5.75 * hour).map((tick) => (tick - at) / hour)).toEqual([2.25, 6.25, 10.25, 14.25, 18.25, 22.25])
})

test('a chart places points in percent of its size, and draws a stepped line first sideways, then up or down', () => {
  const scale = { fromMs: 0, toMs: 10, low: 0, high: 10, ticks: [] }
  const points = [
    { atMs: 0, value: 0 },
    { atMs: 5, value: 10 },
  ]
  expect(points.map((point) => place(scale, point))).toEqual([
    { x: 0, y: 100 },
    { x: 50, y: 0 },
  ])
  expect(linePath(scale, points, false)).toBe('M0.000 100.000L50.000 0.000')
  expect(linePath(scale, points, true)).toBe('M0.000 100.000H50.000V0.000')
})

test('a chart finds the point closest to a given time, even before the first point or after the last point', () => {
  const points = [0, 10, 20, 40].map((atMs) => ({ atMs, value: 1 }))
  expect([-5, 4, 6, 29, 31, 99].map((atMs) => nearest(points, atMs))).toEqual([0, 0, 1, 2, 3, 3])
})
