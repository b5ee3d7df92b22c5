import { expect, test } from 'vitest'
import { freshUntil } from './ticket-model.ts'

const nowMs = 1_790_000_000_000

test('the ticket allows a market order only at a known price, until the price is 8 s old [ORD-02]', () => {
  const made = (atMs: number | null, mark: string | null = '96000') => ({ mark, priceAtMs: atMs })
  expect(freshUntil(made(nowMs - 3_000), nowMs)).toBe(nowMs + 5_000)
  expect(freshUntil(made(null), nowMs)).toBe(nowMs + 8_000)
  expect(freshUntil(made(null), null)).toBeNull()
  expect(freshUntil(made(nowMs, '0'), nowMs)).toBeNull()
  expect(freshUntil(made(nowMs, null), nowMs)).toBeNull()
  expect(freshUntil(undefined, nowMs)).toBeNull()
})
