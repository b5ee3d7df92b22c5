import { expect, test } from 'vitest'
import { day } from '../../../shared/time.ts'
import { axisPosition, axisStops, expiryTone } from './key-expiry.tsx'

test('the overview’s expiry axis gives the near days more room: the next week takes a fifth of the axis', () => {
  const stops = axisStops(340)
  expect(axisPosition(3, stops)).toBeCloseTo(8.57, 2)
  expect(axisPosition(7, stops)).toBe(20)
  expect(axisPosition(11, stops)).toBeCloseTo(23.48, 2)
  expect(axisPosition(340, stops)).toBeCloseTo(97.3, 1)
})

test('the overview’s expiry axis shows a key that expires in 2000 days', () => {
  const stops = axisStops(2000)
  expect(stops.at(-1)?.days).toBe(2000)
  expect(axisPosition(2000, stops)).toBe(100)
})

test('the overview’s expiry axis places no key outside the axis', () => {
  expect(axisPosition(-3, axisStops(10))).toBe(0)
  expect(axisPosition(9_999, axisStops(10))).toBe(100)
})

test('the overview shows a warning when a key expires within two weeks, and an alarm within one week', () => {
  expect([0, 6.9, 7, 13.9, 14].map((days) => expiryTone(days * day))).toEqual(['over', 'bad', 'warn', 'warn', 'calm'])
})
