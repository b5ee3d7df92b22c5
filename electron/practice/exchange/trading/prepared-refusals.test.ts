import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition, type Payload } from '../../../../e2e/support/practice/orders.ts'
import { type Answer, at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

const outcome = (answer: Answer) =>
  answer.status === 200 ? (at(answer, 'execution.reason') ?? at(answer, 'execution.status')) : `${at(answer, 'error.code')} ${at(answer, 'error.field')}`
const act = async (action: string, payload: Payload) => outcome(await client.act(action, payload))
const atMarket = async (pairId = 1) => ({ reference_price: await bench.mark(pairId), max_slippage_bps: 100 })
const numberOf = (value: unknown) => Number(value)

async function restingOrder(change: Payload = {}): Promise<string> {
  const order = { pair_id: 2, side: 'long', order_type: 'limit', leverage: 2, order_value_usdc: '600', limit_price: '2000.5', take_profit: '5000', ...change }
  await client.relay(await client.prepare(order))
  await bench.chain.mine(1)
  return text(await client.read('/orders'), 'orders.items.0.order_id')
}

test('the practice exchange requires the right scope for each action to prepare [AUTH-04] [ORD-05]', async () => {
  const needed: Record<string, string> = {
    ...Object.fromEntries(
      ['open_position', 'close_position_market', 'close_position_limit', 'invert_position', 'update_tpsl'].map((action) => [action, 'trade:prepare']),
    ),
    ...Object.fromEntries(['add_isolated_margin', 'reduce_isolated_margin', 'change_isolated_leverage'].map((action) => [action, 'trade:prepare'])),
    ...{ cancel_order: 'orders:manage', replace_order: 'orders:manage', add_collateral: 'collateral:manage', withdraw_collateral: 'collateral:manage' },
  }
  const reader = await openClient(bench, ['market:read'])
  for (const [action, scope] of Object.entries(needed)) {
    bench.clock.advance(1_000)
    const refused = await reader.act(action, {})
    expect([action, refused.status, at(refused, 'error.required_scope')]).toEqual([action, 403, scope])
  }
})

test('the practice exchange refuses invalid values in prepare requests, and names the field of the invalid value [ORD-05]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated' })
  const order_id = await restingOrder()
  const prices = await atMarket()
  const wrong: [string, Payload, string][] = [
    ['close_position_market', { ...prices }, 'position_id'],
    ['close_position_market', { position_id, ...prices, size: '0' }, 'size'],
    ['close_position_market', { position_id, ...prices, size: '0.000001' }, 'size'],
    ['close_position_market', { position_id, ...prices, size: 1 }, 'size'],
    ['close_position_market', { position_id, ...prices, max_slippage_bps: 1001 }, 'max_slippage_bps'],
    ['close_position_market', { position_id, max_slippage_bps: 10 }, 'reference_price'],
    ['close_position_market', { position_id, ...prices, client_order_id: 'x'.repeat(97) }, 'client_order_id'],
    ['close_position_limit', { position_id }, 'limit_price'],
    ['close_position_limit', { position_id, limit_price: '120000.05' }, 'limit_price'],
    ['close_position_limit', { position_id, limit_price: '120000', time_in_force: 'day' }, 'time_in_force'],
    ['close_position_limit', { position_id, limit_price: '120000', time_in_force: 'ioc', post_only: true }, 'post_only'],
    ['invert_position', { position_id, reference_price: 'much', max_slippage_bps: 10 }, 'reference_price'],
    ['update_tpsl', { position_id }, 'take_profit'],
    ['update_tpsl', { position_id, take_profit: '50000' }, 'take_profit'],
    ['update_tpsl', { position_id, stop_loss: '150000' }, 'stop_loss'],
    ['update_tpsl', { position_id, stop_loss: '50000.01' }, 'stop_loss'],
    ['add_isolated_margin', { position_id, amount_usdc: '-1' }, 'amount_usdc'],
    ['add_isolated_margin', { position_id, amount_usdc: '1.0000001' }, 'amount_usdc'],
    ['reduce_isolated_margin', { position_id, amount_usdc: 0 }, 'amount_usdc'],
    ['change_isolated_leverage', { position_id, leverage: 51 }, 'leverage'],
    ['change_isolated_leverage', { position_id, leverage: '5' }, 'leverage'],
    ['cancel_order', {}, 'order_id'],
    ['cancel_order', { order_id: 'no spaces' }, 'order_id'],
    ['replace_order', { order_id }, 'order_value_usdc'],
    ['replace_order', { order_id, order_value_usdc: '9' }, 'order_value_usdc'],
    ['replace_order', { order_id, limit_price: '2000.555' }, 'limit_price'],
    ['replace_order', { order_id, trigger_price: '2000' }, 'trigger_price'],
    ['replace_order', { order_id, stop_loss: '3000' }, 'stop_loss'],
    ['add_collateral', { amount: '1' }, 'token'],
    ['add_collateral', { token: 'DAI', amount: '1' }, 'token'],
    ['add_collateral', { token: 'USDC', amount: '1.0000001' }, 'amount'],
    ['withdraw_collateral', { token: 'SVC', amount: '0.0000000000000000001' }, 'amount'],
    ['withdraw_collateral', { token: 'USDC' }, 'amount'],
  ]
  for (const [action, payload, field] of wrong) {
    bench.clock.advance(50)
    expect([action, payload, await act(action, payload)]).toEqual([action, payload, `VALIDATION_ERROR payload.${field}`])
  }
  const off = await client.act('close_position_market', { position_id, reference_price: '1', max_slippage_bps: 10 })
  expect([off.status, at(off, 'error.code')]).toEqual([422, 'PRICE_DEVIATION_EXCEEDED'])
  bench.faults.stalePrices = true
  await bench.mark(1)
  bench.clock.advance(9_000)
  const stale = await client.act('invert_position', { position_id, ...prices })
  expect([stale.status, at(stale, 'error.code')]).toEqual([503, 'MARKET_DATA_STALE'])
})

