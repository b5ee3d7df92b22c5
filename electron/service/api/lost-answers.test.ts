import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, manage, open, read, relay, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { oneOf } from '../../../shared/api/reader/answer.ts'
import { type Fields, may, must } from '../../../shared/api/reader/field.ts'
import { text as anyText } from '../../../shared/api/reader/kinds.ts'
import { resource } from '../../../shared/api/reader/resource.ts'

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

test('if a read fails because it needs a key, the reported failure names the scope that the key needs [AUTH-02]', async () => {
  service.answer = (_request, response) => json(response, 401, { success: false, error: { code: 'API_KEY_REQUIRED', message: 'key' } })
  const refused = await failureOf(call(client.api, read))
  expect(refused).toEqual({ failure: { kind: 'api_key_required', scope: 'market:read' }, sent: 'answered', requestId: expect.any(String) })
})

test.each([
  ['nested', { success: false, error: { code: 'IP_NOT_ALLOWED', message: 'not from here' }, request_id: 'r' }],
  ['flat', { code: 'IP_NOT_ALLOWED', message: 'not from here' }],
  ['a string', { error: 'IP_NOT_ALLOWED', detail: 'not from here' }],
  ['a list', { errors: [{ code: 'IP_NOT_ALLOWED', message: 'not from here' }] }],
])('the API client finds the error code in an error body of the shape %s [ERR-01]', async (_shape, body) => {
  service.answer = (_request, response) => json(response, 403, body)
  expect((await failureOf(call(client.api, read))).failure).toMatchObject({ kind: 'ip_not_allowed', keyLabel: 'bot' })
})

test('the app’s failure report keeps code, message and body of an unknown error of the service, even if the body is plain text [ERR-01]', async () => {
  service.answer = (_request, response) => json(response, 409, { error: { code: 'KEY_LIMIT_REACHED', message: 'Ten keys are active.' }, extra: 7 })
  const known = (await failureOf(call(client.api, read))).failure
  expect(known).toMatchObject({
    kind: 'refused',
    status: 409,
    code: 'KEY_LIMIT_REACHED',
    message: 'Ten keys are active.',
    raw: expect.stringContaining('"extra":7'),
  })

  service.answer = (_request, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' })
    response.end('VALIDATION_ERROR: leverage is above the maximum')
  }
  expect((await failureOf(call(client.api, read))).failure).toMatchObject({
    kind: 'refused',
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'leverage is above the maximum',
  })
})

test.each([
  [422, { code: 'PRICE_DEVIATION_EXCEEDED' }, { kind: 'price_deviation' }],
  [503, { code: 'MARKET_DATA_STALE' }, { kind: 'market_data_stale' }],
  [409, { code: 'IDEMPOTENCY_KEY_CONFLICT' }, { kind: 'idempotency_conflict', code: 'IDEMPOTENCY_KEY_CONFLICT', intentRef: 'i1' }],
  [409, { code: 'DUPLICATE_CLIENT_ORDER_ID' }, { kind: 'idempotency_conflict', code: 'DUPLICATE_CLIENT_ORDER_ID', intentRef: 'i1' }],
  [403, { code: 'SCOPE_REQUIRED', required_scope: 'trade:prepare' }, { kind: 'scope_missing', scope: 'trade:prepare', keyLabel: 'bot' }],
  [400, { code: 'VALIDATION_ERROR' }, { kind: 'refused', status: 400 }],
])('if a write is refused with %i %o, the API client treats its outcome as known and does not repeat the write [ORD-08]', async (status, body, failure) => {
  service.answer = (_request, response) => json(response, status, body)
  expect(await failureOf(call(client.api, write, { body: {}, intentRef: 'i1' }))).toMatchObject({ sent: 'answered', failure })
  expect(service.received).toHaveLength(1)
})

test('the app asks the user to sign in again when the service refuses the session', async () => {
  service.answer = (_request, response) => json(response, 401, { code: 'DEVELOPER_SESSION_REQUIRED' })
  expect((await failureOf(call(client.api, manage))).failure).toEqual({ kind: 'sign_in_required' })
})

