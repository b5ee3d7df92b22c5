import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, keyCredential, manage, read, relay, sessionCredential, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Exchange } from '../../../shared/ipc/reads/requests.ts'
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

const wallet = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'
const key = { ...keyCredential, wallet }
const session = { ...sessionCredential, wallet }

async function noted(target: Endpoint, request: { body?: unknown; query?: unknown; headers?: Record<string, string> } = {}): Promise<Exchange> {
  const credential = (target.credential === 'key' ? key : target.credential === 'session' ? session : null) as never
  await client.api.call(target, { params: {}, query: {}, body: undefined, ...request, credential } as never)
  return client.notes.at(-1)?.exchange?.() ?? expect.fail('nothing was noted')
}

test('the request log stores the request, the answer and the service’s request id as the content of a call [GEN-05]', async () => {
  service.answer = (_request, response) =>
    json(response, 200, { ok: true, never_seen: [1] }, { 'x-request-id': 'srv-12345678', 'set-cookie': 'id=1', 'x-powered-by': 'x' })
  const body = { action: 'open_position', payload: { pair_id: 1 } }
  const exchange = await noted(write, { body, headers: { 'Idempotency-Key': 'order-0001' } })
  expect(exchange).toMatchObject({ target: '/api/dex/v1/orders/prepare', credential: 'key', key: { id: 'k1', label: 'bot' } })
  expect(Object.fromEntries(exchange.request.headers.map(({ name, value }) => [name, value]))).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'idempotency-key': 'order-0001',
    'x-svc-api-key': '[redacted]',
  })
  expect(exchange.request.body?.text).toBe(JSON.stringify(body))
  expect(exchange.answer?.body).toEqual({ text: '{"ok":true,"never_seen":[1]}', bytes: 28, cut: 0 })
  const names = exchange.answer?.headers.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['content-type', 'x-request-id']))
  for (const name of ['set-cookie', 'x-powered-by']) expect(names).not.toContain(name)
})

test('the request log stores the query of a call as sent, because the answer depends on it', async () => {
  const exchange = await noted(endpoints.getCandles, { query: { pair_id: 1, interval: '1h', limit: 5 } })
  expect(exchange.target).toBe('/api/dex/v1/candles?pair_id=1&interval=1h&limit=5')
  expect(service.received[0]?.path).toBe(exchange.target)
})

test('the request log stores the same call id with all attempts of one call', async () => {
  let left = 2
  service.answer = (_request, response) => (left-- > 0 ? json(response, 503, {}) : json(response, 200, {}))
  await noted(read)
  await noted(read)
  const calls = client.notes.map(({ callId }) => callId)
  expect(client.records.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1])
  expect(calls).toEqual([client.records[0]?.id, client.records[0]?.id, client.records[0]?.id, client.records[3]?.id])
})

test('if a call got no answer, the request log stores only the request as the content of the call', async () => {
  service.answer = (_request, _response, socket) => socket.destroy()
  const exchange = await noted(relay, { body: { wallet, intent_id: 'dx_1' } })
  expect(exchange.answer).toBeNull()
  expect(exchange.request.body?.text).toContain('dx_1')
})

test('if it is unknown whose key was used for a call, the request log stores only the log line, and not the call’s content [AUTH-03]', async () => {
  await call(client.api, read)
  expect(client.records).toHaveLength(1)
  expect(client.notes[0]?.exchange).toBeNull()
})

const apiKey = `SVC${'9k'.repeat(20)}`
const signature = `0x${'ab'.repeat(65)}`
const canaries = [
  { name: 'a new key under its name', answer: { api_key: apiKey } },
  { name: 'a key under a name that nobody knows', answer: { data: { credential: [`see ${apiKey}`] } } },
  { name: 'a key in JSON in a text', answer: { note: JSON.stringify({ x: apiKey }) } },
  { name: 'a session', answer: { developer_session: 'svcds1.abcdefgh12345678', hint: 'svcds1.abcdefgh12345678' } },
  { name: 'a signing secret', answer: { signing_secret: 'svc_whsec_abcdefgh12345678', list: ['svc_whsec_abcdefgh12345678'] } },
  { name: 'a signature', answer: { echo: { signature, said: `you sent ${signature}` } } },
  { name: 'a pairing of WalletConnect', answer: { uri: `wc:${'1a'.repeat(32)}@2?relay-protocol=irn&symKey=${'5e'.repeat(32)}` } },
  { name: 'the credential that it went with', answer: { you: sessionCredential.bearer.reveal(), header: `Bearer ${sessionCredential.bearer.reveal()}` } },
] as const
const secrets = [apiKey, '9k9k9k9k', 'svcds1.abc', 'svc_whsec_a', 'abababababab', '5e5e5e5e', sessionCredential.bearer.reveal(), keyCredential.apiKey.reveal()]

test.each(canaries)('the request log removes a secret from the stored answer, request and headers of a call: $name [AUTH-09]', async ({ answer }) => {
  service.answer = (_request, response) => json(response, 200, answer, { 'x-svc-echo': JSON.stringify(answer), server: JSON.stringify(answer) })
  for (const target of [read, write, manage, relay]) {
    const text = JSON.stringify(await noted(target, target.route.startsWith('POST') ? { body: { wallet, ...answer } } : {}))
    for (const secret of secrets) expect(text, target.route).not.toContain(secret)
  }
})

test('the request log removes a credential from a stored answer that repeats it, even if the credential has an unknown form [AUTH-09]', async () => {
  const odd = 'SVCletterswithoutanydigit'
  service.answer = (_request, response) => json(response, 403, `<html>${odd} may not, says ${odd}</html>`)
  await client.api.call(read, { params: {}, query: {}, body: undefined, credential: { ...key, apiKey: new Secret(odd) } })
  expect(client.notes[0]?.exchange?.().answer?.body.text).toBe('<html>[redacted] may not, says [redacted]</html>')
})

test('the request log stores no part of a secret, even if it cuts a long answer off within that secret [AUTH-09]', async () => {
  for (const before of [100, 20, 15, 10, 6, 1].map((characters) => 16_384 - characters)) {
    const start = 'x'.repeat(before)
    service.answer = (_request, response) => json(response, 200, `${start} ${apiKey} ${'y'.repeat(60_000)}`)
    const { answer } = await noted(write)
    expect(answer?.body.text).not.toContain('9k')
    expect(answer?.body.text?.length).toBeLessThanOrEqual(16_384)
  }
})

test('the request log stores only the start of a long answer, and says how much is missing', async () => {
  const list = JSON.stringify({ items: Array.from({ length: 9_000 }, (_, index) => ({ index, mark: '1.5' })) })
  service.answer = (_request, response) => json(response, 200, list)
  const { answer } = await noted(read)
  expect(answer?.body).toEqual({ text: list.slice(0, 16_384), bytes: list.length, cut: list.length - 16_384 })
})

test('the request log does not store an unreadable answer that may contain a new secret [AUTH-09]', async () => {
  const target: Endpoint = { ...write, secrets: ['api_key'] }
  for (const text of ['{"grant":"nobody knows what this is"', `{"grant":"${'z'.repeat(60_000)}"}`, '<html>grant: 12345</html>']) {
    service.answer = (_request, response) => json(response, 200, text)
    expect((await noted(target)).answer?.body).toEqual({ text: null, bytes: text.length, cut: text.length })
  }
  service.answer = (_request, response) => json(response, 409, { code: 'TOO_MANY_KEYS', message: 'ten are there' })
  expect((await noted(target)).answer?.body.text).toBe('{"code":"TOO_MANY_KEYS","message":"ten are there"}')
})
