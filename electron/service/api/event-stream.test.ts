import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, type TestClient, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'

let service: TestService
let client: TestClient
let chunks: string[]
let ends: number

beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
  chunks = []
  ends = 0
})
afterEach(async () => {
  await client.api.close()
  await service.close()
})

const listener = {
  onChunk: (chunk: Buffer) => void chunks.push(chunk.toString()),
  onEnd: () => {
    ends += 1
  },
}
const openStream = (lastEventId: string | null = null, market: { pairId: number; interval: '1m' } | null = null) =>
  client.api.openStream({ credential: { ...keyCredential, wallet: '0xaa' }, lastEventId, market }, listener)

test('if a stream request is answered with 503, the API client returns the value of Retry-After and does not repeat the request [ACC-04]', async () => {
  service.answer = (_request, response) =>
    json(response, 503, { error: { code: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED' } }, { 'retry-after': '5', 'x-request-id': 'srv-12345678' })
  expect(await openStream()).toMatchObject({
    ok: false,
    failure: { failure: { kind: 'refused', status: 503, requestId: 'srv-12345678' }, retryAfterMs: 5_000 },
  })
  expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/dex/v1/stream'])
  expect(client.records).toMatchObject([{ endpoint: 'GET /stream', status: 503, outcome: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED' }])
  expect(client.api.health().state).toBe('up')
})

test('the API client delivers a stream’s bytes as they arrive, reports its end, and sends key and last event id as headers [ACC-04] [AUTH-01]', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  service.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write('id: 8\ndata: eight\n\n')
    void ended.then(() => response.end())
  }
  const opened = await openStream('7')
  expect(opened.ok).toBe(true)
  await expect.poll(() => chunks.join('')).toBe('id: 8\ndata: eight\n\n')
  expect(ends).toBe(0)
  end()
  await expect.poll(() => ends).toBe(1)
  expect(service.received[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'last-event-id': '7', 'x-svc-api-key': 'SVCtest0123456789abcdef' })
})

test('the API client requests an event stream of one market by the market’s id in the query, as documented [ACC-04]', async () => {
  await openStream(null, { pairId: 3, interval: '1m' })
  expect(service.received.map(({ path }) => path)).toEqual(['/api/dex/v1/stream?pair_id=3&interval=1m'])
})

test('after an event stream or the API client is closed, the app receives no more events from the stream [ACC-04]', async () => {
  let closed = 0
  service.answer = (_request, response) => {
    response.on('close', () => {
      closed += 1
    })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\n')
  }
  const opened = await openStream()
  if (!opened.ok) throw new Error('not open')
  opened.value.close()
  await expect.poll(() => closed).toBe(1)
  expect(ends).toBe(0)
  expect((await openStream()).ok).toBe(true)
  await client.api.close()
  await expect.poll(() => closed).toBe(2)
})

test('if the service sends no answer to a stream request, or an answer that is no stream, the API client reports a failure as for any other call [ACC-04]', async () => {
  expect(await openStream()).toMatchObject({ ok: false, failure: { failure: { kind: 'unreachable', reason: 'malformed' } } })
  service.answer = (_request, response) => json(response, 403, { error: { code: 'IP_NOT_ALLOWED' } })
  expect(await openStream()).toMatchObject({ ok: false, failure: { failure: { kind: 'ip_not_allowed' } } })
  service.answer = (_request, _response, socket) => socket.destroy()
  expect(await openStream()).toMatchObject({ ok: false, failure: { failure: { kind: 'unreachable', reason: 'reset' } } })
  await service.close()
  expect(await openStream()).toMatchObject({ ok: false, failure: { failure: { kind: 'unreachable', reason: 'connect' } } })
})
