import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { type Answer, at, type Bench, keyHeader, start, startMs, text } from '../../../../e2e/support/practice/start.ts'
import { createStore } from '../state/store.ts'
import { createAudit } from './audit-rows.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const read = (query = '') => developer.call(`GET /api/dex/developer/audit${query}`)
const entriesOf = (answer: Answer): readonly Record<string, unknown>[] => {
  const entries = at(answer, 'entries')
  return Array.isArray(entries) ? entries : []
}

test('the practice exchange’s audit log records every call made with a credential, and every change to a credential [KEY-14]', async () => {
  const created = await developer.create({ label: 'watched' })
  const apiKey = text(created, 'api_key')
  await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))
  await bench.call('POST /api/dex/v1/orders/prepare', { ...keyHeader(apiKey), body: {} })
  expect(entriesOf(await read())).toEqual([
    expect.objectContaining({ event: 'key.call', key_id: at(created, 'key.key_id'), method: 'POST', route: '/api/dex/v1/orders/prepare', status: 400 }),
    {
      id: expect.any(String),
      at: '2026-11-18T14:32:02.000Z',
      event: 'key.call',
      key_id: at(created, 'key.key_id'),
      label: 'watched',
      ip: '127.0.0.1',
      request_id: expect.stringMatching(/^req_/),
      method: 'GET',
      route: '/api/dex/v1/status',
      status: 200,
    },
    expect.objectContaining({ event: 'session.call', key_id: null, route: '/api/dex/developer/keys', status: 201 }),
    {
      id: expect.any(String),
      at: '2026-11-18T14:32:02.000Z',
      event: 'key.created',
      key_id: at(created, 'key.key_id'),
      label: 'watched',
      ip: '127.0.0.1',
      request_id: created.headers.get('x-request-id'),
    },
    expect.objectContaining({ event: 'session.created', key_id: null }),
  ])
})

test('the practice exchange’s audit log records a call of every developer route, and the change that the call made [KEY-14]', async () => {
  const key = `/api/dex/developer/keys/${text(await developer.create(), 'key.key_id')}`
  const prepared = await developer.call('POST /api/dex/developer/keys/prepare', {})
  await developer.create({
    preparation_id: text(prepared, 'preparation_id'),
    signature: await signTypedData(bench.wallet, prepared, 'grant.typed_data'),
  })
  const offer = await developer.call(`POST ${key}/agent`)
  await developer.call(`POST ${key}/agent/grant`, { signature: await signTypedData(bench.wallet, offer, 'grant.typed_data') })
  await developer.call(`PUT ${key}/executor`, { executor: 'exec-fra-1' })
  await developer.call(`POST ${key}/execution-payment`)
  await developer.call(`PUT ${key}/expiry`, { expires_in_days: 30 })
  await developer.call(`POST ${key}/rotate`)
  await developer.call(`DELETE ${key}`)
  await developer.call(`DELETE ${key}`)
  await developer.call('GET /api/dex/developer/keys')
  await read()
  const story = entriesOf(await read())
    .toReversed()
    .map(({ event, method, route, status }) => (event === 'session.call' ? `${method} ${route} ${status}` : event))
  const ofKey = '/api/dex/developer/keys/{key_id}'
  expect(story).toEqual([
    'session.created',
    ...['key.created', 'POST /api/dex/developer/keys 201'],
    ...['key.prepared', 'POST /api/dex/developer/keys/prepare 200'],
    ...['key.created', 'POST /api/dex/developer/keys 201'],
    ...['key.agent_created', `POST ${ofKey}/agent 200`],
    ...['key.agent_granted', `POST ${ofKey}/agent/grant 200`],
    ...['key.executor_bound', `PUT ${ofKey}/executor 200`],
    ...['key.payment_prepared', `POST ${ofKey}/execution-payment 200`],
    ...['key.expiry_changed', `PUT ${ofKey}/expiry 200`],
    ...['key.rotated', `POST ${ofKey}/rotate 200`],
    ...['key.revoked', `DELETE ${ofKey} 200`, `DELETE ${ofKey} 200`],
    'GET /api/dex/developer/keys 200',
    'GET /api/dex/developer/audit 200',
  ])
})

