import { afterEach, beforeEach, expect, test } from 'vitest'
import { callAt, type Served, startServed } from '../../e2e/support/gateway/bot.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import { startCommand } from '../../e2e/support/terminal/command.ts'
import { accessibleKey, type OpenApp, startOpenApp } from '../../e2e/support/terminal/open-app.ts'
import { day, minute } from '../../shared/time.ts'

let app: OpenApp
let served: Served
beforeEach(async () => {
  app = await startOpenApp()
  served = await startServed()
  const scopes = ['market:read', 'account:read', 'trade:execute', 'orders:manage', 'collateral:manage']
  app.access.gateway = served.gateway()
  app.access.handlers = served.handlers()
  app.access.keys = [accessibleKey({ keyId: served.keyId, label: 'hedger', wallet: served.account.address, scopes })]
})
afterEach(async () => {
  await app.stop()
  await served.stop()
})

const start = (...words: readonly string[]) => startCommand([...words, '--data', app.userData], { folder: app.userData }).ended
const hostUrl = async () => (await served.status()).hostUrl ?? ''
const agreed = async (answer: 'once' | 'deny' = 'once') => {
  const request = await app.asked()
  await app.answer(request.id, answer)
  return request
}
const added = async (...words: readonly string[]) => {
  const command = start('bots', 'add', 'grid', '--key', 'hedger', ...words)
  const request = await agreed()
  return { ...(await command), request }
}

test('svc-desk bots add prints a token that works, only after the user agrees, and nothing else on standard output', async () => {
  const { code, stdout, request } = await added('--mode', 'live')
  expect(code).toBe(0)
  expect(request).toMatchObject({ kind: 'gateway', key: { label: 'hedger' }, words: ['svc-desk', 'bots', 'add', 'grid', '--mode', 'live'] })
  expect(stdout).toMatch(/^SVCbot1\.[0-9a-f]{12}\.[A-Za-z0-9_-]{43}\n$/)
  expect((await callAt(await hostUrl(), '/api/dex/v1/account', { token: stdout.trim() })).status).toBe(200)
  // Without --scopes, the bot gets those of its key that move no collateral.
  expect((await served.status()).bots[0]).toMatchObject({
    label: 'grid',
    policy: { mode: 'live' },
    scopes: ['market:read', 'account:read', 'trade:execute', 'orders:manage'],
  })
  const denied = start('bots', 'add', 'other', '--key', 'hedger')
  await agreed('deny')
  expect(await denied).toMatchObject({ code: 77, stdout: '' })
  expect((await served.status()).bots).toHaveLength(1)
}, 60_000)

test('svc-desk bots pause, stop and revoke work without a question and while the app is locked, and resume asks', async () => {
  const token = (await added()).stdout.trim()
  const status = async () => (await callAt(await hostUrl(), '/api/dex/v1/account', { token })).json.error?.code ?? 'answered'
  app.lock(true)
  expect(await start('bots', 'pause', 'grid')).toMatchObject({ code: 0, stdout: '1 bot paused.\n' })
  expect(await status()).toBe('GATEWAY_PAUSED')
  expect(await start('bots', 'resume', 'grid')).toMatchObject({ code: 75 })
  expect(await start('bots', 'list')).toMatchObject({ code: 75, stdout: '' })
  app.lock(false)
  const resumed = start('bots', 'resume', 'grid')
  await agreed()
  expect(await resumed).toMatchObject({ code: 0 })
  expect(await status()).toBe('answered')
  app.lock(true)
  expect(await start('stop')).toMatchObject({ code: 0, stdout: '1 bot paused.\n' })
  expect(await start('stop')).toMatchObject({ code: 0, stdout: '0 bots paused.\n' })
  expect(await start('bots', 'revoke', 'grid')).toMatchObject({ code: 0 })
  expect(await status()).toBe('GATEWAY_TOKEN_UNKNOWN')
  expect(await start('gateway', 'off')).toMatchObject({ code: 0, stdout: 'The gateway is off.\n' })
  expect((await served.status()).hostUrl).toBeNull()
}, 60_000)

