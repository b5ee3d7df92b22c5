import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { type Answer, at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

async function newKey(scopes: readonly string[], executor: string | null = 'exec-fra-1'): Promise<string> {
  const created = await developer.create({ scopes })
  if (executor !== null) await developer.call(`PUT /api/dex/developer/keys/${text(created, 'key.key_id')}/executor`, { executor })
  return text(created, 'api_key')
}
const execute = (apiKey: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  bench.call('POST /api/dex/v1/orders/execute', { headers: { 'X-Svc-API-Key': apiKey, ...headers }, body })

const limitOrder = (change: Record<string, unknown> = {}) => ({
  ...{ pair_id: 2, side: 'long', order_type: 'limit', limit_price: '3000', leverage: 2, order_value_usdc: '100.50' },
  ...change,
})

async function newExecutor() {
  const apiKey = await newKey(['account:read', 'trade:execute', 'orders:manage'])
  const read = (path: string) => bench.call(`GET /api/dex/v1${path}`, { headers: { 'X-Svc-API-Key': apiKey } })
  const follow = async (accepted: Answer) => at(await read(`/executions/${at(accepted, 'delegated.command_id')}`), 'execution')
  return {
    read,
    follow,
    run: async (action: string, payload: Record<string, unknown>) => {
      bench.clock.advance(1_000)
      const answer = await execute(apiKey, { action, payload })
      expect([action, answer.status, answer.text]).toEqual([action, 202, answer.text])
      await bench.chain.mine(1)
      return follow(answer)
    },
    position: async () => at(await read('/positions'), 'positions.0'),
    order: async () => at(await read('/orders'), 'orders.items.0'),
  }
}
const atMarket = async () => ({ reference_price: await bench.mark(1), max_slippage_bps: 100 })
const done = { state: 'executed', reason: null }

test('the practice exchange executes each kind of action of an executor with the right effect on account and orders [ORD-13]', async () => {
  const { run, position, order } = await newExecutor()
  const prices = await atMarket()
  const open = { pair_id: 1, side: 'long', leverage: 10, margin_mode: 'isolated', order_value_usdc: '1000' }
  expect(await run('open_market', { ...open, ...prices, client_order_id: 'bot-order-1' })).toMatchObject({ ...done, action: 'open_market' })
  expect([await position(), await order()]).toMatchObject([
    { side: 'long', leverage: 10 },
    { client_order_id: 'bot-order-1', status: 'filled' },
  ])
  const position_id = text(await position(), 'position_id')
  const size = async () => Number(at(await position(), 'size'))
  const first = await size()

  expect(await run('increase', { position_id, order_value_usdc: '500', ...prices })).toMatchObject(done)
  expect(await size()).toBeCloseTo(first * 1.5, 3)
  expect(await run('reduce', { position_id, size: '0.002', ...prices })).toMatchObject(done)
  expect(await size()).toBeCloseTo(first * 1.5 - 0.002, 3)
  expect(await run('set_tp', { position_id, price: '150000.0' })).toMatchObject(done)
  expect(await run('set_sl', { position_id, price: '50000' })).toMatchObject(done)
  expect(await position()).toMatchObject({ take_profit: '150000', stop_loss: '50000' })
  expect(await run('clear_tp', { position_id })).toMatchObject(done)
  expect(await position()).toMatchObject({ take_profit: null, stop_loss: '50000' })
  expect(await run('clear_sl', { position_id })).toMatchObject(done)
  expect(await position()).toMatchObject({ take_profit: null, stop_loss: null })
  const margin = Number(at(await position(), 'margin_usdc'))
  expect(await run('isolated_manage', { position_id, margin_delta_usdc: '50' })).toMatchObject(done)
  expect(await run('isolated_manage', { position_id, margin_delta_usdc: '-20' })).toMatchObject(done)
  expect(Number(at(await position(), 'margin_usdc'))).toBeCloseTo(margin + 30, 1)
  expect(await run('isolated_manage', { position_id, leverage: 5 })).toMatchObject(done)
  expect(await position()).toMatchObject({ leverage: 5 })
  expect(await run('invert', { position_id, ...prices })).toMatchObject(done)
  expect(await position()).toMatchObject({ side: 'short' })
  expect(await run('close', { position_id: text(await position(), 'position_id'), ...prices })).toMatchObject(done)
  expect(await position()).toBeUndefined()

  expect(await run('create_limit', { ...open, limit_price: '50000' })).toMatchObject(done)
  const limit = text(await order(), 'order_id')
  expect(await run('replace', { order_id: limit, limit_price: '51000' })).toMatchObject(done)
  expect(await order()).toMatchObject({ order_id: limit, price: '51000', status: 'open' })
  expect(await run('cancel', { order_id: limit })).toMatchObject(done)
  expect(await order()).toMatchObject({ status: 'cancelled', reason: 'cancelled_by_trader' })
  expect(await run('create_stop', { ...open, trigger_price: '150000' })).toMatchObject(done)
  expect(await order()).toMatchObject({ order_type: 'stop', status: 'open' })
  expect(await run('open_position', { ...open, order_type: 'limit', limit_price: '40000' })).toMatchObject(done)
})

test('the practice exchange refuses an executor’s action with a missing or forbidden field, and names that field [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute', 'orders:manage'])
  const prices = await atMarket()
  const position_id = 'pos_1'
  const field = async (action: string, payload: Record<string, unknown>) => at(await execute(apiKey, { action, payload, prepare_only: true }), 'error.field')
  expect(await field('open_market', { ...limitOrder(), order_type: 'limit' })).toBe('payload.order_type')
  expect(await field('create_limit', limitOrder({ limit_price: undefined }))).toBe('payload.limit_price')
  expect(await field('create_stop', limitOrder({ order_type: undefined }))).toBe('payload.trigger_price')
  expect(await field('increase', { position_id, ...prices })).toBe('payload.order_value_usdc')
  expect(await field('reduce', { position_id, ...prices })).toBe('payload.size')
  expect(await field('close', { position_id, size: '1', ...prices })).toBe('payload.size')
  expect(await field('set_tp', { position_id })).toBe('payload.price')
  expect(await field('set_sl', { position_id, price: null })).toBe('payload.price')
  expect(await field('clear_tp', {})).toBe('payload.position_id')
  expect(await field('isolated_manage', { position_id })).toBe('payload.margin_delta_usdc')
  expect(await field('isolated_manage', { position_id, margin_delta_usdc: '1', leverage: 2 })).toBe('payload.margin_delta_usdc')
  expect(await field('isolated_manage', { position_id, margin_delta_usdc: '-0' })).toBe('payload.margin_delta_usdc')
  expect(await field('isolated_manage', { position_id, leverage: 0 })).toBe('payload.leverage')
  expect(await field('replace', { order_id: 'ord_1' })).toBe('payload.order_value_usdc')
})

