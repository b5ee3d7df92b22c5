import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, keyCredential, manage, open, read, relay, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'

let first: TestService
let second: TestService
let client: TestClient

beforeEach(async () => {
  first = await startService()
  second = await startService()
  client = testClient(first.hostUrl)
  client.api.readBySecondHost({ hostUrl: second.hostUrl, dispatcher: new Agent() })
})
afterEach(async () => {
  await client.api.close()
  await first.close()
  await second.close()
})

const silent: TestService['answer'] = () => {}
const refuse = (status: number, code: string | null = null): TestService['answer'] => {
  return (_request, response) => json(response, status, code === null ? 'gateway' : { error: { code, message: code } })
}
const answer = (how: TestService['answer']) => () => {
  first.answer = how
}
const answering = () => client.api.hosts().find((host) => host.answering)?.which ?? null

const failures: readonly (readonly [string, () => void | Promise<void>])[] = [
  ['cannot be reached', () => first.close()],
  ['is silent', answer(silent)],
  ['answers 502', answer(refuse(502))],
  ['answers 503', answer(refuse(503))],
  ['answers 504', answer(refuse(504))],
  [
    'answers 503 with a page of its gateway',
    answer((_request, response) => json(response, 503, '<html>Service Unavailable</html>', { 'content-type': 'text/html' })),
  ],
]

test.each(failures)(
  'the app sends a versioned read to the profile’s second host, with the key and the same path, when the first host %s [GEN-02]',
  async (_what, breakFirst) => {
    await breakFirst()
    const answer = await call(client.api, read, { deadlineMs: 600 })
    expect(answer.ok).toBe(true)
    expect(second.received.map(({ method, path, headers }) => [method, path, headers['x-svc-api-key']])).toEqual([
      ['GET', '/api/dex/v1/markets', 'SVCtest0123456789abcdef'],
    ])
    expect(client.api.hosts()).toMatchObject([
      { which: 'first', state: 'down', answering: false },
      { which: 'second', host: new URL(second.hostUrl).host, state: 'up', answering: true },
    ])
    expect(client.api.health().state).not.toBe('down')
  },
)

test.each(failures)(
  'the app sends changes and unversioned calls only to the profile’s first host, even when the first host %s [GEN-02]',
  async (_what, breakFirst) => {
    await breakFirst()
    for (const target of [write, relay, manage, open]) expect((await call(client.api, target, { body: {}, deadlineMs: 60 })).ok).toBe(false)
    expect(second.received).toEqual([])
  },
)

test('the app sends only versioned calls that are safe to repeat to the profile’s second host [GEN-02]', async () => {
  await first.close()
  const query = { pair_id: 1, pair_ids: '1', wallet: `0x${'ab'.repeat(20)}`, client_order_id: 'one', interval: '1m', limit: 5 }
  const params = { pair_id: 1, id: 1, key_id: 'k1', webhook_id: 'w1', tx_hash: `0x${'ab'.repeat(32)}`, command_id: 'c1' }
  for (const target of Object.values(endpoints)) {
    const body = target.route.startsWith('GET') ? undefined : {}
    const credential = target.credential === 'key' ? keyCredential : null
    // The cast is needed because the types do not allow one call for endpoints of all kinds. Only the path and the host matter here.
    if (target.credential !== 'session') await client.api.call(target as never, { params, query, body, credential, deadlineMs: 200 } as never)
  }
  const reached = new Set(second.received.map(({ method, path }) => `${method} ${path.split('?')[0]?.replace('/api/dex/v1', '')}`))
  expect([...reached].filter((route) => !route.startsWith('GET'))).toEqual(['POST /risk/preview'])
  expect(second.received.every(({ path }) => path.startsWith('/api/dex/v1/'))).toBe(true)
  expect(reached.size).toBe(23)
})

