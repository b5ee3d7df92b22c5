import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { ApiClient, KeyCredential } from '../../service/transport/api-client.ts'
import { createMarkets, type Markets } from './markets.ts'

let service: TestService
let api: ApiClient
let markets: Markets
let answers: Readonly<Record<string, unknown>>
let credential: Result<KeyCredential, Failure>

beforeEach(async () => {
  service = await startService()
  api = testClient(service.hostUrl).api
  answers = {}
  credential = fail({ kind: 'api_key_required', scope: 'market:read' })
  service.answer = (request, response) => {
    const body = answers[request.path.split('?')[0] ?? '']
    if (typeof body === 'number') json(response, body, { error: { code: 'TOLD_SO' } })
    else json(response, 200, body ?? {})
  }
  markets = createMarkets({
    api,
    wallet: { current: () => ({ address: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 8453, peerName: 'Phone', topic: 't' }) },
    credentials: { forScope: async () => credential },
    clock: { now: Date.now, monotonic: () => 0 },
    fieldMap: { answers: () => undefined },
  })
})
afterEach(async () => {
  await api.close()
  await service.close()
})

const paths = () => service.received.map(({ path }) => path)
const page = (fields: Record<string, unknown>) => ({
  '/api/dex/candles/history': { volume_unit: 'base', candles: [{ t: 1_700_000_000_000, o: '1', h: '2', l: '0.5', c: '1.5', v: '3' }], ...fields },
})
const older = { pairId: 1, interval: '1d', beforeMs: 1_700_086_400_000, limit: 1_000 } as const

test('MKT-03: the app requests candles older than a given time, always by the public route, even with a key', async () => {
  credential = ok(keyCredential)
  answers = page({ history_sources: ['practice'] })
  expect(value(await markets.handlers['markets.history'](older))).toMatchObject({
    candles: [{ timeMs: 1_700_000_000_000, open: '1', high: '2', low: '0.5', close: '1.5', volume: '3' }],
    sources: [{ name: 'practice', untilMs: null }],
    source: 'public',
  })
  value(await markets.handlers['markets.history']({ ...older, interval: '1w', beforeMs: null }))
  expect(paths()).toEqual([
    '/api/dex/candles/history?pair_id=1&interval=1d&limit=1000&before=1700086400000',
    '/api/dex/candles/history?pair_id=1&interval=1w&limit=1000',
  ])
  expect(service.received.map(({ headers }) => headers['x-svc-api-key'])).toEqual([undefined, undefined])
})

test.each([
  [
    'as a list of names',
    ['venue', 'archive'],
    [
      { name: 'venue', untilMs: null },
      { name: 'archive', untilMs: null },
    ],
  ],
  [
    'as text',
    'venue, archive',
    [
      { name: 'venue', untilMs: null },
      { name: 'archive', untilMs: null },
    ],
  ],
  [
    'with where each begins',
    ['venue', { name: 'archive', until: '2020-01-01T00:01:00Z' }],
    [
      { name: 'venue', untilMs: null },
      { name: 'archive', untilMs: Date.UTC(2020, 0, 1, 0, 1) },
    ],
  ],
  ['in a way that nobody can read', 7, []],
  ['not at all', undefined, []],
])('MKT-03: the app reports the sources of the candle history when the service names them %s', async (_words, named, told) => {
  answers = page({ history_sources: named })
  expect(value(await markets.handlers['markets.history'](older)).sources).toEqual(told)
})

test('the app limits the number of candle sources and the length of their names before the window receives them', async () => {
  answers = page({ history_sources: Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(10_000, 'x')) })
  const { sources } = value(await markets.handlers['markets.history'](older))
  expect([sources.length, sources[0]?.name.length]).toEqual([8, 80])
})

test('the app treats an empty page of candles as the end of the candle history, but reports a refusal of the page as a failure', async () => {
  answers = { '/api/dex/candles/history': { volume_unit: 'base', candles: [] } }
  expect(value(await markets.handlers['markets.history'](older)).candles).toEqual([])
  answers = { '/api/dex/candles/history': 400 }
  expect(failure(await markets.handlers['markets.history'](older))).toMatchObject({ kind: 'refused', status: 400 })
})

const book = {
  pair_id: 1,
  bids: [
    ['99.5', '2'],
    ['100', '1.25'],
    ['99', '0'],
  ],
  asks: [
    { price: 101, size: '0.5' },
    { price: '100.5', size: '3' },
    { price: '100.50', size: '1' },
  ],
  updated_at_ms: 1_795_017_600_000,
}
const sorted = {
  bids: [
    { price: '100', size: '1.25' },
    { price: '99.5', size: '2' },
  ],
  asks: [
    { price: '100.5', size: '4' },
    { price: '101', size: '0.5' },
  ],
  atMs: 1_795_017_600_000,
}

test('MKT-01: the app reads the order book with a key if one is available, else by the public route, and reports which route it used', async () => {
  answers = { '/api/dex/v1/orderbook': { orderbook: book }, '/api/dex/orderbook': { orderbook: { ...book, asks: [] } } }
  expect(value(await markets.handlers['markets.orderbook']({ pairId: 1 }))).toMatchObject({ asks: [], source: 'public' })
  credential = ok(keyCredential)
  expect(value(await markets.handlers['markets.orderbook']({ pairId: 1 }))).toMatchObject({ ...sorted, source: 'versioned' })
  expect(paths()).toEqual(['/api/dex/orderbook?pair_id=1', '/api/dex/v1/orderbook?pair_id=1'])
})

test('the app uses the order book of the requested market if the answer contains several books, and ignores other data', async () => {
  answers = { '/api/dex/orderbook': { orderbooks: [{ pair_id: 2, bids: [['7', '7']], asks: [] }, book] } }
  expect(value(await markets.handlers['markets.orderbook']({ pairId: 1 }))).toMatchObject(sorted)
  expect(failure(await markets.handlers['markets.orderbook']({ pairId: 3 }))).toEqual({ kind: 'not_found', what: 'order_book' })
  answers = { '/api/dex/orderbook': { bids: book.bids, asks: book.asks } }
  expect(value(await markets.handlers['markets.orderbook']({ pairId: 3 }))).toMatchObject({ ...sorted, atMs: null })
  answers = { '/api/dex/orderbook': book }
  expect(failure(await markets.handlers['markets.orderbook']({ pairId: 3 })).kind).toBe('not_found')
})

test('the app refuses an order book with an unreadable level, and shortens an order book with too many levels', async () => {
  answers = { '/api/dex/orderbook': { orderbook: { ...book, bids: [['100', 'many']] } } }
  expect(failure(await markets.handlers['markets.orderbook']({ pairId: 1 })).kind).toBe('unreachable')
  answers = { '/api/dex/orderbook': { orderbook: { bids: Array.from({ length: 5_000 }, (_, index) => [`${index + 1}`, '1']), asks: [] } } }
  const { bids } = value(await markets.handlers['markets.orderbook']({ pairId: 1 }))
  expect([bids.length, bids[0]?.price]).toEqual([1_000, '5000'])
})
