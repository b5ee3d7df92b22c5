import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, openClient, type Payload } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
let refPrice: string
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench)
  refPrice = await bench.mark(1)
})
afterEach(() => bench.stop())

const ready = '200 signature_ready'
const market = async (change: Payload) => client.outcome(await client.marketOrder(change))
const limitOrder = { pair_id: 1, side: 'long', order_type: 'limit', leverage: 5, order_value_usdc: '1000', limit_price: '90000.5' }
const stopOrder = { pair_id: 1, side: 'long', order_type: 'stop', leverage: 5, order_value_usdc: '1000', trigger_price: '99999.9' }

const refuses = async (base: Payload, field: string, values: readonly unknown[]) => {
  for (const value of values) {
    bench.clock.advance(1_000)
    const answer = await client.prepare({ ...base, ...('reference_price' in base && { reference_price: await bench.mark(1) }), [field]: value })
    expect([value, answer.status, at(answer, 'error.code'), at(answer, 'error.field')]).toEqual([value, 400, 'VALIDATION_ERROR', `payload.${field}`])
  }
}

test('the practice exchange fills in the default values that the API document lists for omitted order fields [ORD-01] [ORD-17]', async () => {
  const answer = await client.prepare(await client.marketOrder({ client_order_id: undefined }))
  expect(at(answer, 'payload')).toEqual({
    pair_id: 1,
    side: 'long',
    order_type: 'market',
    margin_mode: 'cross',
    leverage: 10,
    order_value_usdc: '2500',
    reference_price: String(Number(refPrice)),
    max_slippage_bps: 50,
    time_in_force: 'ioc',
    rest_if_unfilled: false,
    client_order_id: expect.stringMatching(/^.{1,96}$/),
  })
})

test('the practice exchange shortens decimals (2500.50 becomes 2500.5) and drops order fields that the API document does not list [ORD-17]', async () => {
  const answer = await client.prepare(
    await client.marketOrder({ order_value_usdc: '2500.500000', color: 'red', idempotency_key: 'in-payload-1', take_profit: '120000.50' }),
  )
  expect(at(answer, 'payload')).toMatchObject({ order_value_usdc: '2500.5', take_profit: '120000.5' })
  expect(Object.keys(at(answer, 'payload') ?? {})).not.toEqual(expect.arrayContaining(['color']))
})

test('the practice exchange refuses an order with an invalid value in any field [ORD-01]', async () => {
  const order = await client.marketOrder()
  await refuses(order, 'pair_id', [undefined, 0, 99, '1', 1.5, null])
  await refuses(order, 'side', [undefined, 'buy', 'LONG', 1, null])
  await refuses(order, 'order_type', ['Market', 'twap', null])
  await refuses(order, 'margin_mode', ['portfolio', null])
  await refuses(order, 'time_in_force', ['gtd', 1, null])
  await refuses(order, 'rest_if_unfilled', ['true', 1, null])
})

test('the practice exchange accepts an order’s leverage if it is a whole number from 1 to the market’s maximum [ORD-04]', async () => {
  const order = await client.marketOrder()
  await refuses(order, 'leverage', [undefined, 0, 51, 2.5, '10', null])
  expect(await market({ leverage: 1 })).toBe(ready)
  expect(await market({ leverage: 50 })).toBe(ready)
  expect(await market({ pair_id: 16, leverage: 3, order_value_usdc: '25' })).toBe(ready)
  expect(await market({ pair_id: 16, leverage: 4, order_value_usdc: '25' })).toBe('400 VALIDATION_ERROR')
})

test('the practice exchange accepts an order value as text with at most 6 decimals and within the market’s limits [ORD-04]', async () => {
  const order = await client.marketOrder()
  await refuses(order, 'order_value_usdc', [
    undefined,
    2500,
    '2500.1234567',
    '2500.0000000',
    '9.999999',
    '5000000.000001',
    '-100',
    '1e3',
    ' 100',
    '100,00',
    '',
    '.5',
    null,
  ])
  expect(await market({ order_value_usdc: '10' })).toBe(ready)
  expect(await market({ order_value_usdc: '2500.123456' })).toBe(ready)
  expect(await market({ order_value_usdc: '5000000' })).toBe('200 preflight_failed')
})

test('the practice exchange accepts a client_order_id of at most 96 characters [ORD-04]', async () => {
  await refuses(await client.marketOrder(), 'client_order_id', ['x'.repeat(97), '', 12345678, null])
  expect(await market({ client_order_id: 'x'.repeat(96) })).toBe(ready)
})

