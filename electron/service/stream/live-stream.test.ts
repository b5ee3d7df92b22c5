import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLockClock } from '../../../e2e/support/lock/lock-clock.ts'
import { fail, ok } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import type { KeyCredential } from '../transport/api-client.ts'
import type { StreamListener } from '../transport/stream-transport.ts'
import { createLiveStream } from './live-stream.ts'

const key: KeyCredential = { kind: 'key', keyId: 'k1', label: 'bot', apiKey: new Secret('SVCtest0123456789abcdef') }
const asyncWorker = {
  kind: 'refused',
  status: 503,
  code: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED',
  message: null,
  raw: null,
  requestId: null,
  route: null,
} as const

function setUp() {
  const clock = createLockClock()
  const state = new Map<number, number>()
  const log: { sequence: number; text: string }[] = []
  const lines: { listener: StreamListener; after: string | null }[] = []
  const shown = new Map<number, number>()
  const told: (readonly string[])[] = []
  const service = {
    ...{ alive: false, retryAfterMs: (5 * second) as number | null, wallet: '0xaa' as string | null, opens: 0, replays: true, snapshots: 0 },
    wantsMarket: false,
    asked: [] as (number | null)[],
    sequence: (): string | null | Promise<string | null> => `f-${log.length}`,
  }
  const open = () => lines.at(-1)
  const send = (text: string) => open()?.listener.onChunk(Buffer.from(text))
  const read = () => {
    shown.clear()
    for (const [market, count] of state) shown.set(market, count)
  }
  const stream = createLiveStream({
    clock,
    wallet: () => service.wallet,
    credential: async () => ok(key),
    sequence: async () => {
      service.snapshots += 1
      return service.sequence()
    },
    market: async () => 7,
    open: async ({ lastEventId, market }, listener) => {
      service.opens += 1
      service.asked.push(market?.pairId ?? null)
      if (service.wantsMarket && market === null) return fail({ failure: { ...asyncWorker, status: 422, code: 'PAIR_ID_REQUIRED' }, retryAfterMs: null })
      if (!service.alive) return fail({ failure: asyncWorker, retryAfterMs: service.retryAfterMs })
      const line = { listener, after: lastEventId }
      lines.push(line)
      if (lastEventId !== null && service.replays) for (const { text } of log.slice(Number(lastEventId.slice(2)))) listener.onChunk(Buffer.from(text))
      return ok({ close: () => void lines.splice(lines.indexOf(line), 1) })
    },
    onOld: (queries) => {
      told.push(queries)
      read()
    },
  })
  const change = (market: number): string => {
    state.set(market, (state.get(market) ?? 0) + 1)
    const sequence = log.length + 1
    const text = `id: f-${sequence}\nevent: lifecycle\ndata: {"type":"position.changed","pair_id":${market}}\n\n`
    log.push({ sequence, text })
    return text
  }
  const cut = () => {
    const line = lines.pop()
    line?.listener.onEnd()
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= second) {
      clock.pass(Math.min(second, left))
      await stream.tick()
    }
  }
  const beat = () => send('event: heartbeat\ndata: {}\n\n')
  return { service, stream, told, state, shown, lines, send, change, cut, pass, beat, open, count: () => log.length }
}

test('after a 503, the app retries the stream rarely: never before Retry-After, then at growing intervals [ACC-04]', async () => {
  const { service, stream, pass, told } = setUp()
  await stream.tick()
  expect(stream.state()).toMatchObject({ state: 'polling' })
  await pass(4 * second)
  expect(service.opens).toBe(1)
  await pass(second)
  expect(service.opens).toBe(2)
  await pass(9 * second)
  expect(service.opens).toBe(2)
  await pass(3_600 * second)
  expect(service.opens).toBeGreaterThan(8)
  expect(service.opens).toBeLessThan(16)
  expect(told).toEqual([])

  service.retryAfterMs = 3_600 * second
  await pass(1_200 * second)
  const asked = service.opens
  await pass(590 * second)
  expect(service.opens - asked).toBeLessThanOrEqual(1)
})

test('the app reads all account data once when the stream opens, then only the data that each event makes outdated [ACC-04]', async () => {
  const { service, stream, told, send, change, beat, pass } = setUp()
  service.alive = true
  await stream.tick()
  expect(stream.state()).toMatchObject({ state: 'live', nextTryAtMs: null })
  expect(told.at(-1)).toEqual(expect.arrayContaining(['account.positions', 'account.orders', 'intents.list', 'markets.summaries']))
  const before = told.length
  beat()
  send(': a comment\n\n')
  expect(told).toHaveLength(before)
  send(change(1))
  expect(told.at(-1)).toContain('account.positions')
  expect(told.at(-1)).not.toContain('markets.summaries')
  const at = told.length
  for (let count = 0; count < 5; count += 1) send('event: market_snapshot\ndata: {"sequence":1}\n\n')
  expect(told).toHaveLength(at)
  await pass(2 * second)
  expect(told.slice(at)).toEqual([['markets.summaries', 'markets.summary']])
})

