import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { type AppEvent, contract } from '../../../shared/ipc/contract.ts'
import type { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { createAnswerCall, type HandlerTable } from '../../host/ipc/answer-call.ts'
import { guardCalls, guardEvents } from '../../host/lock/gate.ts'
import { Secret } from '../../kernel/secret.ts'
import { signedHeaders } from '../verifier/delivery.ts'
import { createLabService, type LabService } from './lab-service.ts'

const secrets: Readonly<Record<string, string>> = { wh_1: `svc_whsec_${'a1'.repeat(32)}`, wh_2: `svc_whsec_${'b2'.repeat(32)}` }
const patient = { timeout: 10_000 }

let lab: LabService
let vault: ReturnType<typeof createMemoryVault>
let events: AppEvent[]
const ends: (() => Promise<void> | void)[] = []
/**
 * Creates the lab's service for a test. `gone`: webhooks whose secret is no longer on this computer. `unreadable`: webhooks whose secret the keychain
 * does not return.
 */
const start = ({ gone = [], unreadable = [] }: { readonly gone?: readonly string[]; readonly unreadable?: readonly string[] } = {}) =>
  createLabService({
    ...{ vault, profileId: 'practice' },
    access: {
      list: () =>
        Object.keys(secrets)
          .filter((id) => !gone.includes(id))
          .map((webhookId) => ({ webhookId, url: `https://bots.example/${webhookId}`, wallet: '0x1', storedAtMs: 1 })),
      secretOf: async (id) => ok(secrets[id] === undefined || unreadable.includes(id) ? null : new Secret(secrets[id])),
    },
    clock: systemClock,
    emit: (event) => events.push(event),
  })
const end = async (one: LabService) => {
  one.stop()
  await one.settled()
}
beforeEach(() => {
  events = []
  vault = createMemoryVault()
  lab = start()
  ends.push(() => end(lab))
})
afterEach(async () => {
  for (const one of ends.splice(0).reverse()) await one()
})

async function endpoint(answers: number[] = []) {
  const got: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      got.push(String(request.headers['x-svc-event-id']))
      response.writeHead(answers.shift() ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  ends.push(async () => (server.listening ? stop() : undefined))
  return { got, stop, port: (server.address() as AddressInfo).port } // The cast is safe: the server listens on a port.
}
async function freePort(): Promise<number> {
  const { port, stop } = await endpoint()
  await stop()
  return port
}

const settings = async (over: Partial<LabSettings> = {}): Promise<LabSettings> => ({
  webhookId: 'wh_1',
  port: await freePort(),
  path: '/in',
  forwardTo: null,
  answer: { kind: 'fixed', status: 200, delayS: 0 },
  ...over,
})
const open = async (over: Partial<LabSettings> = {}) => value(await lab.handlers['lab.open'](await settings(over))).url
const state = async () => value(await lab.handlers['lab.state']({}))
const page = async (from = 0, to = 100) => value(await lab.handlers['lab.events']({ from, to }))
const detail = async (id: string) => value(await lab.handlers['lab.event']({ kind: 'event', id }))
const nowS = () => Math.floor(Date.now() / 1_000)

interface Sent {
  readonly type?: string
  readonly by?: string
  readonly createdAt?: number
  readonly revokes?: string
}
async function deliver(url: string, id: string, { type = 'order.filled', by = 'wh_1', createdAt = nowS(), revokes }: Sent = {}): Promise<number> {
  const body = Buffer.from(JSON.stringify({ id, type, created_at: createdAt, data: { note: 'größe' }, ...(revokes && { revoked_event_id: revokes }) }))
  const headers = signedHeaders({ id, type, body, secret: secrets[by] ?? '', timestampS: nowS() })
  return (await fetch(url, { method: 'POST', headers, body })).status
}
const invalidations = () => events.filter(({ type }) => type === 'invalidate').length

test('the receiver lab shows all attempts of a delivery in one row, links a correction to the event it takes back, and marks forged deliveries [HOOK-05, HOOK-06, HOOK-07]', async () => {
  const url = await open()
  expect(await state()).toMatchObject({ status: 'listening', url, rows: 0, attempts: 0 })
  const [first, second] = [nowS() - 5, nowS() - 4]
  expect(await deliver(url, 'evt_1', { type: 'transaction.confirmed', createdAt: first })).toBe(200)
  expect(await deliver(url, 'evt_1', { type: 'transaction.confirmed', createdAt: first })).toBe(200)
  expect(await deliver(url, 'evt_2', { type: 'transaction.pending', createdAt: second, revokes: 'evt_1' })).toBe(200)
  expect(await deliver(url, 'evt_3', { by: 'wh_2' })).toBe(401)
  await expect.poll(async () => (await page()).rows.at(-1)?.answer.kind, patient).toBe('refused')
  expect((await page()).rows).toMatchObject([
    { kind: 'event', id: 'evt_1', atMs: first * 1_000, attempts: 2, revokedBy: ['evt_2'], marks: [{ kind: 'taken' }, { kind: 'duplicate' }] },
    { kind: 'event', id: 'evt_2', revokes: { id: 'evt_1', captured: true }, answer: { kind: 'taken', status: 200, nth: 1 } },
    { kind: 'refused', id: 'evt_3', failed: 'signature', marks: [{ kind: 'refused' }], answer: { kind: 'refused', status: 401 } },
  ])
  expect(await state()).toMatchObject({ rows: 3, attempts: 4, refused: 1 })
  const forged = value(await lab.handlers['lab.event']({ kind: 'refused', number: 1 }))
  expect(forged.inspection.checks.at(-1)).toMatchObject({ step: 'signature', result: 'failed' })
  expect(await detail('evt_2')).toMatchObject({
    inspection: { verdict: 'right', event: { revokedEventId: 'evt_1' }, signer: { id: 'wh_1' } },
    attempts: [{ number: 1, answered: { status: 200, sent: true } }],
  })
})

test('the receiver lab passes the endpoint’s answer on to the sender, which retries after a failure; the user can send an event again [HOOK-08]', async () => {
  const own = await endpoint([500, 301])
  const url = await open({ forwardTo: `http://127.0.0.1:${own.port}/hook`, answer: { kind: 'forwarded' } })
  expect([await deliver(url, 'evt_1'), await deliver(url, 'evt_1'), await deliver(url, 'evt_1')]).toEqual([500, 301, 204])
  await expect.poll(async () => (await page()).rows[0]?.answer, patient).toMatchObject({ kind: 'taken', status: 204, nth: 3 })
  expect((await page()).rows[0]?.marks.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'taken'])
  value(await lab.handlers['lab.resend']({ id: 'evt_1' }))
  expect((await detail('evt_1')).attempts.at(-1)).toMatchObject({
    number: 4,
    by: 'resend',
    answered: null,
    forwarded: { taken: true, outcome: 'answered', status: 204 },
  })
  expect(own.got).toEqual(['evt_1', 'evt_1', 'evt_1', 'evt_1'])
  expect(failure(await lab.handlers['lab.resend']({ id: 'evt_9' }))).toEqual({ kind: 'not_found', what: 'delivery' })
  await own.stop()
  expect(await deliver(url, 'evt_2')).toBe(502)
})

test('the receiver lab answers later deliveries with a newly chosen status, and marks an event as given up after four failures [HOOK-08]', async () => {
  const url = await open()
  value(await lab.handlers['lab.answer']({ kind: 'fixed', status: 503, delayS: 0 }))
  for (const tries of [1, 2, 3, 4]) {
    expect(await deliver(url, 'evt_1')).toBe(503)
    await expect.poll(async () => (await page()).rows[0]?.answer, patient).toEqual({ kind: tries < 4 ? 'failed' : 'given_up', status: 503 })
  }
})

test('a paused receiver lab frees its port and keeps its captures; a lab that starts for another webhook starts without captures', async () => {
  const url = await open()
  await deliver(url, 'evt_1')
  value(await lab.handlers['lab.pause']({}))
  await expect(deliver(url, 'evt_2')).rejects.toThrow('fetch failed')
  expect(await state()).toMatchObject({ status: 'paused', rows: 1 })
  expect(failure(await lab.handlers['lab.resend']({ id: 'evt_1' }))).toMatchObject({ kind: 'wrong_state' })
  expect(value(await lab.handlers['lab.resume']({})).url).toBe(url)
  await deliver(url, 'evt_2')
  expect((await page()).rows.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(lab.labRecord()?.spans).toEqual([
    { fromMs: expect.any(Number), toMs: expect.any(Number) },
    { fromMs: expect.any(Number), toMs: null },
  ])
  value(await lab.handlers['lab.clear']({}))
  expect(await state()).toMatchObject({ status: 'listening', rows: 0, attempts: 0 })
  expect(await deliver(url, 'evt_3')).toBe(200)
  const other = await open({ webhookId: 'wh_2' })
  expect(await state()).toMatchObject({ rows: 0, url: other, settings: { webhookId: 'wh_2', webhookUrl: 'https://bots.example/wh_2' } })
  expect(lab.labRecord()?.spans).toHaveLength(1)
})

test('the receiver lab’s form shows a port in use, a bad path or a forbidden forwarding URL at its field, and the lab does not start', async () => {
  const taken = await endpoint()
  const issue = async (over: Partial<LabSettings>) => failure((await lab.handlers['lab.open'](await settings(over))) as Result<never, never>)
  expect(await issue({ port: taken.port })).toMatchObject({
    kind: 'bad_input',
    field: 'port',
    issue: expect.stringMatching(/^port_refused \d+ EADDRINUSE$/),
  })
  for (const path of ['in', '/a b', '/a?b', '/a/../b', '/ä']) expect(await issue({ path })).toMatchObject({ kind: 'bad_input', field: 'path' })
  for (const forwardTo of ['https://bots.example/in', 'localhost:3000', 'http://me:pw@localhost/', 'http://192.168.0.2/'])
    expect(await issue({ forwardTo })).toMatchObject({ kind: 'bad_input', field: 'forwardTo' })
  expect(await issue({ port: 4_807, forwardTo: 'http://localhost:4807/in' })).toMatchObject({
    field: 'forwardTo',
    issue: expect.stringMatching(/^in_a_circle \d+$/),
  })
  expect(await issue({ answer: { kind: 'forwarded' } })).toMatchObject({ field: 'forwardTo' })
  expect(await issue({ webhookId: 'wh_9' })).toEqual({ kind: 'not_found', what: 'secret' })
  expect(await state()).toMatchObject({ status: 'closed', settings: null })
  expect(lab.labRecord()).toBeNull()
})

test('the receiver lab frees its port when the profile closes, and does not listen again afterwards', async () => {
  const url = await open()
  lab.stop()
  const late = lab.handlers['lab.resume']({})
  await lab.settled()
  expect(failure((await late) as Result<never, never>)).toMatchObject({ kind: 'wrong_state' })
  await expect(deliver(url, 'evt_1')).rejects.toThrow('fetch failed')
  const before = invalidations()
  const next = start()
  ends.push(() => end(next))
  value(await next.handlers['lab.open'](await settings({ port: Number(new URL(url).port) })))
  expect(value(await next.handlers['lab.events']({ from: 0, to: 10 })).total).toBe(0)
  expect(invalidations()).toBe(before)
})

async function restart(over: Parameters<typeof start>[0] = {}): Promise<LabService> {
  await end(lab)
  lab = start(over)
  ends.push(() => end(lab))
  return lab
}

test('after an app restart, the receiver lab keeps its settings but is paused; it listens only on request, and forwards as before', async () => {
  const own = await endpoint()
  const forwardTo = `http://127.0.0.1:${own.port}/hook?token=tok_canary`
  const given = await settings({ forwardTo, answer: { kind: 'forwarded' } })
  const { url } = value(await lab.handlers['lab.open'](given))
  await deliver(url, 'evt_1')
  value(await lab.handlers['lab.answer']({ kind: 'fixed', status: 202, delayS: 0 }))
  const { handlers, labRecord } = await restart()
  const paused = { status: 'paused', earlier: true, url, rows: 0, attempts: 0 }
  expect(await state()).toMatchObject({
    ...paused,
    settings: { ...given, answer: { kind: 'fixed', status: 202, delayS: 0 }, webhookUrl: 'https://bots.example/wh_1', signed: true },
  })
  expect(labRecord()).toBeNull()
  await expect(deliver(url, 'evt_2')).rejects.toThrow('fetch failed')
  // The user can choose the lab's answer to deliveries before the lab listens.
  value(await handlers['lab.answer']({ kind: 'fixed', status: 204, delayS: 0 }))
  expect(value(await handlers['lab.resume']({})).url).toBe(url)
  expect(await state()).toMatchObject({ status: 'listening', earlier: false })
  expect(await deliver(url, 'evt_3')).toBe(204)
  await expect.poll(() => own.got, patient).toEqual(['evt_1', 'evt_3'])
  value(await handlers['lab.pause']({}))
  expect(await state()).toMatchObject({ status: 'paused', earlier: false, rows: 1 })
  // The vault stores the settings, encrypted, under the profile's name.
  expect([...vault.values.keys()]).toEqual(['lab/practice'])
})

test('the receiver lab does not listen if its webhook or that webhook’s secret is gone, and reports why', async () => {
  const url = await open()
  await restart({ gone: ['wh_1'] })
  expect(await state()).toMatchObject({ status: 'paused', settings: { webhookId: 'wh_1', webhookUrl: 'https://bots.example/wh_1', signed: false } })
  expect(failure(await lab.handlers['lab.resume']({}))).toEqual({ kind: 'not_found', what: 'secret' })
  await restart({ unreadable: ['wh_1'] })
  expect(await state()).toMatchObject({ status: 'paused', settings: { signed: true } })
  expect(failure(await lab.handlers['lab.resume']({}))).toEqual({ kind: 'not_found', what: 'secret' })
  expect(await state()).toMatchObject({ status: 'paused', earlier: true })
  await expect(deliver(url, 'evt_1')).rejects.toThrow('fetch failed')
  const other = await open({ webhookId: 'wh_2' })
  expect(await deliver(other, 'evt_2', { by: 'wh_2' })).toBe(200)
})

test('the receiver lab rejects stored settings if any part is invalid, and reads the settings again once the keychain is unlocked', async () => {
  const good = { settings: await settings(), webhookUrl: 'https://bots.example/wh_1' }
  const { settings: told } = good
  const wrong = [
    ...['', 'null', '[]', '{"settings":'],
    ...[{ settings: told }, { ...good, more: 1 }, { ...good, settings: { ...told, more: 1 } }, { ...good, settings: { ...told, port: 70_000 } }].map((one) =>
      JSON.stringify(one),
    ),
    // The lab must not forward to either of these addresses. One is on another computer. The other is the lab's own, so deliveries would loop.
    ...['https://bots.example/in', `http://127.0.0.1:${told.port}/`].map((forwardTo) => JSON.stringify({ ...good, settings: { ...told, forwardTo } })),
  ]
  for (const text of wrong) {
    vault.values.set('lab/practice', new Secret(text))
    await restart()
    expect(await state(), text).toMatchObject({ status: 'closed', earlier: false, settings: null })
    expect(failure((await lab.handlers['lab.resume']({})) as Result<never, never>), text).toMatchObject({ kind: 'wrong_state' })
  }
  vault.values.set('lab/practice', new Secret(JSON.stringify(good)))
  const { read } = vault.raw
  vault.raw.read = () => Promise.reject(new Error('locked'))
  await restart()
  expect(await state()).toMatchObject({ status: 'closed' })
  vault.raw.read = read
  expect(await state()).toMatchObject({ status: 'paused', settings: told })
})

test('the receiver lab reports the path, and nothing else, of a delivery to a wrong path, and forgets this path when the user pauses the lab', async () => {
  const url = await open()
  const to = (path: string, method = 'POST') => fetch(new URL(path, url), { method, ...(method === 'POST' && { body: '{}' }) })
  await to('/favicon.ico', 'GET')
  await to('/in', 'GET')
  expect(await state()).toMatchObject({ astray: null })
  const before = invalidations()
  expect((await to('/hooks/svc?token=tok_1')).status).toBe(404)
  await expect.poll(invalidations, patient).toBeGreaterThan(before)
  expect(await state()).toMatchObject({ astray: { path: '/hooks/svc', atMs: expect.any(Number) }, rows: 0, attempts: 0 })
  await to(`/${'a'.repeat(2_000)}`)
  expect((await state()).astray?.path).toHaveLength(200)
  value(await lab.handlers['lab.pause']({}))
  expect(await state()).toMatchObject({ astray: null })
  value(await lab.handlers['lab.resume']({}))
  expect(await state()).toMatchObject({ astray: null })
})

test('the receiver lab listens even when the disk or the keychain fails to save its settings', async () => {
  vault.raw.set = () => Promise.reject(new Error('full'))
  const url = await open()
  expect(await deliver(url, 'evt_1')).toBe(200)
  expect(await state()).toMatchObject({ status: 'listening' })
})

test('the receiver lab keeps every one of many deliveries, returns them in pages sorted by created_at, and limits how often it notifies windows', async () => {
  const url = await open()
  const begun = nowS()
  const count = 600
  for (let from = 0; from < count; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        deliver(url, `evt_${from + at}`, { createdAt: begun - (from + at), ...((from + at) % 100 === 7 && { by: 'wh_2' }) }),
      ),
    )
  expect(await state()).toMatchObject({ rows: count, attempts: count, refused: 6 })
  const took = (nowS() - begun + 1) * 5
  await expect.poll(invalidations, patient).toBeGreaterThan(0)
  expect(invalidations()).toBeLessThanOrEqual(took + 2)
  const whole = (await page(0, count)).rows
  expect(whole.map(({ atMs }) => atMs)).toEqual(whole.map(({ atMs }) => atMs).toSorted((one, other) => one - other))
  expect(new Set(whole.map(({ kind, number }) => `${kind} ${number}`)).size).toBe(count)
  for (let from = 0; from < count; from += 70) expect((await page(from, from + 70)).rows).toEqual(whole.slice(from, from + 70))
  expect((await page(count - 3, count + 50)).rows).toHaveLength(3)
  expect((await page(5_000, 5_050)).rows).toEqual([])
})

test('the receiver lab listens while the app is locked, and reveals captured deliveries only after the unlock', async () => {
  const url = await open()
  let locked = true
  const log = { error: () => undefined }
  const table = Object.fromEntries(Object.entries(lab.handlers)) as HandlerTable // The cast is safe: the guard checks the input of each call.
  const ask = guardCalls(createAnswerCall({ definitions: contract, handlers: () => table, log }), contract, () => locked)
  const heard: AppEvent[] = []
  const guarded = guardEvents(
    (event) => heard.push(event),
    () => locked,
  )
  expect(await deliver(url, 'evt_1')).toBe(200)
  await expect.poll(invalidations, patient).toBeGreaterThan(0)
  for (const event of events) guarded.send(event)
  expect(heard).toEqual([])
  const reads = [['lab.state', {}] as const, ['lab.events', { from: 0, to: 10 }] as const, ['lab.event', { kind: 'event', id: 'evt_1' }] as const]
  for (const [name, input] of reads) expect(await ask(name, input)).toEqual({ result: { ok: false, failure: { kind: 'locked' } }, invalidates: [] })
  locked = false
  expect((await ask('lab.events', { from: 0, to: 10 })).result).toMatchObject({ ok: true, value: { total: 1, rows: [{ id: 'evt_1' }] } })
})

test('the receiver lab never returns a signing secret, not even in the curl command for copying [HOOK-03]', async () => {
  const url = await open()
  await deliver(url, 'evt_1')
  await deliver(url, "evt_'2", { by: 'wh_2' })
  const { curl } = await detail('evt_1')
  expect(curl).toMatch(new RegExp(`^curl '${url}'`))
  expect(curl).toContain("-H 'X-Svc-Event-ID: evt_1'")
  const forged = value(await lab.handlers['lab.event']({ kind: 'refused', number: 1 }))
  expect(forged.curl).toContain(`X-Svc-Event-ID: evt_'\\''2`)
  const said = JSON.stringify([await state(), await page(), await detail('evt_1'), forged, events, lab.labRecord()])
  expect(said).toContain('evt_1')
  for (const secret of Object.values(secrets)) expect(said).not.toContain(secret.slice(10))
})
