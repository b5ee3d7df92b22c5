import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, open, read, relay, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'

let service: TestService
let client: TestClient
let times: number[]

beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
  times = []
})
afterEach(async () => {
  await client.api.close()
  await service.close()
})

function answerOnce(status: number, body: unknown, headers: Record<string, string>, type = 'application/json') {
  let asked = false
  service.answer = (_request, response) => {
    times.push(client.clock.monotonic())
    if (asked) return json(response, 200, {})
    asked = true
    response.writeHead(status, { 'content-type': type, ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const waited = () => (times[1] ?? 0) - (times[0] ?? 0)

test.each<[string, number, unknown, string]>([
  ['429', 429, { code: 'RATE_LIMITED' }, 'application/json'],
  ['503 without a body that says anything', 503, {}, 'application/json'],
  ['503 with a page', 503, '<!doctype html><p>Busy</p>', 'text/html'],
  ['403', 403, { code: 'TOO_EAGER' }, 'application/json'],
  ['409', 409, { code: 'BUSY' }, 'application/json'],
])('the API client delays an automatic request until the Retry-After of a %s is over [LIM-02]', async (_name, status, body, type) => {
  answerOnce(status, body, { 'retry-after': '4' }, type)
  const refused = await call(client.api, write, { body: {} })
  expect(refused).toMatchObject({ ok: false, failure: { retryAfterMs: 4_000 } })
  await call(client.api, read, { urgency: 'polling' })
  expect(times).toHaveLength(2)
  expect(waited()).toBeGreaterThanOrEqual(4_000)
  expect(waited()).toBeLessThan(5_000)
})

test('the API client accepts a date in Retry-After, and does not wait if that date is in the past [LIM-02]', async () => {
  answerOnce(503, {}, { 'retry-after': new Date(client.clock.now() + 6_000).toUTCString() })
  await call(client.api, write, { body: {} })
  await call(client.api, read)
  expect(waited()).toBeGreaterThan(4_500)
  expect(waited()).toBeLessThan(7_000)

  times = []
  answerOnce(400, {}, { 'retry-after': new Date(0).toUTCString() })
  await call(client.api, write, { body: {} })
  await call(client.api, read)
  expect(waited()).toBeLessThan(1_000)
})

test('after a 429, the API client pauses only routes of the same class; a call fails at once if its caller would not wait that long [LIM-02]', async () => {
  answerOnce(429, {}, { 'retry-after': '120' })
  await call(client.api, write, { body: {} })
  expect((await call(client.api, open)).ok).toBe(true)
  const told = await call(client.api, read)
  expect(told).toMatchObject({ ok: false, failure: { sent: 'no', failure: { kind: 'rate_limited', route: 'GET /markets', requestId: null } } })
  expect(!told.ok && told.failure.retryAfterMs).toBeGreaterThan(119_000)
  expect(service.received).toHaveLength(2)
})

test('the API client sends an exit (cancel, close, revoke) at once despite any pause, and sends a read for an exit at most once', async () => {
  answerOnce(429, {}, { 'retry-after': '120' })
  await call(client.api, write, { body: {} })
  expect(await call(client.api, write, { body: {}, urgency: 'exit' })).toMatchObject({ ok: true })
  expect(waited()).toBeLessThan(1_000)

  // The client sends a read for a cancel or close at once and only once. It does not wait for the time in `Retry-After` to retry.
  service.answer = (_request, response) => json(response, 503, {}, { 'retry-after': '3' })
  const before = service.received.length
  expect(await call(client.api, read, { urgency: 'exit' })).toMatchObject({ ok: false })
  expect(service.received.slice(before).length).toBe(1)
})

test('the API client sends an exit (cancel, close, revoke) even to a host that is paused after repeated failures', async () => {
  service.answer = (_request, response) => json(response, 500, 'nothing to read')
  for (let count = 0; count < 6; count += 1) await call(client.api, open)
  const before = service.received.length
  await call(client.api, open, { urgency: 'exit' })
  expect(service.received.length).toBe(before + 1)
})

test('the API client sends a signed order to the relay route even while it pauses other changes after a 429', async () => {
  answerOnce(429, {}, { 'retry-after': '60' })
  await call(client.api, write, { body: {} })
  expect((await call(client.api, relay, { body: {} })).ok).toBe(true)
})
