import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, bearer, keyHeader, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

const outcome = async (route: string, headers: Record<string, string>) => {
  const answer = await bench.call(route, { headers })
  return [answer.status, at(answer, 'error.code')]
}
const account = 'GET /api/dex/v1/account'

test('the practice exchange accepts an API key in X-Svc-API-Key or as a bearer token, and prefers the X-Svc-API-Key header [AUTH-01]', async () => {
  const { apiKey } = await bench.newKey()
  expect(await outcome(account, { 'X-Svc-API-Key': apiKey })).toEqual([200, undefined])
  expect(await outcome(account, { Authorization: `Bearer ${apiKey}` })).toEqual([200, undefined])
  expect(await outcome(account, { 'X-Svc-API-Key': 'SVCwrong', Authorization: `Bearer ${apiKey}` })).toEqual([401, 'INVALID_API_KEY'])
  expect(await outcome(account, { 'X-Svc-API-Key': apiKey, Authorization: 'Bearer SVCwrong' })).toEqual([200, undefined])
})

test('the practice exchange responds with 401 API_KEY_REQUIRED on every versioned route without a key [AUTH-02]', async () => {
  const routes = [
    ...['status', 'meta', 'markets', 'candles', 'snapshot', 'summary', 'summaries', 'markets/1/funding', 'markets/1/open-interest', 'orderbook', 'vault'],
    ...['account', 'positions', 'orders', 'orders/by-client-id', 'collateral', 'transactions', 'trades', 'positions/history', 'stream'],
    ...[`native/executions/0x${'0'.repeat(64)}`, 'executions/cmd_1'],
  ].map((path) => `GET /api/dex/v1/${path}`)
  for (const route of [...routes, 'POST /api/dex/v1/orders/prepare', 'POST /api/dex/v1/orders/execute'])
    expect([route, ...(await outcome(route, {}))]).toEqual([route, 401, 'API_KEY_REQUIRED'])
})

test('the practice exchange refuses a sign-in’s token on versioned routes, and an API key on developer routes [GEN-07]', async () => {
  const { apiKey, session } = await bench.newKey()
  for (const route of [account, 'GET /api/dex/v1/status', 'POST /api/dex/v1/orders/prepare']) {
    expect(await outcome(route, { Authorization: `Bearer ${session}` })).toEqual([401, 'INVALID_API_KEY'])
    expect(await outcome(route, { 'X-Svc-API-Key': session })).toEqual([401, 'INVALID_API_KEY'])
  }
  bench.clock.advance(1_000)
  for (const route of ['GET /api/dex/developer/keys', 'POST /api/dex/developer/keys', 'GET /api/dex/developer/audit']) {
    expect(await outcome(route, { Authorization: `Bearer ${apiKey}` })).toEqual([401, 'DEVELOPER_SESSION_REQUIRED'])
    expect(await outcome(route, { 'X-Svc-API-Key': apiKey })).toEqual([401, 'DEVELOPER_SESSION_REQUIRED'])
  }
  expect(bench.exchange.effects().keys).toHaveLength(1)
})

test('a request with an API key to the practice exchange acts for the wallet that owns the key, even if the request names another wallet [AUTH-03]', async () => {
  const other = privateKeyToAccount(generatePrivateKey())
  const { apiKey } = await bench.newKey({}, other)
  const mine = await bench.call(`${account}?wallet=${bench.wallet.address}`, keyHeader(apiKey))
  expect([at(mine, 'wallet'), at(mine, 'collateral_usdc')]).toEqual([other.address, '0.00'])
  const order = await bench.call('POST /api/dex/v1/orders/prepare', {
    headers: { 'X-Svc-API-Key': apiKey, 'Idempotency-Key': 'whose-order' },
    body: {
      action: 'open_position',
      payload: { wallet: bench.wallet.address, pair_id: 2, side: 'long', order_type: 'limit', limit_price: '3000', leverage: 1, order_value_usdc: '100' },
    },
  })
  // The key's wallet has no collateral, but the wallet named in the request has enough. This refusal therefore proves that the key's wallet
  // was used.
  expect(at(order, 'execution.reason')).toBe('open_margin_insufficient')
})

test('the practice exchange requires for each versioned route exactly the scope that the API document lists [AUTH-04]', async () => {
  const market = [
    'status',
    'meta',
    'markets',
    'candles?pair_id=1',
    'snapshot',
    'summary?pair_id=1',
    'summaries',
    'markets/1/funding',
    'markets/1/open-interest',
    'orderbook',
    'vault',
  ]
  const account = [
    'account',
    'positions',
    'orders',
    'orders/by-client-id',
    'collateral',
    'transactions',
    'trades',
    'positions/history',
    'executions/cmd_1',
    'stream',
  ]
  const hash = `native/executions/0x${'0'.repeat(64)}`
  const routes: [string, string][] = [
    ...market.map((path): [string, string] => [`GET /api/dex/v1/${path}`, 'market:read']),
    ...[...account, hash].map((path): [string, string] => [`GET /api/dex/v1/${path}`, 'account:read']),
    ['POST /api/dex/v1/orders/execute', 'trade:execute'],
  ]
  for (const held of ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage']) {
    const { apiKey } = await bench.newKey({ scopes: [held] })
    for (const [route, needed] of routes) {
      const answer = await bench.call(route, keyHeader(apiKey))
      const refused = [answer.status, at(answer, 'error.code'), at(answer, 'error.required_scope')]
      if (needed === held) expect([route, ...refused]).not.toContain('SCOPE_REQUIRED')
      else expect([route, ...refused]).toEqual([route, 403, 'SCOPE_REQUIRED', needed])
    }
  }
})

test('the practice exchange requires for a prepare request the scope of the action to be prepared [AUTH-04]', async () => {
  const { apiKey } = await bench.newKey({ scopes: ['market:read'] })
  const needs = async (action: string) => {
    const answer = await bench.call('POST /api/dex/v1/orders/prepare', { ...keyHeader(apiKey), body: { action, payload: {} } })
    return [answer.status, at(answer, 'error.required_scope')]
  }
  const prepare = [
    'open_position',
    'close_position_market',
    'close_position_limit',
    'invert_position',
    'update_tpsl',
    'add_isolated_margin',
    'reduce_isolated_margin',
    'change_isolated_leverage',
  ]
  for (const action of prepare) expect([action, ...(await needs(action))]).toEqual([action, 403, 'trade:prepare'])
  for (const action of ['cancel_order', 'replace_order']) expect(await needs(action)).toEqual([403, 'orders:manage'])
  for (const action of ['add_collateral', 'withdraw_collateral']) expect(await needs(action)).toEqual([403, 'collateral:manage'])
  for (const action of ['toString', 'withdraw_everything']) expect((await needs(action))[0]).toBe(400)
})

test('the practice exchange serves its public account route for any wallet without an API key or sign-in [ACC-03]', async () => {
  const view = await bench.call(`GET /api/dex/account?wallet=${bench.wallet.address}`)
  expect([view.status, at(view, 'collateral_usdc')]).toEqual([200, '10000.00'])
  expect((await bench.call('GET /api/dex/account')).status).toBe(400)
})

test('the practice exchange refuses a request to a developer route if its token is not a valid sign-in token [AUTH-08]', async () => {
  for (const token of ['svcds1.', 'svcds1.invented', 'invented']) expect((await bench.call('GET /api/dex/developer/keys', bearer(token))).status).toBe(401)
})
