import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { type Answer, at, type Bench, bearer, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'bots.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inner.example': ['10.1.2.3'],
  'half.example': ['93.184.216.34', '192.168.0.9'],
  'sixth.example': ['fd12:3456::1'],
}

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start({ resolve: async (host) => names[host] ?? [] })
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const webhooks = '/api/dex/developer/webhooks'
const create = (body: unknown) => developer.call(`POST ${webhooks}`, body)
const list = async () => at(await developer.call(`GET ${webhooks}`), 'webhooks')
const verdict = (answer: Answer) => at(answer, 'error.message') ?? answer.status

test('the practice exchange accepts only public HTTPS webhook URLs on port 443 or 8443, without credentials, up to 512 characters [HOOK-01]', async () => {
  const longest = `https://bots.example/${'a'.repeat(491)}`
  expect(longest).toHaveLength(512)
  for (const url of ['https://bots.example/in', 'https://bots.example:443/in', 'https://bots.example:8443/in?a=1', 'https://93.184.216.34/in', longest])
    expect([url, verdict(await create({ url }))]).toEqual([url, 201])
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [`${longest}a`, /at most 512 characters/],
    ['http://bots.example/in', /https:\/\//],
    ['ftp://bots.example/in', /https:\/\//],
    ['https://bots.example:444/in', /443 or 8443/],
    ['https://bots.example:80/in', /443 or 8443/],
    ['https://me@bots.example/in', /credentials/],
    ['https://me:secret@bots.example/in', /credentials/],
    ['https://inner.example/in', /10\.1\.2\.3, which is not a public address/],
    ['https://half.example/in', /192\.168\.0\.9, which is not a public address/],
    ['https://sixth.example/in', /fd12:3456::1, which is not a public address/],
    ['https://unknown.example/in', /has no address/],
    ['https://0.0.0.0/in', /not a public/],
    ['https://10.0.0.1/in', /not a public/],
    ['https://100.64.0.1/in', /not a public/],
    ['https://169.254.169.254/latest', /not a public/],
    ['https://172.31.255.255/in', /not a public/],
    ['https://203.0.113.7/in', /not a public/],
    ['https://224.0.0.1/in', /not a public/],
    ['https://[fe80::1]/in', /not a public/],
    ['https://[2001:db8::1]/in', /not a public/],
    ['https://[::ffff:10.0.0.1]/in', /not a public/],
    ['bots.example/in', /must be a URL/],
    ['', /must be a URL/],
    [7, /must be a URL/],
    [undefined, /must be a URL/],
  ]
  for (const [url, words] of refused) {
    const answer = await create({ url })
    expect([url, brief(answer), verdict(answer)]).toEqual([url, '400 VALIDATION_ERROR', expect.stringMatching(words)])
  }
  expect(bench.exchange.effects().webhooks).toHaveLength(5)
})

test('the practice exchange also accepts loopback URLs for webhooks, and says so in the response [HOOK-01]', async () => {
  for (const url of ['http://127.0.0.1:4000/hooks', 'https://localhost:9443/hooks', 'http://[::1]:4000/hooks']) {
    const answer = await create({ url })
    expect([url, answer.status, at(answer, 'notice')]).toEqual([url, 201, expect.stringMatching(/^Only practice takes an address of this computer/)])
  }
  expect(at(await create({ url: 'https://bots.example/in' }), 'notice')).toBeUndefined()
  expect(brief(await create({ url: 'http://me:pw@127.0.0.1:4000/hooks' }))).toBe('400 VALIDATION_ERROR')
})

test('a webhook of the practice exchange subscribes to listed events or to all, and by default to the two events for a final transaction [HOOK-02]', async () => {
  const url = 'https://bots.example/in'
  const all = [
    ...['order.accepted', 'order.filled', 'order.partially_filled', 'order.cancelled', 'position.changed', 'liquidation', 'liquidation.warning'],
    ...['funding.charged', 'funding.credited', 'collateral.changed', 'transaction.confirmed', 'transaction.reverted', 'transaction.pending', 'chain.reorg'],
  ]
  const eventsOf = async (events: unknown) => at(await create({ url, events }), 'webhook.events')
  expect(await eventsOf(undefined)).toEqual(['transaction.confirmed', 'transaction.reverted'])
  expect(await eventsOf(all)).toEqual(all)
  expect(await eventsOf(['*'])).toEqual(['*'])
  expect(await eventsOf(['liquidation', 'liquidation'])).toEqual(['liquidation'])
  for (const events of [['order.lost'], ['Order.filled'], ['order.filled', 'x'], ['*', 'order.filled'], [], [7], 'order.filled', null, { 0: '*' }])
    expect([events, brief(await create({ url, events }))]).toEqual([events, '400 VALIDATION_ERROR'])
  expect(bench.exchange.effects().webhooks).toHaveLength(4)
})

test('the practice exchange sends a webhook’s signing secret only in the response to the webhook’s creation [HOOK-03] [AUTH-09]', async () => {
  const created = await create({ url: 'https://bots.example/in', events: ['order.filled'] })
  expect(created.status).toBe(201)
  const secret = text(created, 'signing_secret')
  expect(secret).toMatch(/^svc_whsec_[0-9a-f]{64}$/)
  const record = {
    webhook_id: expect.stringMatching(/^wh_/),
    wallet: bench.wallet.address,
    url: 'https://bots.example/in',
    events: ['order.filled'],
    status: 'active',
    created_at: '2026-11-18T14:32:02.000Z',
    disabled_at: null,
  }
  expect(at(created, 'webhook')).toEqual(record)
  const other = await create({ url: 'https://bots.example/in', events: ['order.filled'] })
  expect(text(other, 'signing_secret')).not.toBe(secret)
  for (const route of [`GET ${webhooks}`, 'GET /api/dex/developer/audit', `DELETE ${webhooks}/${text(created, 'webhook.webhook_id')}`]) {
    const answer = await developer.call(route)
    expect([route, answer.status, answer.text.includes('svc_whsec_')]).toEqual([route, 200, false])
  }
  expect(JSON.stringify(bench.exchange.effects())).not.toContain(secret.slice(10))
})

test('the practice exchange allows eight active webhooks per wallet; if the wallet disables one, it may create another [HOOK-04]', async () => {
  const ids: string[] = []
  for (let count = 1; count <= 8; count += 1) ids.push(text(await create({ url: `https://bots.example/${count}` }), 'webhook.webhook_id'))
  expect(brief(await create({ url: 'https://bots.example/9' }))).toBe('409 WEBHOOK_LIMIT_REACHED')
  const listed = await developer.call(`GET ${webhooks}`)
  expect([at(listed, 'active'), at(listed, 'limit')]).toEqual([8, 8])

  const other = await openDeveloper(bench, privateKeyToAccount(generatePrivateKey()))
  expect(brief(await other.call(`DELETE ${webhooks}/${ids[0]}`))).toBe('404 NOT_FOUND')
  expect(at(await other.call(`GET ${webhooks}`), 'webhooks')).toEqual([])
  expect((await other.call(`POST ${webhooks}`, { url: 'https://bots.example/theirs' })).status).toBe(201)

  expect(brief(await developer.call(`DELETE ${webhooks}/wh_unknown`))).toBe('404 NOT_FOUND')
  const disabled = await developer.call(`DELETE ${webhooks}/${ids[0]}`)
  expect([disabled.status, at(disabled, 'webhook.status'), typeof at(disabled, 'webhook.disabled_at')]).toEqual([200, 'disabled', 'string'])
  const again = await developer.call(`DELETE ${webhooks}/${ids[0]}`)
  expect([again.status, at(again, 'webhook')]).toEqual([200, at(disabled, 'webhook')])
  expect((await create({ url: 'https://bots.example/9' })).status).toBe(201)
  expect(brief(await create({ url: 'https://bots.example/10' }))).toBe('409 WEBHOOK_LIMIT_REACHED')
  const entries = at(await developer.call('GET /api/dex/developer/audit'), 'entries')
  const told = (Array.isArray(entries) ? entries : []).filter(({ event }) => /^webhook/.test(event))
  expect(told.map(({ event }) => event)).toEqual(['webhook.created', 'webhook.disabled', ...Array(8).fill('webhook.created')])
  expect(told[1]).toMatchObject({ webhook_id: ids[0], key_id: null, request_id: disabled.headers.get('x-request-id') })
})

test('the practice exchange’s webhook routes require a sign-in instead of an API key, and allow ten calls a second [GEN-07] [LIM-01]', async () => {
  const { apiKey, session } = await bench.newKey()
  bench.clock.advance(1_000)
  expect(brief(await bench.call(`GET ${webhooks}`))).toBe('401 DEVELOPER_SESSION_REQUIRED')
  expect(brief(await bench.call(`GET ${webhooks}`, keyHeader(apiKey)))).toBe('401 DEVELOPER_SESSION_REQUIRED')
  for (let call = 3; call <= 10; call += 1) expect((await bench.call(`GET ${webhooks}`, bearer(session))).status).toBe(200)
  const over = await bench.call(`POST ${webhooks}`, { ...bearer(session), body: { url: 'https://bots.example/in' } })
  expect([brief(over), over.headers.get('retry-after')]).toEqual(['429 RATE_LIMITED', '1'])
  expect(await list()).toEqual([])
})

test('with its fault “keySecret”, the practice exchange returns no signing secret or a wrong one for a new webhook [HOOK-03]', async () => {
  const secretOf = async (fault: 'wrong' | 'missing') => {
    bench.faults.keySecret = fault
    const answer = await create({ url: 'https://bots.example/in' })
    bench.faults.keySecret = null
    expect(answer.status).toBe(201)
    return at(answer, 'signing_secret')
  }
  expect([await secretOf('missing'), await secretOf('wrong')]).toEqual([undefined, `svc_whsec_${'0'.repeat(64)}`])
})

test('the practice exchange keeps webhooks across a restart, and never writes a signing secret to a file [HOOK-03] [HOOK-04]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'exchange-'))
  const first = await start({ dataDir })
  const session = await first.signIn()
  const created = await first.call(`POST ${webhooks}`, { ...bearer(session), body: { url: 'http://127.0.0.1:4000/in' } })
  await first.stop()
  const second = await start({ dataDir, wallet: first.wallet })
  expect(at(await second.call(`GET ${webhooks}`, bearer(session)), 'webhooks')).toEqual([at(created, 'webhook')])
  await second.stop()
  const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'utf8'))
  expect(files.join('\n')).not.toContain(text(created, 'signing_secret').slice(10))
  rmSync(dataDir, { recursive: true })
})
