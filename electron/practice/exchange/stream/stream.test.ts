import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EventStream, openStream, type ReceivedEvent } from '../../../../e2e/support/practice/event-stream.ts'
import { allScopes, type Client, openClient, openPosition } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
let streams: EventStream[]
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
  bench.faults.stream = {}
  streams = []
})
afterEach(async () => {
  for (const stream of streams) stream.close()
  await bench.stop()
})

async function listen(query = 'pair_id=1&interval=1m', lastEventId?: string): Promise<EventStream> {
  const headers = { 'X-Svc-API-Key': client.apiKey, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) }
  const stream = await openStream(`${bench.hostUrl}/api/dex/v1/stream?${query}`, headers)
  streams.push(stream)
  return stream
}
const is = (name: string) => (event: ReceivedEvent) => event.event === name
const typeOf = ({ data }: ReceivedEvent) => String(data.type)
const sequences = (events: readonly ReceivedEvent[]) => events.filter(is('market_snapshot')).map(({ data }) => Number(data.sequence))
const isLifecycle = ({ data }: ReceivedEvent) => 'type' in data
async function pass(stream: EventStream, seconds: number): Promise<void> {
  for (let each = 0; each < seconds; each += 2) {
    const before = stream.events.filter(is('market_snapshot')).length
    bench.clock.advance(2_000)
    await stream.until(is('market_snapshot'), before + 1)
  }
}

