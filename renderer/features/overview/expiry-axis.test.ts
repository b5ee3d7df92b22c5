import { expect, test } from 'vitest'
import { day } from '../../../shared/time.ts'
import { axisPosition, axisStops, expiryTone } from './key-expiry.tsx'

test('stretches the near days: a week takes a fifth of the axis', () => {
  const stops = axisStops(340)
  expect(axisPosition(3, stops)).toBeCloseTo(8.57, 2)
  expect(axisPosition(7, stops)).toBe(20)
  expect(axisPosition(11, stops)).toBeCloseTo(23.48, 2)
  expect(axisPosition(340, stops)).toBeCloseTo(97.3, 1)
})

test('shows a key of 2000 days on the axis', () => {
  const stops = axisStops(2000)
  expect(stops.at(-1)?.days).toBe(2000)
  expect(axisPosition(2000, stops)).toBe(100)
})

test('never leaves the axis', () => {
  expect(axisPosition(-3, axisStops(10))).toBe(0)
  expect(axisPosition(9_999, axisStops(10))).toBe(100)
})

test('shows a warning in the last two weeks and an alarm in the last week', () => {
  expect([0, 6.9, 7, 13.9, 14].map((days) => expiryTone(days * day))).toEqual(['over', 'bad', 'warn', 'warn', 'calm'])
})
