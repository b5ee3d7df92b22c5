import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { type Answer, at, type Bench, bearer, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const singles = [
  'open_position',
  ...['open_market', 'create_limit', 'create_stop', 'increase', 'reduce', 'close', 'cancel', 'replace'],
  ...['set_tp', 'clear_tp', 'set_sl', 'clear_sl', 'invert', 'isolated_manage'],
]

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
const open = (change: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({ action: 'open_position', payload: limitOrder(change), ...more })
const batch = (...actions: unknown[]) => ({ action: 'batch', payload: { actions } })

test('the practice exchange answers 403 delegated_executor_binding_required to an execute request of a key that has no executor [ORD-14]', async () => {
  const apiKey = await newKey(['trade:execute', 'orders:manage'], null)
  for (const body of [open(), open({}, { prepare_only: true }), batch(open()), { action: 'cancel', payload: {} }, {}, { action: 'withdraw' }])
    expect([body, brief(await execute(apiKey, body))]).toEqual([body, '403 delegated_executor_binding_required'])
  expect((await execute(apiKey, open())).headers.get('x-svc-api-version')).toBe('v1')
})

test('an executor’s action requires the scope trade:execute, plus orders:manage to cancel, replace, or change a single TP or SL [AUTH-04] [ORD-13]', async () => {
  const [reader, trader, manager] = [
    await newKey(['market:read', 'trade:prepare', 'orders:manage']),
    await newKey(['trade:execute']),
    await newKey(['trade:execute', 'orders:manage']),
  ]
  const needs = async (apiKey: string, action: string) => at(await execute(apiKey, { action, payload: {} }), 'error.required_scope') ?? null
  const managing = ['cancel', 'replace', 'set_tp', 'clear_tp', 'set_sl', 'clear_sl']
  for (const action of [...singles, 'batch']) {
    expect([action, await needs(reader, action)]).toEqual([action, 'trade:execute'])
    expect([action, await needs(trader, action)]).toEqual([action, managing.includes(action) ? 'orders:manage' : null])
    expect([action, await needs(manager, action)]).toEqual([action, null])
  }
})

test('for an executor’s batch, the practice exchange requires the scopes of all actions in the batch [AUTH-04]', async () => {
  const trader = await newKey(['trade:execute'])
  expect(brief(await execute(trader, batch(open(), open())))).toBe('202')
  const refused = await execute(trader, batch(open(), { action: 'set_sl', payload: {} }, open()))
  expect([brief(refused), at(refused, 'error.required_scope')]).toEqual(['403 SCOPE_REQUIRED', 'orders:manage'])
  const manager = await newKey(['orders:manage'])
  expect(at(await execute(manager, batch({ action: 'cancel', payload: {} })), 'error.required_scope')).toBe('trade:execute')
})

test('the practice exchange checks the scope of an executor’s action before it checks that an executor is bound to the key [AUTH-04] [ORD-14]', async () => {
  const apiKey = await newKey(['trade:execute'], null)
  expect(brief(await execute(apiKey, { action: 'cancel', payload: {} }))).toBe('403 SCOPE_REQUIRED')
  expect(brief(await execute(apiKey, { action: 'close', payload: {} }))).toBe('403 delegated_executor_binding_required')
})

test('the practice exchange accepts exactly the sixteen documented actions of an executor [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute', 'orders:manage'])
  for (const action of singles) expect([action, brief(await execute(apiKey, { action, payload: {} }))]).not.toEqual([action, '403 SCOPE_REQUIRED'])
  for (const action of singles) expect([action, brief(await execute(apiKey, { action, payload: {} }))]).toEqual([action, '400 VALIDATION_ERROR'])
  for (const action of ['close_position_market', 'cancel_order', 'add_collateral', 'toString', '__proto__', '', undefined, 7]) {
    const refused = await execute(apiKey, { action, payload: {} })
    expect([action, brief(refused), at(refused, 'error.field')]).toEqual([action, '400 VALIDATION_ERROR', 'action'])
  }
  for (const payload of [undefined, null, [], 'text']) expect(at(await execute(apiKey, { action: 'open_position', payload }), 'error.field')).toBe('payload')
  expect(at(await execute(apiKey, open({}, { prepare_only: 'yes' })), 'error.field')).toBe('prepare_only')
})