test('svc-desk bots add and bots limits hold a bot to limits, and ask the user only if it may do more', async () => {
  const { code, request } = await added('--mode', 'live', '--max-order', '500', '--market', 'btc-perp', '--hours', '08:00-17:30', '--silence', '60:close')
  expect(code).toBe(0)
  const first = ['--mode', 'live', '--market', expect.any(String), '--max-order', '500', '--hours', '08:00-17:30', '--silence', '60:close']
  expect(request.words).toEqual(['svc-desk', 'bots', 'add', 'grid', ...first])
  const policy = async () => (await served.status()).bots[0]?.policy
  expect((await served.status()).bots[0]?.expiresAtMs).toBeNull()
  expect(await policy()).toMatchObject({ limits: { orderValueUsdc: '500', markets: [expect.any(Number)] }, hours: { fromMinute: 480, toMinute: 1_050 } })
  expect(await start('bots', 'limits', 'grid')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^grid --mode live --market \d+ --max-order 500 /) })

  const tighter = await start('bots', 'limits', 'grid', '--max-order', '200', '--side', 'long', '--orders-per-minute', '6', '--json')
  expect(JSON.parse(tighter.stdout)).toMatchObject({ bots: [{ label: 'grid', policy: { sides: ['long'], ordersPerMinute: 6 } }] })
  expect(await policy()).toMatchObject({ limits: { orderValueUsdc: '200' }, silence: { afterSeconds: 60, does: 'cancel_and_close' } })

  const wider = start('bots', 'limits', 'grid', '--max-order', 'none')
  const asked = await agreed('deny')
  expect(asked.words).toEqual(expect.arrayContaining(['bots', 'limits', 'grid', '--orders-per-minute']))
  expect(asked.words).not.toContain('--max-order')
  expect(await wider).toMatchObject({ code: 77 })
  expect(await policy()).toMatchObject({ limits: { orderValueUsdc: '200' } })
  const agreedTo = start('bots', 'limits', 'grid', '--max-order', '300')
  await agreed()
  expect(await agreedTo).toMatchObject({ code: 0, stdout: expect.stringContaining('--max-order 300') })

  expect(await start('bots', 'limits', 'grid', '--market', 'btc-prep')).toMatchObject({ code: 66, stderr: expect.stringContaining('Did you mean BTC-PERP?') })
  app.lock(true)
  expect(await start('bots', 'limits', 'grid', '--max-order', '100')).toMatchObject({ code: 75 })
}, 60_000)

test('svc-desk bots add makes a token that ends after the days that the user agreed to', async () => {
  const before = Date.now()
  const { request } = await added('--expires-in-days', '30')
  expect(request.words).toEqual(['svc-desk', 'bots', 'add', 'grid', '--expires-in-days', '30', '--mode', 'observe'])
  const endsInMs = ((await served.status()).bots[0]?.expiresAtMs ?? 0) - before
  expect(Math.abs(endsInMs - 30 * day)).toBeLessThan(5 * minute)
  expect(await start('bots', 'add', 'other', '--key', 'hedger', '--expires-in-days', '0')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('--expires-in-days takes a whole number from 1 to 2000.'),
  })
}, 60_000)

test('svc-desk gateway says which port is taken, and bots list shows each bot', async () => {
  await added()
  expect(await start('gateway', 'status')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The gateway listens on http:\/\/127\.0\.0\.1:\d+ and .+\.sock\ngrid +[0-9a-f]{12} +running +observe/),
  })
  const listed: unknown = JSON.parse((await start('bots', 'list', '--json')).stdout)
  expect(listed).toMatchObject({ profile: 'Main', isOn: true, bots: [{ label: 'grid', state: 'running' }] })
  const taken = new URL(served.hostUrl).port
  const on = start('gateway', 'on', '--port', taken)
  await agreed()
  const { code, stderr } = await on
  expect([code, stderr]).toEqual([69, expect.stringContaining(`svc-desk: Another program uses port ${taken}. Choose another one with --port.\n`)])
  // The bots still reach the gateway at its former address.
  expect((await callAt(await hostUrl(), '/api/dex/config')).status).toBe(200)
}, 60_000)

