import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, keyHeader, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let apiKey: string
let session: string
beforeEach(async () => {
  bench = await start()
  const key = await bench.newKey({ label: 'reader' })
  apiKey = key.apiKey
  session = key.session
})
afterEach(() => bench.stop())

const read = async (path: string) => (await bench.call(`GET /api/dex/v1${path}`, keyHeader(apiKey))).json
const markets = 'GET /api/dex/v1/markets'

test('with its fault “swapped”, the practice exchange swaps numbers and text, only in the responses of the routes set for the fault', async () => {
  const usual = await read('/summary?pair_id=1')
  bench.faults.shapes = [{ route: markets, kind: 'swapped' }]
  expect(at(await read('/markets'), 'markets.0')).toEqual({
    ...{ id: '1', symbol: 'BTC-PERP', base: 'BTC', quote: 'USDC', price_decimals: '1', size_decimals: '5', tick_size: 0.1 },
    ...{ min_order_value_usdc: 10, max_order_value_usdc: 5_000_000, max_leverage: '50', status: 'open' },
  })
  expect(await read('/summary?pair_id=1')).toEqual(usual)
})

test('with its fault “missing” or “nulls”, the practice exchange omits or nulls a third of all fields; the three thirds cover every field', async () => {
  const fields = Object.keys(at(await read('/markets'), 'markets.0') as object)
  const [missing, nulls] = [new Set<string>(), new Set<string>()]
  for (const third of [0, 1, 2] as const) {
    bench.faults.shapes = [{ route: '*', kind: 'missing', third }]
    const left = at(await read('/markets'), 'markets.0') as object
    expect(Object.keys(left).length).toBeLessThan(fields.length)
    for (const name of fields) if (!(name in left)) missing.add(name)
    bench.faults.shapes = [{ route: '*', kind: 'nulls', third }]
    for (const [name, value] of Object.entries(at(await read('/markets'), 'markets.0') as object)) if (value === null) nulls.add(name)
  }
  expect([[...missing].toSorted(), [...nulls].toSorted()]).toEqual([fields.toSorted(), fields.toSorted()])
  bench.faults.shapes = [{ route: '*', kind: 'missing' }]
  expect(at(await read('/orderbook?pair_id=1'), 'orderbook.bids.length')).toBe(48)
})

test('with its fault “unknown”, the practice exchange adds unknown fields, but only to responses to GET requests', async () => {
  bench.faults.shapes = [{ route: '*', kind: 'unknown' }]
  expect(at(await read('/markets'), 'markets.3')).toMatchObject({ id: 4, svc_unlisted: 'practice', svc_unlisted_detail: { level: 1 } })
  const written = await bench.call('POST /api/dex/developer/challenge', { body: { wallet: bench.wallet.address } })
  expect(written.json).not.toHaveProperty('svc_unlisted')
})

test('with its fault “labels”, the practice exchange puts reversed text, control characters, 10 KB of text, markup, links and formulas into labels', async () => {
  bench.faults.shapes = [{ route: '*', kind: 'labels' }]
  const symbols = (at(await read('/markets'), 'markets') as { symbol: string }[]).map(({ symbol }) => symbol)
  expect(symbols[0]).toMatch(/^BTC-PERP./s)
  for (const hostile of [
    '\u202E',
    '\u001B[31m',
    '\u0000',
    'W'.repeat(10_240),
    '<img src=x',
    '\u0301\u0316'.repeat(40),
    'שלום',
    'ВТС',
    'javascript:',
    '<script>',
    'data:text/html',
    '=HYPERLINK',
  ])
    expect([hostile, symbols.some((symbol) => symbol.includes(hostile))]).toEqual([hostile, true])
  const keys = await bench.call('GET /api/dex/developer/keys', { headers: { Authorization: `Bearer ${session}` } })
  expect(String(at(keys, 'keys.0.label'))).toMatch(/^reader./s)
  bench.faults.shapes = []
  expect(at(await read('/markets'), 'markets.0.symbol')).toBe('BTC-PERP')
})
