import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, openClient } from '../../../../e2e/support/practice/orders.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench)
})
afterEach(() => bench.stop())

const positions = async () => at(await client.read('/positions'), 'positions')
const finality = async (hash: string) => {
  const answer = await client.read(`/native/executions/${hash}`)
  return at(answer, 'finality') ?? answer.status
}
const transaction = async () => at(await client.read('/transactions'), 'transactions.items.0')

test('the practice exchange relays an intent without an API key, for a request with only the wallet, the intent id and the signature [AUTH-10]', async () => {
  const prepared = await client.prepare(await client.marketOrder())
  const forged = await client.relay(prepared, privateKeyToAccount(generatePrivateKey()))
  expect([forged.status, at(forged, 'error.code')]).toEqual([400, 'BAD_SIGNATURE'])
  const other = await client.prepare(await client.marketOrder())
  const send = (body: unknown) => bench.call('POST /api/dex/actions/relay', { body })
  const signature = await signTypedData(bench.wallet, other, 'execution.typed_data')
  const ofAnother = await send({ wallet: bench.wallet.address, intent_id: text(prepared, 'intent_id'), signature })
  expect([ofAnother.status, at(ofAnother, 'error.code')]).toEqual([400, 'BAD_SIGNATURE'])
  const stranger = privateKeyToAccount(generatePrivateKey()).address
  expect((await send({ wallet: stranger, intent_id: text(other, 'intent_id'), signature })).status).toBe(404)
  expect((await send({ wallet: bench.wallet.address, intent_id: 'dx_unknown', signature })).status).toBe(404)
  expect(bench.exchange.effects().relayed).toEqual([])
  const relayed = await send({ wallet: bench.wallet.address, intent_id: text(other, 'intent_id'), signature })
  expect(relayed.json).toEqual({ success: true, tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), state: 'submitted' })
})

test('the practice exchange relays an intent until just before its expiry and refuses it from then on [ORD-12] [FLOW-01]', async () => {
  const [first, second] = [await client.prepare(await client.marketOrder()), await client.prepare(await client.marketOrder())]
  bench.clock.advance(299_999)
  expect((await client.relay(first)).status).toBe(200)
  bench.clock.advance(1)
  const late = await client.relay(second)
  expect([late.status, at(late, 'error.code')]).toEqual([410, 'INTENT_EXPIRED'])
  expect(at(await client.read('/transactions'), 'transactions.items.0.state')).toBe('expired')
})

test('the practice exchange executes a relayed order even if the response is lost, and refuses to relay it again [FLOW-07]', async () => {
  const prepared = await client.prepare(await client.marketOrder({ client_order_id: 'lost-answer' }))
  bench.faults.dropAnswer.push({ route: 'POST /api/dex/actions/relay', times: 1 })
  await expect(client.relay(prepared)).rejects.toThrow()
  const found = await client.read('/orders/by-client-id?client_order_id=lost-answer')
  expect(at(found, 'intent')).toMatchObject({ intent_id: at(prepared, 'intent_id'), state: 'submitted', tx_hash: expect.stringMatching(/^0x/) })
  const again = await client.relay(prepared)
  expect([again.status, at(again, 'error.code')]).toEqual([409, 'INTENT_ALREADY_RELAYED'])
  await bench.chain.mine(1)
  expect(await positions()).toHaveLength(1)
  expect(bench.exchange.effects().relayed).toHaveLength(1)
})

test('if two requests to relay the same intent arrive at the same time, the practice exchange accepts only one of them [FLOW-07]', async () => {
  const prepared = await client.prepare(await client.marketOrder())
  const answers = await Promise.all([client.relay(prepared), client.relay(prepared)])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
})

test('the practice exchange refuses to relay an intent while the network is down; a later request succeeds [FLOW-07]', async () => {
  const prepared = await client.prepare(await client.marketOrder())
  bench.chain.setAway(true)
  expect((await client.relay(prepared)).status).toBe(503)
  bench.chain.setAway(false)
  expect((await client.relay(prepared)).status).toBe(200)
})

test('the practice exchange calls a transaction pending while it has no confirmation, and final once it has eight [FLOW-06]', async () => {
  const hash = text(await client.relay(await client.prepare(await client.marketOrder())), 'tx_hash')
  expect([await finality(hash), at(await transaction(), 'state')]).toEqual(['PENDING', 'submitted'])
  for (let confirmations = 1; confirmations < 8; confirmations += 1) {
    await bench.chain.mine(1)
    expect([confirmations, await finality(hash)]).toEqual([confirmations, 'PENDING_FINALITY'])
  }
  await bench.chain.mine(1)
  expect([await finality(hash), at(await transaction(), 'state')]).toEqual(['FINAL', 'confirmed'])
  expect(await finality(`0x${'ab'.repeat(32)}`)).toBe(404)
  expect(await finality('0x12')).toBe(400)
})

