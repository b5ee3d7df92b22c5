import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, keyHeader, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let apiKey: string
let second: string
beforeEach(async () => {
  bench = await start()
  apiKey = (await bench.newKey()).apiKey
  second = (await bench.exchange.listenSecond(0)).hostUrl
})
afterEach(() => bench.stop())

const ask = (root: string, path = '/api/dex/v1/account', init: RequestInit = {}) => fetch(`${root}${path}`, { ...keyHeader(apiKey), ...init })
const failure = async (asked: Promise<Response>): Promise<unknown> =>
  asked.then(
    ({ status }) => status,
    (error: unknown) => at(error, 'cause.code') ?? at(error, 'name'),
  )

test('the practice exchange’s second host serves only the versioned routes, with the same paths and data as the first host [GEN-02]', async () => {
  expect(second).not.toBe(bench.hostUrl)
  for (const path of ['/account', '/markets', '/summary?pair_id=2', '/trades?limit=3']) {
    const [one, other] = [await ask(bench.hostUrl, `/api/dex/v1${path}`), await ask(second, `/api/dex/v1${path}`)]
    expect([path, other.status, await other.json()]).toEqual([path, 200, await one.json()])
    expect(other.headers.get('x-svc-api-version')).toBe('v1')
  }
  for (const path of ['/api/dex/markets', '/api/dex/config', '/api/public/baq-market', '/api/dex/developer/keys'])
    expect((await ask(second, path)).status).toBe(404)
  const relay = await ask(second, '/api/dex/actions/relay', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } })
  expect(relay.status).toBe(404)
})

test('the practice exchange serves its second host while its first host refuses, hangs or returns gateway errors [GEN-02]', async () => {
  const { faults, exchange } = bench
  for (const how of [502, 503, 504] as const) {
    faults.hostDown = [{ host: 'first', how }]
    const answer = await ask(bench.hostUrl)
    expect([answer.status, answer.headers.get('x-svc-api-version'), answer.headers.get('content-type')]).toEqual([how, null, 'text/html'])
    expect((await ask(second)).status).toBe(200)
  }
  faults.hostDown = [{ host: 'first', how: 'hangs' }]
  expect(await failure(ask(bench.hostUrl, undefined, { signal: AbortSignal.timeout(200) }))).toBe('TimeoutError')
  const waiting = failure(ask(bench.hostUrl))
  expect((await ask(second)).status).toBe(200)
  faults.hostDown = []
  expect(await waiting).toBe('UND_ERR_SOCKET')

  faults.hostDown = [{ host: 'first', how: 'refused' }]
  await exchange.faultsChanged()
  // Retry, because the first calls may still use an open connection. The client notices only later that the server has closed it.
  await expect.poll(() => failure(ask(bench.hostUrl))).toBe('ECONNREFUSED')
  expect((await ask(second)).status).toBe(200)
  faults.hostDown = [{ host: 'second', how: 'refused' }]
  await exchange.faultsChanged()
  await expect.poll(() => failure(ask(bench.hostUrl))).toBe(200)
  await expect.poll(() => failure(ask(second))).toBe('ECONNREFUSED')
  faults.hostDown = []
  await exchange.faultsChanged()
  await expect.poll(async () => [await failure(ask(bench.hostUrl)), await failure(ask(second))]).toEqual([200, 200])
})

test('while a fault makes a host of the practice exchange unavailable, requests to that host have no effect; for example, they create no key [GEN-02]', async () => {
  const { session } = await bench.newKey()
  const before = bench.exchange.effects().keys.length
  bench.faults.hostDown = [{ host: 'first', how: 502 }]
  const created = await bench.call('POST /api/dex/developer/keys', { headers: { Authorization: `Bearer ${session}` }, body: {} })
  expect(created.status).toBe(502)
  bench.faults.hostDown = []
  expect(bench.exchange.effects().keys).toHaveLength(before)
})
