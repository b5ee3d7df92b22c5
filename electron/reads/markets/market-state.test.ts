import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import type { ApiClient, KeyCredential } from '../../service/transport/api-client.ts'
import { createReadings } from './market-reads.ts'
import { createMarketLists } from './market-services.ts'
import { createMarketState } from './market-state.ts'
import { createMarkets } from './markets.ts'

let service: TestService
let api: ApiClient
let credential: Result<KeyCredential, Failure>
let nowMs: number
let monotonic: number
let answers: Record<string, unknown>

const wallet = { address: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 8453, peerName: 'Phone', topic: 't' }
const at = 1_795_000_000_000

beforeEach(async () => {
  service = await startService()
  api = testClient(service.hostUrl).api
  answers = {}
  credential = fail({ kind: 'api_key_required', scope: 'market:read' })
  nowMs = at
  monotonic = 0
  service.answer = ({ path }, response) => {
    const body = answers[path] ?? answers[path.split('?')[0] ?? '']
    if (typeof body === 'number') json(response, body, { error: { code: 'TOLD_SO' } })
    else json(response, 200, body ?? {})
  }
})
afterEach(async () => {
  await api.close()
  await service.close()
})

function start() {
  const access = { api, fieldMap: { answers: () => undefined }, wallet: { current: () => wallet }, credentials: { forScope: async () => credential } }
  const clock = { now: () => nowMs, monotonic: () => monotonic }
  const readings = createReadings(access.fieldMap.answers)
  const markets = createMarkets({ ...access, clock, readings })
  const lists = createMarketLists({ ...access, clock, candles: markets.handlers['markets.candles'] })
  return { ...markets.handlers, ...createMarketState({ ...access, clock, readings }).handlers, ...lists.handlers }
}

const paths = () => service.received.map(({ path }) => path)

test('the app reads funding, open interest and liquidity vault with a key by the versioned route, else by the public route [MKT-01, MKT-05, GEN-10]', async () => {
  const read = start()
  answers = {
    '/api/dex/v1/markets/3/funding': { funding: { pair_id: 3, funding_rate_1h_pct: '0.0104', next_funding_at: at + minute } },
    '/api/dex/markets/3/funding': { pair_id: 3, rate_hourly_bps: 1.05, next_funding_time: (at + minute) / 1_000 },
    '/api/dex/v1/markets/3/open-interest': { open_interest: { long_usdc: '10', short_usdc: '20.50' } },
    '/api/dex/markets/3/open-interest': { open_interest: { open_interest_long_usdc: 11, open_interest_short_usdc: 21 } },
    '/api/dex/v1/vault': {
      vault: { assets_usdc: '1000', share_price_usdc: '1.05', utilization_pct: '41.7', svc_new: 'x', history: [{ at_ms: at, share_price: 1.04 }] },
    },
    '/api/dex/vault': { tvl_usdc: '1001' },
  }
  expect(value(await read['markets.funding']({ pairId: 3 }))).toMatchObject({ rate: '0.0105', nextAtMs: at + minute, source: 'public' })
  expect(value(await read['markets.openInterest']({ pairId: 3 }))).toMatchObject({ long: '11', short: '21', source: 'public' })
  expect(value(await read['markets.vault']({}))).toMatchObject({ vault: { assetsUsdc: '1001', shares: null, utilisationPercent: null }, source: 'public' })
  credential = ok(keyCredential)
  expect(value(await read['markets.funding']({ pairId: 3 }))).toMatchObject({ rate: '0.0104', source: 'versioned', unknownFields: null })
  expect(value(await read['markets.openInterest']({ pairId: 3 }))).toMatchObject({ long: '10', short: '20.5', source: 'versioned' })
  expect(value(await read['markets.vault']({}))).toMatchObject({
    vault: {
      assetsUsdc: '1000',
      sharePriceUsdc: '1.05',
      utilisationPercent: '41.7',
      history: [{ atMs: at, sharePriceUsdc: '1.04' }],
      unknownFields: '{"svc_new":"x"}',
    },
    source: 'versioned',
  })
  expect(service.received.slice(0, 3).map(({ headers }) => headers['x-svc-api-key'])).toEqual([undefined, undefined, undefined])
})

