import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const day = 86_400_000

test('the practice exchange responds to the creation of a key with 201 and the key’s full secret, and never shows that secret again [KEY-05] [AUTH-09]', async () => {
  const created = await developer.create({ label: 'first' })
  expect(created.status).toBe(201)
  const apiKey = text(created, 'api_key')
  expect(apiKey).toMatch(/^SVC\w{40,}$/)
  expect(at(created, 'key')).toEqual({
    key_id: expect.stringMatching(/^key_/),
    label: 'first',
    wallet: bench.wallet.address,
    scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'],
    status: 'active',
    created_at: '2026-11-18T14:32:02.000Z',
    expires_at: '2027-05-17T14:32:02.000Z',
    last_used_at: null,
    last_used_ip: null,
    revoked_at: null,
    ip_allowlist: [],
    quotas: {},
    agent: null,
    executor: null,
    prefix: apiKey.slice(0, 6),
  })
  const key = `/api/dex/developer/keys/${text(created, 'key.key_id')}`
  const others: [string, unknown?][] = [
    ['GET /api/dex/developer/keys'],
    ['GET /api/dex/developer/audit'],
    [`PUT ${key}/expiry`, { expires_in_days: 30 }],
    [`PUT ${key}/executor`, { executor: 'exec-fra-1' }],
    [`POST ${key}/agent`],
    [`POST ${key}/execution-payment`],
    [`DELETE ${key}`],
  ]
  for (const [route, body] of others) {
    const answer = await developer.call(route, body)
    expect([route, answer.status]).toEqual([route, 200])
    expect(answer.text).not.toContain(apiKey.slice(6))
  }
  expect(JSON.stringify(bench.exchange.effects())).not.toContain(apiKey.slice(6))
})

test('for a new key, the practice exchange ignores unknown scopes, requires a valid scope, and by default omits the collateral scope [KEY-01]', async () => {
  const scopesOf = async (scopes: unknown) => at(await developer.create({ scopes }), 'key.scopes')
  expect(await scopesOf(['market:read', 'withdraw:all', 7])).toEqual(['market:read'])
  expect(await scopesOf(['collateral:manage', 'collateral:manage'])).toEqual(['collateral:manage'])
  expect(await scopesOf(undefined)).toEqual(['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'])
  for (const scopes of [['withdraw:all'], ['MARKET:READ'], [' market:read'], [], 'market:read', null, { 0: 'market:read' }])
    expect([scopes, brief(await developer.create({ scopes }))]).toEqual([scopes, '400 NO_VALID_SCOPES'])
  expect(bench.exchange.effects().keys).toHaveLength(3)
})

test('a key of the practice exchange has exactly the scopes that were requested at its creation [KEY-01] [AUTH-04]', async () => {
  for (const scope of ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage']) {
    const apiKey = text(await developer.create({ scopes: [scope] }), 'api_key')
    const read = await bench.call('GET /api/dex/v1/markets', keyHeader(apiKey))
    const account = await bench.call('GET /api/dex/v1/account', keyHeader(apiKey))
    expect([scope, brief(read), brief(account)]).toEqual([
      scope,
      scope === 'market:read' ? '200' : '403 SCOPE_REQUIRED',
      scope === 'account:read' ? '200' : '403 SCOPE_REQUIRED',
    ])
  }
})

test('the practice exchange accepts a key expiry from 1 to 2000 days, 180 days by default [KEY-02]', async () => {
  const days = async (expires_in_days: unknown) => {
    const created = await developer.create({ expires_in_days })
    return created.status === 201 ? (Date.parse(text(created, 'key.expires_at')) - Date.parse(text(created, 'key.created_at'))) / day : brief(created)
  }
  expect([await days(undefined), await days(1), await days(2000)]).toEqual([180, 1, 2000])
  for (const wrong of [0, 2001, 1.5, '30', null, -1]) expect([wrong, await days(wrong)]).toEqual([wrong, '400 VALIDATION_ERROR'])
})

test('the practice exchange rejects a key once it has expired, even for a read that succeeded just before [KEY-02]', async () => {
  const created = await developer.create({ expires_in_days: 1 })
  bench.clock.advance(day - 1)
  expect(await developer.outcome(text(created, 'api_key'))).toBe('200')
  bench.clock.advance(1)
  expect(await developer.outcome(text(created, 'api_key'))).toBe('401 API_KEY_EXPIRED')
  developer = await openDeveloper(bench)
  expect(at(await developer.call('GET /api/dex/developer/keys'), 'keys.0.status')).toBe('expired')
})

