import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, openClient } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench)
})
afterEach(() => bench.stop())

const limit = (change: Record<string, unknown> = {}) => ({
  pair_id: 2,
  side: 'short',
  order_type: 'limit',
  leverage: 2,
  order_value_usdc: '500',
  limit_price: '4100.25',
  ...change,
})

test('the practice exchange responds to a prepare request with typed data that matches the requested order [ORD-17] [FLOW-02] [GEN-08]', async () => {
  const { wallet, chain } = bench
  const order = await client.marketOrder({ client_order_id: 'desk-order-1', take_profit: '150000', stop_loss: '50000.5', order_value_usdc: '2500.25' })
  const answer = await client.prepare(order)
  const deadline = 1795012321 + 300
  expect(answer.json).toEqual({
    success: true,
    intent_id: expect.stringMatching(/^dx_\w+$/),
    payload: expect.any(Object),
    execution: {
      ready: true,
      status: 'signature_ready',
      mode: 'signed_intent',
      typed_data: {
        domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router },
        types: expect.any(Object),
        primaryType: 'OpenPosition',
        message: {
          trader: wallet.address,
          pairId: '1',
          side: 'long',
          orderType: 'market',
          marginMode: 'cross',
          leverage: '10',
          orderValue: '2500250000',
          referencePrice: `${text(order, 'reference_price').replace('.', '')}0000000`,
          maxSlippageBps: '50',
          limitPrice: '0',
          triggerPrice: '0',
          timeInForce: 'ioc',
          restIfUnfilled: false,
          postOnly: false,
          takeProfit: '15000000000000',
          stopLoss: '5000050000000',
          clientOrderId: 'desk-order-1',
          nonce: expect.stringMatching(/^\d+$/),
          deadline: String(deadline),
        },
      },
      transactions: [],
      simulation: expect.any(Object),
      costs: expect.any(Object),
      deadline,
    },
    expires_at_ms: 1795012321000 + 300_000,
    idempotent_replay: false,
  })
  const types = at(answer, 'execution.typed_data.types.OpenPosition')
  expect(JSON.stringify(types).match(/"name":"(\w+)"/g)?.length).toBe(19)
})

test('the practice exchange’s prepare response simulates the order and reports the charges to the collateral [FLOW-08] [ORD-17]', async () => {
  const answer = await client.prepare(await client.marketOrder({ pair_id: 3, order_value_usdc: '5000', leverage: 5 }))
  expect(at(answer, 'execution.costs')).toEqual({
    network_usdc: '0.02',
    trading_fee_usdc: expect.stringMatching(/^2\.[45]\d*$/),
    charged_from: 'dex_collateral',
  })
  expect(at(answer, 'execution.simulation')).toEqual({
    entry_price: expect.stringMatching(/^\d+\.\d{3}$/),
    liquidation_price: null,
    margin_required_usdc: '1000',
    margin_used_before_pct: '0.00',
    margin_used_after_pct: expect.stringMatching(/^(9\.9\d|10\.0\d)$/),
    health_before: null,
    health_after: expect.stringMatching(/^\d+\.\d\d$/),
    fee_usdc: at(answer, 'execution.costs.trading_fee_usdc'),
  })
})

test('if an order is only prepared, the practice exchange changes neither positions nor balances [GEN-06]', async () => {
  const before = await client.read('/account')
  for (let each = 0; each < 3; each += 1) await client.prepare(await client.marketOrder())
  await bench.chain.mine(3)
  expect(at(await client.read('/positions'), 'positions')).toEqual([])
  expect((await client.read('/account')).json).toEqual(before.json)
  expect(bench.exchange.effects()).toMatchObject({ positions: [], relayed: [], prepared: 3 })
})

