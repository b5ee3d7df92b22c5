import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'
import type { Faults } from '../../base/faults.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const keys = '/api/dex/developer/keys'
const ofKey = `${keys}/{key_id}`
const webhooks = '/api/dex/developer/webhooks'
const ofWebhook = `${webhooks}/{webhook_id}`

async function requests(): Promise<{ route: string; send: () => ReturnType<Developer['call']>; change: string | null }[]> {
  const [key, other] = [`${keys}/${text(await developer.create(), 'key.key_id')}`, `${keys}/${text(await developer.create(), 'key.key_id')}`]
  const offer = await developer.call(`POST ${other}/agent`)
  const signature = await signTypedData(bench.wallet, offer, 'grant.typed_data')
  const webhook = `${webhooks}/${text(await developer.call(`POST ${webhooks}`, { url: 'https://localhost/in' }), 'webhook.webhook_id')}`
  const challenge = await developer.call('POST /api/dex/developer/challenge', { wallet: bench.wallet.address })
  const session = {
    wallet: bench.wallet.address,
    nonce: at(challenge, 'nonce'),
    signature: await bench.wallet.signMessage({ message: text(challenge, 'message') }),
  }
  const of = (route: string, body?: unknown, change: string | null = null) => ({
    route,
    send: () => developer.call(route.replace(ofKey, route.endsWith('/grant') ? other : key).replace(ofWebhook, webhook), body),
    change,
  })
  return [
    of('POST /api/dex/developer/challenge', { wallet: bench.wallet.address }),
    of('POST /api/dex/developer/session', session, 'session.created'),
    of(`GET ${keys}`),
    of(`POST ${keys}`, { label: 'made' }, 'key.created'),
    of(`POST ${keys}/prepare`, {}, 'key.prepared'),
    of(`POST ${ofKey}/rotate`, undefined, 'key.rotated'),
    of(`PUT ${ofKey}/expiry`, { expires_in_days: 30 }, 'key.expiry_changed'),
    of(`POST ${ofKey}/agent`, undefined, 'key.agent_created'),
    of(`POST ${ofKey}/agent/grant`, { signature }, 'key.agent_granted'),
    of(`PUT ${ofKey}/executor`, { executor: 'exec-fra-1' }, 'key.executor_bound'),
    of(`POST ${ofKey}/execution-payment`, {}, 'key.payment_prepared'),
    of('GET /api/dex/developer/audit'),
    of(`GET ${webhooks}`),
    of(`POST ${webhooks}`, { url: 'https://localhost/made' }, 'webhook.created'),
    of(`DELETE ${ofWebhook}`, undefined, 'webhook.disabled'),
    of(`DELETE ${ofKey}`, undefined, 'key.revoked'),
  ]
}

async function changes(): Promise<string[]> {
  const entries = at(await developer.call('GET /api/dex/developer/audit'), 'entries')
  return (Array.isArray(entries) ? entries : []).filter(({ event }) => event !== 'session.call').map(({ event }) => event)
}

test('with its fault “dropAnswer”, the practice exchange handles any developer request but sends no response [KEY-16]', async () => {
  for (const { route, send, change } of await requests()) {
    const before = await changes()
    bench.faults.dropAnswer = [{ route, times: 1 }]
    await expect(send(), route).rejects.toThrow()
    bench.faults.dropAnswer = []
    expect([route, (await changes()).slice(0, -before.length || undefined)]).toEqual([route, change === null ? [] : [change]])
  }
})

test('with its fault “dropRequest”, the practice exchange drops a developer request unhandled; it accepts the repeated request [KEY-16]', async () => {
  for (const { route, send, change } of await requests()) {
    const before = await changes()
    bench.faults.dropRequest = [{ route, times: 1 }]
    await expect(send(), route).rejects.toThrow()
    expect([route, await changes()]).toEqual([route, before])
    expect([route, (await send()).status < 300]).toEqual([route, true])
    expect([route, (await changes()).slice(0, -before.length || undefined)]).toEqual([route, change === null ? [] : [change]])
  }
})

test('with its fault “answer”, the practice exchange answers any developer request with 429 and Retry-After, 500 or 503, and does nothing else [LIM-01]', async () => {
  for (const { route, send } of await requests()) {
    const before = await changes()
    bench.faults.answer = [
      { route, status: 429, code: 'RATE_LIMITED', times: 1, retryAfterSeconds: 7 },
      { route, status: 500, code: 'INTERNAL', times: 1 },
      { route, status: 503, code: 'MAINTENANCE', times: 1, retryAfterSeconds: 30 },
    ]
    const answers = [await send(), await send(), await send()]
    expect([route, ...answers.map((answer) => `${brief(answer)} ${answer.headers.get('retry-after')}`)]).toEqual([
      route,
      '429 RATE_LIMITED 7',
      '500 INTERNAL null',
      '503 MAINTENANCE 30',
    ])
    expect([route, await changes()]).toEqual([route, before])
  }
})

test('a fault of the practice exchange that is set for all routes (*) affects every route', async () => {
  bench.faults.answer = [{ route: '*', status: 503, code: 'MAINTENANCE', times: 2 }]
  expect(brief(await developer.call(`GET ${keys}`))).toBe('503 MAINTENANCE')
  expect(brief(await bench.call('GET /api/dex/markets'))).toBe('503 MAINTENANCE')
  expect(brief(await bench.call('GET /api/dex/markets'))).toBe('200')
})