test('the practice exchange reports the result of each item of an executor’s batch [ORD-13]', async () => {
  const { run, read } = await newExecutor()
  const prices = await atMarket()
  const open = { pair_id: 1, side: 'long', leverage: 10, order_value_usdc: '1000', ...prices }
  const executed = await run('batch', {
    actions: [
      { action: 'open_market', payload: open },
      { action: 'close', payload: { position_id: 'pos_7', ...prices } },
      { action: 'open_market', payload: { ...open, order_value_usdc: '900000' } },
      { action: 'create_limit', payload: limitOrder({ order_type: undefined, post_only: true, limit_price: '9000' }) },
      { action: 'create_limit', payload: limitOrder({ order_type: undefined }) },
    ],
  })
  const [nothing, made] = [
    { order_id: null, position_id: null },
    { order_id: expect.stringMatching(/^ord_\d+$/), position_id: null },
  ]
  expect(executed).toMatchObject({
    state: 'partially_executed',
    reason: 'position_not_found',
    results: [
      { index: 0, action: 'open_market', ...done, order_id: made.order_id, position_id: expect.stringMatching(/^pos_\d+$/) },
      { index: 1, action: 'close', state: 'failed', reason: 'position_not_found', ...nothing },
      { index: 2, action: 'open_market', state: 'failed', reason: 'open_margin_insufficient', ...nothing },
      { index: 3, action: 'create_limit', state: 'failed', reason: 'post_only_would_take', ...made },
      { index: 4, action: 'create_limit', ...done, ...made },
    ],
  })
  expect(at(await read('/positions'), 'positions.length')).toBe(1)
  const fee = Number(text(await read('/trades'), 'trades.items.0.fee_usdc'))
  expect(Number(text(await read('/account'), 'collateral_usdc'))).toBeCloseTo(10_000 - fee - 0.02, 2)
})