test('for an execute request with prepare_only, the practice exchange answers 202 with the normalised payload and creates no command [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  const answer = await execute(apiKey, open({ client_order_id: 'dry-run-1' }, { prepare_only: true }))
  expect(answer.status).toBe(202)
  expect(answer.json).toEqual({
    success: true,
    prepare_only: true,
    delegated: { command_id: null, tx_hash: null, state: 'validated', executor: 'exec-fra-1' },
    status_url: null,
    action: 'open_position',
    payload: {
      pair_id: 2,
      side: 'long',
      order_type: 'limit',
      margin_mode: 'cross',
      leverage: 2,
      order_value_usdc: '100.5',
      limit_price: '3000',
      time_in_force: 'gtc',
      post_only: false,
      client_order_id: 'dry-run-1',
    },
    idempotent_replay: false,
  })
  expect(bench.exchange.effects()).toMatchObject({ prepared: 0, relayed: [], positions: [] })
})

test('the practice exchange validates requests to execute an action as strictly as requests to prepare an action [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  const field = async (change: Record<string, unknown>) => at(await execute(apiKey, open(change, { prepare_only: true })), 'error.field')
  expect(await field({ leverage: 0 })).toBe('payload.leverage')
  expect(await field({ order_value_usdc: '100.1234567' })).toBe('payload.order_value_usdc')
  expect(await field({ side: 'up' })).toBe('payload.side')
  const market = { pair_id: 1, order_type: 'market', limit_price: undefined, max_slippage_bps: 50 }
  expect(brief(await execute(apiKey, open({ ...market, reference_price: '1' })))).toBe('422 PRICE_DEVIATION_EXCEEDED')
  expect(brief(await execute(apiKey, open({ ...market, reference_price: await bench.mark(1) })))).toBe('202')
  bench.faults.stalePrices = true
  await bench.mark(1)
  bench.clock.advance(10_000)
  expect(brief(await execute(apiKey, open({ ...market, reference_price: '1' })))).toBe('503 MARKET_DATA_STALE')
})

test('the practice exchange accepts an executor’s batch of 1 to 32 actions, and names the invalid action when it refuses a batch [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute', 'orders:manage'])
  const outcome = async (body: unknown) => {
    const answer = await execute(apiKey, body)
    return `${brief(answer)} ${at(answer, 'error.field') ?? ''}`.trim()
  }
  expect(await outcome(batch(...Array(32).fill(open())))).toBe('202')
  expect(await outcome(batch())).toBe('400 VALIDATION_ERROR payload.actions')
  expect(await outcome(batch(...Array(33).fill(open())))).toBe('400 VALIDATION_ERROR payload.actions')
  expect(await outcome({ action: 'batch', payload: { actions: open() } })).toBe('400 VALIDATION_ERROR payload.actions')
  expect(await outcome(batch(open(), open({ leverage: 1.5 })))).toBe('400 VALIDATION_ERROR payload.actions.1.payload.leverage')
  expect(await outcome(batch(open(), batch(open())))).toBe('400 VALIDATION_ERROR payload.actions.1.action')
  expect(await outcome(batch('open_position'))).toBe('400 VALIDATION_ERROR payload.actions.0')
  expect(await outcome(batch({ action: 'open_position' }))).toBe('400 VALIDATION_ERROR payload.actions.0.payload')
  expect(await outcome(batch(open(), { action: 'close', payload: {} }))).toBe('400 VALIDATION_ERROR payload.actions.1.payload.position_id')
  const dry = await execute(apiKey, {
    ...batch(open({ order_value_usdc: '100.00', client_order_id: 'one' }), open({ client_order_id: 'two' })),
    prepare_only: true,
  })
  expect([dry.status, at(dry, 'payload.actions.0.payload.order_value_usdc'), at(dry, 'payload.actions.1.action')]).toEqual([202, '100', 'open_position'])
})

test('the practice exchange answers an execute request with 202, the executor’s command and the URL of the command’s status [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute', 'account:read'])
  const answer = await execute(apiKey, open())
  const commandId = text(answer, 'delegated.command_id')
  expect([answer.status, at(answer, 'prepare_only'), at(answer, 'delegated'), at(answer, 'status_url')]).toEqual([
    202,
    false,
    { command_id: expect.stringMatching(/^cmd_/), tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), state: 'submitted', executor: 'exec-fra-1' },
    `/api/dex/v1/executions/${commandId}`,
  ])
  const follow = (key: string, id = commandId) => bench.call(`GET /api/dex/v1/executions/${id}`, { headers: { 'X-Svc-API-Key': key } })
  expect((await follow(apiKey)).json).toEqual({
    success: true,
    execution: {
      command_id: commandId,
      action: 'open_position',
      state: 'submitted',
      tx_hash: at(answer, 'delegated.tx_hash'),
      reason: null,
      executor: 'exec-fra-1',
      results: [{ index: 0, action: 'open_position', state: 'pending', reason: null, order_id: null, position_id: null }],
      created_at_ms: bench.clock.now(),
      updated_at_ms: bench.clock.now(),
    },
  })
  expect(brief(await follow(apiKey, 'cmd_0000000000000000'))).toBe('404 NOT_FOUND')
  expect(brief(await follow(await newKey(['trade:execute'])))).toBe('403 SCOPE_REQUIRED')
})