test('if the service refuses a stream of all markets, the app opens a stream of one market, also when it reconnects [ACC-04]', async () => {
  const { service, stream, pass, open } = setUp()
  Object.assign(service, { alive: true, wantsMarket: true })
  await stream.tick()
  expect([stream.state().state, service.asked]).toEqual(['live', [null, 7]])
  open()?.listener.onEnd()
  await pass(30 * second)
  expect([stream.state().state, service.asked]).toEqual(['live', [null, 7, 7]])
})

test('if a stream is silent for two and a half heartbeats, the app falls back to polling, then resumes the stream after its last event [ACC-04]', async () => {
  const { service, stream, told, send, change, pass, beat, open, lines } = setUp()
  service.alive = true
  await stream.tick()
  send(change(1))
  for (let count = 0; count < 5; count += 1) {
    await pass(12 * second)
    beat()
  }
  expect([service.opens, stream.state().state]).toEqual([1, 'live'])
  await pass(30 * second)
  expect(service.opens).toBe(1)
  const before = told.length
  service.alive = false
  await pass(second)
  expect(stream.state().state).toBe('polling')
  expect(lines).toHaveLength(0)
  expect(told.length).toBe(before + 1)
  service.alive = true
  await pass(10 * second)
  expect(open()?.after).toBe('f-1')
  expect(stream.state().state).toBe('live')
})

test('the app tries less and less often to open the stream if every connection ends immediately [ACC-04]', async () => {
  const { service, stream, cut, pass } = setUp()
  service.alive = true
  for (let count = 0; count < 120; count += 1) {
    await pass(second)
    cut()
  }
  expect(service.opens).toBeLessThan(7)
  expect(stream.state().state).toBe('polling')
})

test('the app opens a new stream when the wallet changes, and none without a wallet [ACC-04] [AUTH-03]', async () => {
  const { service, stream, send, change, open, lines } = setUp()
  service.alive = true
  await stream.tick()
  send(change(1))
  service.wallet = '0xbb'
  await stream.tick()
  expect([lines.length, open()?.after]).toEqual([1, null])
  service.wallet = null
  await stream.tick()
  expect([lines.length, stream.state().state]).toEqual([0, 'off'])
})

const everything = expect.arrayContaining(['account.positions', 'markets.summaries', 'intents.list'])

test('the app notices a lost stream event when the next one arrives, then takes a new snapshot and rereads all account data once [ACC-04]', async () => {
  const { service, stream, send, change, pass, told } = setUp()
  service.alive = true
  await stream.tick()
  send(change(1))
  const lost = change(2)
  send(change(3))
  const before = told.length
  expect(service.snapshots).toBe(1)
  await pass(3 * second)
  expect(service.snapshots).toBe(2)
  expect(told.slice(before)).toEqual([everything])
  await pass(20 * second)
  send(lost)
  expect([told.length, service.snapshots]).toEqual([before + 1, 2])
})

test('the app reads the account snapshot once the stream is open, ignores events that the snapshot includes, and handles later events [ACC-04]', async () => {
  const { service, stream, send, change, pass, told, lines } = setUp()
  service.alive = true
  const { promise, resolve } = Promise.withResolvers<string>()
  service.sequence = () => promise
  const [held, alsoHeld] = [change(1), change(2)]
  const opening = stream.tick()
  await expect.poll(() => [lines.length, service.snapshots]).toEqual([1, 1])
  send(held)
  // The app reads no data before the snapshot has arrived. Data that it read earlier could lack the effects of events that the snapshot covers.
  expect(told).toEqual([])
  resolve('2')
  await opening
  expect(told).toEqual([everything])
  send(alsoHeld)
  expect(told).toHaveLength(1)
  send(change(3))
  expect(told).toHaveLength(2)
  expect(told[1]).toContain('account.positions')
  await pass(30 * second)
  expect(service.snapshots).toBe(1)
})

test('the app detects events that were lost between the account snapshot and the first event of the stream [ACC-04]', async () => {
  const { service, stream, send, change, pass, told } = setUp()
  service.alive = true
  send(change(1))
  await stream.tick()
  const late = change(2)
  send(change(3))
  await pass(second)
  send(late)
  await pass(5 * second)
  expect(service.snapshots).toBe(1)
  change(1)
  send(change(3))
  await pass(3 * second)
  expect([service.snapshots, told.at(-1)]).toEqual([2, everything])
})

