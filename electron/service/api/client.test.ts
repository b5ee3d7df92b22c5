import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { call, keyCredential, manage, open, read, relay, sessionCredential, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { Secret } from '../../kernel/secret.ts'

let service: TestService
let client: TestClient

beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
})
afterEach(async () => {
  await client.api.close()
  await service.close()
})

const failureOf = async (promise: ReturnType<typeof call>) => {
  const result = await promise
  if (result.ok) throw new Error('the call succeeded')
  return result.failure
}

test('the API client sends a body of 48 KiB; it refuses a larger body without sending it, and reports its size [GEN-03]', async () => {
  const fits = 'x'.repeat(49_152)
  expect((await call(client.api, write, { rawBody: fits })).ok).toBe(true)
  expect(service.received.at(-1)?.body).toHaveLength(49_152)

  expect(await failureOf(call(client.api, write, { rawBody: `${fits}x` }))).toEqual({
    failure: { kind: 'body_too_large', bytes: 49_153, limit: 49_152 },
    sent: 'no',
  })
  // The limit for a body counts bytes, not characters.
  expect(await failureOf(call(client.api, write, { body: { label: 'é'.repeat(30_000) } }))).toMatchObject({
    failure: { kind: 'body_too_large', bytes: 60_012 },
  })
  expect(service.received).toHaveLength(1)
})

test('the API client sends no browser header and no cookie, and names the app in the User-Agent header [GEN-04]', async () => {
  service.answer = (_request, response) => json(response, 200, {}, { 'set-cookie': 'id=1; Path=/' })
  await call(client.api, read)
  await call(client.api, read)
  const headers = service.received[1]?.headers ?? {}
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent', 'x-request-id', 'x-svc-api-key'])
  expect(headers['user-agent']).toBe('Svc-Desk/1.2.3')
})

test('the API client sends a new request id with each request, and returns the id of the service’s response [GEN-05]', async () => {
  service.answer = (_request, response) => json(response, 200, {}, { 'x-request-id': 'srv-12345678' })
  const answered = await call(client.api, read)
  await call(client.api, read)
  expect(answered.ok && answered.value.requestId).toBe('srv-12345678')
  const sent = service.received.map((request) => request.headers['x-request-id'])
  for (const id of sent) expect(id).toMatch(/^dsk-[0-9a-f]{12}$/)
  expect(new Set(sent).size).toBe(2)
  expect(client.records.map((record) => record.requestId)).toEqual(['srv-12345678', 'srv-12345678'])
})

test('each failure that the API client reports has a request id: from the response, or else the one that the app sent [GEN-05]', async () => {
  service.answer = (_request, response) => json(response, 404, { error: { code: 'NOT_FOUND', message: 'no' } }, { 'x-request-id': 'srv-12345678' })
  expect((await failureOf(call(client.api, read))).failure).toMatchObject({ kind: 'refused', requestId: 'srv-12345678', route: 'GET /markets' })

  service.answer = (_request, _response, socket) => socket.destroy()
  const { failure } = await failureOf(call(client.api, relay, { body: {} }))
  expect(failure).toMatchObject({ kind: 'outcome_unknown', requestId: service.received.at(-1)?.headers['x-request-id'] })
})

test('the API client lists the request fields that a refusal of the service names', async () => {
  const detail = [{ loc: ['body', 'payload', 'orderId'], msg: 'field required' }]
  service.answer = (_request, response) => json(response, 422, { detail })
  expect(await failureOf(call(client.api, write, { body: {} }))).toMatchObject({
    sent: 'answered',
    invalidFields: [{ name: 'orderId', path: ['body', 'payload', 'orderId'], problem: 'missing', isExact: true }],
  })
  service.answer = (_request, response) => json(response, 422, { message: 'Not now' })
  expect(await failureOf(call(client.api, write, { body: {} }))).not.toHaveProperty('invalidFields')
})

test('the API client sends a key only in X-Svc-API-Key, and a session only as a bearer token [AUTH-01] [GEN-07]', async () => {
  await call(client.api, read)
  expect(service.received[0]?.headers).toMatchObject({ 'x-svc-api-key': 'SVCtest0123456789abcdef' })
  expect(service.received[0]?.headers).not.toHaveProperty('authorization')
  await call(client.api, manage)
  expect(service.received[1]?.headers).toMatchObject({ authorization: 'Bearer svcds1.test-0123456789' })
  expect(service.received[1]?.headers).not.toHaveProperty('x-svc-api-key')
})