test('the practice exchange accepts key quotas up to their caps, and names the exceeded cap when it refuses a higher quota [KEY-04]', async () => {
  const kept = { requests_per_second: 100, prepare_per_second: 1, execute_per_second: 5 }
  expect(at(await developer.create({ quotas: kept }), 'key.quotas')).toEqual(kept)
  for (const quotas of [{ requests_per_second: 101 }, { requests_per_second: 0 }, { requests_per_second: '5' }, { dreams_per_second: 1 }, [], 'many', null]) {
    const refused = await developer.create({ quotas })
    expect([quotas, brief(refused), at(refused, 'error.field')]).toEqual([quotas, '400 VALIDATION_ERROR', 'quotas'])
  }
  const above = await developer.create({ quotas: { prepare_per_second: 101 } })
  expect(at(above, 'error.message')).toBe('quotas: prepare_per_second is above the cap of 100')
  expect(bench.exchange.effects().keys).toHaveLength(1)
})

test('the practice exchange refuses an eleventh active key, and accepts a new key once an active one was revoked or has expired [KEY-06]', async () => {
  const first = text(await developer.create(), 'key.key_id')
  await developer.create({ expires_in_days: 1 })
  for (let each = 3; each <= 10; each += 1) expect((await developer.create()).status).toBe(201)
  expect(brief(await developer.create())).toBe('409 KEY_LIMIT_REACHED')
  await developer.call(`DELETE /api/dex/developer/keys/${first}`)
  expect((await developer.create()).status).toBe(201)
  expect(brief(await developer.create())).toBe('409 KEY_LIMIT_REACHED')
  bench.clock.advance(day)
  developer = await openDeveloper(bench)
  expect((await developer.create()).status).toBe(201)
  const list = await developer.call('GET /api/dex/developer/keys')
  expect([at(list, 'active'), at(list, 'limit'), at(list, 'keys.length')]).toEqual([10, 10, 12])
  const other = await openDeveloper(bench, privateKeyToAccount(generatePrivateKey()))
  expect((await other.create()).status).toBe(201)
})

test('the practice exchange lists at most 64 keys, including revoked ones, newest first [KEY-06]', async () => {
  for (let each = 1; each <= 66; each += 1) {
    const keyId = text(await developer.create({ label: `key ${each}` }), 'key.key_id')
    if (each < 60) await developer.call(`DELETE /api/dex/developer/keys/${keyId}`)
  }
  const list = await developer.call('GET /api/dex/developer/keys')
  expect([at(list, 'keys.length'), at(list, 'keys.0.label'), at(list, 'keys.63.label')]).toEqual([64, 'key 66', 'key 3'])
  expect([at(list, 'keys.0.status'), at(list, 'keys.63.status')]).toEqual(['active', 'revoked'])
})

test('when a key is rotated, the practice exchange disables the key’s previous secret at once, and leaves its other properties unchanged [KEY-07]', async () => {
  const created = await developer.create({ label: 'bot', scopes: ['market:read'], ip_allowlist: ['127.0.0.1'], quotas: { requests_per_second: 7 } })
  const old = text(created, 'api_key')
  const rotated = await developer.call(`POST /api/dex/developer/keys/${text(created, 'key.key_id')}/rotate`)
  const fresh = text(rotated, 'api_key')
  expect([rotated.status, fresh.startsWith('SVC'), fresh === old]).toEqual([200, true, false])
  expect([await developer.outcome(old), await developer.outcome(fresh)]).toEqual(['401 INVALID_API_KEY', '200'])
  expect({ ...Object(at(rotated, 'key')), prefix: null }).toEqual({ ...Object(at(created, 'key')), prefix: null })
  expect((await developer.call('GET /api/dex/developer/keys')).text).not.toContain(fresh)
})

test('the practice exchange resets a key’s expiry only to 30, 90, 360 or 2000 days from now [KEY-08]', async () => {
  const created = await developer.create()
  const keyId = text(created, 'key.key_id')
  const put = (body: unknown) => developer.call(`PUT /api/dex/developer/keys/${keyId}/expiry`, body)
  bench.clock.advance(day / 48)
  for (const days of [30, 90, 360, 2000])
    expect(at(await put({ expires_in_days: days }), 'key.expires_at')).toBe(new Date(bench.clock.now() + days * day).toISOString())
  for (const days of [31, 180, 0, 1, '30', undefined, null, [30]])
    expect([days, brief(await put({ expires_in_days: days }))]).toEqual([days, '400 VALIDATION_ERROR'])
  expect(await developer.outcome(text(created, 'api_key'))).toBe('200')
})