test('the practice exchange answers 200 preflight_failed with a reason if an action to prepare is valid but the account does not allow it [ORD-10]', async () => {
  const isolated = await openPosition(bench, client, { margin_mode: 'isolated' })
  const cross = await openPosition(bench, client, { pair_id: 2 })
  const order_id = await restingOrder()
  const prices = await atMarket()
  const gone = { position_id: 'pos_1' }
  const failed: [string, Payload, string][] = [
    ['close_position_market', { ...gone, ...prices }, 'position_not_found'],
    ['close_position_market', { position_id: isolated, ...prices, size: '1' }, 'close_size_exceeds_position'],
    ['close_position_limit', { ...gone, limit_price: '1' }, 'position_not_found'],
    ['invert_position', { ...gone, ...prices }, 'position_not_found'],
    ['update_tpsl', { ...gone, stop_loss: '1' }, 'position_not_found'],
    ['add_isolated_margin', { position_id: cross, amount_usdc: '1' }, 'position_not_isolated'],
    ['add_isolated_margin', { position_id: isolated, amount_usdc: '20000' }, 'add_margin_insufficient'],
    ['reduce_isolated_margin', { position_id: isolated, amount_usdc: '245' }, 'reduce_margin_insufficient'],
    ['change_isolated_leverage', { position_id: cross, leverage: 3 }, 'position_not_isolated'],
    ['cancel_order', { order_id: 'ord_1' }, 'order_not_found'],
    ['replace_order', { order_id: 'ord_1', limit_price: '1' }, 'order_not_found'],
    ['withdraw_collateral', { token: 'USDC', amount: '9900' }, 'withdraw_margin_insufficient'],
  ]
  for (const [action, payload, reason] of failed) {
    const answer = await client.act(action, payload)
    expect([action, answer.status, at(answer, 'execution')]).toMatchObject([
      action,
      200,
      { ready: false, status: 'preflight_failed', reason, transactions: [] },
    ])
    expect(at(answer, 'execution.typed_data')).toBeUndefined()
  }
  expect(await act('reduce_isolated_margin', { position_id: isolated, amount_usdc: '150' })).toBe('ready')
  bench.faults.stalePrices = true
  await bench.mark(1)
  bench.clock.advance(9_000)
  expect(await act('reduce_isolated_margin', { position_id: isolated, amount_usdc: '1' })).toBe('oracle_unavailable')
  expect(await act('withdraw_collateral', { token: 'USDC', amount: '1' })).toBe('oracle_unavailable')
  expect(await act('cancel_order', { order_id })).toBe('ready')
})

test('the practice exchange refuses to withdraw an unrealised profit [ORD-10]', async () => {
  await openPosition(bench, client, { order_value_usdc: '50000' })
  const withdrawable = async () => numberOf(at(await client.read('/collateral'), 'collateral.0.withdrawable'))
  const before = await withdrawable()
  bench.faults.priceShiftBps = 300
  expect(numberOf(at(await client.read('/account'), 'free_margin_usdc'))).toBeGreaterThan(before + 1_000)
  expect(await withdrawable()).toBeCloseTo(before, -2)
  expect(await act('withdraw_collateral', { token: 'USDC', amount: String(Math.ceil(before + 500)) })).toBe('withdraw_margin_insufficient')
  bench.faults.priceShiftBps = -300
  expect(await withdrawable()).toBeLessThan(before - 1_000)
})

test('the practice exchange refuses to replace an order by one whose order value is below the already filled part [ORD-10]', async () => {
  const limit_price = (numberOf(await bench.mark(14)) * 0.995).toFixed(7)
  const order_id = await restingOrder({ pair_id: 14, order_value_usdc: '200', limit_price, take_profit: undefined })
  bench.faults.priceShiftBps = -100
  await bench.chain.mine(1)
  expect(at(await client.read('/orders'), 'orders.items.0.status')).toBe('partially_filled')
  bench.faults.priceShiftBps = 0
  expect(await act('replace_order', { order_id, order_value_usdc: '20' })).toBe('order_value_below_filled')
  expect(await act('replace_order', { order_id, order_value_usdc: '150' })).toBe('ready')
})