test('the app takes past funding rates from the service, or else from the rates that the app has read since it started', async () => {
  const read = start()
  const funding = '/api/dex/markets/3/funding'
  const said = (rate: string, minutes: number, more = {}) => ({ [funding]: { funding: { rate_1h_pct: rate, updated_at_ms: at + minutes * minute, ...more } } })
  answers = { '/api/dex/summaries': { summaries: [{ pair_id: 3, mark_price: '1', funding_rate_1h_pct: '0.01', updated_at_ms: at }] } }
  value(await read['markets.summaries']({}))
  answers = said('0.02', 6)
  value(await read['markets.funding']({ pairId: 3 }))
  answers = said('0.03', 7)
  const own = value(await read['markets.funding']({ pairId: 3 }))
  expect(own.historyFrom).toBe('readings')
  expect(own.history).toEqual([
    { atMs: at, rate: '0.01' },
    { atMs: at + 6 * minute, rate: '0.02' },
    { atMs: at + 7 * minute, rate: '0.03' },
  ])
  answers = said('0.04', 8, {
    history: [
      { at_ms: at - minute, funding: { rate_1h_percent: '0.5' } },
      { time: at - 2 * minute, hourlyRateFraction: 0.0025 },
    ],
  })
  const told = value(await read['markets.funding']({ pairId: 3 }))
  expect(told).toMatchObject({ historyFrom: 'service', unknownFields: null })
  expect(told.history.map(({ rate }) => rate)).toEqual(['0.25', '0.5', '0.04'])
})

test('the app requests mark prices in batches of up to 12 markets, and each market’s price only once [MKT-04]', async () => {
  const read = start()
  const ids = Array.from({ length: 25 }, (_, index) => index + 1)
  const batch = (from: number, to: number) => `/api/dex/marks?pair_ids=${ids.slice(from - 1, to).join('%2C')}`
  const marksOf = (from: number, to: number) => ({ marks: ids.slice(from - 1, to).map((id) => ({ pair_id: id, mark_price: String(id), updated_at_ms: at })) })
  answers = { [batch(1, 12)]: marksOf(1, 12), [batch(13, 24)]: marksOf(13, 24), [batch(25, 25)]: marksOf(25, 25) }
  const { marks } = value(await read['markets.marks']({ pairIds: [...ids, 3, 4] }))
  expect(marks.map(({ pairId, mark }) => [pairId, mark])).toEqual(ids.map((id) => [id, String(id)]))
  expect(paths().sort()).toEqual([batch(1, 12), batch(13, 24), batch(25, 25)].sort())

  answers = { ...answers, [batch(13, 24)]: 400 }
  const rest = value(await read['markets.marks']({ pairIds: ids }))
  expect(rest.marks.map(({ pairId }) => pairId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25])
  answers = { '/api/dex/marks': 400 }
  expect(failure(await read['markets.marks']({ pairIds: ids }))).toMatchObject({ kind: 'refused', status: 400 })
})

test.each([
  [
    'a list',
    {
      circuit_breakers: [
        { name: 'trading', tripped: true, reason: 'oracle', since: at },
        { name: 'relay', tripped: false },
        { name: 'vault', state: 'perhaps' },
      ],
    },
  ],
  ['an object', { breakers: { trading: { tripped: 'true', reason: 'oracle', since: at / 1_000 }, relay: 'ok', vault: 'perhaps' } }],
])('the app reads circuit breakers written as %s, and never guesses an unclear state [MKT-05]', async (_words, body) => {
  const read = start()
  answers = { '/api/dex/circuit-breakers': body }
  const { breakers } = value(await read['markets.breakers']({}))
  expect(breakers.map(({ name, tripped, reason, sinceMs }) => ({ name, tripped, reason, sinceMs }))).toEqual([
    { name: 'trading', tripped: true, reason: 'oracle', sinceMs: at },
    { name: 'relay', tripped: false, reason: null, sinceMs: null },
    { name: 'vault', tripped: null, reason: null, sinceMs: null },
  ])
})

