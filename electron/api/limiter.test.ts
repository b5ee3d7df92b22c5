import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Clock } from '../../shared/time.ts'
import { sleep } from './deadline.ts'
import { createLimiter } from './limiter.ts'

const clock: Clock = { now: () => Date.now(), monotonic: () => Date.now() }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The most that left within any one second. */
const busiestSecond = (times: readonly number[]): number => Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length))

test('lets fewer than ten requests a second through to the developer routes, however many windows ask [LIM-01]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const times: number[] = []
  // Two windows, each with a bulk action, and one that comes in later bursts.
  const bulk = Array.from({ length: 40 }, () => limiter.admit('developer').then(() => times.push(clock.monotonic())))
  setTimeout(() => bulk.push(...Array.from({ length: 20 }, () => limiter.admit('developer').then(() => times.push(clock.monotonic())))), 2_500)
  await vi.advanceTimersByTimeAsync(20_000)
  await Promise.all(bulk)
  expect(times).toHaveLength(60)
  expect(busiestSecond(times)).toBeLessThan(10)
  // And it is not slower than it must be.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(12_000)
})

test('serves in the order of asking, and a cancelled one gives its place away [LIM-01]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const served: string[] = []
  const given = new AbortController()
  const ask = (name: string, signal?: AbortSignal) => limiter.admit('developer', signal).then((admitted) => served.push(`${name} ${admitted}`))
  const all = ['a', 'b', 'c'].map((name) => ask(name))
  all.push(ask('d', given.signal), ask('e'))
  given.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(all)
  expect(served.filter((name) => name.endsWith('true'))).toEqual(['a true', 'b true', 'c true', 'e true'])
  expect(served).toContain('d false')
})

test('holds a class back after a 429, and only that class', async () => {
  const limiter = createLimiter({ clock, sleep })
  limiter.pause('developer', 2_000)
  let admitted = false
  void limiter.admit('developer').then(() => {
    admitted = true
  })
  expect(await limiter.admit('versioned')).toBe(true)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(admitted).toBe(false)
  await vi.advanceTimersByTimeAsync(2)
  expect(admitted).toBe(true)
})
