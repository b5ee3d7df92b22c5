import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'
import { compare, isMultipleOf } from '../../../../shared/decimal.ts'

let bench: Bench
let apiKey: string
beforeEach(async () => {
  bench = await start()
  apiKey = (await bench.newKey({ scopes: ['market:read'] })).apiKey
})
afterEach(() => bench.stop())

const read = (path: string) => bench.call(`GET /api/dex/v1${path}`, keyHeader(apiKey))
const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 104, 1024, 33]

test('the practice exchange lists markets that differ in precision, ticks, order limits and leverage [MKT-02]', async () => {
  const answer = await read('/markets')
  const values = (name: string) => new Set(ids.map((_, index) => at(answer, `markets.${index}.${name}`)))
  expect(at(answer, 'markets.length')).toBe(24)
  expect(ids.map((_, index) => at(answer, `markets.${index}.id`))).toEqual(ids)
  expect(at(answer, 'markets.0')).toEqual({
    id: 1,
    symbol: 'BTC-PERP',
    base: 'BTC',
    quote: 'USDC',
    price_decimals: 1,
    size_decimals: 5,
    tick_size: '0.1',
    min_order_value_usdc: '10',
    max_order_value_usdc: '5000000',
    max_leverage: 50,
    status: 'open',
  })
  for (const [name, atLeast] of Object.entries({
    price_decimals: 8,
    size_decimals: 8,
    tick_size: 14,
    min_order_value_usdc: 8,
    max_order_value_usdc: 16,
    max_leverage: 12,
    symbol: 24,
    status: 2,
  }))
    expect([name, values(name).size >= atLeast]).toEqual([name, true])
})

test('the practice exchange responds with 200 on every market route [MKT-01]', async () => {
  for (const path of [
    '/status',
    '/meta',
    '/markets',
    '/candles?pair_id=1&interval=1m',
    '/snapshot',
    '/summary?pair_id=2',
    '/summaries',
    '/markets/2/funding',
    '/markets/2/open-interest',
    '/orderbook?pair_id=1',
    '/orderbook',
    '/vault',
  ])
    expect([path, (await read(path)).status]).toEqual([path, 200])
  expect((await read('/status')).json).toMatchObject({ api: 'ok', network: 'ok', market_engine: 'ok', block_number: 0 })
  for (const path of [
    '/summary',
    '/summary?pair_id=99',
    '/summary?pair_id=1.0',
    '/candles?pair_id=1&interval=2m',
    '/candles?interval=1m',
    '/candles?pair_id=1&limit=0',
  ])
    expect([path, (await read(path)).status]).toEqual([path, 400])
  expect((await read('/markets/99/funding')).status).toBe(404)
})

test('the practice exchange publishes its version, scopes and contracts [GEN-08] [MKT-02]', async () => {
  const { router, usdc } = bench.chain
  const meta = await read('/meta')
  expect(meta.json).toMatchObject({ api_version: 'v1', schema: 'svc-dex-api-v1.1', chain_id: 8453, contracts: { router, usdc } })
  expect(at(meta, 'scopes')).toEqual(['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'])
  expect((await bench.call('GET /api/dex/config')).json).toMatchObject({
    chain_id: 8453,
    contracts: { router, collateral_token: usdc },
    collateral_model: { approval: { permit: true } },
  })
})

test('with its fault “published”, the practice exchange changes its schema, scopes, router and order types, but not the version headers [MKT-02]', async () => {
  const router = '0x00000000000000000000000000000000000000aa'
  bench.faults.published = { schema: 'svc-dex-api-v1.2', scopes: ['market:read'], router, orderTypes: ['market'], marginModes: ['cross'], delegated: false }
  expect((await read('/meta')).json).toMatchObject({
    schema: 'svc-dex-api-v1.2',
    scopes: ['market:read'],
    capabilities: { signed_intent: true, delegated_execution: false },
    contracts: { router, usdc: bench.chain.usdc },
  })
  expect((await bench.call('GET /api/dex/config')).json).toMatchObject({
    contracts: { router, collateral_token: bench.chain.usdc },
    order_model: { order_types: ['market'], margin_modes: ['cross'], time_in_force: ['gtc', 'ioc', 'fok'] },
  })
  expect((await read('/meta')).headers.get('x-svc-api-schema')).toBe('svc-dex-api-v1.1')
})

test('the practice exchange changes prices every second in multiples of each market’s tick; the prices depend only on seed and time [MKT-01]', async () => {
  const marks = async (of: Bench) => {
    const summaries = await of.call('GET /api/dex/summaries')
    return ids.map((_, index) => text(summaries, `summaries.${index}.mark_price`))
  }
  const listing = await read('/markets')
  const first = await marks(bench)
  for (const [index, price] of first.entries()) {
    expect(isMultipleOf(price, text(listing, `markets.${index}.tick_size`))).toBe(true)
    expect(price.split('.')[1]?.length ?? 0).toBe(at(listing, `markets.${index}.price_decimals`))
    expect(compare(price, '0')).toBe(1)
  }
  const moves = new Set<string>()
  for (let each = 0; each < 20; each += 1) {
    moves.add(await bench.mark(1))
    bench.clock.advance(1_000)
  }
  expect(moves.size).toBeGreaterThan(10)

  const twin = await start()
  const other = await start({ seed: 8 })
  for (const each of [twin, other]) each.clock.advance(21_000)
  expect(await marks(twin)).toEqual(await marks(bench))
  expect(await marks(other)).not.toEqual(await marks(bench))
  await Promise.all([twin.stop(), other.stop()])
})