test('the API client sends no credential to the relay and receipt routes, and refuses a call to these routes that contains a credential [AUTH-10]', async () => {
  await client.api.call(endpoints.relayIntent, { params: {}, query: {}, body: { wallet: '0xaa', intent_id: 'dx_1', signature: '0x1b' }, credential: null })
  await client.api.call(endpoints.reportReceipt, {
    params: {},
    query: {},
    body: { wallet: '0xaa', intent_id: 'dx_1', tx_hash: '0x1', state: 'submitted' },
    credential: null,
  })
  expect(service.received.map((request) => request.path)).toEqual(['/api/dex/actions/relay', '/api/dex/actions/receipt'])
  for (const { headers } of service.received) {
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('x-svc-api-key')
  }
  const refused = await client.api.call(endpoints.relayIntent, {
    params: {},
    query: {},
    body: { wallet: '0xaa', intent_id: 'dx_1', signature: '0x1b' },
    // @ts-expect-error The relay accepts no credential.
    credential: keyCredential,
  })
  expect(refused).toEqual({ ok: false, failure: { failure: { kind: 'wrong_credential', route: 'POST /api/dex/actions/relay' }, sent: 'no' } })
  expect(service.received).toHaveLength(2)
})

test('the API client refuses a credential of the wrong kind for every endpoint, before it sends anything [GEN-07]', async () => {
  const wrong = {
    none: [keyCredential, sessionCredential],
    session: [keyCredential, null, { ...sessionCredential, bearer: new Secret('SVCtest0123456789abcdef') }],
    key: [
      sessionCredential,
      null,
      { ...keyCredential, apiKey: new Secret('svcds1.test-0123456789') },
      { ...keyCredential, apiKey: new Secret('SVCa\r\nhost: evil') },
    ],
  }
  let tried = 0
  for (const target of Object.values(endpoints))
    for (const credential of wrong[target.credential]) {
      tried += 1
      // The types forbid this call. The cast makes it possible, so that the test can check what happens at run time.
      const result = await client.api.call(target as never, { params: {}, query: {}, body: {}, credential } as never)
      expect(result).toEqual({ ok: false, failure: { failure: { kind: 'wrong_credential', route: target.route }, sent: 'no' } })
    }
  expect(tried).toBeGreaterThan(66)
  expect(service.received).toHaveLength(0)
})

test('the API client removes secrets from the stored raw answer, and writes no secret to the request log [AUTH-09]', async () => {
  const secret = 'SVCcanary0123456789abcdef'
  service.answer = (_request, response) => json(response, 200, { api_key: secret, note: `your key is ${secret}`, developer_session: 'svcds1.canary12345' })
  const answer = await call(client.api, { ...manage, secrets: ['api_key'] })
  if (!answer.ok) throw new Error('the call failed')
  expect(answer.value.value).toMatchObject({ api_key: secret })
  expect(answer.value.raw).not.toContain('canary')
  service.answer = (_request, response) => json(response, 400, { code: 'BAD', message: `no such key ${secret}` })
  const refused = JSON.stringify(await failureOf(call(client.api, read)))
  expect(refused).toContain('BAD')
  expect(refused).not.toContain('canary')
  expect(JSON.stringify(client.records)).not.toMatch(/canary|SVCtest|svcds1\.test/)
})

test('the API client percent-encodes parameters in a request’s path, and omits the query from the request log', async () => {
  const one = { ...open, route: 'GET /api/dex/markets/{id}/funding' as const, params: z.object({ id: z.string() }), query: z.object({ wallet: z.string() }) }
  await client.api.call(one, { params: { id: 'a/../b?c#d' }, query: { wallet: '0xaa&b=c' }, body: undefined, credential: null })
  expect(service.received[0]?.path).toBe('/api/dex/markets/a%2F..%2Fb%3Fc%23d/funding?wallet=0xaa%26b%3Dc')
  expect(client.records[0]).toMatchObject({ method: 'GET', path: '/api/dex/markets/a%2F..%2Fb%3Fc%23d/funding', endpoint: 'GET /api/dex/markets/{id}/funding' })
  for (const id of ['', '.', '..'])
    await expect(client.api.call(one, { params: { id }, query: { wallet: 'x' }, body: undefined, credential: null })).rejects.toThrow('No usable value')
})