test('as idempotency key of a prepare request, the practice exchange uses the header, else payload.idempotency_key, else payload.client_order_id [ORD-06]', async () => {
  const id = async (payload: Record<string, unknown>, header: string | null) => at(await client.prepare(payload, header), 'intent_id')
  const both = limit({ idempotency_key: 'from-payload', client_order_id: 'from-client' })
  const first = await id(both, 'from-header')
  // The first request had a key in its header, so the exchange ignored the keys in its payload. Each key of that payload is therefore still unused.
  const second = await id(both, null)
  const third = await id(limit({ client_order_id: 'other-client' }), null)
  expect(new Set([first, second, third]).size).toBe(3)
  expect(await id(both, 'from-header')).toBe(first)
  expect(await id(both, null)).toBe(second)
  expect(await id(limit({ client_order_id: 'other-client' }), null)).toBe(third)
})

test('the practice exchange refuses a prepare request with a missing or malformed idempotency key [ORD-06]', async () => {
  expect(await client.outcome(limit(), null)).toBe('400 IDEMPOTENCY_KEY_REQUIRED')
  for (const key of ['1234567', 'x'.repeat(129), 'has space', 'slash/slash', 'ten-chars!'])
    expect(await client.outcome(limit(), key)).toBe('400 IDEMPOTENCY_KEY_INVALID')
  for (const key of ['12345678', 'x'.repeat(128), 'AZaz09._:-']) expect(await client.outcome(limit(), key)).toBe('200 signature_ready')
  // Only the first key that is present counts: a valid client_order_id does not help if the header contains an invalid key.
  expect(await client.outcome(limit({ client_order_id: 'good-client-id' }), 'bad key')).toBe('400 IDEMPOTENCY_KEY_INVALID')
  expect(await client.outcome(limit({ client_order_id: 'short' }), null)).toBe('400 IDEMPOTENCY_KEY_INVALID')
})

test('the practice exchange remembers a prepare request’s idempotency key for 24 hours [ORD-06]', async () => {
  const first = at(await client.prepare(limit(), 'remembered-key'), 'intent_id')
  bench.clock.advance(86_400_000 - 1)
  expect(at(await client.prepare(limit(), 'remembered-key'), 'intent_id')).toBe(first)
  bench.clock.advance(1)
  const next = await client.prepare(limit(), 'remembered-key')
  expect([at(next, 'idempotent_replay'), at(next, 'intent_id') === first]).toEqual([false, false])
})

test('the practice exchange keeps the idempotency keys of two wallets separate [ORD-06] [AUTH-03]', async () => {
  const mine = await client.prepare(limit(), 'shared-key-1')
  const { apiKey } = await bench.newKey({}, privateKeyToAccount(generatePrivateKey()))
  const theirs = await bench.call('POST /api/dex/v1/orders/prepare', {
    headers: { ...keyHeader(apiKey).headers, 'Idempotency-Key': 'shared-key-1' },
    body: { action: 'open_position', payload: limit({ order_value_usdc: '700' }) },
  })
  expect([theirs.status, at(theirs, 'idempotent_replay')]).toEqual([200, false])
  expect(at(theirs, 'intent_id')).not.toBe(at(mine, 'intent_id'))
})

test('the practice exchange answers a repeated prepare request with its first response even after the prepared action has expired [ORD-07] [ORD-12]', async () => {
  const first = await client.prepare(limit(), 'replayed-key')
  bench.clock.advance(299_000)
  const replay = await client.prepare(limit(), 'replayed-key')
  expect(replay.json).toEqual({ ...Object(first.json), idempotent_replay: true })
  bench.clock.advance(3_600_000)
  const late = await client.prepare(limit(), 'replayed-key')
  expect(at(late, 'idempotent_replay')).toBe(true)
  expect(Number(at(late, 'expires_at_ms'))).toBeLessThan(bench.clock.now())
  expect((await client.relay(late)).status).toBe(410)
})

