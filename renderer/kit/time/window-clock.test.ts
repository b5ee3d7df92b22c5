import { expect, test } from 'vitest'
import { createWindowClock } from './time.tsx'

test('a window’s clock shows the service’s time with the measured offset, but durations use only this computer’s own clock [ORD-12]', () => {
  const clock = createWindowClock({ now: () => 1_000_000, monotonic: () => 7 })
  expect(clock.now()).toBe(1_000_000)
  clock.setOffset(600_000)
  expect(clock.now()).toBe(1_600_000)
  clock.setOffset(-600_000)
  expect(clock.now()).toBe(400_000)
  expect(clock.monotonic()).toBe(7)
})

test('a window’s clock notifies each listener once per change of the clock offset until the listener unsubscribes', () => {
  const clock = createWindowClock({ now: () => 0, monotonic: () => 0 })
  const heard: number[] = []
  const stop = clock.onOffset(() => heard.push(clock.offset()))
  clock.setOffset(5)
  clock.setOffset(5)
  clock.setOffset(0)
  stop()
  clock.setOffset(9)
  expect(heard).toEqual([5, 0])
})
