import { expect, test } from 'vitest'
import { timeAxis } from './time-axis.ts'

const t0 = Date.UTC(2026, 10, 18, 14, 31, 40)
const at = (s: number, lasts = 0) => ({ fromMs: t0 + s * 1_000, toMs: t0 + (s + lasts) * 1_000 })

test('the receiver lab’s time axis shows events that are close together on one even axis with round steps', () => {
  const { place, ticks } = timeAxis([at(0.5), at(2, 4), at(22)], 392)
  expect(ticks[0]).toEqual({ at: 0, label: '14:31:40', fold: false })
  expect(ticks.map(({ label }) => label)).toEqual(['14:31:40', null, '+8 s', '+12 s', '+16 s', '+20 s'])
  expect(place(t0 + 11_000)).toBeCloseTo(48, 5)
  expect(place(t0 + 22_000)).toBeCloseTo(96, 5)
})

test('the receiver lab’s time axis, when narrow, drops overlapping time labels but keeps their lines', () => {
  const { ticks } = timeAxis([at(0), at(22)], 200)
  expect(ticks.map(({ label }) => label)).toEqual(['14:31:40', null, null, '+12 s', null, '+20 s'])
})

test('the receiver lab’s time axis folds a long period without events, so that the events before and after it stay visible', () => {
  const { place, ticks } = timeAxis([at(0), at(8), at(7_200), at(7_208)], 392)
  expect(ticks.filter(({ fold }) => fold)).toHaveLength(1)
  const [a, b, c, d] = [0, 8, 7_200, 7_208].map((s) => place(t0 + s * 1_000))
  expect([a, b, c, d]).toEqual([a, b, c, d].toSorted((one, other) => Number(one) - Number(other)))
  expect(Number(b) - Number(a)).toBeGreaterThan(20)
  expect(Number(d) - Number(c)).toBeGreaterThan(20)
  expect(ticks.filter(({ label }) => label?.includes(':')).map(({ label }) => label)).toEqual(['14:31:40', '16:31:40'])
})

test('the receiver lab draws a time axis for no events, for a single event, and for events that are hours apart', () => {
  expect(timeAxis([], 392).ticks.length).toBeGreaterThan(0)
  expect(timeAxis([at(3)], 392).place(t0 + 3_000)).toBeLessThan(50)
  const far = Array.from({ length: 12 }, (_, index) => at(index * 3_600))
  const { place } = timeAxis(far, 392)
  const places = far.map(({ fromMs }) => place(fromMs))
  for (const [index, one] of places.entries()) expect(one).toBeGreaterThan(index === 0 ? -1 : Number(places[index - 1]) + 1)
  expect(Math.max(...places)).toBeLessThan(100)
})