test('the practice exchange shows an executor’s command only to the wallet that owns the command [AUTH-03]', async () => {
  const sent = await execute(await newKey(['trade:execute']), open())
  const [commandId, hash] = [text(sent, 'delegated.command_id'), text(sent, 'delegated.tx_hash')]
  developer = await openDeveloper(bench, privateKeyToAccount(generatePrivateKey()))
  const headers = { 'X-Svc-API-Key': await newKey(['account:read']) }
  expect(brief(await bench.call(`GET /api/dex/v1/executions/${commandId}`, { headers }))).toBe('404 NOT_FOUND')
  expect(brief(await bench.call(`GET /api/dex/v1/native/executions/${hash}`, { headers }))).toBe('404 NOT_FOUND')
})

test('the practice exchange answers a repeated execute request with its first response, or with 409 if the payload changed; it ignores a header key [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  const body = open({ idempotency_key: 'delegated-1' })
  const first = await execute(apiKey, body, { 'Idempotency-Key': 'header-0001' })
  const again = await execute(apiKey, body, { 'Idempotency-Key': 'header-0002' })
  expect([again.status, again.json]).toEqual([202, { ...Object(first.json), idempotent_replay: true }])
  const reordered = { action: 'open_position', payload: Object.fromEntries(Object.entries(body.payload).toReversed()) }
  expect(at(await execute(apiKey, reordered), 'delegated.command_id')).toBe(at(first, 'delegated.command_id'))
  expect(brief(await execute(apiKey, open({ idempotency_key: 'delegated-1', leverage: 3 })))).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
  const others = [open({}), open({}), open({ client_order_id: 'delegated-1', leverage: 3, idempotency_key: 'delegated-2' })]
  const ids = []
  for (const other of others) ids.push(text(await execute(apiKey, other, { 'Idempotency-Key': 'header-0001' }), 'delegated.command_id'))
  expect(new Set([at(first, 'delegated.command_id'), ...ids]).size).toBe(4)
})

test('as idempotency key of an execute request, the practice exchange uses payload.idempotency_key, else payload.client_order_id, for 24 hours [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  const id = async (change: Record<string, unknown>) => {
    const answer = await execute(apiKey, open(change))
    return answer.status === 202 ? at(answer, 'delegated.command_id') : brief(answer)
  }
  const first = await id({ client_order_id: 'by-order-id' })
  expect(await id({ client_order_id: 'by-order-id' })).toBe(first)
  expect(await id({ client_order_id: 'by-order-id', leverage: 3 })).toBe('409 IDEMPOTENCY_KEY_CONFLICT')
  expect(await id({ client_order_id: 'by-order-id', idempotency_key: 'another-key' })).not.toBe(first)
  expect(await id({ idempotency_key: 'short' })).toBe('400 IDEMPOTENCY_KEY_INVALID')
  bench.clock.advance(86_400_000 - 1)
  expect(await id({ client_order_id: 'by-order-id' })).toBe(first)
  bench.clock.advance(1)
  expect(await id({ client_order_id: 'by-order-id' })).not.toBe(first)
})

test('the practice exchange answers an execute request that reuses a dry run’s idempotency key with the dry run’s response [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  await execute(apiKey, open({ idempotency_key: 'one-for-both' }, { prepare_only: true }))
  const order = await execute(apiKey, open({ idempotency_key: 'one-for-both' }))
  expect([order.status, at(order, 'prepare_only'), at(order, 'delegated.command_id'), at(order, 'idempotent_replay')]).toEqual([202, true, null, true])
})

test('with its fault “delegated”, the practice exchange returns a status URL on another host, or no command id [ORD-13]', async () => {
  const apiKey = await newKey(['trade:execute'])
  bench.faults.delegated = 'foreign_status_url'
  expect(text(await execute(apiKey, open()), 'status_url')).toMatch(/^https:\/\/svc-dex\.example\.org\//)
  bench.faults.delegated = 'no_command_id'
  const nameless = await execute(apiKey, open())
  expect([nameless.status, at(nameless, 'delegated.command_id')]).toEqual([202, null])
})

test('the practice exchange refuses an execute request with a sign-in token, or with a key that has no executor of its own [GEN-07]', async () => {
  const session = await bench.signIn()
  expect(brief(await bench.call('POST /api/dex/v1/orders/execute', { ...bearer(session), body: open() }))).toBe('401 INVALID_API_KEY')
  await newKey(['trade:execute'])
  expect(brief(await execute(await newKey(['trade:execute'], null), open()))).toBe('403 delegated_executor_binding_required')
})
