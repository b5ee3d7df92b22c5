import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signTypedData } from '../testing/signing.ts'
import { at, type Bench, bearer, keyHeader, start, text } from '../testing/start.ts'

let bench: Bench
let session: string
beforeEach(async () => {
  bench = await start()
  session = await bench.signIn()
})
afterEach(() => bench.stop())

/** A developer call with the session; time moves on, so that the limit of ten a second is no part of the test. */
const developer = (route: string, body?: unknown) => {
  bench.clock.advance(1_000)
  return bench.call(route, { ...bearer(session), ...(body !== undefined && { body }) })
}
const create = (body: unknown = {}) => developer('POST /api/dex/developer/keys', body)
const works = async (apiKey: string) => (await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))).status === 200

test('answers a creation with 201 and the full key, and never again [KEY-05] [AUTH-09]', async () => {
  const created = await create({ label: 'first' })
  expect(created.status).toBe(201)
  const apiKey = text(created, 'api_key')
  expect(apiKey).toMatch(/^SVC\w{40,}$/)
  expect(at(created, 'key')).toEqual({
    key_id: expect.stringMatching(/^key_/),
    label: 'first',
    scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'],
    status: 'active',
    created_at: '2026-11-18T14:32:01.000Z',
    expires_at: '2027-05-17T14:32:01.000Z',
    last_used_at: null,
    ip_allowlist: [],
    quotas: {},
    agent: null,
    executor: null,
    prefix: apiKey.slice(0, 6),
  })
  const keyId = text(created, 'key.key_id')
  for (const route of [
    'GET /api/dex/developer/keys',
    'GET /api/dex/developer/audit',
    `PUT /api/dex/developer/keys/${keyId}/expiry`,
    `DELETE /api/dex/developer/keys/${keyId}`,
  ])
    expect((await developer(route, route.startsWith('PUT') ? { expires_in_days: 30 } : undefined)).text).not.toContain(apiKey.slice(6))
  expect(JSON.stringify(bench.exchange.effects())).not.toContain(apiKey.slice(6))
})

test('ignores unknown scopes, fails without a valid one and leaves collateral out when they are omitted [KEY-01]', async () => {
  const scopesOf = async (scopes: unknown) => at(await create({ scopes }), 'key.scopes')
  expect(await scopesOf(['market:read', 'withdraw:all', 7])).toEqual(['market:read'])
  expect(await scopesOf(['collateral:manage'])).toEqual(['collateral:manage'])
  expect(await scopesOf(undefined)).not.toContain('collateral:manage')
  for (const scopes of [['withdraw:all'], [], 'market:read']) {
    const failed = await create({ scopes })
    expect([failed.status, at(failed, 'error.code')]).toEqual([400, 'NO_VALID_SCOPES'])
  }
  expect(bench.exchange.effects().keys).toHaveLength(3)
})

test('takes an expiry from 1 to 2000 days, 180 when omitted [KEY-02]', async () => {
  const days = async (expires_in_days: unknown) => {
    const created = await create({ expires_in_days })
    return created.status === 201
      ? (Date.parse(text(created, 'key.expires_at')) - Date.parse(text(created, 'key.created_at'))) / 86_400_000
      : text(created, 'error.code')
  }
  expect([await days(undefined), await days(1), await days(2000)]).toEqual([180, 1, 2000])
  for (const wrong of [0, 2001, 1.5, '30', null, -1]) expect([wrong, await days(wrong)]).toEqual([wrong, 'VALIDATION_ERROR'])
})

test('stops a key at the end of its expiry [KEY-02]', async () => {
  const apiKey = text(await create({ expires_in_days: 1 }), 'api_key')
  bench.clock.advance(86_400_000 - 1)
  expect(await works(apiKey)).toBe(true)
  bench.clock.advance(1)
  const expired = await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))
  expect([expired.status, at(expired, 'error.code')]).toEqual([401, 'API_KEY_EXPIRED'])
})