test('the practice exchange answers 503 to stream requests while its event stream is disabled, and reports in /meta whether it is enabled [ACC-04]', async () => {
  expect(at(await client.read('/meta'), 'capabilities.stream')).toBe(true)
  bench.faults.stream = null
  const answer = await client.read('/stream?pair_id=1&interval=1m')
  expect([answer.status, at(answer, 'error.code'), answer.headers.get('retry-after')]).toEqual([503, 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED', '5'])
  expect(at(await client.read('/meta'), 'capabilities.stream')).toBe(false)
})

test('the practice exchange’s event stream starts with a snapshot of market and account, and continues with changes [ACC-04]', async () => {
  const stream = await listen()
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect([stream.headers.get('x-svc-api-version'), stream.headers.get('x-svc-api-schema')]).toEqual(['v1', 'svc-dex-api-v1.1'])
  const [market] = await stream.until(is('market_snapshot'))
  const [account] = await stream.until(is('account_snapshot'))
  const { sequence, at_ms, markets } = (await client.read('/snapshot')).json as Record<string, unknown>
  expect(account?.id).toBe(String(sequence))
  expect(market?.data).toMatchObject({ sequence, at_ms, markets, pair_id: 1, interval: '1m', candle: { t: Date.UTC(2026, 10, 18, 14, 32) } })
  expect(market?.data).not.toHaveProperty('reset')
  expect(account?.data).toMatchObject({ account: { wallet: bench.wallet.address, collateral_usdc: '10000.00' }, positions: [] })

  await openPosition(bench, client)
  const events = await stream.until(isLifecycle, 3)
  expect(events.map(typeOf)).toEqual(['order.accepted', 'order.filled', 'position.changed'])
  expect(events.map(({ event }) => event)).toEqual(['order.accepted', 'order.filled', 'position.changed'])
  expect(events[0]?.data).toMatchObject({ id: expect.any(String), created_at: expect.any(Number), data: { pair_id: 1, side: 'long', order_type: 'market' } })
  const [held] = await stream.until(({ data }) => Array.isArray(data.positions) && data.positions.length > 0)
  expect(held).toMatchObject({ event: 'account_snapshot', data: { positions: [{ pair_id: 1, side: 'long' }] } })
  await pass(stream, 6)
  const told = sequences(stream.events)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  const numbers = stream.events.filter(({ id }) => id !== null).map(({ id }) => Number(id))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  expect(at(await client.read('/snapshot'), 'sequence')).toBe(numbers.at(-1))
})

test('the practice exchange’s event stream reports a reorganisation that undid earlier events [ACC-04] [FLOW-06]', async () => {
  const stream = await listen()
  await openPosition(bench, client)
  const told = await stream.until(isLifecycle, 3)
  await bench.chain.reorganise(1)
  const events = await stream.until((each) => typeOf(each) === 'chain.reorg', 3)
  expect(events[0]?.data).toMatchObject({ type: 'chain.reorg', data: { rows: [expect.any(Number)] } })
  expect(events.map(({ data }) => data.revoked_event_id)).toEqual(told.map(({ data }) => data.id))
})

test('the practice exchange’s event stream sends a heartbeat every twelve seconds [ACC-04]', async () => {
  const stream = await listen()
  await pass(stream, 10)
  expect(stream.events.filter(is('heartbeat'))).toEqual([])
  await pass(stream, 2)
  const [first] = await stream.until(is('heartbeat'))
  // A heartbeat has no number of its own. Its id is the number of the latest numbered event.
  expect([first?.id, first?.data.at_ms]).toEqual([stream.events.at(-2)?.id, bench.clock.now()])
  await pass(stream, 12)
  expect(await stream.until(is('heartbeat'), 2)).toHaveLength(2)
})

test('the practice exchange’s event stream resumes after the last event that the client saw, and sends everything that followed [ACC-04]', async () => {
  const first = await listen()
  await pass(first, 6)
  const seen = first.events.filter(({ id }) => id !== null)
  first.close()
  await openPosition(bench, client)
  const second = await listen('pair_id=1&interval=1m', seen.at(-2)?.id ?? '')
  await second.until(isLifecycle, 3)
  expect([second.events[0]?.id, second.events[0]?.event]).toEqual([seen.at(-1)?.id, seen.at(-1)?.event])
  expect(second.events.some(({ data }) => 'reset' in data)).toBe(false)
  const numbers = [...seen.slice(0, -1), ...second.events].map(({ id }) => Number(id))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
})

test('the practice exchange’s event stream starts over with a reset event if a client resumes from an event id that is too old or unknown [ACC-04]', async () => {
  bench.faults.stream = { buffer: 5 }
  const first = await listen()
  await pass(first, 16)
  const numbers = first.events.filter(({ id }) => id !== null).map(({ id }) => Number(id))
  const [oldest = 0, newest = 0] = [numbers[0], numbers.at(-1)]
  for (const id of [String(oldest), String(newest + 1), '7', 'nonsense', '99999999999999999999']) {
    const stream = await listen('pair_id=1&interval=1m', id)
    const [market] = await stream.until(is('market_snapshot'))
    const [account] = await stream.until(is('account_snapshot'))
    expect([id, market?.data.reset, account?.data.reset]).toEqual([id, true, true])
  }
  const kept = await listen('pair_id=2', String(newest - 5))
  await kept.until(is('market_snapshot'), 5)
  expect(kept.events.slice(0, 5).map(({ id }) => Number(id))).toEqual([4, 3, 2, 1, 0].map((back) => newest - back))
})

test('with faults, the practice exchange’s event stream duplicates, reorders or drops events, falls silent, or cuts the connection [ACC-04]', async () => {
  bench.faults.stream = { duplicate: true }
  const doubled = await listen()
  await doubled.until(is('account_snapshot'), 2)
  expect(doubled.events.map(({ event }) => event)).toEqual(['market_snapshot', 'market_snapshot', 'account_snapshot', 'account_snapshot'])
  doubled.close()

  bench.faults.stream = { reorder: true }
  const turned = await listen('pair_id=2')
  await turned.until(is('market_snapshot'))
  expect(turned.events.map(({ event }) => event)).toEqual(['account_snapshot', 'market_snapshot'])
  turned.close()

  bench.faults.stream = { silent: 'heartbeats' }
  const beatless = await listen('pair_id=3')
  await pass(beatless, 14)
  expect(beatless.events.some(is('heartbeat'))).toBe(false)
  bench.faults.stream = { silent: 'everything' }
  const count = beatless.events.filter(is('market_snapshot')).length
  bench.clock.advance(30_000)
  const silent = await listen('pair_id=4')
  bench.faults.stream = {}
  await pass(silent, 2)
  expect(silent.events).toHaveLength(1)
  await beatless.until(is('market_snapshot'), count + 1)

  bench.faults.stream = { lose: 2 }
  const holed = await listen('pair_id=6')
  await pass(holed, 2)
  // The fault drops two events: the initial snapshots of market and account. Only the next market snapshot arrives.
  expect([holed.events.map(({ event }) => event), bench.faults.stream.lose]).toEqual([['market_snapshot'], 0])
  holed.close()

  bench.faults.stream = { cutAfter: 3 }
  const cut = await listen('pair_id=5')
  bench.clock.advance(2_000)
  expect(await cut.ended).toBe('cut')
  expect(cut.events).toHaveLength(3)
})

test('the practice exchange ends an event stream if streams are disabled or the client’s key is revoked; it refuses invalid stream parameters [ACC-04]', async () => {
  const one = await listen()
  bench.faults.stream = null
  expect(await one.ended).toBe('ended')
  bench.faults.stream = {}
  const { apiKey, keyId, session } = await bench.newKey({ scopes: ['account:read'] })
  const two = await openStream(`${bench.hostUrl}/api/dex/v1/stream`, { 'X-Svc-API-Key': apiKey })
  streams.push(two)
  await two.until(is('account_snapshot'))
  await bench.call(`DELETE /api/dex/developer/keys/${keyId}`, { headers: { Authorization: `Bearer ${session}` } })
  expect(await two.ended).toBe('ended')
  for (const [query, status] of [
    ['pair_id=99', 400],
    ['pair_id=one', 400],
    ['pair_id=1&interval=2m', 400],
  ] as const)
    expect([query, (await client.read(`/stream?${query}`)).status]).toEqual([query, status])
  expect((await bench.call('GET /api/dex/v1/stream')).status).toBe(401)
})
