import { expect, test } from 'vitest'
import { clockDifferenceText, isClockFar } from './clock-difference.ts'

test.each([
  [600_240, '10 min behind'],
  [-599_700, '10 min ahead of'],
  [41_300, '41 s behind'],
  [-95_000, '1 min 35 s ahead of'],
  [5_400_000, '1 h 30 min behind'],
])('tells an offset of %i ms as "%s"', (offsetMs, text) => expect(clockDifferenceText(offsetMs)).toBe(text))

test('calls a clock far off from half a minute, in either direction', () => {
  expect([0, 30_000, -30_000, 30_001, -30_001].map(isClockFar)).toEqual([false, false, false, true, true])
})