test.each<[string, TestService['answer'], string]>([
  ['a limit that is reached', refuse(429), 'rate_limited'],
  ['a refusal of the key', refuse(403, 'IP_NOT_ALLOWED'), 'ip_not_allowed'],
  ['an error of its own', refuse(500), 'unreachable'],
  ['a stream that is not there', refuse(503, 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED'), 'refused'],
  ['something of another shape', (_request, response) => json(response, 200, '<html>', { 'content-type': 'text/html' }), 'unreachable'],
])('if the first host answers with %s, the API client does not try the second host [GEN-02]', async (_what, answer, kind) => {
  first.answer = answer
  expect(await call(client.api, read)).toMatchObject({ ok: false, failure: { failure: { kind } } })
  expect(second.received).toEqual([])
})

test('the app counts the service as up while the second host serves reads, even if calls that only the first host serves fail [GEN-02]', async () => {
  first.answer = refuse(502)
  expect((await call(client.api, read)).ok).toBe(true)
  expect((await call(client.api, open)).ok).toBe(false)
  expect(client.api.health().state).not.toBe('down')
  second.answer = refuse(502)
  expect((await call(client.api, read)).ok).toBe(false)
  expect(client.api.health().state).toBe('down')
})

test('the request log names the host of each attempt of a call, and of each connection to the event stream [GEN-02]', async () => {
  const [one, two] = [first, second].map(({ hostUrl }) => new URL(hostUrl).host)
  first.answer = refuse(502)
  await call(client.api, read)
  await call(client.api, write, { body: {} })
  await client.api.openStream({ credential: keyCredential, lastEventId: null, market: null }, { onChunk: () => {}, onEnd: () => {} })
  expect(client.records.map(({ endpoint, attempt, host }) => [endpoint, attempt, host])).toEqual([
    ['GET /markets', 1, { name: one, second: false }],
    ['GET /markets', 2, { name: two, second: true }],
    [write.route, 1, { name: one, second: false }],
    ['GET /stream', 1, { name: two, second: true }],
  ])
})

test('the app sends reads to the second host while the first host is down, and to the first host again once it answers [GEN-02]', async () => {
  first.answer = refuse(502)
  await call(client.api, read)
  const asked = first.received.length
  for (let count = 0; count < 5; count += 1) expect((await call(client.api, read)).ok).toBe(true)
  expect(first.received.length).toBe(asked)
  expect(answering()).toBe('second')

  // Now the second host fails too. The app must try the first host again, even if that host is paused.
  second.answer = refuse(504)
  first.answer = (_request, response) => json(response, 200, {})
  expect((await call(client.api, read)).ok).toBe(true)
  expect(answering()).toBe('first')
  const before = second.received.length
  await call(client.api, read)
  expect(second.received.length).toBe(before)
})

test('if both hosts of a profile are down, a read fails as with a single host, and the app counts the service as down [GEN-02]', async () => {
  first.answer = refuse(502)
  second.answer = refuse(503)
  expect(await call(client.api, read)).toMatchObject({ ok: false, failure: { failure: { kind: 'unreachable', reason: 'server_error' } } })
  expect(client.api.health().state).toBe('down')
  expect(client.api.hosts().map(({ state }) => state)).toEqual(['down', 'down'])
})

test('the app sends nothing to a second host if the profile has none, or after the user removed it [GEN-02]', async () => {
  client.api.readBySecondHost(null)
  first.answer = refuse(502)
  expect((await call(client.api, read)).ok).toBe(false)
  expect(second.received).toEqual([])
  expect(client.api.hosts().map(({ which }) => which)).toEqual(['first'])
})

test('the app detects changed service versions on the profile’s second host as on the first [GEN-02] [GEN-09]', async () => {
  first.answer = refuse(502)
  second.answer = (_request, response) => json(response, 200, {}, { 'x-svc-api-version': 'v1', 'x-svc-api-schema': 'svc-dex-api-v1.2' })
  await call(client.api, read)
  expect(client.api.serviceChange()).toEqual({ apiVersion: 'v1', schema: 'svc-dex-api-v1.2' })
})
