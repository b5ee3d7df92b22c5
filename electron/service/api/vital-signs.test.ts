import { expect, test } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { createVitalSigns } from './vital-signs.ts'

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

test('the app reports a clock offset of zero while its clock and the service’s clock agree to within whole seconds', () => {
  expect(signsOf(0, moments).clockOffsetMs()).toBe(0)
  expect(signsOf(30, moments.slice(0, 1)).clockOffsetMs()).toBe(0)
})

test.each([90_000, -90_000, 5_300, -1_700])(
  'the app measures a clock offset of %i ms to within a quarter of a second after several answers of the service [ORD-12]',
  (ahead) => {
    expect(Math.abs((signsOf(ahead, moments).clockOffsetMs() ?? 0) - ahead)).toBeLessThan(250)
    expect(Math.abs((signsOf(ahead, moments.slice(0, 1)).clockOffsetMs() ?? 0) - ahead)).toBeLessThan(600)
  },
)

test('the app measures the clock offset again after this computer’s or the service’s clock was changed, and reports the offset only if it changed', () => {
  let now = 1_000_000_000
  const told: (number | null)[] = []
  const signs = createVitalSigns({ now: () => now, monotonic: () => now }, () => told.push(signs.clockOffsetMs()))
  const answer = (ahead: number) =>
    signs.answered({ date: new Date(now + ahead).toUTCString() }, { receivedAtMs: now, tookMs: 10, versioned: false, healthy: true })
  answer(0)
  for (let count = 0; count < 20; count += 1) {
    now += 1_370
    answer(0)
  }
  expect(told).toEqual([0])
  for (let count = 0; count < 20; count += 1) {
    now += 1_370
    answer(600_000)
  }
  expect(Math.abs((signs.clockOffsetMs() ?? 0) - 600_000)).toBeLessThan(1_100)
  expect(told[1]).toBeGreaterThan(599_000)
  expect(told.length).toBeLessThan(5)
  expect(Math.abs((told.at(-1) ?? 0) - (signs.clockOffsetMs() ?? 0))).toBeLessThan(250)
})

test('the app does not measure the clock offset from a cached answer', () => {
  const signs = createVitalSigns({ now: () => 1_000_000_000, monotonic: () => 0 })
  const date = new Date(1_000_000_000 - 300_000).toUTCString()
  signs.answered({ date, age: '300' }, { receivedAtMs: 1_000_000_000, tookMs: 10, versioned: false, healthy: true })
  expect(signs.clockOffsetMs()).toBe(null)
  signs.answered({ date, age: '0' }, { receivedAtMs: 1_000_000_000, tookMs: 10, versioned: false, healthy: true })
  expect(signs.clockOffsetMs()).not.toBe(null)
})

test('the app distinguishes a slow answer, a failed answer and a long silence of the service', () => {
  let now = 0
  const signs = createVitalSigns({ now: () => now, monotonic: () => now })
  expect(signs.health()).toEqual({ state: 'unknown', lastAnswerAgeMs: null, outage: null })
  signs.answered({}, { receivedAtMs: 1, tookMs: 2_500, versioned: false, healthy: true })
  expect(signs.health().state).toBe('slow')
  signs.unanswered()
  now = 5
  expect(signs.health()).toEqual({ state: 'down', lastAnswerAgeMs: 4, outage: { how: 'no_response', forMs: 5 } })
  signs.answered({}, { receivedAtMs: 5, tookMs: 5, versioned: false, healthy: true })
  expect(signs.health()).toEqual({ state: 'up', lastAnswerAgeMs: 0, outage: null })
  now = 200_000
  expect(signs.health().state).toBe('unknown')
})

test('an outage of the service lasts from its first failed request until its next good response', () => {
  let now = 1_000
  const signs = createVitalSigns({ now: () => 0, monotonic: () => now })
  const failed = { receivedAtMs: 1, tookMs: 1, versioned: false, healthy: false }
  signs.unanswered()
  now = 4_000
  signs.answered({}, failed)
  now = 9_000
  expect(signs.health().outage).toEqual({ how: 'errors', forMs: 8_000 })
  signs.answered({}, { ...failed, healthy: true })
  expect(signs.health().outage).toBeNull()
  signs.answered({}, failed)
  expect(signs.health().outage).toEqual({ how: 'errors', forMs: 0 })
})

test('the app ignores missing version headers in a gateway’s error response, but reports them in an error response of the service [GEN-09]', () => {
  const signs = createVitalSigns(systemClock)
  const refused = { receivedAtMs: 1, tookMs: 1, versioned: true, healthy: true, succeeded: false }
  signs.answered({}, refused)
  expect(signs.serviceChange()).toBe(null)
  signs.answered({ 'x-request-id': 'srv-12345678' }, refused)
  expect(signs.serviceChange()).toEqual({ apiVersion: null, schema: null })
})

test('the service counts as failing, not as up, while some of its responses fail; one failed request alone changes nothing', () => {
  let now = 1_000
  const signs = createVitalSigns({ now: () => now, monotonic: () => now })
  const answer = (healthy: boolean) => signs.answered({}, { receivedAtMs: now, tookMs: 1, versioned: false, healthy })
  answer(false)
  answer(true)
  expect(signs.health().state).toBe('up')
  for (let turn = 0; turn < 3; turn += 1) {
    now += 5_000
    answer(false)
    answer(true)
    expect(signs.health()).toMatchObject({ state: 'failing', outage: null })
  }
  now += 30_000
  answer(true)
  expect(signs.health().state).toBe('up')
})
