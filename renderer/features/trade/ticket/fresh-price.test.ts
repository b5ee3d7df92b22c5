import { expect, test } from 'vitest'
import { isStillBefore } from '../../../kit/time/time.tsx'
import { freshUntil } from './ticket-model.ts'

const nowMs = 1_790_000_000_000

test('the ticket allows a market order only at a known price, until the price is more than 8 s old [ORD-02]', () => {
  const made = (atMs: number | null, mark: string | null = '96000') => ({ mark, priceAtMs: atMs })
  expect(freshUntil(made(nowMs - 3_000), nowMs)).toBe(nowMs + 5_000)
  expect(freshUntil(made(null), nowMs)).toBe(nowMs + 8_000)
  expect(freshUntil(made(null), null)).toBeNull()
  expect(freshUntil(made(nowMs, '0'), nowMs)).toBeNull()
  expect(freshUntil(made(nowMs, null), nowMs)).toBeNull()
  expect(freshUntil(undefined, nowMs)).toBeNull()
  const isFresh = (ageMs: number) => isStillBefore(freshUntil(made(nowMs - ageMs), nowMs), nowMs)
  expect([0, 7_999, 8_000, 8_001, 60_000].map(isFresh)).toEqual([true, true, true, false, false])
  expect(isStillBefore(null, nowMs)).toBe(false)
})
