import { expect, test } from 'vitest'
import { createVitalSigns } from './vital-signs.ts'

/** Answers of a service whose clock is `ahead` ms before ours, each taking `tookMs` from our sending at `sentAt`. */
function signsOf(ahead: number, sentAt: readonly number[], tookMs = 40) {
  let now = 0
  const signs = createVitalSigns({ now: () => now, monotonic: () => now })
  for (const at of sentAt) {
    now = at + tookMs
    const date = new Date(Math.floor((at + tookMs / 2 + ahead) / 1_000) * 1_000).toUTCString()
    signs.answered({ date }, { receivedAtMs: now, tookMs, versioned: false, healthy: true })
  }
  return signs
}
const moments = Array.from({ length: 8 }, (_, index) => 1_000_000_000 + index * 1_370)

test('claims no offset where the clocks agree as far as whole seconds can tell', () => {
  expect(signsOf(0, moments).clockOffsetMs()).toBe(0)
  expect(signsOf(30, moments.slice(0, 1)).clockOffsetMs()).toBe(0)
})

test.each([90_000, -90_000, 5_300, -1_700])('measures an offset of %i ms to a fraction of a second, after some answers [ORD-12]', (ahead) => {
  expect(Math.abs((signsOf(ahead, moments).clockOffsetMs() ?? 0) - ahead)).toBeLessThan(250)
  expect(Math.abs((signsOf(ahead, moments.slice(0, 1)).clockOffsetMs() ?? 0) - ahead)).toBeLessThan(600)
})

test('follows a clock that was set', () => {
  let now = 1_000_000_000
  const signs = createVitalSigns({ now: () => now, monotonic: () => now })
  const answer = (ahead: number) =>
    signs.answered({ date: new Date(now + ahead).toUTCString() }, { receivedAtMs: now, tookMs: 10, versioned: false, healthy: true })
  answer(0)
  now += 10_000
  answer(600_000)
  expect(Math.abs((signs.clockOffsetMs() ?? 0) - 600_000)).toBeLessThan(1_100)
})

test('a slow answer, a failed one and a long silence are told apart', () => {
  let now = 0
  const signs = createVitalSigns({ now: () => now, monotonic: () => now })
  expect(signs.health()).toEqual({ state: 'unknown', lastAnswerAtMs: null })
  signs.answered({}, { receivedAtMs: 1, tookMs: 2_500, versioned: false, healthy: true })
  expect(signs.health().state).toBe('slow')
  signs.unanswered()
  expect(signs.health()).toEqual({ state: 'down', lastAnswerAtMs: 1 })
  signs.answered({}, { receivedAtMs: 2, tookMs: 5, versioned: false, healthy: true })
  expect(signs.health()).toEqual({ state: 'up', lastAnswerAtMs: 2 })
  now = 200_000
  expect(signs.health().state).toBe('unknown')
})
