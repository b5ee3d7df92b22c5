import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEvery } from './app-handlers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [
    'throws',
    (error: Error) => () => {
      throw error
    },
  ],
  ['rejects', (error: Error) => () => Promise.reject(error)],
])('the app repeats work that %s at the next interval, and reports the error only once', async (_how, failing) => {
  const heard: unknown[] = []
  let turns = 0
  let work: () => void | Promise<void> = failing(new Error('damaged'))
  const stop = createEvery((error) => heard.push(error))(100, () => {
    turns += 1
    return work()
  })
  await vi.advanceTimersByTimeAsync(300)
  expect(turns).toBe(3)
  expect(heard).toEqual([new Error('damaged')])
  work = () => undefined
  await vi.advanceTimersByTimeAsync(100)
  work = failing(new Error('damaged'))
  await vi.advanceTimersByTimeAsync(100)
  expect(heard).toEqual([new Error('damaged'), new Error('damaged')])
  stop()
  await vi.advanceTimersByTimeAsync(500)
  expect(turns).toBe(5)
})
