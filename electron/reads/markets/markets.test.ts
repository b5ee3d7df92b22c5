import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import type { ApiClient, KeyCredential } from '../../service/transport/api-client.ts'
import { createMarkets, type Markets } from './markets.ts'

type Answers = Readonly<Record<string, unknown>>

let service: TestService
let api: ApiClient
let markets: Markets
let answers: Answers
let credential: Result<KeyCredential, Failure>
let monotonic: number
let fieldMap: FieldMap | undefined

const wallet = { address: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 8453, peerName: 'Phone', topic: 't' }
const noKey = (): Result<never, Failure> => fail({ kind: 'api_key_required', scope: 'market:read' })

beforeEach(async () => {
  service = await startService()
  api = testClient(service.hostUrl).api
  answers = {}
  credential = noKey()
  monotonic = 0
  fieldMap = undefined
  service.answer = (request, response, socket) => {
    const [path = ''] = request.path.split('?')
    const body = answers[path]
    if (body === 'cut') socket.destroy()
    else if (typeof body === 'number') json(response, body, { error: { code: 'TOLD_SO' } })
    else json(response, 200, body ?? {})
  }
  markets = createMarkets({
    api,
    wallet: { current: () => wallet },
    credentials: { forScope: async () => credential },
    clock: { now: Date.now, monotonic: () => monotonic },
    fieldMap: { answers: () => fieldMap },
  })
})
afterEach(async () => {
  await api.close()
  await service.close()
})

const failed = (answer: Parameters<typeof failure>[0]): boolean => ['refused', 'unreachable'].includes(failure(answer).kind)

const paths = () => service.received.map(({ path }) => path)
const catalogue = (...listed: readonly Record<string, unknown>[]): Answers => ({ '/api/dex/markets': { markets: listed } })
const summary = (fields: Record<string, unknown>): Answers => ({ '/api/dex/summary': { summary: { pair_id: 1, ...fields } } })

test('the app returns each market’s precision and limits from the market list, and reads them again after a minute [MKT-02]', async () => {
  answers = catalogue({ id: 1, symbol: 'BTC-PERP', price_decimals: 1, size_decimals: 5, tick_size: '0.1', min_order_value_usdc: 10, max_leverage: 50 })
  expect(markets.known(1)).toBe(null)
  expect(value(await markets.market(1))).toMatchObject({ priceDecimals: 1, sizeDecimals: 5, tickSize: '0.1', minOrderUsdc: '10', maxLeverage: 50 })
  answers = catalogue({ id: 1, symbol: 'BTC-PERP', price_decimals: 2, size_decimals: 4, tick_size: '0.05', min_order_value_usdc: 25, max_leverage: 20 })
  monotonic = minute
  expect(value(await markets.market(1)).priceDecimals).toBe(1)
  monotonic = minute + 1
  expect(value(await markets.market(1))).toMatchObject({ priceDecimals: 2, sizeDecimals: 4, tickSize: '0.05', minOrderUsdc: '25', maxLeverage: 20 })
  expect(markets.known(1)?.priceDecimals).toBe(2)
  expect(paths()).toEqual(['/api/dex/markets', '/api/dex/markets'])
  // The field map changed, so the market's precision may differ now. A close still uses the stored market instead of waiting for a slow read.
  fieldMap = { market: { priceDecimals: { path: 'precision' } } }
  answers = {}
  expect((await markets.forExit(1))?.priceDecimals).toBe(2)
  answers = catalogue({ id: 1, symbol: 'BTC-PERP', price_decimals: 3 })
  expect(value(await markets.market(1)).priceDecimals).toBe(3)
  expect(paths()).toHaveLength(4)
})

test('the app reports an unlisted market as not found, even if the service listed it earlier', async () => {
  answers = catalogue({ id: 1, symbol: 'BTC-PERP' }, { id: 2, symbol: 'ETH-PERP' })
  expect(failure(await markets.market(3))).toEqual({ kind: 'not_found', what: 'market' })
  expect(value(await markets.market(2)).symbol).toBe('ETH-PERP')
  answers = catalogue({ id: 1, symbol: 'BTC-PERP' })
  value(await markets.handlers['markets.list']({}))
  expect(failure(await markets.market(2))).toEqual({ kind: 'not_found', what: 'market' })
  expect(markets.known(2)).toBe(null)
})

