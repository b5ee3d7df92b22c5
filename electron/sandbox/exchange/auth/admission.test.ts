import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, bearer, keyHeader, start } from '../testing/start.ts'
import { allowlistFrom, isAllowed } from './allowlist.ts'

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

test('takes the key from X-Svc-API-Key or as a bearer, and the former wins [AUTH-01]', async () => {
  const { apiKey } = await bench.newKey()
  expect(await outcome(account, { 'X-Svc-API-Key': apiKey })).toEqual([200, undefined])
  expect(await outcome(account, { Authorization: `Bearer ${apiKey}` })).toEqual([200, undefined])
  expect(await outcome(account, { 'X-Svc-API-Key': 'SVCwrong', Authorization: `Bearer ${apiKey}` })).toEqual([401, 'INVALID_API_KEY'])
  expect(await outcome(account, { 'X-Svc-API-Key': apiKey, Authorization: 'Bearer SVCwrong' })).toEqual([200, undefined])
})

test('answers 401 API_KEY_REQUIRED on every versioned route without a key [AUTH-02]', async () => {
  const routes = [
    ...['status', 'meta', 'markets', 'candles', 'snapshot', 'summary', 'summaries', 'markets/1/funding', 'markets/1/open-interest', 'orderbook', 'vault'],
    ...['account', 'positions', 'orders', 'orders/by-client-id', 'collateral', 'transactions', 'trades', 'positions/history', 'stream'],
    ...[`native/executions/0x${'0'.repeat(64)}`, 'executions/cmd_1'],
  ].map((path) => `GET /api/dex/v1/${path}`)
  for (const route of [...routes, 'POST /api/dex/v1/orders/prepare', 'POST /api/dex/v1/orders/execute'])
    expect([route, ...(await outcome(route, {}))]).toEqual([route, 401, 'API_KEY_REQUIRED'])
})

test('refuses a session on the versioned API and a key on developer routes [GEN-07]', async () => {
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

test('reads and acts for the wallet of the key, whatever the request names [AUTH-03]', async () => {
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
  // The other wallet has no collateral; had the named one acted, it would have been enough.
  expect(at(order, 'execution.reason')).toBe('open_margin_insufficient')
})

test('answers 403 with the scope that is missing [AUTH-04]', async () => {
  const only = async (scope: string) => (await bench.newKey({ scopes: [scope] })).apiKey
  const calls: Record<string, string> = {
    'GET /api/dex/v1/markets': 'market:read',
    [account]: 'account:read',
    'POST /api/dex/v1/orders/execute': 'trade:execute',
  }
  for (const held of ['market:read', 'account:read', 'trade:execute']) {
    const apiKey = await only(held)
    for (const [route, needed] of Object.entries(calls)) {
      const answer = await bench.call(route, keyHeader(apiKey))
      const refused = [answer.status, at(answer, 'error.code'), at(answer, 'error.required_scope')]
      if (needed === held) expect(refused).not.toContain('SCOPE_REQUIRED')
      else expect([route, ...refused]).toEqual([route, 403, 'SCOPE_REQUIRED', needed])
    }
  }
})

test('asks for the scope of the action that is prepared [AUTH-04]', async () => {
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

test('answers 403 IP_NOT_ALLOWED outside the allowlist [AUTH-05]', async () => {
  const from = async (ip_allowlist: unknown) => outcome(account, keyHeader((await bench.newKey({ ip_allowlist })).apiKey).headers)
  expect(await from(['127.0.0.1'])).toEqual([200, undefined])
  expect(await from('10.0.0.1, 127.0.0.0/8')).toEqual([200, undefined])
  expect(await from(['203.0.113.0/28', '::1'])).toEqual([403, 'IP_NOT_ALLOWED'])
})

test('does not believe a forwarding header [AUTH-05]', async () => {
  const { apiKey } = await bench.newKey({ ip_allowlist: ['203.0.113.7'] })
  expect(await outcome(account, { 'X-Svc-API-Key': apiKey, 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7' })).toEqual([403, 'IP_NOT_ALLOWED'])
})

test('matches addresses and ranges of both families [AUTH-05]', () => {
  const allows = (entry: string, ip: string) => {
    const list = allowlistFrom([entry])
    return list.ok && isAllowed(list.value, ip)
  }
  expect(allows('203.0.113.0/28', '203.0.113.15')).toBe(true)
  expect(allows('203.0.113.0/28', '203.0.113.16')).toBe(false)
  expect(allows('203.0.113.7', '::ffff:203.0.113.7')).toBe(true)
  expect(allows('2001:db8:4f::/64', '2001:db8:4f::1')).toBe(true)
  expect(allows('2001:db8:4f::/64', '2001:db8:4f:1::1')).toBe(false)
  expect(allows('2001:db8::1', '2001:0db8:0:0:0:0:0:1')).toBe(true)
  expect(allows('0.0.0.0/0', '2001:db8::1')).toBe(false)
})

test('answers 429 with Retry-After beyond the quota of a key, and only to that key [LIM-02]', async () => {
  const slow = await bench.newKey({ quotas: { requests_per_second: 2 } })
  const other = await bench.newKey()
  const ask = (apiKey: string) => bench.call('GET /api/dex/v1/status', keyHeader(apiKey))
  expect([(await ask(slow.apiKey)).status, (await ask(slow.apiKey)).status]).toEqual([200, 200])
  const refused = await ask(slow.apiKey)
  expect([refused.status, at(refused, 'error.code'), refused.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1'])
  expect((await ask(other.apiKey)).status).toBe(200)
  bench.clock.advance(1_000)
  expect((await ask(slow.apiKey)).status).toBe(200)
})

test('takes no credential for public views of any wallet [ACC-03]', async () => {
  const view = await bench.call(`GET /api/dex/account?wallet=${bench.wallet.address}`)
  expect([view.status, at(view, 'collateral_usdc')]).toEqual([200, '10000.00'])
  expect((await bench.call('GET /api/dex/account')).status).toBe(400)
})

test('refuses a session that is not one [AUTH-08]', async () => {
  for (const token of ['svcds1.', 'svcds1.invented', 'invented']) expect((await bench.call('GET /api/dex/developer/keys', bearer(token))).status).toBe(401)
})