test('the practice exchange reports an intent as reverted if its transaction reverted, and the intent then has no effect [FLOW-06]', async () => {
  bench.chain.revertNext()
  const hash = text(await client.relay(await client.prepare(await client.marketOrder())), 'tx_hash')
  await bench.chain.mine(1)
  expect([await finality(hash), at(await transaction(), 'state'), await positions()]).toEqual(['REVERTED', 'reverted', []])
  expect(at(await client.read('/account'), 'collateral_usdc')).toBe('10000.00')
})

test('if a reorganisation removes an intent’s transaction, the practice exchange undoes its position, order and charges [FLOW-06]', async () => {
  const untouched = await client.read('/account')
  const hash = text(await client.relay(await client.prepare(await client.marketOrder())), 'tx_hash')
  await bench.chain.mine(9)
  expect([await finality(hash), at(await positions(), 'length')]).toEqual(['FINAL', 1])
  await bench.chain.reorganise(10)
  await bench.exchange.settle()
  expect([await finality(hash), await positions()]).toEqual([404, []])
  expect((await client.read('/account')).json).toEqual(untouched.json)
  expect(at(await client.read('/orders'), 'orders.items')).toEqual([])
})

test('the practice exchange marks a relayed intent as expired if its transaction is lost and its deadline has passed [FLOW-06]', async () => {
  await client.relay(await client.prepare(await client.marketOrder()))
  await bench.chain.mine(1)
  await bench.chain.reorganise(1)
  await bench.exchange.settle()
  expect(at(await transaction(), 'state')).toBe('submitted')
  bench.clock.advance(300_000)
  await bench.chain.mine(1)
  expect(at(await transaction(), 'state')).toBe('expired')
})

test('the practice exchange keeps positions, orders and collateral of two wallets apart [AUTH-03]', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const { apiKey } = await bench.newKey({}, stranger)
  const theirs = async () =>
    Promise.all(
      ['/account', '/positions', '/orders', '/trades', '/transactions'].map(
        async (path) => (await bench.call(`GET /api/dex/v1${path}`, { headers: { 'X-Svc-API-Key': apiKey } })).json,
      ),
    )
  const before = await theirs()
  const hash = text(await client.relay(await client.prepare(await client.marketOrder())), 'tx_hash')
  await bench.chain.mine(1)
  expect(await positions()).toHaveLength(1)
  expect(await theirs()).toEqual(before)
  expect((await bench.call(`GET /api/dex/v1/native/executions/${hash}`, { headers: { 'X-Svc-API-Key': apiKey } })).status).toBe(404)
})

test('the practice exchange opens a position near the mark price, and charges the fee and the network cost [FLOW-08]', async () => {
  const prepared = await client.prepare(await client.marketOrder({ order_value_usdc: '2500', leverage: 10, take_profit: '150000' }))
  await client.relay(prepared)
  await bench.chain.mine(1)
  const mark = Number(await bench.mark(1))
  const position = at(await positions(), '0')
  expect(position).toMatchObject({ pair_id: 1, side: 'long', leverage: 10, margin_mode: 'cross', take_profit: '150000', stop_loss: null })
  const entry = Number(at(position, 'entry_price'))
  expect(entry).toBeGreaterThan(mark)
  expect(entry).toBeLessThanOrEqual(mark * 1.0005 + 0.1)
  expect(Number(at(position, 'size')) * entry).toBeLessThanOrEqual(2500)
  const fee = Number(text(prepared, 'execution.costs.trading_fee_usdc'))
  expect(at(await client.read('/account'), 'collateral_usdc')).toBe((10_000 - fee - 0.02).toFixed(2))
})

test('on the practice exchange, a filled order increases a position on the same side, and inverts a smaller position on the opposite side', async () => {
  const trade = async (change: Record<string, unknown>) => {
    const relayed = await client.relay(await client.prepare(await client.marketOrder(change)))
    expect(relayed.status).toBe(200)
    await bench.chain.mine(1)
  }
  await trade({ pair_id: 3, order_value_usdc: '1000' })
  await trade({ pair_id: 3, order_value_usdc: '500' })
  const held = at(await positions(), '0')
  expect(Number(at(held, 'notional_usdc'))).toBeGreaterThan(1490)
  await trade({ pair_id: 3, order_value_usdc: '3000', side: 'short' })
  expect(await positions()).toMatchObject([{ pair_id: 3, side: 'short' }])
  const history = await client.read('/positions/history')
  expect(at(history, 'history.items')).toMatchObject([{ pair_id: 3, side: 'long', size: at(held, 'size') }])
  await trade({ pair_id: 3, margin_mode: 'isolated', order_value_usdc: '200' })
  expect(at(await positions(), 'length')).toBe(2)
})

