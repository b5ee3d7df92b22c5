import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { PollingRate } from '../../shared/ipc/host/service.ts'
import { atPollingRate, catchUp } from './polling-rate.tsx'

const usual: PollingRate = { state: 'shown', factor: 1, leastMs: 0, stopped: false }

test('a slower polling rate only makes the app read less often, and never lets prices become too old for an order [ORD-02]', () => {
  expect(atPollingRate(1_500, usual)).toBe(1_500)
  expect(atPollingRate(false, usual)).toBe(false)
  expect(atPollingRate(5_000, { ...usual, factor: 4 })).toBe(20_000)
  // An order may use a price up to 8 s old, so two polls must fit into 8 s.
  for (const factor of [2, 4, 8]) expect(atPollingRate(1_500, { ...usual, factor })).toBeLessThanOrEqual(4_000)
  expect(atPollingRate(1_500, { ...usual, leastMs: 30_000 })).toBe(30_000)
  expect(atPollingRate(60_000, { ...usual, leastMs: 30_000 })).toBe(60_000)
  expect(atPollingRate(1_000, { ...usual, stopped: true })).toBe(false)
})

test('when the polling rate returns to normal, the page rereads visible data at once, but only if the data is outdated', async () => {
  const client = new QueryClient()
  const read: string[] = []
  const watch = (name: string, every: number | false) =>
    new QueryObserver(client, {
      queryKey: [name],
      meta: { every },
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async () => {
        read.push(name)
        return name
      },
    }).subscribe(() => undefined)
  const stops = [watch('prices', 1_500), watch('keys', 60_000), watch('settings', false)]
  await expect.poll(() => read.length).toBe(3)
  catchUp(client, Date.now() + 5_000)
  expect(read.slice(3)).toEqual(['prices'])
  for (const stop of stops) stop()
})
