import { expect, test } from 'vitest'
import { clockDistanceText, isClockFar } from './attention.ts'

test.each([
  [600_240, '10 min'],
  [-599_700, '10 min'],
  [41_300, '41 s'],
  [-95_000, '1 min 35 s'],
  [5_400_000, '1 h 30 min'],
])('the app describes a clock that is off by %i ms as “%s”', (offsetMs, text) => expect(clockDistanceText(offsetMs)).toBe(text))

test('the app reports the computer’s clock as wrong if it differs from the service’s by more than half a minute in either direction', () => {
  expect([0, 30_000, -30_000, 30_001, -30_001].map(isClockFar)).toEqual([false, false, false, true, true])
})