test('the practice exchange refuses to prepare a leverage change without sufficient margin [ORD-10]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated', order_value_usdc: '50000', leverage: 25 })
  expect(await act('change_isolated_leverage', { position_id, leverage: 2 })).toBe('leverage_margin_insufficient')
  expect(await act('change_isolated_leverage', { position_id, leverage: 10 })).toBe('ready')
})

test('the practice exchange applies the same idempotency rules (repeat, conflict, expiry) to every action that it prepares [ORD-06] [ORD-07] [ORD-08]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated' })
  const order_id = await restingOrder()
  const prices = await atMarket()
  const actions: [string, Payload, Payload][] = [
    ['close_position_market', { position_id, ...prices }, { size: '0.01' }],
    ['close_position_limit', { position_id, limit_price: '120000' }, { limit_price: '120001' }],
    ['invert_position', { position_id, ...prices }, { max_slippage_bps: 99 }],
    ['update_tpsl', { position_id, take_profit: '150000' }, { take_profit: '150001' }],
    ['add_isolated_margin', { position_id, amount_usdc: '1' }, { amount_usdc: '1.0' }],
    ['reduce_isolated_margin', { position_id, amount_usdc: '1' }, { amount_usdc: '2' }],
    ['change_isolated_leverage', { position_id, leverage: 3 }, { leverage: 4 }],
    ['cancel_order', { order_id }, { note: 'other' }],
    ['replace_order', { order_id, limit_price: '1900' }, { limit_price: '1901' }],
    ['add_collateral', { token: 'USDC', amount: '5' }, { amount: '6' }],
    ['withdraw_collateral', { token: 'USDC', amount: '5' }, { amount: '6' }],
  ]
  const key = 'one-key-for-all'
  for (const [action, payload, change] of actions) {
    bench.clock.advance(1_000)
    const first = await client.act(action, payload, { key })
    const again = await client.act(action, payload, { key })
    // Idempotency keys are separate for each action: the same key may be used once with every action.
    expect([action, at(first, 'idempotent_replay'), again.json]).toEqual([action, false, { ...Object(first.json), idempotent_replay: true }])
    expect([action, at(await client.act(action, { ...payload, ...change }, { key }), 'error.code')]).toEqual([action, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect([action, at(await client.act(action, payload, { key: null }), 'error.code')]).toEqual([action, 'IDEMPOTENCY_KEY_REQUIRED'])
    const inPayload = await client.act(action, { ...payload, idempotency_key: 'in-the-payload' }, { key: null })
    expect([action, at(inPayload, 'idempotent_replay'), at(inPayload, 'intent_id') === at(first, 'intent_id')]).toEqual([action, false, false])
  }
})

test('the practice exchange answers 409 if a deposit request reuses an idempotency key but adds or omits the permit flag [ORD-09]', async () => {
  const usdc = { token: 'USDC', amount: '5' }
  const plain = await client.act('add_collateral', usdc, { key: 'deposit-key' })
  expect(at(await client.act('add_collateral', usdc, { key: 'deposit-key', permit: true }), 'error.code')).toBe('IDEMPOTENCY_KEY_CONFLICT')
  expect(at(await client.act('add_collateral', usdc, { key: 'deposit-key' }), 'intent_id')).toBe(at(plain, 'intent_id'))
})

test('if two requests with the same idempotency key arrive at the same time, the practice exchange creates only one intent [ORD-07]', async () => {
  const deposit = () => client.act('add_collateral', { token: 'USDC', amount: '5' }, { key: 'both-at-once' })
  const answers = await Promise.all([deposit(), deposit()])
  expect(new Set(answers.map((answer) => at(answer, 'intent_id'))).size).toBe(1)
  expect(answers.map((answer) => at(answer, 'idempotent_replay')).toSorted()).toEqual([false, true])
})

test('the practice exchange answers 409 to a second close order with the same client_order_id [ORD-08]', async () => {
  const position_id = await openPosition(bench, client)
  const close = (limit_price: string, key: string) => client.act('close_position_limit', { position_id, limit_price, client_order_id: 'my-close-1' }, { key })
  expect((await close('120000', 'close-key-1')).status).toBe(200)
  expect(at(await close('121000', 'close-key-2'), 'error.code')).toBe('DUPLICATE_CLIENT_ORDER_ID')
})

test('the practice exchange answers 503 to a deposit request if the chain is unreachable, because the request cannot be checked', async () => {
  bench.chain.holdings = () => Promise.reject(new Error('away'))
  const answer = await client.act('add_collateral', { token: 'USDC', amount: '5' })
  expect([answer.status, at(answer, 'error.code')]).toEqual([503, 'NETWORK_UNAVAILABLE'])
})