test('within a second, the practice exchange moves the price far less than the max slippage of a market order', async () => {
  let largest = 0
  let before = Number(await bench.mark(12))
  for (let each = 0; each < 120; each += 1) {
    bench.clock.advance(1_000)
    const now = Number(await bench.mark(12))
    largest = Math.max(largest, Math.abs(now - before) / before)
    before = now
  }
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThan(0.002)
})

test('the practice exchange returns the mark prices of 1 to 12 markets in one response [MKT-04]', async () => {
  const marks = (list: string) => bench.call(`GET /api/dex/marks?pair_ids=${list}`)
  const twelve = await marks(ids.slice(0, 12).join(','))
  expect([twelve.status, at(twelve, 'marks.length'), at(twelve, 'marks.11.pair_id')]).toEqual([200, 12, 12])
  expect(at(await marks('17'), 'marks.length')).toBe(1)
  for (const list of [ids.slice(0, 13).join(','), '', '1,', '99', 'BTC', '1;2']) expect([list, (await marks(list)).status]).toEqual([list, 400])
})

test('a test can freeze the practice exchange’s mark prices, so that they become outdated, and can shift all prices at once', async () => {
  const { faults, clock } = bench
  faults.stalePrices = true
  const frozen = await bench.call('GET /api/dex/marks?pair_ids=1')
  clock.advance(60_000)
  expect((await bench.call('GET /api/dex/marks?pair_ids=1')).json).toEqual(frozen.json)
  expect(at(await bench.call('GET /api/dex/status'), 'market_engine')).toBe('stale')
  faults.stalePrices = false
  const usual = Number(await bench.mark(1))
  faults.priceShiftBps = -500
  expect(Number(await bench.mark(1)) / usual).toBeCloseTo(0.95, 4)
})

test('the practice exchange responds to /stream with 503 and Retry-After: 5 while its event stream is disabled [ACC-04]', async () => {
  const { apiKey: reader } = await bench.newKey({ scopes: ['account:read'] })
  const answer = await bench.call('GET /api/dex/v1/stream?pair_id=1&interval=1m', keyHeader(reader))
  expect([answer.status, at(answer, 'error.code'), answer.headers.get('retry-after')]).toEqual([503, 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED', '5'])
})

test('the practice exchange serves the public variants of the market routes without a key [MKT-05] [GEN-10]', async () => {
  const twins = [
    'markets',
    'summaries',
    'summary?pair_id=1',
    'candles?pair_id=1&interval=1m&limit=5',
    'orderbook?pair_id=1',
    'vault',
    'markets/1/funding',
    'markets/1/open-interest',
  ]
  for (const path of twins) expect([path, (await bench.call(`GET /api/dex/${path}`)).json]).toEqual([path, (await read(`/${path}`)).json])
  for (const path of ['config', 'circuit-breakers', 'liquidations', 'candles/history?pair_id=1&interval=1d'])
    expect((await bench.call(`GET /api/dex/${path}`)).status).toBe(200)
})

test('the practice exchange reports changing price, supply and metrics of the exchange’s own token [MKT-05]', async () => {
  const market = await bench.call('GET /api/public/baq-market')
  const metrics = await bench.call('GET /api/public/baq-metrics')
  const decimal = expect.stringMatching(/^-?\d+(\.\d+)?$/)
  const shown = {
    ...{ symbol: 'SVC', quote: 'USDC', price_usdc: decimal, change_24h_pct: decimal, high_24h_usdc: decimal, low_24h_usdc: decimal },
    ...{ volume_24h_usdc: decimal, market_cap_usdc: decimal, fully_diluted_value_usdc: decimal },
    ...{ circulating_supply: decimal, total_supply: decimal, max_supply: '1000000000', updated_at_ms: 1_795_012_321_000 },
  }
  expect([market.status, metrics.status]).toEqual([200, 200])
  expect(market.json).toMatchObject({ success: true, market: shown })
  expect(metrics.json).toMatchObject({
    success: true,
    metrics: {
      symbol: 'SVC',
      holders: expect.any(Number),
      staked: decimal,
      staked_pct: decimal,
      staking_apr_pct: decimal,
      burned: decimal,
      burned_24h: decimal,
    },
  })
  const price = Number(text(market, 'market.price_usdc'))
  expect(Number(text(market, 'market.low_24h_usdc'))).toBeLessThanOrEqual(price)
  expect(Number(text(market, 'market.high_24h_usdc'))).toBeGreaterThanOrEqual(price)
  expect(Number(text(market, 'market.market_cap_usdc')) / (price * Number(text(market, 'market.circulating_supply')))).toBeCloseTo(1, 6)
  expect(Number(text(market, 'market.total_supply')) + Number(text(metrics, 'metrics.burned'))).toBe(1_000_000_000)

  bench.clock.advance(3_600_000)
  const [laterMarket, laterMetrics] = [await bench.call('GET /api/public/baq-market'), await bench.call('GET /api/public/baq-metrics')]
  expect(text(laterMarket, 'market.price_usdc')).not.toBe(text(market, 'market.price_usdc'))
  expect(Number(text(laterMetrics, 'metrics.burned'))).toBeGreaterThan(Number(text(metrics, 'metrics.burned')))
})