test('takes the allowlist as an array or as text with commas [KEY-03]', async () => {
  const list = async (ip_allowlist: unknown) => {
    const created = await create({ ip_allowlist })
    return created.status === 201 ? at(created, 'key.ip_allowlist') : created.status
  }
  expect(await list(['203.0.113.0/28', '2001:db8:4f::/64'])).toEqual(['203.0.113.0/28', '2001:db8:4f::/64'])
  expect(await list('203.0.113.7, ::1 ,10.0.0.0/8')).toEqual(['203.0.113.7', '::1', '10.0.0.0/8'])
  for (const wrong of [['203.0.113.256'], ['10.0.0.0/33'], ['::1/129'], ['example.org'], '10.0.0.1;10.0.0.2', 7, [7]])
    expect([wrong, await list(wrong)]).toEqual([wrong, 400])
})

test('takes quotas within its caps and refuses others [KEY-04]', async () => {
  expect(at(await create({ quotas: { requests_per_second: 100 } }), 'key.quotas')).toEqual({ requests_per_second: 100 })
  for (const quotas of [{ requests_per_second: 101 }, { requests_per_second: 0 }, { dreams_per_second: 1 }, [], 'many'])
    expect((await create({ quotas })).status).toBe(400)
})

test('refuses an eleventh active key, and takes it once one was revoked [KEY-06]', async () => {
  const first = text(await create(), 'key.key_id')
  for (let each = 2; each <= 10; each += 1) expect((await create()).status).toBe(201)
  const eleventh = await create()
  expect([eleventh.status, at(eleventh, 'error.code')]).toEqual([409, 'KEY_LIMIT_REACHED'])
  await developer(`DELETE /api/dex/developer/keys/${first}`)
  expect((await create()).status).toBe(201)
  const list = await developer('GET /api/dex/developer/keys')
  expect([at(list, 'active'), at(list, 'limit'), at(list, 'keys.length')]).toEqual([10, 10, 11])
})

test('lists at most 64 keys, the newest [KEY-06]', async () => {
  for (let each = 1; each <= 66; each += 1) {
    const keyId = text(await create({ label: `key ${each}` }), 'key.key_id')
    await developer(`DELETE /api/dex/developer/keys/${keyId}`)
    if (each % 40 === 0) session = await bench.signIn()
  }
  const list = await developer('GET /api/dex/developer/keys')
  expect([at(list, 'keys.length'), at(list, 'keys.0.label'), at(list, 'keys.63.label')]).toEqual([64, 'key 66', 'key 3'])
})

test('stops the previous secret at once when a key is rotated [KEY-07]', async () => {
  const created = await create()
  const old = text(created, 'api_key')
  expect(await works(old)).toBe(true)
  const rotated = await developer(`POST /api/dex/developer/keys/${text(created, 'key.key_id')}/rotate`)
  const fresh = text(rotated, 'api_key')
  expect([rotated.status, fresh.startsWith('SVC'), at(rotated, 'key.key_id')]).toEqual([200, true, at(created, 'key.key_id')])
  const refused = await bench.call('GET /api/dex/v1/status', keyHeader(old))
  expect([refused.status, at(refused, 'error.code'), await works(fresh)]).toEqual([401, 'INVALID_API_KEY', true])
})

test('resets the expiry to 30, 90, 360 or 2000 days from now and to nothing else [KEY-08]', async () => {
  const keyId = text(await create(), 'key.key_id')
  const put = (expires_in_days: unknown) => developer(`PUT /api/dex/developer/keys/${keyId}/expiry`, { expires_in_days })
  bench.clock.advance(86_400_000 / 48)
  for (const days of [30, 90, 360, 2000]) expect(at(await put(days), 'key.expires_at')).toBe(new Date(bench.clock.now() + days * 86_400_000).toISOString())
  for (const days of [31, 180, 0, '30', undefined]) expect((await put(days)).status).toBe(400)
})

test('revokes the key and its agent, as often as asked [KEY-09]', async () => {
  const created = await create()
  const keyId = text(created, 'key.key_id')
  const offer = await developer(`POST /api/dex/developer/keys/${keyId}/agent`)
  await developer(`POST /api/dex/developer/keys/${keyId}/agent/grant`, { signature: await signTypedData(bench.wallet, offer, 'grant.typed_data') })
  for (let each = 0; each < 3; each += 1) {
    const revoked = await developer(`DELETE /api/dex/developer/keys/${keyId}`)
    expect([revoked.status, at(revoked, 'key.status'), at(revoked, 'key.agent.granted')]).toEqual([200, 'revoked', false])
  }
  expect(await works(text(created, 'api_key'))).toBe(false)
  expect((await developer(`POST /api/dex/developer/keys/${keyId}/rotate`)).status).toBe(409)
  const audit = await developer('GET /api/dex/developer/audit')
  expect(audit.text.match(/"key\.revoked"/g)).toHaveLength(1)
  expect((await developer('DELETE /api/dex/developer/keys/key_0000000000')).status).toBe(404)
})