test('the app returns a missing value of a market as null, and a zero as zero', async () => {
  answers = { ...catalogue({ id: 1, symbol: 'BTC-PERP' }), ...summary({ mark_price: '0', open_interest_long_usdc: 0, funding_rate: null, index_price: '' }) }
  expect(value(await markets.market(1))).toMatchObject({
    priceDecimals: null,
    sizeDecimals: null,
    tickSize: null,
    minOrderUsdc: null,
    maxOrderUsdc: null,
    maxLeverage: null,
    status: null,
  })
  expect(value(await markets.handlers['markets.summary']({ pairId: 1 })).summary).toMatchObject({
    mark: '0',
    openInterestLongUsdc: '0',
    openInterestShortUsdc: null,
    fundingRate: null,
    index: null,
    change24h: null,
    volume24hUsdc: null,
    nextFundingAtMs: null,
    priceAtMs: null,
  })
})

test('the app reports when the service made a price and when the app read it, regardless of the unit in which the service writes times', async () => {
  const madeAtMs = 1_795_017_600_000
  for (const written of [madeAtMs, madeAtMs / 1_000, new Date(madeAtMs).toISOString()]) {
    answers = summary({ mark_price: '64000.5', updated_at: written })
    const before = Date.now()
    const { summary: found, readAtMs } = value(await markets.handlers['markets.summary']({ pairId: 1 }))
    expect(found).toMatchObject({ mark: '64000.5', priceAtMs: madeAtMs })
    // Here, the service's clock is this computer's clock, but it shows only whole seconds. The app must not conclude that the clocks differ.
    expect(readAtMs).toBeGreaterThanOrEqual(before)
    expect(readAtMs).toBeLessThanOrEqual(Date.now())
  }
})

test.each([
  ['answers with an error', 503],
  ['cuts the connection', 'cut'],
  ['answers with other data', { nothing: 'here' }],
] as const)('if the service %s, the app reports a failure instead of empty market data, and keeps the last data', async (_words, broken) => {
  answers = { ...catalogue({ id: 1, symbol: 'BTC-PERP', price_decimals: 1 }), ...summary({ mark_price: '64000' }) }
  value(await markets.market(1))
  value(await markets.handlers['markets.summary']({ pairId: 1 }))
  answers = { '/api/dex/markets': broken, '/api/dex/summary': broken, '/api/dex/summaries': broken, '/api/dex/candles': broken }
  expect(failed(await markets.handlers['markets.list']({}))).toBe(true)
  expect(failed(await markets.handlers['markets.summary']({ pairId: 1 }))).toBe(true)
  expect(failed(await markets.handlers['markets.summaries']({}))).toBe(true)
  expect(failed(await markets.handlers['markets.candles']({ pairId: 1, interval: '1m', limit: 10 }))).toBe(true)
  expect(markets.known(1)?.priceDecimals).toBe(1)
  expect(value(await markets.market(1)).priceDecimals).toBe(1)
  // After a minute, the limits may be outdated. The app then reports the failed read instead of checking an order against old limits.
  monotonic = minute + 1
  expect(failed(await markets.market(1))).toBe(true)
  expect(markets.known(1)?.priceDecimals).toBe(1)
})

test('the app reads markets by the versioned route with a key, and by the public route if the service refuses the key [GEN-10]', async () => {
  credential = ok(keyCredential)
  answers = {
    '/api/dex/v1/summaries': { summaries: [{ pair_id: 1, mark_price: '1' }] },
    '/api/dex/summaries': { summaries: [{ pair_id: 1, mark_price: '2' }] },
  }
  expect(value(await markets.handlers['markets.summaries']({}))).toMatchObject({ source: 'versioned', summaries: [{ mark: '1' }] })
  for (const refused of [401, 403]) {
    answers = { ...answers, '/api/dex/v1/summaries': refused }
    expect(value(await markets.handlers['markets.summaries']({}))).toMatchObject({ source: 'public', summaries: [{ mark: '2' }] })
  }
  // If the versioned route fails for another reason than a refused key, the app reports the failure and does not try the public route.
  answers = { ...answers, '/api/dex/v1/summaries': 500 }
  expect(failure(await markets.handlers['markets.summaries']({}))).toMatchObject({ kind: 'refused', status: 500 })
})

test('the app reads markets without a wallet or key by the public route; for data without a public route, it names the scope that a key needs [AUTH-02]', async () => {
  answers = { '/api/dex/candles': { candles: [[1_700_000_040, '1', '2', '0.5', '1.5', null]] } }
  expect(value(await markets.handlers['markets.candles']({ pairId: 1, interval: '1m', limit: 10 }))).toMatchObject({
    source: 'public',
    candles: [{ timeMs: 1_700_000_040_000, open: '1', high: '2', low: '0.5', close: '1.5', volume: null }],
  })
  expect(failure(await markets.handlers['markets.snapshot']({}))).toEqual({ kind: 'api_key_required', scope: 'market:read' })
  expect(paths()).toEqual(['/api/dex/candles?pair_id=1&interval=1m&limit=10'])
})
