import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, type TestClient, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient } from '../transport/api-client.ts'
import type { Urgency } from '../transport/limiter.ts'
import { keptReads, refusalMemory } from './kept-reads.ts'

let service: TestService
let client: TestClient
let versions: Record<string, string>
beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
  versions = { 'x-svc-api-version': 'v1', 'x-svc-api-schema': 'svc-dex-api-v1.1' }
  service.answer = (_request, response) => json(response, 200, {}, versions)
})
afterEach(async () => {
  await client.api.close()
  await service.close()
})

const nothing = { params: {}, query: {}, body: undefined } as const
const countOf = (part: string) => service.received.filter(({ path }) => path.includes(part)).length
const readBoth = async (api: ApiClient, fresh = false) => {
  await api.call(endpoints.getConfig, { ...nothing, credential: null, fresh })
  await api.call(endpoints.getMeta, { ...nothing, credential: keyCredential, fresh })
}

test('the app reads the service’s description of itself (/meta and config) at most once a minute', async () => {
  const api = keptReads(client.api, client.clock, () => undefined)
  for (let count = 0; count < 20; count += 1) await readBoth(api)
  expect([countOf('/config'), countOf('/meta')]).toEqual([1, 1])
  client.advance(60_000)
  await Promise.all([readBoth(api), readBoth(api)])
  expect([countOf('/config'), countOf('/meta')]).toEqual([2, 2])
  await readBoth(api, true)
  expect([countOf('/config'), countOf('/meta')]).toEqual([3, 3])
})

test('the app reads the service’s description of itself again after a version change or a contract_pending response, or if the last read failed', async () => {
  const api = keptReads(client.api, client.clock, () => undefined)
  await readBoth(api)
  versions = { ...versions, 'x-svc-api-schema': 'svc-dex-api-v1.2' }
  await api.call(endpoints.getStatus, { ...nothing, credential: keyCredential })
  await readBoth(api)
  await readBoth(api)
  expect([countOf('/config'), countOf('/meta')]).toEqual([2, 2])

  service.answer = (request, response) =>
    json(
      response,
      200,
      request.path.endsWith('/prepare')
        ? { intent_id: 'dx_1', payload: {}, execution: { ready: false, status: 'contract_pending', mode: 'signed_intent', transactions: [] }, expires_at_ms: 1 }
        : {},
      versions,
    )
  const body = { action: 'open_position', payload: {} } as const
  expect((await api.call(endpoints.prepareOrder, { ...nothing, body, credential: keyCredential })).ok).toBe(true)
  service.answer = (_request, response) => json(response, 404, {}, versions)
  await readBoth(api)
  await readBoth(api)
  expect([countOf('/config'), countOf('/meta')]).toEqual([4, 4])
})

test('an exit (cancel, close) uses the stored description of the service, and does not wait for a read of it that is still running', async () => {
  const api = keptReads(client.api, client.clock, () => undefined)
  const ask = (urgency: Urgency) => api.call(endpoints.getConfig, { ...nothing, credential: null, urgency })
  let answerFirst = () => {}
  service.answer = (_request, response) => {
    if (service.received.length > 1) return json(response, 200, {}, versions)
    answerFirst = () => json(response, 200, {}, versions)
  }
  const slow = ask('user')
  await expect.poll(() => service.received.length).toBe(1)
  expect((await ask('exit')).ok).toBe(true)
  answerFirst()
  expect((await slow).ok).toBe(true)
  await ask('exit')
  expect(service.received).toHaveLength(2)
})

const forbidden: readonly [string, unknown][] = [
  ['a scope by its name', { code: 'SCOPE_REQUIRED', required_scope: 'account:read' }],
  ['a scope in words', { error: 'forbidden', detail: 'This key lacks a permission.' }],
]
test.each(forbidden)(
  'after the service refuses a read for %s, the app does not repeat the read until the key’s scopes or secret change',
  async (_what, body) => {
    let facts = { scopes: ['market:read'] }
    const api = refusalMemory(client.api, () => facts)
    service.answer = (_request, response) => json(response, 403, body)
    const ask = (more: { readonly apiKey?: Secret; readonly fresh?: boolean } = {}) => {
      const { fresh = false, ...key } = more
      return api.call(endpoints.getPositions, { ...nothing, credential: { ...keyCredential, ...key }, fresh })
    }
    const first = await ask()
    for (let count = 0; count < 10; count += 1) expect(await ask()).toEqual({ ok: false, failure: { ...(first.ok ? {} : first.failure), sent: 'no' } })
    expect(service.received).toHaveLength(1)
    await api.call(endpoints.getAccount, { ...nothing, credential: keyCredential })
    expect(service.received).toHaveLength(2)
    await ask({ fresh: true })
    await ask({ apiKey: new Secret('SVCrotated0123456789abcd') })
    facts = { scopes: ['market:read', 'account:read'] }
    service.answer = (_request, response) => json(response, 200, {})
    await ask()
    await ask()
    expect(service.received).toHaveLength(6)
  },
)

test('after the service refused a risk preview, the app sends no equal preview again, but still sends each request to prepare an order', async () => {
  const api = refusalMemory(client.api, () => null)
  service.answer = (_request, response) => json(response, 403, { code: 'SCOPE_REQUIRED', required_scope: 'account:read' })
  const body = { action: 'open_position', payload: {} } as const
  for (let count = 0; count < 10; count += 1) await api.call(endpoints.previewRisk, { ...nothing, body, credential: keyCredential })
  expect(service.received).toHaveLength(1)
  for (let count = 0; count < 2; count += 1) await api.call(endpoints.prepareOrder, { ...nothing, body, credential: keyCredential })
  expect(service.received).toHaveLength(3)
})

test('for an exit (cancel, close), the app sends a read again even if the service refused that read before', async () => {
  const api = refusalMemory(client.api, () => null)
  service.answer = (_request, response) => json(response, 403, { code: 'SCOPE_REQUIRED', required_scope: 'account:read' })
  for (const urgency of ['user', 'polling', 'exit', 'user'] as const) await api.call(endpoints.getPositions, { ...nothing, credential: keyCredential, urgency })
  expect(service.received).toHaveLength(2)
})

test.each([
  [403, { code: 'IP_NOT_ALLOWED' }],
  [403, { code: 'WAF_CHALLENGE' }],
  [404, { code: 'NO_SUCH_SCOPE' }],
])('after a refusal for any other reason than a missing scope (%i %o), the API client sends the read again', async (status, body) => {
  const api = refusalMemory(client.api, () => null)
  service.answer = (_request, response) => json(response, status, body)
  for (let count = 0; count < 2; count += 1) await api.call(endpoints.getPositions, { ...nothing, credential: keyCredential })
  expect(service.received).toHaveLength(2)
})
