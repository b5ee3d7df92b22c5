import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Clock } from '../../../shared/time.ts'
import { sleep } from '../../kernel/deadline.ts'
import { createLimiter, type LimiterClass, type Urgency } from './limiter.ts'

const clock: Clock = { now: () => Date.now(), monotonic: () => Date.now() }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const busiestSecond = (times: readonly number[]): number => Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length))

test('the limiter sends fewer than ten requests a second to developer routes, regardless of the number of windows [LIM-01]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const times: number[] = []
  const bulk = Array.from({ length: 40 }, () => limiter.admit('developer').then(() => times.push(clock.monotonic())))
  setTimeout(() => bulk.push(...Array.from({ length: 20 }, () => limiter.admit('developer').then(() => times.push(clock.monotonic())))), 2_500)
  await vi.advanceTimersByTimeAsync(20_000)
  await Promise.all(bulk)
  expect(times).toHaveLength(60)
  expect(busiestSecond(times)).toBeLessThan(10)
  // The limiter must not be slower than the rate limit requires.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(12_000)
})

test('the limiter sends requests in the order of their arrival; if a waiting request is cancelled, it sends the next one instead [LIM-01]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const served: string[] = []
  const given = new AbortController()
  const ask = (name: string, signal?: AbortSignal) =>
    limiter.admit('developer', signal === undefined ? {} : { signal }).then(({ kind }) => served.push(`${name} ${kind}`))
  const all = ['a', 'b', 'c'].map((name) => ask(name))
  all.push(ask('d', given.signal), ask('e'))
  given.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(all)
  expect(served.filter((name) => name.endsWith('go'))).toEqual(['a go', 'b go', 'c go', 'e go'])
  expect(served).toContain('d ended')
})

test('the limiter holds back only requests of the same class of routes after a 429', async () => {
  const limiter = createLimiter({ clock, sleep })
  limiter.pause('developer', 2_000)
  let admitted = false
  void limiter.admit('developer').then(() => {
    admitted = true
  })
  expect(await limiter.admit('versioned')).toEqual({ kind: 'go' })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(admitted).toBe(false)
  await vi.advanceTimersByTimeAsync(2)
  expect(admitted).toBe(true)
})

test('the limiter sends an exit (cancel, close, revoke) despite pauses and queues; only the service’s rate limit can delay it [LIM-01]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const served: string[] = []
  const ask = (name: string, urgency: Urgency) => limiter.admit('developer', { urgency }).then(() => served.push(`${name} ${clock.monotonic() - began}`))
  const began = clock.monotonic()
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, 'user'))
  await vi.advanceTimersByTimeAsync(0)
  expect(served).toEqual(['a 0', 'b 0'])
  limiter.pause('developer', 5_000)
  all.push(ask('exit', 'exit'))
  await vi.advanceTimersByTimeAsync(0)
  expect(served.at(-1)).toBe('exit 0')

  const times: number[] = []
  const exits = Array.from({ length: 20 }, () => limiter.admit('developer', { urgency: 'exit' }).then(() => times.push(clock.monotonic())))
  await vi.advanceTimersByTimeAsync(4_000)
  await Promise.all(exits)
  expect(busiestSecond([began, began, began, ...times])).toBeLessThan(10)
  expect(served).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(3_000)
  await Promise.all(all)
  expect(served).toHaveLength(6)
})

test('the limiter allows only five polls per second, and sends calls for which a user waits before polls', async () => {
  const limiter = createLimiter({ clock, sleep })
  const times: number[] = []
  const poll = (kind: LimiterClass) => limiter.admit(kind, { urgency: 'polling' }).then(() => times.push(clock.monotonic()))
  const polls = Array.from({ length: 40 }, (_, index) => poll(index % 2 === 0 ? 'versioned' : 'public'))
  await vi.advanceTimersByTimeAsync(300)
  let answered = false
  void limiter.admit('versioned').then(() => {
    answered = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(answered).toBe(true)
  await vi.advanceTimersByTimeAsync(7_000)
  await Promise.all(polls)
  expect(times).toHaveLength(40)
  expect(busiestSecond(times)).toBe(5)

  // On developer routes, all urgencies share one rate limit. The limiter must still send the user’s request before the polls that wait.
  await vi.advanceTimersByTimeAsync(1_000)
  const order: string[] = []
  const asked = (['polling', 'polling', 'polling', 'polling', 'user'] as const).map((urgency) =>
    limiter.admit('developer', { urgency }).then(() => order.push(urgency)),
  )
  await vi.advanceTimersByTimeAsync(2_000)
  await Promise.all(asked)
  expect(order).toEqual(['polling', 'polling', 'user', 'polling', 'polling'])
})

test('a caller that would not wait as long as the service’s pause gets a failure at once, even if its request is already in the limiter’s queue', async () => {
  const limiter = createLimiter({ clock, sleep })
  limiter.pause('versioned', 3_000)
  const waiting = limiter.admit('versioned', { patienceMs: 10_000 })
  expect(await limiter.admit('versioned', { patienceMs: 2_000 })).toEqual({ kind: 'paused', leftMs: 3_000 })
  await vi.advanceTimersByTimeAsync(1_000)
  limiter.pause('versioned', 60_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(await waiting).toEqual({ kind: 'paused', leftMs: 60_000 })
})

test('the limiter polls at half the rate after a refusal, and at the full rate after calm minutes [LIM-02]', async () => {
  const limiter = createLimiter({ clock, sleep })
  const inTwoSeconds = async () => {
    const given = new AbortController()
    const from = clock.monotonic()
    const times: number[] = []
    const polls = Array.from({ length: 30 }, () =>
      limiter.admit('versioned', { urgency: 'polling', signal: given.signal }).then(({ kind }) => kind === 'go' && times.push(clock.monotonic())),
    )
    await vi.advanceTimersByTimeAsync(3_000)
    given.abort()
    await Promise.all(polls)
    return times.filter((at) => at >= from + 1_000 && at < from + 3_000).length
  }
  expect(await inTwoSeconds()).toBe(10)
  limiter.pause('versioned', 0)
  // A second refusal at the same moment must not halve the rate again.
  limiter.pause('versioned', 0)
  expect(await inTwoSeconds()).toBe(4)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await inTwoSeconds()).toBe(8)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await inTwoSeconds()).toBe(10)
})
