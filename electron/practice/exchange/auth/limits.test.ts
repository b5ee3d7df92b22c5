import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { type Answer, at, type Bench, bearer, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

const limited = (answer: Answer) => [answer.status, at(answer, 'error.code'), answer.headers.get('retry-after')]
const refusal = [429, 'RATE_LIMITED', '1']

const developerRoutes = [
  'POST /api/dex/developer/challenge',
  'POST /api/dex/developer/session',
  'GET /api/dex/developer/keys',
  'POST /api/dex/developer/keys',
  'POST /api/dex/developer/keys/prepare',
  'POST /api/dex/developer/keys/key_1/rotate',
  'PUT /api/dex/developer/keys/key_1/expiry',
  'POST /api/dex/developer/keys/key_1/agent',
  'POST /api/dex/developer/keys/key_1/agent/grant',
  'PUT /api/dex/developer/keys/key_1/executor',
  'POST /api/dex/developer/keys/key_1/execution-payment',
  'DELETE /api/dex/developer/keys/key_1',
  'GET /api/dex/developer/audit',
]

test('the practice exchange responds with 429 and Retry-After to the eleventh developer request within a second, on every developer route [LIM-01]', async () => {
  for (let each = 0; each < 10; each += 1) expect((await bench.call('GET /api/dex/developer/keys')).status).toBe(401)
  for (const route of developerRoutes) expect([route, ...limited(await bench.call(route))]).toEqual([route, ...refusal])
})

test('the practice exchange’s developer rate limit counts requests to all developer routes together, with or without a sign-in [LIM-01]', async () => {
  const session = await bench.signIn()
  bench.clock.advance(1_000)
  const statuses = []
  for (const route of developerRoutes) statuses.push((await bench.call(route, route.endsWith('keys') ? bearer(session) : {})).status === 429)
  expect(statuses).toEqual([...Array(10).fill(false), ...Array(3).fill(true)])
})

test('the practice exchange allows ten developer requests in any one second; refused requests do not count [LIM-01]', async () => {
  const { call, clock } = bench
  const ask = async () => (await call('GET /api/dex/developer/keys')).status
  const burst = async (count: number) => {
    const statuses = []
    for (let each = 0; each < count; each += 1) statuses.push(await ask())
    return statuses.filter((status) => status !== 429).length
  }
  expect(await burst(4)).toBe(4)
  clock.advance(600)
  expect(await burst(9)).toBe(6)
  clock.advance(399)
  expect(await burst(3)).toBe(0)
  clock.advance(1)
  expect(await burst(9)).toBe(4)
  clock.advance(600)
  expect(await burst(20)).toBe(6)
  clock.advance(10_000)
  expect(await burst(20)).toBe(10)
})

test('after a response with 429, the practice exchange accepts a request again once the time in Retry-After has passed [LIM-01]', async () => {
  const { call, clock } = bench
  for (let each = 0; each < 10; each += 1) {
    await call('GET /api/dex/developer/keys')
    clock.advance(90)
  }
  const refused = await call('GET /api/dex/developer/keys')
  expect(limited(refused)).toEqual(refusal)
  clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  expect((await call('GET /api/dex/developer/keys')).status).toBe(401)
})

test('the practice exchange’s rate limit counts each IP address separately; an IPv4 address and its IPv6-mapped form count as one [LIM-01]', async () => {
  const { call, faults } = bench
  faults.callerIp = '203.0.113.7'
  for (let each = 0; each < 10; each += 1) expect((await call('GET /api/dex/developer/keys')).status).toBe(401)
  expect((await call('GET /api/dex/developer/keys')).status).toBe(429)
  faults.callerIp = '::ffff:203.0.113.7'
  expect((await call('GET /api/dex/developer/keys')).status).toBe(429)
  faults.callerIp = '203.0.113.8'
  expect((await call('GET /api/dex/developer/keys')).status).toBe(401)
})

test('a request above the practice exchange’s rate limit changes nothing [LIM-01]', async () => {
  const session = await bench.signIn()
  bench.clock.advance(1_000)
  const create = () => bench.call('POST /api/dex/developer/keys', { ...bearer(session), body: {} })
  for (let each = 0; each < 10; each += 1) await bench.call('GET /api/dex/developer/keys')
  expect(limited(await create())).toEqual(refusal)
  expect(bench.exchange.effects().keys).toEqual([])
})

test('the practice exchange does not count calls to versioned and public routes towards the rate limit of developer routes [LIM-01]', async () => {
  const { apiKey } = await bench.newKey()
  bench.clock.advance(1_000)
  for (let each = 0; each < 15; each += 1) {
    expect((await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))).status).toBe(200)
    expect((await bench.call('GET /api/dex/status')).status).toBe(200)
  }
  for (let each = 0; each < 10; each += 1) expect((await bench.call('GET /api/dex/developer/keys')).status).toBe(401)
  expect((await bench.call('GET /api/dex/developer/keys')).status).toBe(429)
  expect((await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))).status).toBe(200)
  expect((await bench.call('GET /api/dex/status')).status).toBe(200)
})