test.each<[string, TestService['answer']]>([
  ['a cut connection', (_request, _response, socket) => socket.destroy()],
  ['a redirect', (_request, response) => void response.writeHead(302, { location: 'https://elsewhere.test/' }).end()],
  ['an HTML page', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['a 500', (_request, response) => json(response, 500, { code: 'INTERNAL_ERROR' })],
  ['a 502 of a gateway', (_request, response) => void response.writeHead(502, { 'content-type': 'text/plain' }).end('Bad Gateway')],
  ['an answer over 8 MiB', (_request, response) => json(response, 200, `{"x":"${'y'.repeat(9 * 1_048_576)}"}`)],
  [
    'an answer cut in its middle',
    (_request, response, socket) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"a":', () => socket.destroy())
    },
  ],
])('if a write gets %s, the API client treats its outcome as unknown and does not repeat the write [FLOW-07]', async (_what, answer) => {
  service.answer = answer
  const lost = await failureOf(call(client.api, relay, { body: {}, intentRef: 'i1' }))
  expect(lost).toMatchObject({ sent: 'maybe', failure: { kind: 'outcome_unknown', intentRef: 'i1', route: 'POST /api/dex/actions/relay' } })
  expect(service.received).toHaveLength(1)
})

test('if a change sent to the service gets no response in time, the app reports the change’s outcome as unknown [FLOW-07]', async () => {
  service.answer = () => {}
  expect(await failureOf(call(client.api, relay, { body: {}, deadlineMs: 100 }))).toMatchObject({ sent: 'maybe', failure: { kind: 'outcome_unknown' } })
})

const answerOf = <F extends Fields>(fields: F) => oneOf(resource({ name: 'answer', words: ['answer'], sentence: null, source: '', fields }))
const strict = { ...relay, response: answerOf({ txHash: must(['tx_hash'], anyText), state: must(['state'], anyText) }) }

test.each<[string, string, readonly string[]]>([
  ['half a JSON', '{"success":tr', []],
  ['nothing at all', '', []],
  ['null', 'null', []],
  ['a sentence', 'accepted', []],
  ['another shape', '{"success":true,"hash":"0x1","relay":{}}', ['tx_hash']],
])('if the response to a write is %s, the API client reports the response as unreadable and does not repeat the write', async (_what, text, missing) => {
  service.answer = (_request, response) => json(response, 200, text)
  expect(await failureOf(call(client.api, strict, { body: {}, intentRef: 'i1' }))).toMatchObject({
    sent: 'answered',
    failure: { kind: 'unreadable', status: 200, missing, raw: text, intentRef: 'i1', route: 'POST /api/dex/actions/relay' },
  })
  expect(service.received).toHaveLength(1)
  // Send the same unreadable response to a read. A read can be repeated safely, so the result is a failed read and not an unknown outcome.
  expect((await failureOf(call(client.api, { ...strict, retry: 'safe' }, { body: {} }))).failure).toMatchObject({ kind: 'unreachable', reason: 'malformed' })
  const reading = { ...read, response: answerOf({ equity: may(['equity'], anyText) }) }
  if (missing.length === 0) expect((await failureOf(call(client.api, reading))).failure).toMatchObject({ kind: 'unreachable', reason: 'malformed' })
})

test('if an endpoint requires no response body, the app counts any success status as success unless the body reports an error', async () => {
  const removal = { ...strict, empty: 'ok' as const, response: answerOf({ key: may(['key'], anyText) }) }
  for (const text of ['', 'null', 'OK', '{"key":7}']) {
    service.answer = (_request, response) => json(response, 200, text)
    expect((await call(client.api, removal, { body: {} })).ok).toBe(true)
  }
  service.answer = (_request, response) => json(response, 200, { success: false, error: { code: 'NOT_YOURS' } })
  expect((await failureOf(call(client.api, removal, { body: {} }))).failure).toMatchObject({ kind: 'refused', code: 'NOT_YOURS' })
})

test('the app does not store an unreadable answer to a change, because the answer may contain a new secret [AUTH-09]', async () => {
  service.answer = (_request, response) => json(response, 201, { token: 'canary-without-a-known-beginning' })
  const told = JSON.stringify(await failureOf(call(client.api, { ...strict, secrets: ['api_key'] }, { body: {} })))
  expect(told).toContain('unreadable')
  expect(told).not.toContain('canary')
})

test('if no connection to the service is possible, the app reports a change as not sent', async () => {
  await service.close()
  expect(await failureOf(call(client.api, relay, { body: {} }))).toMatchObject({ sent: 'no', failure: { kind: 'unreachable', reason: 'connect' } })
  service = await startService()
})