test('the API client sends a stored request body byte for byte, with its idempotency key, and does not build the body again [ORD-06] [ORD-09]', async () => {
  const rawBody = '{ "action":"open_position",  "payload":{"order_value_usdc":"250.10"} }'
  await call(client.api, write, { rawBody, body: { other: true }, headers: { 'Idempotency-Key': 'desk-0123456789' } })
  expect(service.received[0]?.body).toBe(rawBody)
  expect(service.received[0]?.headers).toMatchObject({ 'idempotency-key': 'desk-0123456789', 'content-type': 'application/json; charset=utf-8' })
  await expect(call(client.api, write, { headers: { cookie: 'a=b' } })).rejects.toThrow('Not a header that a caller may add')
})

test('the API client measures the service’s clock offset from the Date header, and detects changed service versions [GEN-09]', async () => {
  expect(client.api.clockOffsetMs()).toBe(null)
  expect(client.api.serviceChange()).toBe(null)
  const documented = { 'x-svc-api-version': 'v1', 'x-svc-api-schema': 'svc-dex-api-v1.1' }
  service.answer = (_request, response) => json(response, 200, {}, { ...documented, date: new Date(Date.now() + 90_000).toUTCString() })
  await call(client.api, read)
  expect(client.api.clockOffsetMs()).toBeGreaterThan(88_000)
  expect(client.api.clockOffsetMs()).toBeLessThan(92_000)
  expect(client.api.serviceChange()).toBe(null)
  expect(client.api.health().state).toBe('up')

  // On unversioned routes, the version headers may be missing. The client must not report that as a service change.
  service.answer = (_request, response) => json(response, 200, {})
  await call(client.api, open)
  expect(client.api.serviceChange()).toBe(null)
  service.answer = (_request, response) => json(response, 200, {}, { ...documented, 'x-svc-api-schema': 'svc-dex-api-v1.2' })
  await call(client.api, read)
  expect(client.api.serviceChange()).toEqual({ apiVersion: 'v1', schema: 'svc-dex-api-v1.2' })
})

test('aborting an API call cancels only that call’s request, and not the requests of other callers', async () => {
  const answers: (() => void)[] = []
  service.answer = (_request, response) => answers.push(() => json(response, 200, {}))
  const given = new AbortController()
  const ended = failureOf(call(client.api, read, { signal: given.signal }))
  const kept = call(client.api, read)
  await expect.poll(() => answers.length).toBe(2)
  given.abort()
  expect(await ended).toMatchObject({ failure: { kind: 'unreachable', reason: 'closing' } })
  for (const answer of answers) answer()
  expect((await kept).ok).toBe(true)
  expect(await failureOf(call(client.api, read, { signal: given.signal }))).toMatchObject({ sent: 'no', failure: { reason: 'closing' } })
})

test('the API client aborts open requests when it is closed', async () => {
  service.answer = () => {}
  const waiting = failureOf(call(client.api, relay, { body: {} }))
  await expect.poll(() => service.received.length).toBe(1)
  await client.api.close()
  expect(await waiting).toMatchObject({ sent: 'maybe', failure: { kind: 'outcome_unknown' } })
  expect(await failureOf(call(client.api, open))).toMatchObject({ sent: 'no', failure: { kind: 'unreachable', reason: 'closing' } })
})

test('the API client reads an empty object as an empty list only if the service earlier returned that list as an object with ids as field names', async () => {
  const held = async (body: unknown) => {
    service.answer = (_request, response) => json(response, 200, body)
    const answer = await client.api.call(endpoints.getPositions, { params: {}, query: {}, body: undefined, credential: keyCredential })
    return answer.ok ? answer.value.value.positions.map(({ id }) => id) : answer.failure.failure.kind
  }
  expect(await held({})).toBe('unreachable')
  expect(await held({ '90003': { position_id: 90003, pair_id: 3, side: 'long', size: '2.8' } })).toEqual(['90003'])
  expect(await held({})).toEqual([])
})