test('the practice exchange repeats its prepare response if only the payload’s field order changed; it answers 409 if a value’s text changed [ORD-09]', async () => {
  const first = await client.prepare(limit(), 'ordered-key')
  const turned = Object.fromEntries(Object.entries(limit()).toReversed())
  expect(at(await client.prepare(turned, 'ordered-key'), 'intent_id')).toBe(at(first, 'intent_id'))
  // The value of this order is equal, but its text (`500.0`) differs. Payloads are compared as text, so this is a conflict.
  expect(await client.outcome(limit({ order_value_usdc: '500.0' }), 'ordered-key')).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
  expect(await client.outcome(limit({ margin_mode: 'cross' }), 'ordered-key')).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
})

test('the practice exchange answers 409 to a prepare request that reuses an idempotency key with another payload [ORD-08]', async () => {
  await client.prepare(limit(), 'conflict-key')
  expect(await client.outcome(limit({ leverage: 3 }), 'conflict-key')).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
  await client.prepare(limit({ idempotency_key: 'conflict-payload' }), null)
  expect(await client.outcome(limit({ idempotency_key: 'conflict-payload', leverage: 3 }), null)).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
  expect(bench.exchange.effects().prepared).toBe(2)
})

test('the practice exchange answers 409 to a prepare request that reuses a client_order_id with another payload [ORD-08]', async () => {
  await client.prepare(limit({ client_order_id: 'my-order-1' }), 'first-key')
  expect(await client.outcome(limit({ client_order_id: 'my-order-1', leverage: 3 }), 'second-key')).toBe('409 DUPLICATE_CLIENT_ORDER_ID')
  await client.prepare(limit({ client_order_id: 'my-order-2' }), null)
  expect(await client.outcome(limit({ client_order_id: 'my-order-2', leverage: 3 }), null)).toBe('409 DUPLICATE_CLIENT_ORDER_ID')
})

test('the practice exchange validates a repeated prepare request again, for example for stale prices, before it repeats the first response [ORD-09]', async () => {
  bench.faults.stalePrices = true
  const order = await client.marketOrder()
  const first = await client.prepare(order, 'retried-key')
  bench.clock.advance(9_000)
  expect(await client.outcome(order, 'retried-key')).toBe('503 MARKET_DATA_STALE')
  bench.faults.stalePrices = false
  bench.faults.priceShiftBps = 300
  expect(await client.outcome(order, 'retried-key')).toBe('422 PRICE_DEVIATION_EXCEEDED')
  bench.faults.priceShiftBps = 0
  expect(at(await client.prepare(order, 'retried-key'), 'intent_id')).toBe(at(first, 'intent_id'))
})

test('the practice exchange answers a prepare request with 200 preflight_failed and the reason if the margin is insufficient [ORD-10]', async () => {
  const answer = await client.prepare(await client.marketOrder({ order_value_usdc: '200000', leverage: 10 }))
  expect(answer.status).toBe(200)
  expect(at(answer, 'execution')).toMatchObject({
    ready: false,
    status: 'preflight_failed',
    mode: 'signed_intent',
    transactions: [],
    reason: 'open_margin_insufficient',
  })
  expect(at(answer, 'execution.typed_data')).toBeUndefined()
})

test('the practice exchange answers a prepare request with 200 contract_pending if the market’s contract is not deployed yet [ORD-10]', async () => {
  const answer = await client.prepare(await client.marketOrder({ pair_id: 17, order_value_usdc: '100' }))
  expect([answer.status, at(answer, 'execution.ready'), at(answer, 'execution.status'), at(answer, 'execution.typed_data')]).toEqual([
    200,
    false,
    'contract_pending',
    undefined,
  ])
})

test('the practice exchange refuses to relay an intent whose prepare response said that it cannot be executed [ORD-10] [ORD-11]', async () => {
  const failed = await client.prepare(await client.marketOrder({ order_value_usdc: '200000' }))
  const signature = `0x${'1'.repeat(130)}`
  const relayed = await bench.call('POST /api/dex/actions/relay', { body: { wallet: bench.wallet.address, intent_id: at(failed, 'intent_id'), signature } })
  expect([relayed.status, at(relayed, 'error.code')]).toEqual([409, 'INTENT_NOT_EXECUTABLE'])
})