test.each<[string, TestService['answer']]>([
  ['redirect', (_request, response) => void response.writeHead(307, { location: `http://127.0.0.1:1/` }).end()],
  ['html', (_request, response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('<html>maintenance')],
  ['html', (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<!doctype html><p>')],
  ['malformed', (_request, response) => json(response, 200, '{"a":')],
  ['too_large', (_request, response) => json(response, 200, `{"x":"${'y'.repeat(9 * 1_048_576)}"}`)],
])('the API client reports a failed read as %s, and follows no redirects', async (reason, answer) => {
  service.answer = answer
  expect((await failureOf(call(client.api, read))).failure).toMatchObject({ kind: 'unreachable', reason })
  expect(service.received).toHaveLength(1)
})

test('the app reports a TLS failure if the server’s certificate is untrusted or the server does not use TLS', async () => {
  const plain = createTcpServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  const secure = testClient(`https://127.0.0.1:${port}`)
  expect(await failureOf(call(secure.api, open))).toMatchObject({ sent: 'no', failure: { kind: 'unreachable', reason: 'tls' } })
  await secure.api.close()
  await new Promise((resolve) => plain.close(resolve))
})

test('one deadline applies to all attempts of an API call together, even if response bodies arrive slowly', async () => {
  const drips: NodeJS.Timeout[] = []
  service.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    drips.push(setInterval(() => response.write(' '), 20))
  }
  const started = performance.now()
  expect((await failureOf(call(client.api, read, { deadlineMs: 300 }))).failure).toMatchObject({ kind: 'unreachable', reason: 'timeout' })
  expect(performance.now() - started).toBeLessThan(1_500)
  for (const drip of drips) clearInterval(drip)
})

test('the app retries a read after a 429 or 503, but not before the time in Retry-After has passed [LIM-02]', async () => {
  const answers = [
    () => ({ status: 429, headers: { 'retry-after': '2' } }),
    () => ({ status: 503, headers: { 'retry-after': '1' } }),
    () => ({ status: 200, headers: {} }),
  ]
  service.answer = (_request, response) => {
    const { status, headers } = (answers.shift() ?? (() => ({ status: 200, headers: {} })))()
    json(response, status, { code: 'RATE_LIMITED' }, headers as Record<string, string>)
  }
  expect((await call(client.api, open)).ok).toBe(true)
  expect(client.waits).toHaveLength(2)
  expect(client.waits[0]).toBeGreaterThanOrEqual(2_000)
  expect(client.waits[0]).toBeLessThan(2_500)
  expect(client.waits[1]).toBeGreaterThanOrEqual(1_000)
  expect(client.records.map(({ status, attempt, outcome }) => [status, attempt, outcome])).toEqual([
    [429, 1, 'RATE_LIMITED'],
    [503, 2, 'RATE_LIMITED'],
    [200, 3, 'ok'],
  ])
})

test('the app does not retry a change after a 429, but reports when the user may try again [LIM-02]', async () => {
  service.answer = (_request, response) => json(response, 429, { code: 'RATE_LIMITED' }, { 'retry-after': '3' })
  expect(await failureOf(call(client.api, write, { body: {} }))).toMatchObject({ sent: 'answered', failure: { kind: 'rate_limited', retryAfterMs: 3_000 } })
  expect(service.received).toHaveLength(1)
})

test('if the connection for a read is cut, the app repeats the read a few times and then reports the failure', async () => {
  service.answer = (_request, _response, socket) => socket.destroy()
  expect((await failureOf(call(client.api, open))).failure).toMatchObject({ kind: 'unreachable', reason: 'reset' })
  expect(service.received.length).toBe(4)
})

test('after repeated failures, the app sends no reads to a host until a change sent there gets an answer, but sends changes at once', async () => {
  service.answer = (_request, response) => json(response, 500, 'nothing to read')
  for (let count = 0; count < 5; count += 1) await call(client.api, open)
  const asked = service.received.length
  expect((await failureOf(call(client.api, open))).failure).toMatchObject({ kind: 'unreachable', reason: 'server_error' })
  expect(service.received).toHaveLength(asked)
  service.answer = (_request, response) => json(response, 200, {})
  expect((await call(client.api, relay, { body: {} })).ok).toBe(true)
  // The service answered the write, so the host works again. The client may send reads to it.
  expect((await call(client.api, open)).ok).toBe(true)
})

test('the app does not retry a read after a 503 if the response has an error code that the API document lists [ACC-04]', async () => {
  service.answer = (_request, response) => json(response, 503, { code: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED' }, { 'retry-after': '5' })
  expect((await failureOf(call(client.api, read))).failure).toMatchObject({ kind: 'refused', status: 503, code: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED' })
  expect(service.received).toHaveLength(1)
})