test('the practice exchange requires a reference price and a slippage of 1 to 1000 basis points for market orders [ORD-02]', async () => {
  const order = await client.marketOrder()
  await refuses(
    order,
    'reference_price',
    [undefined, Number(refPrice), '0', '-1', 'abc'].map((each) => each),
  )
  await refuses(order, 'max_slippage_bps', [undefined, 0, 1001, 1.5, '50', null])
  expect(await market({ max_slippage_bps: 1 })).toBe(ready)
  expect(await market({ max_slippage_bps: 1000 })).toBe(ready)
})

test('the practice exchange accepts only ioc (immediate or cancel) as time in force of a market order [ORD-02]', async () => {
  await refuses(await client.marketOrder(), 'time_in_force', ['gtc', 'fok'])
  expect(await market({ time_in_force: 'ioc' })).toBe(ready)
})

test('the practice exchange refuses a market order whose reference price differs from the mark price by more than 1.5 % [ORD-02]', async () => {
  const away = (share: number) => (Number(refPrice) * share).toFixed(4)
  expect(await market({ reference_price: away(1.015) })).toBe(ready)
  expect(await market({ reference_price: away(0.985) })).toBe(ready)
  expect(await market({ reference_price: (Number(refPrice) * 1.015 + 0.0001).toFixed(4) })).toBe('422 PRICE_DEVIATION_EXCEEDED')
  expect(await market({ reference_price: (Number(refPrice) * 0.985 - 0.0001).toFixed(4) })).toBe('422 PRICE_DEVIATION_EXCEEDED')
})

test('the practice exchange answers MARKET_DATA_STALE to market orders only, once prices are older than 8 seconds [ORD-02]', async () => {
  bench.faults.stalePrices = true
  const order = await client.marketOrder()
  bench.clock.advance(8_000)
  expect(await client.outcome(order)).toBe(ready)
  bench.clock.advance(1)
  expect(await client.outcome(order)).toBe('503 MARKET_DATA_STALE')
  expect(await client.outcome(limitOrder)).toBe(ready)
  bench.faults.stalePrices = false
  expect(await market({})).toBe(ready)
})

test('the practice exchange requires the price that the order type needs, as a multiple of the market’s tick [ORD-03]', async () => {
  await refuses(limitOrder, 'limit_price', [undefined, 90_000, '90000.55', '0', null])
  await refuses(stopOrder, 'trigger_price', [undefined, 99_999, '99999.95', '0', null])
  expect(await client.outcome(limitOrder)).toBe(ready)
  expect(await client.outcome(stopOrder)).toBe(ready)
  for (const time_in_force of ['gtc', 'ioc', 'fok']) expect(await client.outcome({ ...limitOrder, time_in_force })).toBe(ready)
})

test('the practice exchange accepts post_only only for limit orders, and rest_if_unfilled only for market orders [ORD-03]', async () => {
  await refuses(await client.marketOrder(), 'post_only', [true, false])
  await refuses(stopOrder, 'post_only', [true])
  await refuses(limitOrder, 'rest_if_unfilled', [true, false])
  expect(await client.outcome({ ...limitOrder, post_only: true })).toBe(ready)
  expect(await market({ rest_if_unfilled: true })).toBe(ready)
})

test('the practice exchange accepts take profit and stop loss only on the correct side of the entry price [ORD-03]', async () => {
  const mark = Number(refPrice)
  const [above, below] = [(mark + 1000).toFixed(1), (mark - 1000).toFixed(1)]
  await refuses(await client.marketOrder({ side: 'long' }), 'take_profit', [below])
  await refuses(await client.marketOrder({ side: 'long' }), 'stop_loss', [above])
  await refuses(await client.marketOrder({ side: 'short' }), 'take_profit', [above])
  await refuses(await client.marketOrder({ side: 'short' }), 'stop_loss', [below])
  await refuses(limitOrder, 'take_profit', ['90000.5', '89000'])
  await refuses({ ...stopOrder, side: 'short' }, 'stop_loss', ['99999.9', '90000'])
  expect(await market({ side: 'long', take_profit: above, stop_loss: below })).toBe(ready)
  expect(await market({ side: 'short', take_profit: below, stop_loss: above })).toBe(ready)
  expect(await client.outcome({ ...limitOrder, take_profit: '90000.6', stop_loss: '90000.4' })).toBe(ready)
})
