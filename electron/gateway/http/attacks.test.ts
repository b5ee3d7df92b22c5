import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Bot, callAt, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { createLocalPages } from './listener.ts'

let served: Served
let bot: Bot
let hostUrl: string
beforeAll(async () => {
  served = await startServed()
  bot = await served.bot()
  hostUrl = (await served.status()).hostUrl ?? ''
})
afterAll(() => served.stop())

/** Sends bytes as they are and returns everything that comes back until the connection ends or `answers` answers have arrived. */
function raw(bytes: string, answers = 1): Promise<string> {
  const { hostname, port } = new URL(hostUrl)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('latin1')
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.on('data', (part: string) => {
      text += part
      if (text.split('HTTP/1.1 ').length > answers && text.endsWith('}')) end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', end)
  })
}

const host = () => new URL(hostUrl).host
const head = (line: string, ...headers: readonly string[]) => `${[line, `Host: ${host()}`, `X-Svc-API-Key: ${bot.token}`, ...headers].join('\r\n')}\r\n\r\n`
const sentDuring = async <T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly sent: readonly string[] }> => {
  const before = served.sent.length
  const result = await work()
  return { result, sent: served.sent.slice(before).map(({ method, path }) => `${method} ${path}`) }
}

test.each([
  ['evil.example', 'GATEWAY_HOST'],
  ['evil.example:80', 'GATEWAY_HOST'],
  ['127.0.0.1', 'GATEWAY_HOST'],
  ['127.0.0.1:1', 'GATEWAY_HOST'],
  ['[::1]', 'GATEWAY_HOST'],
  ['localhost.evil.example', 'GATEWAY_HOST'],
])('a page that points its own name at this computer gets nothing: Host %s', async (name, code) => {
  const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/markets', { token: bot.token, headers: { host: name } }))
  expect([result.status, result.json.error?.code, sent]).toEqual([421, code, []])
})

test.each(['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest'])(
  'a call with the header %s of a browser is refused, even with a token',
  async (name) => {
    for (const said of ['null', 'same-origin', hostUrl]) {
      const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/markets', { token: bot.token, headers: { [name]: said } }))
      expect([result.status, result.json.error?.code, sent]).toEqual([403, 'GATEWAY_ORIGIN', []])
      expect(Object.keys(result.headers).filter((one) => one.startsWith('access-control'))).toEqual([])
    }
  },
)

test('a preflight of a browser is refused', async () => {
  const answer = await callAt(hostUrl, '/api/dex/v1/markets', { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })
  expect(answer.json.error?.code).toBe('GATEWAY_ORIGIN')
})

test.each([
  '//api/dex/v1/markets',
  '/api/dex/v1//markets',
  '/api/dex/v1/../developer/keys',
  '/api/dex/v1/./markets',
  '/api/dex/v1/%2e%2e/developer/keys',
  '/api/dex/v1/..%2fdeveloper%2fkeys',
  '/api/dex/v1/executions/..%2f..%2fdeveloper%2fkeys',
  '/api/dex/v1/executions/%2e%2e',
  '/api/dex/v1/executions/..',
  '/api/dex/v1/executions/a\\b',
  '/api/dex/v1/executions/a;b',
  '/api/dex/v1/executions/a%00b',
  '/api/dex/v1/markets%20',
  '/api/dex/v1/markets/',
  '/api/dex/v1/markets?limit=1#x',
  '/api/dex/v1/markets?limit=%0d%0aX-Evil:1',
  '/api/dex/v1/markets?_method=DELETE',
  '/api/dex/v1/orders?limit=1&limit=200',
  '/API/DEX/V1/MARKETS',
  'http://127.0.0.1/api/dex/v1/markets',
  'http://evil.example/api/dex/v1/markets',
  'https://user@evil.example/',
  '*',
  'api/dex/v1/markets',
])('the path %s reaches nothing', async (target) => {
  const { result, sent } = await sentDuring(() => raw(head(`GET ${target} HTTP/1.1`)))
  expect(result).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(sent).toEqual([])
})

