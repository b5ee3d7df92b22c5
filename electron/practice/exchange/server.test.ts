import { request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, keyHeader, start, text } from '../../../e2e/support/practice/start.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

test('the practice exchange serves the host root and the root of the versioned routes, with JSON in UTF-8 [GEN-01] [GEN-10]', async () => {
  const { call } = bench
  const { apiKey } = await bench.newKey({ label: 'Zürich → Αθήνα 🗝' })
  for (const route of ['GET /api/dex/config', 'GET /api/dex/status', 'GET /api/dex/markets']) {
    const answer = await call(route)
    expect([route, answer.status, answer.headers.get('content-type')]).toEqual([route, 200, 'application/json; charset=utf-8'])
  }
  const versioned = await call('GET /api/dex/v1/markets', keyHeader(apiKey))
  expect([versioned.status, versioned.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(bench.exchange.effects().keys[0]?.label).toBe('Zürich → Αθήνα 🗝')
})

test('the practice exchange refuses a request body that is not JSON in UTF-8 [GEN-01]', async () => {
  const { call } = bench
  const latin1 = Buffer.from('{"wallet":"Z\xfcrich"}', 'latin1')
  expect(text(await call('POST /api/dex/developer/challenge', { raw: latin1 }), 'error.code')).toBe('INVALID_JSON')
  expect(text(await call('POST /api/dex/developer/challenge', { raw: '{"wallet":' }), 'error.code')).toBe('INVALID_JSON')
  const form = await call('POST /api/dex/developer/challenge', { raw: 'wallet=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
  expect(form.status).toBe(415)
})

const bodyOf = (bytes: number): string => {
  const frame = JSON.stringify({ wallet: '' })
  return JSON.stringify({ wallet: 'x'.repeat(bytes - frame.length) })
}

test('the practice exchange accepts a request body of 49,152 bytes, and answers 413 to a body that is one byte larger [GEN-03]', async () => {
  const { call } = bench
  const largest = await call('POST /api/dex/developer/challenge', { raw: bodyOf(49_152) })
  expect([largest.status, at(largest, 'error.code')]).toEqual([400, 'VALIDATION_ERROR'])
  const larger = await call('POST /api/dex/developer/challenge', { raw: bodyOf(49_153) })
  expect([larger.status, at(larger, 'error.code')]).toEqual([413, 'BODY_TOO_LARGE'])
})

test('the practice exchange answers 413 to a request body that is too large even if the request has no Content-Length header [GEN-03]', async () => {
  const { port } = new URL(bench.hostUrl)
  const status = await new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, path: '/api/dex/actions/relay', method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sending.on('error', reject)
    sending.write('{"a":"')
    sending.write('x'.repeat(49_152))
    sending.end('"}')
  })
  expect(status).toBe(413)
})

test('the practice exchange refuses a request from a web page of another origin, and sends no CORS header that lets a page read the response [GEN-04]', async () => {
  const { call, wallet } = bench
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', `${bench.hostUrl}.evil.example`]) {
    const answer = await call('POST /api/dex/developer/challenge', { headers: { Origin: origin }, body: { wallet: wallet.address } })
    expect([origin, answer.status, at(answer, 'error.code')]).toEqual([origin, 403, 'ORIGIN_NOT_ALLOWED'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect((await call('OPTIONS /api/dex/developer/challenge', { headers: { Origin: 'https://evil.example' } })).status).toBe(403)
  const same = await call('POST /api/dex/developer/challenge', { headers: { Origin: bench.hostUrl }, body: { wallet: wallet.address } })
  expect(same.status).toBe(200)
})

test('the practice exchange returns a request’s X-Request-ID in the response if that id is valid [GEN-05]', async () => {
  for (const id of ['12345678', 'AZaz09._:-', 'x'.repeat(80)]) {
    const answer = await bench.call('GET /api/dex/status', { headers: { 'X-Request-ID': id } })
    expect(answer.headers.get('x-request-id')).toBe(id)
  }
})

test('the practice exchange replaces an invalid or missing X-Request-ID by a new id, even in error responses and on unknown paths [GEN-05]', async () => {
  for (const sent of ['1234567', 'x'.repeat(81), 'has space', 'slash/slash', 'semi;colon', '']) {
    const answer = await bench.call('GET /api/dex/v1/account', { headers: { 'X-Request-ID': sent } })
    const given = answer.headers.get('x-request-id') ?? ''
    expect(given).not.toBe(sent)
    expect(given).toMatch(/^[A-Za-z0-9._:-]{8,80}$/)
    expect(at(answer, 'request_id')).toBe(given)
  }
  expect((await bench.call('GET /nowhere')).headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{8,80}$/)
})

test('the practice exchange sends its version headers with every response of a versioned route, and with no other response [GEN-09]', async () => {
  const { apiKey } = await bench.newKey()
  for (const answer of [
    await bench.call('GET /api/dex/v1/meta', keyHeader(apiKey)),
    await bench.call('GET /api/dex/v1/meta'),
    await bench.call('GET /api/dex/v1/nowhere'),
  ]) {
    expect(answer.headers.get('x-svc-api-version')).toBe('v1')
    expect(answer.headers.get('x-svc-api-schema')).toBe('svc-dex-api-v1.1')
  }
  expect((await bench.call('GET /api/dex/status')).headers.get('x-svc-api-version')).toBeNull()
  bench.faults.versions = { api: 'v2', schema: 'svc-dex-api-v2.0' }
  expect((await bench.call('GET /api/dex/v1/meta')).headers.get('x-svc-api-schema')).toBe('svc-dex-api-v2.0')
})

test('the practice exchange sets the Date header of its responses from the practice clock', async () => {
  bench.clock.advance(3_600_000)
  expect((await bench.call('GET /api/dex/status')).headers.get('date')).toBe('Wed, 18 Nov 2026 15:32:00 GMT')
})

test('with its fault “errorShape”, the practice exchange sends errors in another JSON shape or as plain text [ERR-01]', async () => {
  const { call, faults } = bench
  const ask = async (shape: typeof faults.errorShape) => {
    faults.errorShape = shape
    return call('GET /api/dex/v1/account', { headers: { 'X-Request-ID': 'shape-test-1' } })
  }
  const message = 'Send the API key in X-Svc-API-Key'
  expect((await ask('nested')).json).toEqual({ success: false, error: { code: 'API_KEY_REQUIRED', message }, request_id: 'shape-test-1' })
  expect((await ask('flat')).json).toEqual({ code: 'API_KEY_REQUIRED', message, request_id: 'shape-test-1' })
  expect((await ask('string')).json).toEqual({ error: 'API_KEY_REQUIRED', detail: message })
  expect((await ask('list')).json).toEqual({ errors: [{ code: 'API_KEY_REQUIRED', message }] })
  const plain = await ask('text')
  expect([plain.status, plain.text, plain.headers.get('content-type')]).toEqual([401, `API_KEY_REQUIRED: ${message}`, 'text/plain; charset=utf-8'])
})

test('with two of its faults, the practice exchange adds unknown or omits optional response fields, but never changes data to be signed [ERR-02]', async () => {
  const { call, faults } = bench
  const usual = await call('GET /api/dex/summaries')
  expect(at(usual, 'summaries.0.funding_rate_1h_pct')).toMatch(/^-?0\.\d{4}$/)
  faults.extraFields = true
  faults.omitOptional = true
  const odd = await call('GET /api/dex/summaries')
  expect(at(odd, 'summaries.0')).toEqual({
    pair_id: 1,
    symbol: 'BTC-PERP',
    mark_price: at(usual, 'summaries.0.mark_price'),
    svc_unlisted: 'practice',
    svc_unlisted_detail: { level: 1 },
    svc_unlisted_note: 'by\u202Ehand',
  })
  const prepared = await call('POST /api/dex/developer/keys/prepare', { headers: { Authorization: `Bearer ${await bench.signIn()}` }, body: {} })
  expect(Object.keys(at(prepared, 'grant.typed_data') ?? {})).toEqual(['domain', 'types', 'primaryType', 'message'])
})

test('a fault makes the practice exchange drop connections before or after it handles the request, for a set number of requests [KEY-16] [FLOW-07]', async () => {
  const { call, faults, exchange } = bench
  const session = await bench.signIn()
  const create = () => call('POST /api/dex/developer/keys', { headers: { Authorization: `Bearer ${session}` }, body: { label: 'orphan' } })
  faults.dropRequest.push({ route: 'POST /api/dex/developer/keys', times: 1 })
  await expect(create()).rejects.toThrow()
  expect(exchange.effects().keys).toEqual([])
  faults.dropAnswer.push({ route: 'POST /api/dex/developer/keys', times: 1 })
  await expect(create()).rejects.toThrow()
  expect(exchange.effects().keys).toMatchObject([{ label: 'orphan', status: 'active' }])
  expect(
    exchange
      .calls()
      .filter((each) => each.route === '/api/dex/developer/keys')
      .map((each) => each.status),
  ).toEqual([0, 0])
  expect((await create()).status).toBe(201)
})

test('the practice exchange can simulate an error, HTML, a truncated or too large response body, a redirect and values of wrong types', async () => {
  const { call, faults } = bench
  faults.answer.push({ route: 'GET /api/dex/markets', status: 503, code: 'MAINTENANCE', times: 1, retryAfterSeconds: 7 })
  const refused = await call('GET /api/dex/markets')
  expect([refused.status, refused.headers.get('retry-after'), at(refused, 'error.code')]).toEqual([503, '7', 'MAINTENANCE'])
  const whole = await call('GET /api/dex/markets')
  expect(whole.status).toBe(200)

  const bad = async (kind: 'truncated' | 'huge' | 'redirect' | 'wrong_types') => {
    faults.body = [{ route: 'GET /api/dex/markets', kind }]
    return call('GET /api/dex/markets')
  }
  expect(whole.text.startsWith((await bad('truncated')).text)).toBe(true)
  expect((await bad('truncated')).json).toBeUndefined()
  expect((await bad('huge')).text.length).toBeGreaterThan(9 * 1024 * 1024)
  expect((await bad('redirect')).status).toBe(302)
  expect(at(await bad('wrong_types'), 'markets.0.0.id')).toBe('about 1')
  faults.body = []
  faults.html = true
  expect((await call('GET /api/dex/v1/account')).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const session = await call('POST /api/dex/developer/challenge', { body: { wallet: bench.wallet.address } })
  expect(session.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('the practice exchange can delay a response until a test releases the response', async () => {
  const { call, faults } = bench
  faults.delay.push({ route: 'GET /api/dex/markets', ms: null })
  let answered = false
  const held = call('GET /api/dex/markets').then((answer) => {
    answered = true
    return answer
  })
  await call('GET /api/dex/status')
  await call('GET /api/dex/status')
  expect(answered).toBe(false)
  faults.delay = []
  expect((await held).status).toBe(200)
})

test('the practice exchange logs each request with its route as in the API document, such as /markets/{id}/funding', async () => {
  const { call, exchange } = bench
  await call('GET /api/dex/markets/3/funding', { headers: { 'User-Agent': 'probe/1', 'X-Request-ID': 'logged-request' } })
  await call('GET /elsewhere')
  expect(exchange.calls()).toEqual([
    {
      method: 'GET',
      route: '/api/dex/markets/{id}/funding',
      path: '/api/dex/markets/3/funding',
      status: 200,
      userAgent: 'probe/1',
      atMs: 1795012320000,
      requestId: 'logged-request',
      action: null,
    },
    expect.objectContaining({ route: '-', path: '/elsewhere', status: 404 }),
  ])
})
