import { expect, test } from 'vitest'
import { isFresh } from './ticket-model.ts'

const nowMs = 1_790_000_000_000

test('the ticket allows a market order only at a known price that is at most 8 s old [ORD-02]', () => {
  const made = (atMs: number | null, mark: string | null = '96000') => ({ mark, priceAtMs: atMs })
  expect(isFresh(made(nowMs - 8_000), nowMs, nowMs)).toBe(true)
  expect(isFresh(made(nowMs - 8_001), nowMs, nowMs)).toBe(false)
  expect(isFresh(made(null), nowMs - 8_000, nowMs)).toBe(true)
  expect(isFresh(made(null), nowMs - 8_001, nowMs)).toBe(false)
  expect(isFresh(made(null), null, nowMs)).toBe(false)
  expect(isFresh(made(nowMs, '0'), nowMs, nowMs)).toBe(false)
  expect(isFresh(made(nowMs, null), nowMs, nowMs)).toBe(false)
  expect(isFresh(undefined, nowMs, nowMs)).toBe(false)
})