const ask = (apiKey: string, route = 'GET /api/dex/v1/status') => bench.call(route, keyHeader(apiKey))

test('the practice exchange responds with 429 and Retry-After to requests above the quota of a key, for that key only [LIM-02] [KEY-04]', async () => {
  const slow = await bench.newKey({ quotas: { requests_per_second: 2 } })
  const other = await bench.newKey()
  expect([(await ask(slow.apiKey)).status, (await ask(slow.apiKey, 'GET /api/dex/v1/account')).status]).toEqual([200, 200])
  expect(limited(await ask(slow.apiKey))).toEqual(refusal)
  expect(limited(await ask(slow.apiKey, 'POST /api/dex/v1/orders/prepare'))).toEqual(refusal)
  expect((await ask(other.apiKey)).status).toBe(200)
  bench.clock.advance(999)
  expect((await ask(slow.apiKey)).status).toBe(429)
  bench.clock.advance(1)
  expect((await ask(slow.apiKey)).status).toBe(200)
})

test('on the practice exchange, a key’s quota counts the key’s calls from all addresses and to both hosts together [LIM-02]', async () => {
  const { apiKey } = await bench.newKey({ quotas: { requests_per_second: 2 } })
  const second = await bench.exchange.listenSecond(0)
  await ask(apiKey)
  bench.faults.callerIp = '203.0.113.8'
  expect((await fetch(`${second.hostUrl}/api/dex/v1/status`, keyHeader(apiKey))).status).toBe(200)
  expect((await fetch(`${second.hostUrl}/api/dex/v1/status`, keyHeader(apiKey))).status).toBe(429)
})

test('on the practice exchange, a key’s quotas for prepare and execute requests apply in addition to its quota for all requests [LIM-02] [KEY-04]', async () => {
  const { apiKey, keyId } = await bench.newKey({ quotas: { prepare_per_second: 1, execute_per_second: 2 } })
  const developer = await openDeveloper(bench)
  await developer.call(`PUT /api/dex/developer/keys/${keyId}/executor`, { executor: 'exec-fra-1' })
  const outcomes = async (route: string, count: number) => {
    const found = []
    for (let each = 0; each < count; each += 1) found.push(brief(await ask(apiKey, route)))
    return found
  }
  expect(await outcomes('POST /api/dex/v1/orders/prepare', 3)).toEqual(['400 VALIDATION_ERROR', '429 RATE_LIMITED', '429 RATE_LIMITED'])
  expect(await outcomes('POST /api/dex/v1/orders/execute', 3)).toEqual(['400 VALIDATION_ERROR', '400 VALIDATION_ERROR', '429 RATE_LIMITED'])
  expect(await outcomes('GET /api/dex/v1/status', 3)).toEqual(['200', '200', '200'])
})

test('the practice exchange allows a key without own quotas 50 requests a second, or the configured default quota [LIM-02]', async () => {
  const { apiKey } = await bench.newKey()
  bench.clock.advance(1_000)
  for (let each = 0; each < 50; each += 1) expect((await ask(apiKey)).status).toBe(200)
  expect((await ask(apiKey)).status).toBe(429)
  const strict = await start({ quotaCaps: { maxKeyQuota: 5, defaultKeyQuota: 1 } })
  const key = await strict.newKey()
  expect((await strict.call('GET /api/dex/v1/status', keyHeader(key.apiKey))).status).toBe(200)
  expect((await strict.call('GET /api/dex/v1/status', keyHeader(key.apiKey))).status).toBe(429)
  await strict.stop()
})

test('the practice exchange prepares no order above the key’s request quota, and keeps that quota when the key is rotated [LIM-02]', async () => {
  const { apiKey, keyId } = await bench.newKey({ quotas: { requests_per_second: 1 } })
  const developer = await openDeveloper(bench)
  const fresh = text(await developer.call(`POST /api/dex/developer/keys/${keyId}/rotate`), 'api_key')
  expect([(await ask(fresh)).status, (await ask(fresh)).status, (await ask(apiKey)).status]).toEqual([200, 429, 401])
  await bench.call('POST /api/dex/v1/orders/prepare', {
    headers: { 'X-Svc-API-Key': fresh, 'Idempotency-Key': 'over-the-quota' },
    body: { action: 'open_position', payload: { pair_id: 2, side: 'long', order_type: 'limit', limit_price: '3000', leverage: 1, order_value_usdc: '100' } },
  })
  expect(bench.exchange.effects().prepared).toBe(0)
})