test('with its fault “keySecret”, the practice exchange returns a wrong secret or none when a key is created or rotated [KEY-05] [KEY-07]', async () => {
  const secretOf = async (fault: Faults['keySecret'], route: string) => {
    bench.faults.keySecret = fault
    const answer = await developer.call(route, route.endsWith('keys') ? {} : undefined)
    bench.faults.keySecret = null
    expect(answer.status).toBe(route.endsWith('keys') ? 201 : 200)
    return at(answer, 'api_key')
  }
  const wrong = await secretOf('wrong', `POST ${keys}`)
  expect(wrong).toMatch(/^SVC\w{40,}$/)
  expect(await developer.outcome(String(wrong))).toBe('401 INVALID_API_KEY')
  const rotate = `POST ${keys}/${text(await developer.call(`GET ${keys}`), 'keys.0.key_id')}/rotate`
  expect(await developer.outcome(String(await secretOf('wrong', rotate)))).toBe('401 INVALID_API_KEY')
  expect([await secretOf('missing', `POST ${keys}`), await secretOf('missing', rotate)]).toEqual([undefined, undefined])
  expect(await developer.outcome(String(await secretOf(null, rotate)))).toBe('200')
})

test('with its fault “keyRecord”, the practice exchange returns wrong or missing fields of a key, but does not change the stored key [KEY-05] [KEY-12]', async () => {
  const created = await developer.create({ scopes: ['market:read', 'account:read'] })
  const said = async (fault: Faults['keyRecord']) => {
    bench.faults.keyRecord = fault
    const answer = at(await developer.call(`PUT ${keys}/${text(created, 'key.key_id')}/expiry`, { expires_in_days: 30 }), 'key')
    expect(at(await developer.call(`GET ${keys}`), 'keys.0')).toEqual(fault === 'expired' ? { ...Object(answer), expires_at: expect.any(String) } : answer)
    return Object(answer)
  }
  const honest = await said(null)
  const stranger = '0x000000000000000000000000000000000000dEaD'
  const all = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage']
  expect((await said('more_scopes')).scopes).toEqual(all)
  expect((await said('fewer_scopes')).scopes).toEqual(['market:read'])
  expect([honest.wallet, (await said('other_wallet')).wallet]).toEqual([bench.wallet.address, stranger])
  expect([honest.executor, (await said('other_executor')).executor]).toEqual([null, stranger])
  const expired = await said('expired')
  expect([expired.status, Date.parse(expired.expires_at) < bench.clock.now()]).toEqual(['expired', true])
  expect(await said('bare')).toEqual({ key_id: at(created, 'key.key_id') })
  expect(bench.exchange.effects().keys).toMatchObject([
    { scopes: ['market:read', 'account:read'], wallet: bench.wallet.address, status: 'active', executor: null },
  ])
  expect(await developer.outcome(text(created, 'api_key'))).toBe('200')
})

test('with its fault “omitOptional”, the practice exchange omits the optional fields of keys, the key list and the audit log [ERR-02]', async () => {
  await developer.create({ label: 'plain' })
  bench.faults.omitOptional = true
  const list = await developer.call(`GET ${keys}`)
  expect(Object.keys(Object(list.json))).toEqual(['success', 'keys'])
  expect(Object.keys(Object(at(list, 'keys.0')))).toEqual(['key_id', 'wallet', 'scopes', 'status', 'expires_at', 'agent'])
  const entry = at(await developer.call('GET /api/dex/developer/audit'), 'entries.0')
  expect(Object.keys(Object(entry))).toEqual(['id', 'at', 'event', 'key_id', 'route', 'status'])
})

test('with its fault “credential”, the practice exchange refuses a valid key as expired, revoked or unknown [KEY-02] [KEY-09]', async () => {
  const apiKey = text(await developer.create(), 'api_key')
  const outcome = (credential: Faults['credential']) => {
    bench.faults.credential = credential
    return developer.outcome(apiKey)
  }
  expect([await outcome('expired'), await outcome('revoked'), await outcome('invalid'), await outcome(null)]).toEqual([
    '401 API_KEY_EXPIRED',
    '401 API_KEY_REVOKED',
    '401 INVALID_API_KEY',
    '200',
  ])
  expect(brief(await bench.call('GET /api/dex/v1/status', keyHeader('SVCinvented')))).toBe('401 INVALID_API_KEY')
})

test('with its fault “clockSkewMs”, the practice exchange uses a wrong time for everything that it returns and checks [AUTH-07] [AUTH-08] [KEY-02]', async () => {
  const { faults, wallet } = bench
  const challenge = () => developer.call('POST /api/dex/developer/challenge', { wallet: wallet.address })
  for (const skew of [3_600_000, -3_600_000]) {
    faults.clockSkewMs = skew
    const answer = await challenge()
    const now = bench.clock.now() + skew
    expect(answer.headers.get('date')).toBe(new Date(now).toUTCString())
    expect(at(answer, 'expires_at')).toBe(new Date(now + 300_000).toISOString())
    expect(at(await developer.create({ expires_in_days: 1 }), 'key.expires_at')).toBe(new Date(bench.clock.now() + skew + 86_400_000).toISOString())
  }
  faults.clockSkewMs = 0
  const fresh = await challenge()
  faults.clockSkewMs = 300_000
  const late = await bench.call('POST /api/dex/developer/session', {
    body: { wallet: wallet.address, nonce: at(fresh, 'nonce'), signature: await wallet.signMessage({ message: text(fresh, 'message') }) },
  })
  expect(brief(late)).toBe('410 CHALLENGE_EXPIRED')
  faults.clockSkewMs = 4 * 3_600_000
  expect(brief(await developer.call(`GET ${keys}`))).toBe('401 DEVELOPER_SESSION_REQUIRED')
})
