import { expect, test } from 'vitest'
import { createLockClock } from '../../../e2e/support/lock/lock-clock.ts'
import { minute, second } from '../../../shared/time.ts'
import { createPollingRate } from './polling-rate.ts'

function setUp() {
  const clock = createLockClock()
  let changes = 0
  const pollingRate = createPollingRate({
    clock,
    onChange: () => {
      changes += 1
    },
  })
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= second) {
      clock.pass(Math.min(second, left))
      pollingRate.tick()
    }
  }
  return { ...pollingRate, pass, changes: () => changes }
}

test('the app polls at most every 30 s while the window is hidden, never while the computer sleeps, and at the normal rate afterwards', () => {
  const { read, shown, asleep, changes } = setUp()
  expect(read()).toEqual({ state: 'shown', factor: 1, leastMs: 0, stopped: false })
  shown(false)
  expect(read()).toMatchObject({ state: 'hidden', leastMs: 30_000, stopped: false })
  asleep(true)
  expect(read()).toMatchObject({ state: 'asleep', stopped: true })
  asleep(false)
  expect(read()).toMatchObject({ state: 'hidden' })
  shown(true)
  shown(true)
  expect([read().state, changes()]).toEqual(['shown', 4])
})

test('after a refusal, the app polls only once Retry-After has passed, at half the rate; each calm minute doubles the rate again [LIM-02]', () => {
  const { read, refused, pass } = setUp()
  refused(10 * second)
  // Two simultaneous reads each report the same refusal. Together, they must slow down polling only once.
  refused(10 * second)
  expect(read()).toEqual({ state: 'refused', factor: 2, leastMs: 0, stopped: true })
  pass(9 * second)
  expect(read().stopped).toBe(true)
  pass(second)
  expect(read()).toEqual({ state: 'refused', factor: 2, leastMs: 0, stopped: false })
  refused(second)
  expect(read().factor).toBe(4)
  pass(minute + second)
  expect(read().factor).toBe(2)
  pass(minute)
  expect(read()).toEqual({ state: 'shown', factor: 1, leastMs: 0, stopped: false })
})

test('the app polls at no less than an eighth of the normal rate, even if the service refuses every request [LIM-02]', () => {
  const { read, refused, pass } = setUp()
  for (let count = 0; count < 20; count += 1) {
    refused(second)
    pass(3 * second)
  }
  expect(read().factor).toBe(8)
})