test('binds one executor, the last one given [KEY-12]', async () => {
  const keyId = text(await create(), 'key.key_id')
  const put = (executor: unknown) => developer(`PUT /api/dex/developer/keys/${keyId}/executor`, { executor })
  expect(at(await put('exec-fra-1'), 'key.executor')).toBe('exec-fra-1')
  expect(at(await put('exec-fra-2'), 'key.executor')).toBe('exec-fra-2')
  expect((await put(['exec-fra-1', 'exec-fra-2'])).status).toBe(400)
})

test('prepares a payment for the wallet to sign and moves nothing by itself [KEY-13]', async () => {
  const keyId = text(await create(), 'key.key_id')
  const payment = await developer(`POST /api/dex/developer/keys/${keyId}/execution-payment`, { amount_usdc: '25.5' })
  const spender = bench.chain.router.slice(2).toLowerCase()
  expect(at(payment, 'transaction')).toEqual({
    kind: 'approval',
    from: bench.wallet.address,
    to: bench.chain.usdc,
    data: `0x095ea7b3${spender.padStart(64, '0')}${(25_500_000).toString(16).padStart(64, '0')}`,
    value: '0x0',
    deadline: Math.floor(bench.clock.now() / 1000) + 180,
  })
})

test('records every call of a credential and every change of one [KEY-14]', async () => {
  const created = await create({ label: 'watched' })
  await bench.call('GET /api/dex/v1/status', keyHeader(text(created, 'api_key')))
  await bench.call('POST /api/dex/v1/orders/prepare', { ...keyHeader(text(created, 'api_key')), body: {} })
  const audit = await developer('GET /api/dex/developer/audit')
  expect(at(audit, 'entries')).toEqual([
    expect.objectContaining({ event: 'key.call', key_id: at(created, 'key.key_id'), method: 'POST', route: '/api/dex/v1/orders/prepare', status: 400 }),
    expect.objectContaining({ event: 'key.call', label: 'watched', method: 'GET', route: '/api/dex/v1/status', status: 200 }),
    expect.objectContaining({ event: 'session.call', route: '/api/dex/developer/keys', status: 201 }),
    {
      id: expect.any(String),
      at: '2026-11-18T14:32:01.000Z',
      event: 'key.created',
      key_id: at(created, 'key.key_id'),
      label: 'watched',
      ip: '127.0.0.1',
      request_id: created.headers.get('x-request-id'),
    },
    expect.objectContaining({ event: 'session.created', key_id: null }),
  ])
})

test('keeps a change in the audit however many calls follow [KEY-14]', async () => {
  const created = await create({ label: 'busy', quotas: { requests_per_second: 100 } })
  for (let each = 0; each < 320; each += 1) {
    if (each % 100 === 0) bench.clock.advance(1_000)
    await bench.call('GET /api/dex/v1/status', keyHeader(text(created, 'api_key')))
  }
  const audit = await developer('GET /api/dex/developer/audit')
  expect(audit.text.match(/"key\.created"/g)).toHaveLength(1)
  expect(audit.text.match(/"key\.call"/g)).toHaveLength(300)
})

test('shows a wallet its own keys only [AUTH-03]', async () => {
  const keyId = text(await create(), 'key.key_id')
  session = await bench.signIn(privateKeyToAccount(generatePrivateKey()))
  expect(at(await developer('GET /api/dex/developer/keys'), 'keys')).toEqual([])
  expect((await developer(`POST /api/dex/developer/keys/${keyId}/rotate`)).status).toBe(404)
  expect((await developer(`DELETE /api/dex/developer/keys/${keyId}`)).status).toBe(404)
  expect(bench.exchange.effects().keys).toMatchObject([{ key_id: keyId, status: 'active' }])
})