test('the practice exchange reactivates an expired key with a new expiry if the wallet has room for another active key [KEY-08] [KEY-06]', async () => {
  const created = await developer.create({ expires_in_days: 1 })
  bench.clock.advance(day)
  developer = await openDeveloper(bench)
  for (let each = 1; each <= 10; each += 1) await developer.create()
  const renew = () => developer.call(`PUT /api/dex/developer/keys/${text(created, 'key.key_id')}/expiry`, { expires_in_days: 30 })
  expect([brief(await renew()), await developer.outcome(text(created, 'api_key'))]).toEqual(['409 KEY_LIMIT_REACHED', '401 API_KEY_EXPIRED'])
  await developer.call(`DELETE /api/dex/developer/keys/${text(await developer.call('GET /api/dex/developer/keys'), 'keys.0.key_id')}`)
  expect([brief(await renew()), await developer.outcome(text(created, 'api_key'))]).toEqual(['200', '200'])
})

test('when a key is revoked, the practice exchange revokes its trading agent too; it accepts repeated revocations of the same key [KEY-09]', async () => {
  const created = await developer.create()
  const key = `/api/dex/developer/keys/${text(created, 'key.key_id')}`
  const offer = await developer.call(`POST ${key}/agent`)
  const granted = await developer.call(`POST ${key}/agent/grant`, { signature: await signTypedData(bench.wallet, offer, 'grant.typed_data') })
  expect(at(granted, 'key.agent.granted')).toBe(true)
  const first = await developer.call(`DELETE ${key}`)
  expect([first.status, at(first, 'key.status'), at(first, 'key.agent.granted')]).toEqual([200, 'revoked', false])
  expect(at(first, 'key.revoked_at')).toBe(new Date(bench.clock.now()).toISOString())
  expect((await developer.call(`DELETE ${key}`)).json).toEqual(first.json)
  expect((await developer.call(`DELETE ${key}`)).json).toEqual(first.json)
  expect(await developer.outcome(text(created, 'api_key'))).toBe('401 API_KEY_REVOKED')
  const audit = await developer.call('GET /api/dex/developer/audit')
  expect(audit.text.match(/"key\.revoked"/g)).toHaveLength(1)
  expect((await developer.call('DELETE /api/dex/developer/keys/key_0000000000')).status).toBe(404)
})

test('the practice exchange refuses every change to a revoked key, and every change to an expired key except a new expiry [KEY-09]', async () => {
  const created = await developer.create({ expires_in_days: 1 })
  const key = `/api/dex/developer/keys/${text(created, 'key.key_id')}`
  const changes: [string, unknown?][] = [
    [`POST ${key}/rotate`],
    [`POST ${key}/agent`],
    [`POST ${key}/agent/grant`, { signature: '0x' }],
    [`PUT ${key}/executor`, { executor: 'exec-fra-1' }],
    [`POST ${key}/execution-payment`],
  ]
  const outcomes = async () => {
    const answers = []
    for (const [route, body] of changes) answers.push(await developer.call(route, body))
    return [...new Set(answers.map((answer) => `${brief(answer)} ${at(answer, 'error.status')}`))]
  }
  bench.clock.advance(day)
  developer = await openDeveloper(bench)
  expect(await outcomes()).toEqual(['409 KEY_NOT_ACTIVE expired'])
  expect((await developer.call(`PUT ${key}/expiry`, { expires_in_days: 30 })).status).toBe(200)
  await developer.call(`DELETE ${key}`)
  changes.push([`PUT ${key}/expiry`, { expires_in_days: 30 }])
  expect(await outcomes()).toEqual(['409 KEY_NOT_ACTIVE revoked'])
})

test('the practice exchange’s key list shows when a key was last used, and from which address [AUTH-05]', async () => {
  const created = await developer.create()
  bench.clock.advance(60_000)
  bench.faults.callerIp = '2001:DB8::0:17'
  expect(await developer.outcome(text(created, 'api_key'))).toBe('200')
  const record = at(await developer.call('GET /api/dex/developer/keys'), 'keys.0')
  expect(record).toMatchObject({ last_used_at: new Date(bench.clock.now() - 1_000).toISOString(), last_used_ip: '2001:db8::17' })
})

test('the practice exchange lists to each wallet only its own keys [AUTH-03]', async () => {
  const keyId = text(await developer.create(), 'key.key_id')
  const other = await openDeveloper(bench, privateKeyToAccount(generatePrivateKey()))
  expect(at(await other.call('GET /api/dex/developer/keys'), 'keys')).toEqual([])
  expect(at(await other.call('GET /api/dex/developer/audit'), 'entries.0.key_id')).toBeNull()
  const key = `/api/dex/developer/keys/${keyId}`
  for (const route of [
    `POST ${key}/rotate`,
    `PUT ${key}/expiry`,
    `POST ${key}/agent`,
    `POST ${key}/agent/grant`,
    `PUT ${key}/executor`,
    `POST ${key}/execution-payment`,
    `DELETE ${key}`,
  ])
    expect([route, brief(await other.call(route, {}))]).toEqual([route, '404 NOT_FOUND'])
  expect(bench.exchange.effects().keys).toMatchObject([{ key_id: keyId, status: 'active', executor: null, agent: null }])
})