test('the practice exchange fills no market order beyond its max slippage, and on request keeps the unfilled rest as a limit order', async () => {
  const plainOrder = await client.prepare(await client.marketOrder({ max_slippage_bps: 50 }))
  const resting = await client.prepare(await client.marketOrder({ max_slippage_bps: 50, rest_if_unfilled: true }))
  bench.faults.priceShiftBps = 100
  await client.relay(plainOrder)
  await client.relay(resting)
  await bench.chain.mine(1)
  expect(await positions()).toEqual([])
  expect(at(await client.read('/orders'), 'orders.items')).toMatchObject([
    { status: 'open', filled_size: '0' },
    { status: 'cancelled', filled_size: '0' },
  ])
  bench.faults.priceShiftBps = 0
  await bench.chain.mine(1)
  expect(at(await client.read('/orders'), 'orders.items.0.status')).toBe('filled')
  expect(at(await positions(), 'length')).toBe(1)
})

test('the practice exchange fills resting limit and stop orders when the mark price reaches them', async () => {
  const mark = Number(await bench.mark(1))
  const order = (change: Record<string, unknown>) => client.prepare({ pair_id: 1, leverage: 5, order_value_usdc: '1000', ...change })
  await client.relay(await order({ side: 'long', order_type: 'limit', limit_price: (mark - 500).toFixed(1) }))
  await client.relay(await order({ side: 'short', order_type: 'stop', trigger_price: (mark - 900).toFixed(1), margin_mode: 'isolated' }))
  await client.relay(await order({ side: 'long', order_type: 'limit', limit_price: (mark + 500).toFixed(1), post_only: true }))
  await bench.chain.mine(1)
  const states = async () => (await client.read('/orders')).text.match(/"status":"\w+"/g)?.join(' ')
  expect(await states()).toBe('"status":"cancelled" "status":"open" "status":"open"')
  bench.faults.priceShiftBps = -60
  await bench.chain.mine(1)
  expect(await states()).toBe('"status":"cancelled" "status":"open" "status":"filled"')
  bench.faults.priceShiftBps = -120
  await bench.chain.mine(1)
  expect(await states()).toBe('"status":"cancelled" "status":"filled" "status":"filled"')
  expect(await positions()).toMatchObject([
    { side: 'long', margin_mode: 'cross', entry_price: (mark - 500).toFixed(1) },
    { side: 'short', margin_mode: 'isolated' },
  ])
})

test('on the practice exchange, an order that was only prepared can be found by its client_order_id, but only by its own wallet [ORD-16] [AUTH-03]', async () => {
  const prepared = await client.prepare(await client.marketOrder({ client_order_id: 'findable/1 ü' }))
  const path = `/orders/by-client-id?client_order_id=${encodeURIComponent('findable/1 ü')}`
  expect((await client.read(path)).json).toEqual({
    success: true,
    intent: {
      intent_id: at(prepared, 'intent_id'),
      client_order_id: 'findable/1 ü',
      action: 'open_position',
      state: 'prepared',
      tx_hash: null,
      payload: at(prepared, 'payload'),
    },
  })
  expect((await client.read('/orders/by-client-id?client_order_id=unknown')).status).toBe(404)
  expect((await client.read('/orders/by-client-id')).status).toBe(400)
  const { apiKey } = await bench.newKey({}, privateKeyToAccount(generatePrivateKey()))
  expect((await bench.call(`GET /api/dex/v1${path}`, { headers: { 'X-Svc-API-Key': apiKey } })).status).toBe(404)
})

test('the practice exchange returns lists in pages of 50 rows by default, without duplicates or gaps [ACC-02]', async () => {
  for (let each = 0; each < 52; each += 1) {
    bench.clock.advance(1_000)
    await client.prepare(await client.marketOrder({ client_order_id: `paged-order-${each}` }))
  }
  const first = await client.read('/transactions')
  expect([at(first, 'transactions.items.length'), at(first, 'transactions.has_more'), at(first, 'transactions.limit')]).toEqual([50, true, 50])
  bench.clock.advance(1_000)
  await client.prepare(await client.marketOrder())
  const second = await client.read(`/transactions?cursor=${at(first, 'transactions.next_cursor')}&limit=200`)
  expect([at(second, 'transactions.items.length'), at(second, 'transactions.items.0.client_order_id'), at(second, 'transactions.has_more')]).toEqual([
    2,
    'paged-order-1',
    false,
  ])
  for (const query of ['limit=0', 'limit=201', 'limit=ten', 'cursor=-1']) expect((await client.read(`/orders?${query}`)).status).toBe(400)
})

test('the practice exchange records a transaction hash that a wallet reports for its own intent [FLOW-05] [AUTH-10]', async () => {
  const prepared = await client.prepare(await client.marketOrder())
  const receipt = { wallet: bench.wallet.address, intent_id: text(prepared, 'intent_id'), tx_hash: `0x${'12'.repeat(32)}`, state: 'broadcast' }
  const send = (change: Record<string, unknown>) => bench.call('POST /api/dex/actions/receipt', { body: { ...receipt, ...change } })
  expect((await send({})).status).toBe(200)
  for (const change of [{ wallet: 'nobody' }, { tx_hash: '0x12' }, { state: '' }, { state: 7 }]) expect((await send(change)).status).toBe(400)
  expect((await send({ intent_id: 'dx_unknown' })).status).toBe(404)
})