test('no developer route and no unknown route is passed on, with or without a token', async () => {
  for (const path of [
    '/api/dex/developer/keys',
    '/api/dex/developer/challenge',
    '/api/dex/developer/webhooks',
    '/api/dex/developer/audit',
    '/api/dex/v2/markets',
    '/',
    '/api',
  ])
    for (const method of ['GET', 'POST', 'DELETE', 'PUT'])
      for (const token of [bot.token, null]) {
        const options = { method, token, ...(method === 'POST' && { body: {} }) }
        const { result, sent } = await sentDuring(() => callAt(hostUrl, path, options))
        expect([path, method, result.status >= 400 && result.status < 500, sent]).toEqual([path, method, true, []])
      }
})

test.each(['DELETE', 'PUT', 'PATCH', 'HEAD', 'TRACE', 'POST'])('a read cannot be called with %s', async (method) => {
  const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/markets', { method, token: bot.token, ...(method === 'POST' && { body: {} }) }))
  expect([result.status, sent]).toEqual([405, []])
})

test.each(['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'])(
  'the header %s cannot change a call',
  async (name) => {
    const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/markets', { token: bot.token, headers: { [name]: 'DELETE' } }))
    expect([result.json.error?.code, sent]).toEqual(['GATEWAY_HEADER', []])
  },
)

