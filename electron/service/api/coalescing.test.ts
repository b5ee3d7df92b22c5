import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, open, read, relay, type TestClient, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { Secret } from '../../kernel/secret.ts'
import { type CoalescedApi, coalescing } from './kept-reads.ts'

let service: TestService
let client: TestClient
let api: CoalescedApi
let answers: (() => void)[]
let asked: string[]
let laterMs = 0

beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
  asked = []
  const noting: typeof client.api.call = (endpoint, request) => {
    asked.push(request.urgency ?? 'user')
    return client.api.call(endpoint, request)
  }
  api = coalescing({ ...client.api, call: noting }, { monotonic: () => client.clock.monotonic() + laterMs })
  laterMs = 0
  answers = []
  service.answer = (_request, response) => void answers.push(() => json(response, 200, { number: service.received.length }))
})
afterEach(async () => {
  for (const answer of answers) answer()
  await client.api.close()
  await service.close()
})

const ask = (more: { readonly intentRef?: string } = {}) => api.call(read, { params: {}, query: {}, body: undefined, credential: keyCredential, ...more })
const arrived = (count: number) => expect.poll(() => service.received.length).toBe(count)

test('the API client sends equal simultaneous reads as one request, and sends a later read as a new request', async () => {
  const both = [ask(), ask()]
  await arrived(1)
  answers.splice(0)[0]?.()
  const [first, second] = await Promise.all(both)
  expect(first).toMatchObject({ ok: true, value: { value: { number: 1 } } })
  expect(second).toBe(first)
  void ask()
  await arrived(2)
})

test('the API client does not merge two reads that use different secrets of the same key [KEY-07]', async () => {
  void ask()
  void api.call(read, { params: {}, query: {}, body: undefined, credential: { ...keyCredential, apiKey: new Secret('SVCother0123456789abcdef') } })
  await arrived(2)
})

test('the API client never merges two reads with different keys or endpoints, or a read that belongs to an intent', async () => {
  void ask()
  void api.call(read, { params: {}, query: {}, body: undefined, credential: { ...keyCredential, keyId: 'k2', apiKey: new Secret('SVCsecond123456789abcdef') } })
  void ask({ intentRef: 'r1' })
  void api.call(open, { params: {}, query: {}, body: undefined, credential: null })
  await arrived(4)
})

test('the API client does not merge equal reads if between them a change was sent or completed, or the app learned of a change', async () => {
  void ask()
  await arrived(1)
  const change = api.call(relay, { params: {}, query: {}, body: {}, credential: null })
  await arrived(2)
  void ask()
  await arrived(3)
  answers.splice(1, 1)[0]?.()
  await change
  void ask()
  await arrived(4)
  api.fence()
  void ask()
  await arrived(5)
  void ask()
  await new Promise((resolve) => setImmediate(resolve))
  expect(service.received).toHaveLength(5)
})

test('the API client gives a read that is repeated soon the low priority of polling, unless a change was sent in between', async () => {
  service.answer = (_request, response) => json(response, 200, {})
  await ask()
  await ask()
  await api.call(open, { params: {}, query: {}, body: undefined, credential: null })
  // After `fence`, a read does not share a request that is already running. Calling `fence` must not change the urgency of the next read.
  api.fence()
  await ask()
  expect(asked.splice(0)).toEqual(['user', 'polling', 'user', 'polling'])
  await api.call(relay, { params: {}, query: {}, body: {}, credential: null })
  await ask()
  await ask()
  expect(asked.splice(0)).toEqual(['user', 'user', 'polling'])
  laterMs = 31_000
  await ask()
  expect(asked).toEqual(['user'])
})