test('the app takes a new snapshot when a cut stream resumes, and ignores repeated events [ACC-04]', async () => {
  const { service, stream, send, change, pass, cut, beat, told } = setUp()
  service.alive = true
  await stream.tick()
  send(change(1))
  for (let each = 0; each < 4; each += 1) {
    await pass(10 * second)
    beat()
  }
  change(2)
  change(3)
  cut()
  await stream.tick()
  expect([stream.state().state, service.snapshots]).toEqual(['live', 2])
  // The app reads all data once when the old connection ends, and once when the new connection starts. The two repeated events cause no read.
  expect(told.slice(-2)).toEqual([everything, everything])
  const before = told.length
  await pass(10 * second)
  expect(told).toHaveLength(before)
})

test.each<[string, () => string | null]>([
  ['counts something else, and more of it', () => '900000'],
  ['counts something else, and less of it', () => '0'],
  ['has a numbering of its own', () => 'block-7'],
  ['has no sequence', () => null],
])('the account stream does not lose events because of a snapshot that %s [ACC-04]', async (_what, sequence) => {
  const { service, stream, send, change, pass, shown, state } = setUp()
  service.alive = true
  service.sequence = sequence
  await stream.tick()
  for (let count = 0; count < 4; count += 1) {
    send(change(count))
    await pass(3 * second)
    expect(shown).toEqual(state)
  }
  await pass(60 * second)
  expect(service.snapshots).toBeLessThan(8)
})

test('the app notices a lost event from a heartbeat’s sequence number, and ignores heartbeats with numbers of another kind [ACC-04]', async () => {
  const { service, stream, send, change, pass, told, beat } = setUp()
  service.alive = true
  await stream.tick()
  send(change(1))
  const before = told.length
  send('id: f-1\nevent: heartbeat\ndata: {"sequence":1}\n\n')
  send('id: beat-77\nevent: heartbeat\ndata: {}\n\n')
  beat()
  expect(told).toHaveLength(before)
  change(2)
  send('id: f-2\nevent: heartbeat\ndata: {"sequence":2}\n\n')
  expect(told.slice(before)).toEqual([everything])
  await pass(20 * second)
  expect([told.length, service.snapshots]).toEqual([before + 1, 1])
})

test('if the service could not resume the stream, the app takes a new snapshot and accepts any numbering of events [ACC-04]', async () => {
  const { service, stream, send, pass, told } = setUp()
  service.alive = true
  service.sequence = () => '5000'
  await stream.tick()
  send('id: 5001\nevent: order.filled\ndata: {}\n\n')
  service.sequence = () => '3'
  send('event: market_snapshot\ndata: {"reset":true}\n\nid: 3\nevent: account_snapshot\ndata: {"reset":true}\n\n')
  await pass(second)
  expect([service.snapshots, told.at(-1)]).toEqual([2, everything])
  const before = told.length
  send('id: 4\nevent: order.filled\ndata: {}\n\n')
  expect(told).toHaveLength(before + 1)
  await pass(20 * second)
  expect([told.length, service.snapshots]).toEqual([before + 1, 2])
})

test('the app shows the account’s true state after random cuts, resumptions, duplicates, reordering and losses in the stream [ACC-04]', async () => {
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), market: fc.nat(3), fate: fc.constantFrom('sent', 'held', 'doubled', 'lost') }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), at: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), alive: fc.boolean(), replays: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 15 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshots' as const), off: fc.constantFrom(0, 0, 1_000, -5, null) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const { service, stream, send, change, cut, pass, beat, state, shown, count } = setUp()
      service.alive = true
      await stream.tick()
      const held: string[] = []
      for (const one of acts) {
        if (one.kind === 'pass') await pass(one.seconds * second)
        else if (one.kind === 'snapshots') service.sequence = () => (one.off === null ? null : `f-${Math.max(0, count() + one.off)}`)
        else if (one.kind === 'release') {
          for (const text of held.splice(one.at % (held.length + 1), 1)) send(text)
        } else if (one.kind === 'cut') {
          cut()
          held.splice(0)
          service.alive = one.alive
          service.replays = one.replays
        } else {
          const text = change(one.market)
          if (one.fate === 'held') held.push(text)
          if (one.fate === 'sent' || one.fate === 'doubled') send(text)
          if (one.fate === 'doubled') send(text)
        }
      }
      service.alive = true
      for (let each = 0; each < 60; each += 1) {
        await pass(12 * second)
        beat()
      }
      send(change(0))
      await pass(4 * second)
      expect(stream.state().state).toBe('live')
      expect(shown).toEqual(state)
    }),
    { numRuns: 150 },
  )
})