test('if the service gives no time for a tripped circuit breaker, the app shows the time at which the app first read it as tripped', async () => {
  const read = start()
  const seen = async (tripped: boolean) => {
    answers = { '/api/dex/circuit-breakers': { circuit_breakers: [{ name: 'deposits', tripped }] } }
    return value(await read['markets.breakers']({})).breakers[0]?.seenAtMs
  }
  expect(await seen(false)).toBe(null)
  nowMs = at + minute
  expect(await seen(true)).toBe(at + minute)
  nowMs = at + 2 * minute
  expect(await seen(true)).toBe(at + minute)
  expect(await seen(false)).toBe(null)
  nowMs = at + 3 * minute
  expect(await seen(true)).toBe(at + 3 * minute)
})

test('the app reports a market list as incomplete if entries are unreadable, pages remain unread, or not all entries are shown [ERR-02]', async () => {
  const read = start()
  answers = {
    '/api/dex/liquidations': { liquidations: [{ pair_id: 1 }, 'in another form'] },
    '/api/dex/circuit-breakers': { circuit_breakers: [{ name: 'deposits', tripped: false }, 7], has_more: true },
    '/api/dex/markets': { markets: [{ id: 1, symbol: 'BTC-PERP' }, { id: 2 }] },
  }
  expect(value(await read['markets.liquidations']({})).missing).toEqual({ unreadable: 1, more: false })
  expect(value(await read['markets.breakers']({})).missing).toEqual({ unreadable: 1, more: true })
  expect(value(await read['markets.list']({})).missing).toEqual({ unreadable: 1, more: false })
  const many = (name: string) => Array.from({ length: 600 }, (_, id) => ({ pair_id: id, name: `${name}-${id}`, tripped: id === 599 }))
  answers = { '/api/dex/liquidations': { liquidations: many('l') }, '/api/dex/circuit-breakers': { circuit_breakers: many('b') } }
  expect(value(await read['markets.liquidations']({}))).toMatchObject({ missing: { unreadable: 0, more: true } })
  const { breakers, missing } = value(await read['markets.breakers']({}))
  expect([breakers[0]?.name, missing]).toEqual(['b-599', { unreadable: 0, more: true }])
})

test('the app sorts liquidations newest first, and keeps a liquidation that lacks most values [ERR-02]', async () => {
  const read = start()
  answers = {
    '/api/dex/liquidations': {
      liquidations: [
        { pair_id: 1 },
        { symbol: 'ETH-PERP', side: 'sell', sizeBase: 2, price: '3300.10', at_ms: at },
        { pair_id: 1, side: 'odd', at_ms: at + 1 },
      ],
    },
  }
  const { liquidations } = value(await read['markets.liquidations']({}))
  expect(liquidations.map(({ pairId, symbol, side, size, price, atMs }) => [pairId, symbol, side, size, price, atMs])).toEqual([
    [1, null, null, null, null, at + 1],
    [null, 'ETH-PERP', 'short', '2', '3300.1', at],
    [1, null, null, null, null, null],
  ])
  expect(liquidations[0]?.unknownFields).toBe('{"side":"odd"}')
})