test('svc-desk names an unknown bot, and says that the app must be open', async () => {
  expect(await start('bots', 'pause', 'nobody')).toMatchObject({ code: 66, stderr: 'svc-desk: There is no bot nobody. `svc-desk bots list` lists them.\n' })
  app.access.gateway = null
  expect(await start('stop')).toMatchObject({ code: 69, stderr: 'svc-desk: The gateway runs in Svc Desk. Open Main there, then try again.\n' })
}, 60_000)

test('svc-desk fleet lists, shows, runs, pauses and reports plans; it asks only before it runs one, and pauses while the app is locked', async () => {
  const target = { target: 'pass', options: { name: 'bots/grid', content: 'key' } } as const
  const asked = { name: 'october', items: [{ keyId: served.keyId, target }], addresses: [], waitMinutes: 5, dueAtMs: null }
  const plan = value(await served.handlers()['fleet.create'](asked))
  expect((await start('fleet', 'list')).stdout).toMatch(/^october +[0-9a-f]+ +paused +0 of 1 done +0 need you *\n$/)
  expect((await start('fleet', 'show', 'october')).stdout).toMatch(/pass bots\/grid +waiting +paused/)
  expect(await start('fleet', 'show', 'other')).toMatchObject({ code: 66, stdout: '' })
  const denied = start('fleet', 'resume', 'october')
  expect(await agreed('deny')).toMatchObject({ kind: 'fleet', each: 'once', words: ['svc-desk', 'fleet', 'resume', 'october', plan?.id] })
  expect(await denied).toMatchObject({ code: 77 })
  expect(JSON.parse((await start('fleet', 'show', plan?.id ?? '', '--json')).stdout)).toMatchObject({ plans: [{ state: 'paused' }] })
  const resumed = start('fleet', 'resume', 'october')
  await agreed()
  expect(await resumed).toMatchObject({ code: 0, stdout: 'The plan runs.\n' })
  app.lock(true)
  expect(await start('fleet', 'list')).toMatchObject({ code: 75, stdout: '' })
  expect(await start('fleet', 'pause', 'october')).toMatchObject({ code: 0, stdout: 'The plan is paused. No further step starts.\n' })
  app.lock(false)
  const report = await start('fleet', 'report', 'october')
  expect(report.stdout).toContain('| plan | wallet | old key |')
  expect(report.stdout.split('\n')[2]).toContain(`| ${served.keyId} |`)
}, 60_000)

test('svc-desk fleet pause stops all plans of a name, also if one of them cannot be paused, and an ended plan is in the way of no command', async () => {
  const target = { target: 'pass', options: { name: 'bots/grid', content: 'key' } } as const
  const asked = { name: 'october', items: [{ keyId: served.keyId, target }], addresses: [], waitMinutes: 5, dueAtMs: null }
  const id = value(await served.handlers()['fleet.create'](asked))?.id ?? ''
  const { fleetPlans } = served.journal().records
  const plan = fleetPlans.read({ profile: 'practice', id })
  if (plan === null) throw new Error('No plan')
  const write = (name: string, state: 'running' | 'ended') => fleetPlans.write({ profile: 'practice', id: name }, { ...plan, id: name, state })
  write('first', 'running')
  write('ended', 'ended')
  fleetPlans.write({ profile: 'practice', id }, { ...plan, state: 'running' })
  const state = (of: string) => fleetPlans.read({ profile: 'practice', id: of })?.state
  app.lock(true)
  expect(await start('fleet', 'pause', 'october')).toMatchObject({ code: 0, stdout: '2 plans are paused. No further step starts.\n' })
  expect(['first', 'ended', id].map(state)).toEqual(['paused', 'ended', 'paused'])
  const handlers = served.handlers()
  for (const [broken, other] of [['first', id] as const, [id, 'first'] as const]) {
    fleetPlans.write({ profile: 'practice', id }, { ...plan, state: 'running' })
    write('first', 'running')
    const set: (typeof handlers)['fleet.set'] = (input) => (input.id === broken ? Promise.reject(new Error('broken')) : handlers['fleet.set'](input))
    app.access.handlers = { ...handlers, 'fleet.set': set }
    expect(await start('fleet', 'pause', 'october')).toMatchObject({ code: 70, stdout: '' })
    expect(state(other)).toBe('paused')
  }
  app.access.handlers = handlers
  app.lock(false)
  write('first', 'ended')
  const resumed = start('fleet', 'resume', 'october')
  await agreed('deny')
  expect(await resumed).toMatchObject({ code: 77 })
  expect(await start('fleet', 'show', 'october')).toMatchObject({ code: 64, stdout: '' })
}, 60_000)

