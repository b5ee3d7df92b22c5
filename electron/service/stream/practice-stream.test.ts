import { afterEach, beforeEach, expect, test } from 'vitest'
import { openApi } from '../../../e2e/support/main/open-api.ts'
import type { SentRequest } from '../../../e2e/support/main/recording-dispatcher.ts'
import { allScopes, type Client, openClient, openPosition, positionsOf } from '../../../e2e/support/practice/orders.ts'
import { at, type Bench, start } from '../../../e2e/support/practice/start.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { ok } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient, KeyCredential } from '../transport/api-client.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'

let bench: Bench
let other: Client
let api: ApiClient
let sent: SentRequest[]
let stream: LiveStream
let shown: readonly string[] | null
let reads: number
let looks: Promise<void>[]

beforeEach(async () => {
  bench = await start()
  other = await openClient(bench, allScopes)
  bench.faults.stream = {}
  sent = []
  shown = null
  reads = 0
  looks = []
  const sleep = async (ms: number) => {
    bench.clock.advance(ms)
    return true
  }
  api = openApi({ hostUrl: bench.hostUrl, clock: bench.clock, sleep, sent, onExchange: () => {} })
  const key: KeyCredential = { kind: 'key', keyId: 'k1', label: 'bot', apiKey: new Secret(other.apiKey) }
  stream = createLiveStream({
    open: api.openStream,
    wallet: () => bench.wallet.address,
    credential: async () => ok(key),
    sequence: async () => {
      const answer = await api.call(endpoints.getSnapshot, { params: {}, query: {}, body: undefined, credential: key })
      return answer.ok ? answer.value.value.sequence : null
    },
    market: async () => null,
    onOld: (queries) => {
      if (queries.includes('account.positions')) looks.push(look())
    },
    clock: bench.clock,
  })
})
afterEach(async () => {
  stream.stop()
  await Promise.all(looks)
  await api.close()
  await bench.stop()
})

const held = async () => (await positionsOf(other)).map((position) => `${at(position, 'pair_id')} ${at(position, 'side')} ${at(position, 'size')}`)
async function look(): Promise<void> {
  reads += 1
  const own = reads
  const now = await held()
  if (own === reads) shown = now
}
const trade = (pairId: number) => openPosition(bench, other, { pair_id: pairId, leverage: 2, order_value_usdc: '250' })
const sentTo = (path: string) => sent.filter((request) => request.path === path)
const snapshots = () => sentTo('/api/dex/v1/snapshot').length
const resumedAfter = () => sentTo('/api/dex/v1/stream').map(({ headers }) => headers['last-event-id'] ?? null)

const pass = (count: () => number, wanted: number) =>
  expect
    .poll(async () => {
      bench.clock.advance(second)
      await stream.tick()
      return count()
    })
    .toBeGreaterThanOrEqual(wanted)

async function untilShown(count: number): Promise<void> {
  await expect
    .poll(async () => {
      bench.clock.advance(second)
      await stream.tick()
      return [stream.state().state, shown]
    })
    .toEqual(['live', await held()])
  expect(shown).toHaveLength(count)
}

test('the app opens the stream, reads the snapshot and all data once, and shows another program’s trades without another snapshot [ACC-04]', async () => {
  await trade(1)
  await stream.tick()
  expect(sent.map(({ path }) => path)).toEqual(['/api/dex/v1/stream', '/api/dex/v1/snapshot'])
  await untilShown(1)
  await trade(2)
  await untilShown(2)
  // The app has sent requests to two routes only: the stream and the snapshot. So it noticed the second trade through the stream, not by polling.
  expect(new Set(sent.map(({ path }) => path)).size).toBe(2)
  expect([resumedAfter(), snapshots()]).toEqual([[null], 1])
})

test('the app resumes a cut stream after the last event that arrived, and takes a new snapshot [ACC-04]', async () => {
  await stream.tick()
  await untilShown(0)
  bench.faults.stream = { cutAfter: 2 }
  await trade(1)
  await trade(2)
  await trade(3)
  await pass(() => resumedAfter().length, 2)
  bench.faults.stream = {}
  await untilShown(3)
  expect(resumedAfter().at(-1)).toMatch(/^\d+$/)
  expect(snapshots()).toBe(resumedAfter().length)
})

test('the app notices lost stream events when the next event arrives, and takes a new snapshot on the same connection [ACC-04]', async () => {
  await stream.tick()
  await untilShown(0)
  bench.faults.stream = { lose: 4, silent: 'heartbeats' }
  await trade(1)
  await expect.poll(() => bench.faults.stream?.lose).toBe(0)
  expect(snapshots()).toBe(1)
  await trade(2)
  await pass(snapshots, 2)
  await untilShown(2)
  expect(resumedAfter()).toEqual([null])
})

test('the app notices from a heartbeat that the last stream events were lost [ACC-04]', async () => {
  await stream.tick()
  await untilShown(0)
  // Lose all events, including the frequent market events. Otherwise, the next market event would reveal the gap before the heartbeat.
  bench.faults.stream = { lose: 1_000 }
  await trade(1)
  await untilShown(1)
  expect(resumedAfter()).toEqual([null])
})

test('the app counts a repeated stream event only once, and does not mistake the repetition for a gap [ACC-04]', async () => {
  bench.faults.stream = { duplicate: true }
  await stream.tick()
  for (const pairId of [1, 2, 3]) {
    await trade(pairId)
    await untilShown(pairId)
  }
  expect([resumedAfter(), snapshots()]).toEqual([[null], 1])
})

test('the app counts every stream event once even if events arrive out of order [ACC-04]', async () => {
  bench.faults.stream = { reorder: true }
  await stream.tick()
  for (const pairId of [1, 2, 3]) {
    await trade(pairId)
    await untilShown(pairId)
  }
  expect(resumedAfter()).toEqual([null])
})

test('if the service no longer stores the events of some changes, the app reads these changes from an account snapshot [ACC-04]', async () => {
  bench.faults.stream = { buffer: 2 }
  await stream.tick()
  await untilShown(0)
  bench.faults.stream = null
  await expect.poll(() => stream.state().state).toBe('polling')
  await trade(1)
  await trade(2)
  bench.faults.stream = { buffer: 2 }
  await untilShown(2)
  expect(resumedAfter().at(-1)).toMatch(/^\d+$/)
  await trade(3)
  await untilShown(3)
})