const order = '{"action":"cancel","payload":{"order_id":"1"}}'
const smuggled = 'GET /api/dex/v1/account HTTP/1.1\r\nHost: evil\r\n\r\n'
test.each([
  ['both lengths', [`Content-Length: ${order.length}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  ['both lengths, the other way round', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`],
  ['a chunked body', ['Transfer-Encoding: chunked'], `${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`],
  ['an unknown encoding', ['Transfer-Encoding: xchunked'], order],
  ['an encoding in two headers', ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  ['a hidden encoding', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
  ['two lengths', [`Content-Length: ${order.length}`, 'Content-Length: 1'], order],
  ['two equal lengths', [`Content-Length: ${order.length}`, `Content-Length: ${order.length}`], order],
  ['a length with a sign', ['Content-Length: +46'], order],
  ['a folded header', ['X-A: 1\r\n Transfer-Encoding: chunked', 'Content-Length: 46'], order],
  ['a bare line feed', ['X-A: 1\nTransfer-Encoding: chunked', 'Content-Length: 46'], order],
  ['a null byte', ['X-A: 1\0', 'Content-Length: 46'], order],
  ['two hosts', ['Host: evil.example', 'Content-Length: 46'], order],
  ['two tokens', [`X-Svc-API-Key: other`, 'Content-Length: 46'], order],
  ['an upgrade', ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 46'], order],
])('a request with %s is refused, and no second request hides in it', async (_, headers, body) => {
  const { result, sent } = await sentDuring(() =>
    raw(`${head('POST /api/dex/v1/orders/execute HTTP/1.1', 'Content-Type: application/json', ...headers)}${body}`),
  )
  expect(result === '' || /^HTTP\/1\.1 4\d\d /.test(result)).toBe(true)
  expect(result.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(2)
  expect(sent).toEqual([])
})

test('CONNECT opens no tunnel', async () => {
  const { result, sent } = await sentDuring(() => raw(`CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: ${host()}\r\n\r\n`))
  expect([result, sent]).toEqual(['', []])
})

test.each([
  ['Idempotency-Key', 'a b c d e f g'],
  ['Idempotency-Key', 'short'],
  ['Last-Event-ID', 'x'.repeat(300)],
])('an invalid header %s is refused', async (name, text) => {
  const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/account', { token: bot.token, headers: { [name]: text } }))
  expect([result.json.error?.code, sent]).toEqual(['GATEWAY_HEADER', []])
})

test('headers of a bot do not reach the exchange, except the documented ones', async () => {
  await callAt(hostUrl, '/api/dex/v1/account', {
    token: bot.token,
    headers: { 'x-forwarded-for': '8.8.8.8', forwarded: 'for=8.8.8.8', 'x-evil': '1', 'user-agent': 'bot/1' },
  })
  const headers = served.sent.at(-1)?.headers ?? {}
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'user-agent', 'x-request-id', 'x-svc-api-key'])
  expect(headers['user-agent']).toBe('Svc-Desk/0.0.0')
})

test('a body over 48 KiB is refused before it is read, and one with a false length too [GEN-03]', async () => {
  const large = JSON.stringify({ action: 'x', payload: { text: 'x'.repeat(49_152) } })
  const { result, sent } = await sentDuring(() => callAt(hostUrl, '/api/dex/v1/orders/execute', { token: bot.token, body: large }))
  expect([result.status, result.json.error?.code, sent]).toEqual([413, 'GATEWAY_TOO_LARGE', []])
})

test('a body that is not UTF-8, or not declared as JSON, is refused', async () => {
  const bytes = Buffer.from(order.replace('"1"', '"\u00ff"'), 'latin1')
  const text = `${head('POST /api/dex/v1/orders/execute HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${bytes.length}`)}`
  const answer = await new Promise<string>((resolve) => {
    const { hostname, port } = new URL(hostUrl)
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.concat([Buffer.from(text), bytes])))
    let got = ''
    socket.on('data', (part) => {
      got += String(part)
    })
    socket.on('close', () => resolve(got))
  })
  expect(answer).toContain('GATEWAY_BODY')
  const plain = await callAt(hostUrl, '/api/dex/v1/orders/execute', { token: bot.token, body: order, headers: { 'content-type': 'text/plain' } })
  expect(plain.status).toBe(415)
})

test('guessing a token takes the same time whether or not the bot exists', async () => {
  const wrong = `${bot.token.slice(0, 21)}${'A'.repeat(43)}`
  const unknown = `SVCbot1.ffffffffffff.${'A'.repeat(43)}`
  const times = { wrong: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 300; round += 1)
    for (const [kind, token] of [
      ['wrong', wrong],
      ['unknown', unknown],
    ] as const) {
      const started = performance.now()
      expect((await callAt(hostUrl, '/api/dex/v1/markets', { token })).json.error?.code).toBe('GATEWAY_TOKEN_UNKNOWN')
      times[kind].push(performance.now() - started)
    }
  const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  expect(Math.abs(median(times.wrong) - median(times.unknown))).toBeLessThan(0.5)
}, 30_000)

test('the key of the exchange is in no answer, no log row and no status of the gateway [AUTH-09]', async () => {
  const key = served.sent.find(({ headers }) => headers['x-svc-api-key']?.startsWith('SVC'))?.headers['x-svc-api-key'] ?? ''
  expect(key).toMatch(/^SVC/)
  served.faults.answer.push({ route: 'POST /api/dex/v1/orders/execute', status: 422, code: 'BAD', times: 1 })
  await bot.execute('cancel', { order_id: '1' })
  const whose = { wallet: served.account.address }
  const logged = served
    .journal()
    .requests.list('practice', 200, whose)
    .map(({ id }) => served.journal().requests.find('practice', id, whose))
  expect(logged.some((row) => row?.record.status === 422)).toBe(true)
  for (const shown of [JSON.stringify(await served.status()), JSON.stringify(logged), JSON.stringify(served.journal().records.bots.list({}))]) {
    expect(shown).not.toContain(key)
    expect(shown).not.toContain(bot.token)
  }
})

test('pages without a token are made once a second, however often they are asked for', async () => {
  let now = 0
  const made: string[] = []
  const make = async (path: string) => ({ status: 200, type: 'text/plain', body: `${path} ${made.push(path)}` })
  const pages = createLocalPages(make, { monotonic: () => now })
  const opened = await pages.open(0)
  if (!opened.ok) expect.fail(opened.failure)
  onTestFinished(() => pages.close())
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${opened.value.port}${path}`)).text()
  expect([await read('/metrics'), await read('/metrics'), await read('/healthz')]).toEqual(['/metrics 1', '/metrics 1', '/healthz 2'])
  now += 1_000
  expect(await read('/metrics')).toBe('/metrics 3')
  // Pages that do not exist take no memory.
  for (let at = 0; at < 50; at += 1) await read(`/none-${at}`)
  now += 1_000
  expect([await read('/metrics'), await read('/metrics')]).toEqual(['/metrics 54', '/metrics 54'])
})