test('the app reads the market and the metrics of the exchange’s own token, and returns null for a value that the service omits [MKT-05, ERR-02]', async () => {
  const read = start()
  answers = {
    '/api/public/baq-market': { market: { symbol: 'SVC', price_usdc: '0.4187', market_cap_usd: 12, fully_diluted_value_usdc: '40', odd: { deep: 1 } } },
    '/api/public/baq-metrics': { data: { metrics: { holders: '1204', staked_pct: 31.5, burned: '9' } } },
  }
  expect(value(await read['markets.ownToken']({}))).toMatchObject({
    symbol: 'SVC',
    price: '0.4187',
    marketCap: '12',
    fullyDiluted: '40',
    volume24h: null,
    history: [],
    unknownFields: '{"odd":{"deep":1}}',
  })
  expect(value(await read['markets.ownTokenMetrics']({}))).toMatchObject({ holders: 1204, stakedPercent: '31.5', burned: '9', staked: null })
})

test('the app shows the service’s configuration in groups, one for each model (such as the fee model), with secrets removed [MKT-05, AUTH-09]', async () => {
  const read = start()
  answers = {
    '/api/dex/config': {
      chain_id: 8453,
      contracts: { router: '0x52908400098527886E0F7030069857D2E4169EE7' },
      execution_model: { modes: ['signed_intent', 'transactions', 'delegated'] },
      fee_model: { trading_fee_bps: 5, api_key: 'SVCverysecretindeed00000' },
      collateral_model: { token: 'USDC', approval: { permit: true, token: 'SVCanothersecret00000' } },
    },
  }
  const config = value(await read['markets.config']({}))
  expect(config).toMatchObject({ chainId: 8453, permit: true, contracts: [{ name: 'router', address: '0x52908400098527886E0F7030069857D2E4169EE7' }] })
  const fields = (model: string) => config.models.find((one) => one.model === model)?.fields
  expect(fields('fee')).toContain('"trading_fee_bps":5')
  expect(JSON.stringify(config)).not.toContain('verysecret')
  expect(fields('collateral')).toBe('{"symbol":"USDC","approval":{"permit":true,"token":"[redacted]"}}')
  expect(fields('execution')).toBe('{"modes":["signed_intent","transactions","delegated"]}')
  expect(fields('order')).toBe(null)
})

test('the app shows the limits from /meta under the names that the service uses, with secrets removed [MKT-02, AUTH-09]', async () => {
  credential = ok(keyCredential)
  const read = start()
  answers = { '/api/dex/v1/meta': { api_version: 'v1', limits: { page: { max: 200 }, requests_per_second: 25, api_key: 'SVCverysecretindeed00000' } } }
  const meta = value(await read['markets.meta']({}))
  expect(meta.limits).toBe('{"page":{"max":200},"requests_per_second":25,"api_key":"[redacted]"}')
  expect(meta.unknownFields).toBe(null)
  answers = { '/api/dex/v1/meta': { api_version: 'v1' } }
  expect(value(await start()['markets.meta']({})).limits).toBe(null)
})

test('the app reads each market’s price trend once in ten minutes for all windows; a failure for one market does not affect the others', async () => {
  const read = start()
  const candles = {
    candles: [
      [1_700_000_040, '1', '2', '0.5', '1.5', null],
      [1_700_000_100, '1', '2', '0.5', '1.25', null],
    ],
  }
  answers = { '/api/dex/candles?pair_id=1&interval=1h&limit=24': candles, '/api/dex/candles?pair_id=2&interval=1h&limit=24': 400 }
  const trends = async () => value(await read['markets.trends']({ pairIds: [1, 2] })).trends
  expect(await Promise.all([trends(), trends()])).toEqual([[{ pairId: 1, closes: ['1.5', '1.25'] }], [{ pairId: 1, closes: ['1.5', '1.25'] }]])
  expect(paths().filter((path) => path.includes('pair_id=1&'))).toHaveLength(1)
  monotonic = 10 * minute - 1
  await trends()
  expect(paths().filter((path) => path.includes('pair_id=1&'))).toHaveLength(1)
  monotonic = 10 * minute
  await trends()
  expect(paths().filter((path) => path.includes('pair_id=1&'))).toHaveLength(2)
})