test('the practice exchange’s audit log contains calls refused because of an invalid key or a wrong IP address, scope or signature [KEY-14]', async () => {
  const apiKey = text(await developer.create({ scopes: ['market:read'], ip_allowlist: ['127.0.0.1'] }), 'api_key')
  const use = () => bench.call('GET /api/dex/v1/account', keyHeader(apiKey))
  await use()
  bench.faults.callerIp = '198.51.100.7'
  await use()
  bench.faults.callerIp = null
  bench.faults.credential = 'expired'
  await use()
  bench.faults.credential = null
  const challenge = await bench.call('POST /api/dex/developer/challenge', { body: { wallet: bench.wallet.address } })
  await bench.call('POST /api/dex/developer/session', {
    body: { wallet: bench.wallet.address, nonce: at(challenge, 'nonce'), signature: `0x${'1'.repeat(130)}` },
  })
  expect(entriesOf(await read()).slice(0, 4)).toMatchObject([
    { event: 'session.refused', key_id: null },
    { event: 'key.call', status: 401, ip: '127.0.0.1' },
    { event: 'key.call', status: 403, ip: '198.51.100.7' },
    { event: 'key.call', status: 403, ip: '127.0.0.1' },
  ])
})

test('the practice exchange’s audit log shows a created key’s label even if the response was lost, so that the key can be found [KEY-14] [KEY-16]', async () => {
  bench.faults.dropAnswer.push({ route: 'POST /api/dex/developer/keys', times: 1 })
  await expect(developer.create({ label: 'bot #m4rk' })).rejects.toThrow()
  const [orphan] = bench.exchange.effects().keys
  expect(entriesOf(await read())).toContainEqual(expect.objectContaining({ event: 'key.created', label: 'bot #m4rk', key_id: orphan?.key_id }))
})

test('the practice exchange returns its whole audit log by default; requested pages neither skip nor repeat entries while new ones arrive [KEY-14]', async () => {
  for (let each = 0; each < 70; each += 1) await developer.call('GET /api/dex/developer/keys')
  const all = await read()
  expect([entriesOf(all).length, at(all, 'has_more')]).toEqual([71, false])
  const pages: Answer[] = [await read('?limit=30')]
  while (at(pages.at(-1), 'has_more') === true) pages.push(await read(`?limit=30&cursor=${at(pages.at(-1), 'next_cursor')}`))
  expect(pages.map((page) => [entriesOf(page).length, at(page, 'limit')])).toEqual([
    [30, 30],
    [30, 30],
    [12, 30],
  ])
  const ids = pages.flatMap((page) => entriesOf(page).map(({ id }) => id))
  expect(ids.slice(1)).toEqual(entriesOf(all).map(({ id }) => id))
  expect(entriesOf(await read(`?cursor=${at(pages[0], 'next_cursor')}`))).toHaveLength(42)
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=-1']) expect([query, brief(await read(query))]).toEqual([query, '400 VALIDATION_ERROR'])
})

test('with its fault “audit”, the practice exchange returns its audit log in pages although the request asked for none, or without entries [KEY-14]', async () => {
  for (let each = 0; each < 60; each += 1) await developer.call('GET /api/dex/developer/keys')
  bench.faults.audit = 'paged'
  const first = await read()
  expect([entriesOf(first).length, at(first, 'has_more')]).toEqual([50, true])
  bench.faults.audit = 'empty'
  expect(entriesOf(await read())).toEqual([])
})

test('when its audit log is full, the practice exchange drops the oldest entries about calls, but never an entry about a change [KEY-14]', () => {
  const store = createStore({ dataDir: null })
  const audit = createAudit({ store, clock: { now: () => startMs, monotonic: () => 0 } })
  const subject = { wallet: bench.wallet.address, key: null, ip: '127.0.0.1', requestId: 'req_12345678' }
  audit.change('key.created', subject)
  for (let each = 0; each < 20_000; each += 1) audit.call('key.call', subject, { method: 'GET', route: `/${each}`, status: 200 })
  const rows = audit.rows(bench.wallet.address)
  expect(rows.length).toBeLessThanOrEqual(7_000)
  expect(rows[0]?.event).toBe('key.created')
  expect(rows.at(-1)?.call?.route).toBe('/19999')
  expect(rows.every((row, index) => index === 0 || row.sequence > (rows[index - 1]?.sequence ?? 0))).toBe(true)
})
