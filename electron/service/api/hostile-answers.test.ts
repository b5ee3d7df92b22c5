import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, read, relay, testClient, write } from '../../../e2e/support/api/client.ts'
import { hostileBodies } from '../../../e2e/support/api/hostile-bodies.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test.each(Object.keys(hostileBodies))(
  'if the service answers with %s, the API client throws no error and never blocks the app for long [V2] [V3]',
  async (what) => {
    const text = hostileBodies[what]?.() ?? ''
    for (const status of [200, 409, 500])
      for (const endpoint of [read, write, relay]) {
        const client = testClient(service.hostUrl)
        service.answer = (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
        const before = process.threadCpuUsage()
        const result = await call(client.api, endpoint, { body: {}, intentRef: 'i1', deadlineMs: 30_000 })
        client.notes.at(-1)?.exchange?.()
        // Only this thread counts: it is the one that would block the app. Others collect garbage, or belong to earlier tests of this process.
        const took = process.threadCpuUsage(before).user / 1_000
        if (result.ok) expect(result.value.raw.length).toBeLessThan(text.length + 100)
        else expect(result.failure.sent).not.toBe('no')
        // Maximum time, in ms, for sending, receiving and parsing 7 MiB. A machine without other load needs a tenth of it.
        expect(took).toBeLessThan(800)
        await client.api.close()
      }
  },
)

test.each([
  [read, { failure: { kind: 'unreachable', reason: 'malformed', status: 200 }, sent: 'answered' }],
  [relay, { failure: { kind: 'outcome_unknown', intentRef: 'i1' }, sent: 'maybe' }],
])('if reading the answer of $0.route throws, the API client fails only that call [V2] [FLOW-07]', async (endpoint, expected) => {
  const failing = () => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  const client = testClient(service.hostUrl)
  service.answer = (_request, response) => json(response, 200, { success: true })
  const result = await call(client.api, { ...endpoint, response: { ...endpoint.response, read: failing } }, { body: {}, intentRef: 'i1' })
  expect(result).toMatchObject({ ok: false, failure: expected })
  await client.api.close()
})

test('if the app cannot write its request log, it loses only the log line, and not the service’s answer [V2]', async () => {
  const client = testClient(service.hostUrl, undefined, undefined, () => {
    throw new Error('database or disk is full')
  })
  service.answer = (_request, response) => json(response, 200, { success: true, state: 'sent' })
  expect(await call(client.api, relay, { body: {}, intentRef: 'i1' })).toMatchObject({ ok: true, value: { status: 200 } })
  await client.api.close()
})