test('svc-desk fleet remove asks first, and removes only an ended plan', async () => {
  const target = { target: 'pass', options: { name: 'bots/grid', content: 'key' } } as const
  const asked = { name: 'october', items: [{ keyId: served.keyId, target }], addresses: [], waitMinutes: 5, dueAtMs: null }
  const id = value(await served.handlers()['fleet.create'](asked))?.id ?? ''
  const isStored = () => served.journal().records.fleetPlans.read({ profile: 'practice', id }) !== null
  expect(await start('fleet', 'remove', 'october')).toMatchObject({ code: 75, stdout: '' })
  expect(isStored()).toBe(true)
  value(await served.handlers()['fleet.set']({ id, to: 'end' }))
  const denied = start('fleet', 'remove', 'october')
  expect(await agreed('deny')).toMatchObject({ kind: 'fleet', each: 'once', words: ['svc-desk', 'fleet', 'remove', 'october', id] })
  expect([await denied, isStored()]).toMatchObject([{ code: 77 }, true])
  const removed = start('fleet', 'remove', 'october')
  await agreed()
  expect([await removed, isStored()]).toMatchObject([{ code: 0, stdout: 'The plan and its report are removed.\n' }, false])
  expect(await start('fleet', 'show', 'october')).toMatchObject({ code: 66 })
}, 60_000)

test('svc-desk fleet prints also a plan with 100 keys and 20 long answers of each client, and tells the caller of a pause only what changed', async () => {
  const target = { target: 'pass', options: { name: 'bots/grid', content: 'key' } } as const
  const asked = { name: 'october', items: [{ keyId: served.keyId, target }], addresses: [], waitMinutes: 5, dueAtMs: null }
  const id = value(await served.handlers()['fleet.create'](asked))?.id ?? ''
  const { fleetPlans } = served.journal().records
  const plan = fleetPlans.read({ profile: 'practice', id })
  const [item] = plan?.items ?? []
  if (plan === null || item === undefined) throw new Error('No plan')
  const delivery = { newKeyId: 'key-2', startedAtMs: 1, endedAtMs: 2, outcome: 'failed', exitCode: 1, signal: null, output: 'x'.repeat(2_000) } as const
  const items = Array.from({ length: 100 }, (_, index) => ({
    ...item,
    ...{ id: `item-${index}`, oldLabel: `old-${index}`, newKeyId: 'key-2', deliveries: Array.from({ length: 20 }, () => delivery) },
    over: { as: 'done', atMs: 3, isRotated: false } as const,
  }))
  fleetPlans.write({ profile: 'practice', id }, { ...plan, state: 'running', items: [...items.slice(1), { ...item, id: 'open' }] })
  const listed: unknown = JSON.parse((await start('fleet', 'list', '--json')).stdout)
  expect(listed).toEqual({
    profile: 'Main',
    plans: [{ id, state: 'running', name: 'october', isDue: false, keys: 100, done: 99, needsUser: expect.any(Number) }],
  })
  expect((await start('fleet', 'show', 'october')).stdout.split('\n')).toHaveLength(101)
  expect((await start('fleet', 'report', 'october')).stdout).toMatch(/\| old-99 \|.*\| failed \(1\) \| 20 \|/)
  const report: unknown = JSON.parse((await start('fleet', 'report', 'october', '--json')).stdout)
  expect(report).toMatchObject({ plans: [{ items: expect.arrayContaining([expect.objectContaining({ 'old key': 'old-1', attempts: '20' })]) }] })
  app.lock(true)
  expect(JSON.parse((await start('fleet', 'pause', 'october', '--json')).stdout)).toEqual({ profile: 'Main', plans: [{ id, state: 'paused' }] })
}, 60_000)
