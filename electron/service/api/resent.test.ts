import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { ApiFailure } from '../transport/api-client.ts'
import type { Urgency } from '../transport/limiter.ts'
import { resent } from './call-outcome.ts'

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

async function send(pressed: Urgency) {
  const waits: number[] = []
  const urgencies: Urgency[] = []
  const { answer, lost } = await resent(
    pressed,
    async (urgency) => {
      urgencies.push(urgency)
      const sent = await call(client.api, write, { rawBody: '{"a":1}', urgency })
      return sent.ok ? ok(sent.value.status) : fail<ApiFailure>(sent.failure)
    },
    async (ms) => void waits.push(ms),
  )
  return { answer, lost, waits, urgencies }
}

test('the app repeats a request byte for byte after the Retry-After of a 503; for an exit, only the first attempt may skip the queue [LIM-02]', async () => {
  const times: number[] = []
  service.answer = (_request, response) => {
    times.push(client.clock.monotonic())
    if (times.length === 1) json(response, 503, {}, { 'retry-after': '2' })
    else json(response, 200, {})
  }
  const { answer, lost, waits, urgencies } = await send('exit')
  expect([answer, lost, waits, urgencies]).toEqual([ok(200), true, [2_000], ['exit', 'user']])
  // `resent` itself must wait as long as `Retry-After` says. The client's limiter would otherwise have to delay the retry.
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_000)
  expect(service.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}'])
})

test('the app stops retrying a request if the service asks for a longer wait than a user would accept', async () => {
  service.answer = (_request, response) => json(response, 503, {}, { 'retry-after': '30' })
  const { answer, lost, waits } = await send('user')
  expect(answer).toMatchObject({ ok: false, failure: { failure: { kind: 'outcome_unknown' }, retryAfterMs: 30_000 } })
  expect([lost, waits, service.received.length]).toEqual([false, [], 1])
})

test('the app sends a request up to three times if the connection is cut, and only once if the service answers it', async () => {
  service.answer = (_request, _response, socket) => socket.destroy()
  const { lost, waits } = await send('user')
  expect([lost, waits, service.received.length]).toEqual([true, [300, 1_000], 3])
  service.answer = (_request, response) => json(response, 422, { code: 'VALIDATION_ERROR' })
  expect((await send('user')).waits).toEqual([])
})