test('the practice exchange executes an executor’s batch in order: each item sees the effects of the items before it [ORD-13]', async () => {
  const { run, position } = await newExecutor()
  const prices = await atMarket()
  await run('open_market', { pair_id: 1, side: 'long', leverage: 10, order_value_usdc: '1000', ...prices })
  const position_id = text(await position(), 'position_id')
  const executed = await run('batch', {
    actions: [
      { action: 'reduce', payload: { position_id, size: '0.001', ...prices } },
      { action: 'close', payload: { position_id, ...prices } },
      { action: 'close', payload: { position_id, ...prices } },
    ],
  })
  expect(executed).toMatchObject({ state: 'partially_executed', results: [done, done, { state: 'failed', reason: 'position_not_found' }] })
})

test('the practice exchange marks an executor’s command as failed, with a reason, if its transaction reverts or none of its actions succeeds [ORD-13]', async () => {
  const { run } = await newExecutor()
  bench.chain.revertNext()
  expect(await run('create_limit', limitOrder({ order_type: undefined }))).toMatchObject({ state: 'failed', reason: 'transaction_reverted' })
  expect(await run('cancel', { order_id: 'ord_1' })).toMatchObject({ state: 'failed', reason: 'order_not_found', results: [{ state: 'failed' }] })
})

test('the practice exchange queues an executor’s command while the network is down, sends it once afterwards, and gives up after two minutes [ORD-13]', async () => {
  const { follow, order } = await newExecutor()
  const apiKey = await newKey(['trade:execute'])
  bench.chain.setAway(true)
  const sent = await execute(apiKey, { action: 'create_limit', payload: limitOrder({ order_type: undefined, idempotency_key: 'away-for-now' }) })
  expect([sent.status, at(sent, 'delegated.state'), at(sent, 'delegated.tx_hash')]).toEqual([202, 'queued', null])
  bench.chain.setAway(false)
  await bench.chain.mine(1)
  await expect.poll(async () => at(await follow(sent), 'state')).toBe('submitted')
  await bench.chain.mine(1)
  expect([await follow(sent), await order()]).toMatchObject([{ state: 'executed' }, { status: 'open' }])
  bench.chain.setAway(true)
  const lost = await execute(apiKey, { action: 'create_limit', payload: limitOrder({ order_type: undefined }) })
  bench.clock.advance(120_000)
  bench.chain.submitCommand = () => Promise.reject(new Error('away'))
  bench.chain.setAway(false)
  await bench.chain.mine(1)
  await expect.poll(async () => at(await follow(lost), 'state')).toBe('failed')
  expect(await follow(lost)).toMatchObject({ reason: 'network_unavailable' })
})

test('if a reorganisation removes an executor’s command, the practice exchange undoes the command, and marks it as failed after two minutes [ORD-13]', async () => {
  const { run, follow, position } = await newExecutor()
  const apiKey = await newKey(['trade:execute'])
  const sent = await execute(apiKey, {
    action: 'open_market',
    payload: { pair_id: 1, side: 'long', leverage: 10, order_value_usdc: '1000', ...(await atMarket()) },
  })
  await bench.chain.mine(9)
  expect([await follow(sent), await position()]).toMatchObject([{ state: 'executed' }, { side: 'long' }])
  await bench.chain.reorganise(10)
  await bench.exchange.settle()
  expect([await follow(sent), await position()]).toMatchObject([{ state: 'submitted', results: [{ state: 'pending' }] }, undefined])
  bench.clock.advance(120_000)
  await bench.chain.mine(1)
  expect(await follow(sent)).toMatchObject({ state: 'failed', reason: 'transaction_lost' })
  expect(await run('create_limit', limitOrder({ order_type: undefined }))).toMatchObject(done)
})