test('with its fault “prepared”, the practice exchange returns a prepare response whose fields ready, status and payload contradict each other [ORD-11]', async () => {
  const said = async (fault: typeof bench.faults.prepared) => {
    bench.faults.prepared = fault
    const answer = await client.prepare(limit())
    return [at(answer, 'execution.ready'), at(answer, 'execution.status'), at(answer, 'execution.typed_data') !== undefined]
  }
  expect(await said('ready_but_failed')).toEqual([true, 'preflight_failed', true])
  expect(await said('not_ready_but_signable')).toEqual([false, 'signature_ready', true])
  expect(await said('unknown_status')).toEqual([true, 'queued_for_review', true])
  expect(await said('preflight_failed')).toEqual([false, 'preflight_failed', false])
  expect(await said('contract_pending')).toEqual([false, 'contract_pending', false])
  bench.faults.prepared = 'payload_differs'
  expect(at(await client.prepare(limit()), 'payload.leverage')).toBe(3)
})

test('with its fault “typedData”, the practice exchange returns altered typed data, and never executes an intent signed from that data [FLOW-02]', async () => {
  const { faults } = bench
  const honest = at(await client.prepare(await client.marketOrder()), 'execution.typed_data')
  const said = async (fault: typeof faults.typedData) => {
    faults.typedData = fault
    const answer = await client.prepare(await client.marketOrder())
    const relayed = await client.relay(answer)
    expect([fault, relayed.status, at(relayed, 'error.code')]).toEqual([fault, 400, 'BAD_SIGNATURE'])
    return at(answer, 'execution.typed_data')
  }
  expect(at(await said('amount'), 'message.orderValue')).toBe('25000000000')
  expect(at(await said('router'), 'domain.verifyingContract')).not.toBe(at(honest, 'domain.verifyingContract'))
  expect(at(await said('chain'), 'domain.chainId')).toBe(1)
  expect(at(await said('wallet'), 'message.trader')).not.toBe(bench.wallet.address)
  expect(at(await said('side'), 'message.side')).toBe('short')
  expect(at(await said('leverage'), 'message.leverage')).toBe('11')
  expect(Number(at(await said('deadline'), 'message.deadline'))).toBeGreaterThan(1795012321 + 31_000_000)
  expect(at(await said('slippage'), 'message.maxSlippageBps')).toBe('5000')
  expect(at(await said('two_scales'), 'message.orderValue')).toBe('250000000000')
  expect(at(await said('extra_field'), 'types.OpenPosition.length')).toBe(20)
  const renamed = await said('new_layout')
  expect([at(renamed, 'primaryType'), at(renamed, 'message.notional')]).toEqual(['OpenOrder', '2500000000'])
  await bench.chain.mine(2)
  expect(bench.exchange.effects()).toMatchObject({ positions: [], relayed: [] })
})

test('the practice exchange accepts exactly the twelve documented actions to prepare, and a signed permit only for a deposit [ORD-05]', async () => {
  for (const action of ['transfer', 'close', 'Open_position', 'toString', '__proto__', '', 7]) {
    const refused = await bench.call('POST /api/dex/v1/orders/prepare', { ...keyHeader(client.apiKey), body: { action, payload: {} } })
    expect([action, refused.status, at(refused, 'error.field')]).toEqual([action, 400, 'action'])
  }
  for (const action of ['open_position', 'cancel_order']) {
    const permit = await bench.call('POST /api/dex/v1/orders/prepare', { ...keyHeader(client.apiKey), body: { action, payload: limit(), permit: true } })
    expect([permit.status, at(permit, 'error.field')]).toEqual([400, 'permit'])
  }
})
