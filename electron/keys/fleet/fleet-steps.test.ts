import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  cellsOf,
  deletion,
  deletions,
  delivered,
  folder,
  keys,
  pass,
  reader,
  refuseDeletions,
  refused,
  restart,
  running,
  soon,
  states,
  statusOf,
  user,
  withPlans,
  workspace,
} from '../../../e2e/support/fleet/fleet-bench.ts'
import { botAddress, callAsBot, standIn } from '../../../e2e/support/fleet/fleet-clients.ts'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { dieAtWrite } from '../../../e2e/support/main/sudden-death.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { reportColumns, reportLines } from '../../../shared/fleet-report.ts'
import { noPolicy } from '../../../shared/limits-draft.ts'
import { minute, second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'

withPlans()

test('a plan replaces its keys one after another: it delivers each new key, waits for the bot’s call, then revokes the old key', async () => {
  const { id, oldIds } = await running(2)
  expect(states((await user.plan(id)).items)).toEqual([
    ['verifying', null],
    ['waiting', 'turn'],
  ])
  const first = await user.item(id)
  expect(first).toMatchObject({ newKey: { label: 'bot-0 2' }, place: 'pass bot-0', deliveries: [{ outcome: 'done', exitCode: 0 }], proof: null })
  expect(await statusOf(oldIds[0] ?? '')).toBe('active')
  expect(await callAsBot(workspace.hostUrl, delivered())).toBe(200)
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'done', proof: { how: 'audit', ip: botAddress } })
  const replaced = (await keys.listed()).find(({ oldKey }) => oldKey.id === oldIds[0])
  expect(replaced?.steps).toContainEqual(expect.objectContaining({ state: 'handed_over', note: 'use_in_audit' }))
  expect(await statusOf(oldIds[0] ?? '')).toBe('revoked')
  expect(await user.item(id, 1)).toMatchObject({ state: 'verifying' })
  expect(await statusOf(oldIds[1] ?? '')).toBe('active')
  await callAsBot(workspace.hostUrl, delivered())
  const done = await user.look(id)
  expect([done.state, states(done.items)]).toEqual([
    'ended',
    [
      ['done', null],
      ['done', null],
    ],
  ])
  const lines = reportLines(done).map((line) => Object.fromEntries(line.map((cell, index) => [reportColumns[index], cell])))
  expect(lines).toMatchObject([
    { 'old key': 'bot-0', 'new key': 'bot-0 2', state: 'done', delivery: 'done (0)', attempts: '1', 'verified by': 'audit', address: botAddress },
    { 'old key': 'bot-1', 'new key': 'bot-1 2', state: 'done', delivery: 'done (0)', 'verified by': 'audit' },
  ])
  expect(JSON.stringify([lines, workspace.journal().records.fleetPlans.list({})])).not.toContain(delivered())
})

test('the app’s own calls with a new key never count as the bot’s, not even after a kill, and from the app’s address the user must confirm', async () => {
  const { id, oldIds } = await running()
  const { newKey } = await user.item(id)
  value(await workspace.handlers()['keys.use']({ keyId: newKey?.id ?? '' }))
  value(await workspace.handlers()['markets.list']({}))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: null })
  await restart()
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: null, proof: null })
  await callAsBot(workspace.hostUrl, delivered(), { from: '127.0.0.1' })
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: 'cannot_tell', needsUser: true, may: ['confirm', 'deliver', 'skip'] })
  expect(await statusOf(oldIds[0] ?? '')).toBe('active')
  const item = await user.item(id)
  value(await user.choose(id, item.id, 'confirm'))
  expect(await user.item(id)).toMatchObject({ state: 'done', proof: { how: 'user' } })
})

test('if no bot used the new key in time, the plan asks the user, but still sees a later call; a call from another address is shown as such', async () => {
  const { id } = await running()
  workspace.clock.advance(5 * minute + second)
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: 'not_used', needsUser: true })
  await callAsBot(workspace.hostUrl, delivered(), { from: '127.0.0.9' })
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: 'other_address' })
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect((await user.item(id)).state).toBe('done')
})

test('a delivery that failed or whose outcome is unknown never counts: the old key stays until a repeated delivery was verified', async () => {
  standIn(folder, 'pass', 'KEEP; exit 3')
  const { id, oldIds } = await running()
  expect(await user.item(id)).toMatchObject({
    state: 'delivering',
    reason: 'delivery_failed',
    may: ['deliver', 'confirm', 'skip'],
    deliveries: [{ outcome: 'failed', exitCode: 3 }],
  })
  await callAsBot(workspace.hostUrl, delivered())
  standIn(folder, 'pass', 'KEEP; kill -KILL $$')
  const { id: itemId } = await user.item(id)
  value(await user.choose(id, itemId, 'deliver'))
  expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'delivery_unknown' })
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect([(await user.item(id)).state, await statusOf(oldIds[0] ?? '')]).toEqual(['delivering', 'active'])
  standIn(folder, 'pass')
  workspace.clock.advance(second)
  value(await user.choose(id, itemId, 'deliver'))
  // The calls before the last delivery do not count.
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: null })
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'done' })
  expect((await user.item(id)).deliveries.map(({ outcome }) => outcome)).toEqual(['failed', 'unknown', 'done'])
})

test('a delivery under way when the app is killed is unknown afterwards, and the user may repeat it', async () => {
  const started = join(folder, 'started')
  standIn(folder, 'pass', `touch '${started}'; sleep 600`)
  const oldId = await reader()
  const plan = value(await user.ask([{ keyId: oldId, target: pass() }]))
  value(await user.set(plan?.id ?? '', 'resume'))
  await expect.poll(() => existsSync(started), soon).toBe(true)
  expect((await user.item(plan?.id ?? '')).deliveries).toMatchObject([{ outcome: 'running', endedAtMs: null }])
  await restart()
  await user.look(plan?.id ?? '')
  expect(await user.item(plan?.id ?? '')).toMatchObject({ state: 'delivering', reason: 'delivery_unknown', may: ['deliver', 'confirm', 'skip'] })
  expect(await statusOf(oldId)).toBe('active')
})

test('a new key that was rotated or made again starts over: an earlier delivery and proof never let the old key be revoked', async () => {
  const { id, oldIds } = await running()
  const first = await user.item(id)
  await callAsBot(workspace.hostUrl, delivered())
  value(await workspace.handlers()['keys.rotate']({ keyId: first.newKey?.id ?? '', confirmLabel: first.newKey?.label ?? '' }))
  const before = delivered()
  await user.look(id)
  expect(delivered()).not.toBe(before)
  expect((await user.item(id)).deliveries).toHaveLength(2)
  expect([(await user.item(id)).state, await statusOf(oldIds[0] ?? '')]).toEqual(['verifying', 'active'])
  value(await workspace.handlers()['keys.revoke']({ keyId: first.newKey?.id ?? '', confirmLabel: first.newKey?.label ?? '' }))
  await keys.keys()
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'new_key_gone', may: ['retry', 'skip'] })
  value(await user.choose(id, first.id, 'retry'))
  await user.look(id)
  const again = await user.item(id)
  expect(again).toMatchObject({ state: 'verifying', proof: null })
  expect(again.newKey?.id).not.toBe(first.newKey?.id)
  expect(await statusOf(oldIds[0] ?? '')).toBe('active')
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect([(await user.item(id)).state, await statusOf(oldIds[0] ?? '')]).toEqual(['done', 'revoked'])
})

const list = 'GET /api/dex/developer/keys'
const posts = () => workspace.sent.filter(({ method, path }) => method === 'POST' && path.startsWith('/api/dex/developer/keys')).length
const stops = [
  ['the plan is paused', async (id: string) => void value(await user.set(id, 'pause'))],
  [
    'the app is locked',
    async () => {
      workspace.locked = true
    },
  ],
  ['another wallet is opened', async () => void (await workspace.connect(privateKeyToAccount(generatePrivateKey())))],
] as const
test.each(
  stops.flatMap(([when, happens]) => [
    // The app reads the list twice before it creates a key, and once before it prepares a grant.
    ['a key', when, () => reader(), 2, happens] as const,
    ['a grant', when, () => workspace.createKey('agent'), 1, happens] as const,
  ]),
)('no request for %s leaves if, while the plan reads the key list, %s', async (_, __, make, writesBefore, happens) => {
  const keyId = await make()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  const before = posts()
  const reads = () => workspace.sent.filter(({ method, path }) => method === 'GET' && path === '/api/dex/developer/keys').length
  let readsBefore = Number.POSITIVE_INFINITY
  let writes = 0
  workspace.beforeWrite = (what) => {
    if (what !== 'value replacement') return
    writes += 1
    if (writes !== writesBefore) return
    workspace.faults.delay = [{ route: list, ms: null }]
    readsBefore = reads()
  }
  value(await user.set(id, 'resume'))
  await expect.poll(() => reads() > readsBefore, soon).toBe(true)
  await happens(id)
  workspace.faults.delay = []
  await workspace.settled()
  expect([posts(), await user.item(id)]).toMatchObject([before, { newKey: null }])
})

test.each(stops)('no executor is bound to the new key if, while the app reads the key list for that, %s', async (_, happens) => {
  const keyId = await reader()
  value(await workspace.handlers()['agents.bindExecutor']({ keyId, executor: 'exec-fra-1', before: null, confirmLabel: 'reader' }))
  await keys.keys()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  const asked = () => workspace.sent.filter(({ method, path }) => method === 'GET' && path === '/api/dex/developer/keys').length
  let reads = 0
  let first = Number.POSITIVE_INFINITY
  const isCreated = () => workspace.journal().records.replacements.list({})[0]?.record.now.state === 'created'
  await workspace.rewriteAnswers((route, answer) => {
    if (route !== list || !isCreated()) return answer
    reads += 1
    // The first read is for the plan, the second one for the binding.
    if (reads === 1) {
      workspace.faults.delay = [{ route: list, ms: null }]
      first = asked()
    }
    return answer
  })
  const binds = () => workspace.sent.filter(({ method, path }) => method === 'PUT' && path.endsWith('/executor')).length
  const bound = binds()
  value(await user.set(id, 'resume'))
  await expect.poll(() => asked() > first, soon).toBe(true)
  await happens(id)
  workspace.faults.delay = []
  await workspace.settled()
  expect([binds(), (await user.item(id)).deliveries]).toEqual([bound, []])
})

test('the new key leaves only while the wallet that owns it is signed in', async () => {
  const oldId = await reader()
  const plan = value(await user.ask([{ keyId: oldId, target: pass() }]))
  const id = plan?.id ?? ''
  workspace.beforeWrite = (what) => {
    const [replacement] = workspace.journal().records.replacements.list({})
    // The new key was tested, and its delivery comes next.
    if (what === 'value replacement' && replacement?.record.now.state === 'created') void workspace.handlers()['session.end']({})
  }
  value(await user.set(id, 'resume'))
  await user.look(id)
  workspace.beforeWrite = () => {}
  expect([existsSync(join(folder, 'pass.input')), await user.item(id)]).toMatchObject([false, { state: 'delivering', reason: 'sign_in' }])
  await workspace.signIn()
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying' })
})

test('another new key is made without revoking one that a bot may have, and the app says so before', async () => {
  standIn(folder, 'pass', 'KEEP; exit 3')
  const { id } = await running()
  const first = await user.item(id)
  const key = { keyId: first.newKey?.id ?? '', label: first.newKey?.label ?? '' }
  await elsewhere(workspace).rotate(key.keyId)
  value(await workspace.handlers()['audit.refresh']({}))
  expect(await user.item(id)).toMatchObject({ reason: 'secret_lost', may: ['remake', 'skip'], remakes: 'keeps' })
  standIn(folder, 'pass')
  value(await user.choose(id, first.id, 'remake'))
  expect(await statusOf(key.keyId)).toBe('active')
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  // The earlier new key still works, and no bot of the plan uses it.
  const named = async () => value(await workspace.handlers()['app.attention']({})).filter(({ kind }) => kind === 'fleet_left')
  expect([await user.item(id), await named()]).toMatchObject([
    { state: 'done', leftKeys: [{ id: key.keyId, label: key.label }] },
    [{ label: key.label, to: `/keys/${key.keyId}` }],
  ])
  expect(await cellsOf(id)).toMatchObject([{ state: 'done', 'left keys': `${key.label} (${key.keyId})` }])
  value(await workspace.handlers()['keys.revoke']({ keyId: key.keyId, confirmLabel: key.label }))
  await keys.keys()
  expect([(await user.item(id)).leftKeys, await named()]).toEqual([[], []])
})

test('a paused plan, a locked app and a service out of reach let nothing leave, and the plan continues afterwards', async () => {
  const oldId = await reader()
  const plan = value(await user.ask([{ keyId: oldId, target: pass() }]))
  const id = plan?.id ?? ''
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'waiting', reason: 'paused' })
  workspace.locked = true
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'waiting', reason: 'locked', needsUser: false })
  workspace.locked = false
  workspace.faults.hostDown = [{ host: 'first', how: 503 }]
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ reason: 'out_of_reach', needsUser: false })
  workspace.faults.hostDown = []
  workspace.clock.advance(minute)
  expect(existsSync(join(folder, 'pass.input'))).toBe(false)
  await user.look(id)
  expect((await user.item(id)).state).toBe('verifying')
})

test('while the disk is full, a plan makes and revokes no key, and continues once there is space; a pause then holds after a restart, too', () => {
  const script = join(import.meta.dirname, '../../../e2e/support/fleet/plan-on-full-disk.ts')
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], { encoding: 'utf8' }))
  expect(said).toEqual({
    'full before the first step': { state: 'waiting', reason: 'disk_full', keys: 1, isDelivered: false, revocations: 0 },
    journal: 'memory_only',
    'then free': { state: 'verifying', reason: null, keys: 2, isDelivered: true, revocations: 0 },
    'full before the revocation': { state: 'revoking', reason: 'disk_full', keys: 2, isDelivered: true, revocations: 0 },
    'paused on the full disk, after a restart': { state: 'verifying', reason: 'paused', keys: 2, isDelivered: true, revocations: 0 },
    'run again': { state: 'done', reason: null, keys: 1, isDelivered: true, revocations: 1 },
  })
}, 60_000)

test('only the open wallet’s keys move; the others name their wallet, and move when it is open', async () => {
  const first = await reader('first')
  const other = privateKeyToAccount(generatePrivateKey())
  const mine = workspace.account
  await workspace.connect(other)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, other) }))
  const second = await reader('second')
  const plan = value(
    await user.ask([
      { keyId: first, target: pass('a') },
      { keyId: second, target: pass('b') },
    ]),
  )
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect((await user.plan(id)).items.map(({ wallet, state, reason }) => [wallet, state, reason])).toEqual([
    [mine.address, 'waiting', 'other_wallet'],
    [other.address, 'verifying', null],
  ])
  await workspace.connect(mine)
  await user.look(id)
  expect(states((await user.plan(id)).items)).toEqual([
    ['verifying', null],
    ['verifying', 'other_wallet'],
  ])
})

test('a new key is never made with another wallet that the user opens meanwhile', async () => {
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, other) }))
  await workspace.connect()
  const keyId = await reader('first')
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  const made = () => workspace.sent.filter(({ method, path }) => method === 'POST' && path === '/api/dex/developer/keys').length
  const before = made()
  let writes = 0
  workspace.beforeWrite = (what) => {
    if (what === 'value replacement') writes += 1
    // The second write is the last one before the request leaves.
    if (writes === 2) void workspace.connect(other)
  }
  value(await user.set(id, 'resume'))
  await user.look(id)
  workspace.beforeWrite = () => {}
  expect([writes > 1, made(), (await user.item(id)).reason]).toEqual([true, before, 'other_wallet'])
})

test('a key with a trading agent waits for the wallet’s signature, and a key whose secret is lost says so', async () => {
  const keyId = await workspace.createKey('agent')
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'making', reason: 'sign', needsUser: true })
  expect(await workspace.handlers()['app.attention']({})).toMatchObject({ value: expect.arrayContaining([expect.objectContaining({ kind: 'fleet_waits' })]) })
  value(await user.set(id, 'pause'))
  const made = await user.sign()
  await workspace.secrets.delete(
    workspace
      .journal()
      .secretIndex.list('practice')
      .find((row) => row.keyId === made.id)?.account ?? '',
  )
  workspace.rest()
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'secret_lost', needsUser: true, may: ['remake', 'skip'], remakes: 'revokes' })
  value(await user.choose(id, (await user.item(id)).id, 'remake'))
  expect([await statusOf(made.id), await user.item(id)]).toMatchObject(['revoked', { state: 'making', reason: 'sign', newKey: null }])
})

test('a plan does not revoke a new key of which the user said before that a bot uses it', async () => {
  const keyId = await reader()
  const handlers = workspace.handlers()
  const { id: replacement } = value(await handlers['replacements.start']({ keyId, label: null, expiresInDays: null, notBeforeMs: null }))
  for (const step of ['begin', 'probe', 'handed_over'] as const) value(await handlers['replacements.advance']({ id: replacement, step, confirmLabel: null }))
  const [made] = value(await handlers['replacements.list']({}))
  const row = workspace
    .journal()
    .secretIndex.list('practice')
    .find((one) => one.keyId === made?.newKey?.id)
  await workspace.secrets.delete(row?.account ?? '')
  workspace.rest()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  const first = await user.item(id)
  expect(first).toMatchObject({ reason: 'secret_lost', may: ['remake', 'skip'], remakes: 'keeps', newKey: { id: made?.newKey?.id } })
  value(await user.choose(id, first.id, 'remake'))
  expect(await statusOf(made?.newKey?.id ?? '')).toBe('active')
})

test('a new key that the service refuses is revoked and made again when the user says so', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  workspace.faults.credential = 'invalid'
  value(await user.set(id, 'resume'))
  await user.look(id)
  workspace.faults.credential = null
  const first = await user.item(id)
  expect(first).toMatchObject({ state: 'delivering', reason: 'new_key_dead', may: ['remake', 'skip'], remakes: 'revokes' })
  value(await user.choose(id, first.id, 'remake'))
  const again = await user.item(id)
  expect([again.state, await statusOf(first.newKey?.id ?? ''), again.newKey?.id === first.newKey?.id]).toEqual(['verifying', 'revoked', false])
})

test('a rotation of the new key by another computer voids the delivery, and the app delivers its old secret no more', async () => {
  const { id, oldIds } = await running()
  const first = await user.item(id)
  const secret = await elsewhere(workspace).rotate(first.newKey?.id ?? '')
  await callAsBot(workspace.hostUrl, secret.reveal())
  await user.look(id)
  await user.look(id)
  expect([await user.item(id), await statusOf(oldIds[0] ?? '')]).toMatchObject([
    { state: 'delivering', reason: 'secret_lost', proof: null, may: ['remake', 'skip'], remakes: 'keeps', deliveries: [{ outcome: 'done' }] },
    'active',
  ])
  value(await user.choose(id, first.id, 'remake'))
  const again = await user.item(id)
  expect([again.state, await statusOf(first.newKey?.id ?? ''), again.newKey?.id === first.newKey?.id]).toEqual(['verifying', 'active', false])
})

test('a plan knows of a revocation after any number of later operations', async () => {
  const { id, oldIds } = await running(2)
  value(await user.set(id, 'pause'))
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[1] ?? '', confirmLabel: 'bot-1' }))
  const { secretOperations } = workspace.journal()
  const common = { kind: 'expiry', label: 'other', keyId: 'other', profileId: 'practice', wallet: workspace.account.address } as const
  for (let count = 0; count < 501; count += 1) secretOperations.plan({ ...common, id: `later-${count}`, keyIdsBefore: [], marker: '', draft: null })
  expect((await user.item(id, 1)).state).toBe('stopped')
})

const toGateway = { target: 'gateway', options: {} } as const
const addBot = async (keyId: string) =>
  value(
    await workspace
      .handlers()
      ['gateway.addBot']({ label: 'grid', keyId, scopes: ['market:read'], expiresInDays: null, policy: { mode: 'observe', ...noPolicy } }),
  ).botId
const botKeys = () =>
  workspace
    .gateway()
    .status()
    .bots.map(({ keyId }) => keyId)
/** Starts a plan that moves the gateway's bots of one key to its new key. */
const movingBots = async (keyId: string): Promise<string> => {
  const plan = value(await user.ask([{ keyId, target: toGateway }]))
  value(await user.set(plan?.id ?? '', 'resume'))
  await user.look(plan?.id ?? '')
  return plan?.id ?? ''
}

test('a plan moves the bots of the gateway to the new key, and revokes the old key without any delivery', async () => {
  const keyId = await reader('bots')
  await addBot(keyId)
  const id = await movingBots(keyId)
  const item = await user.item(id)
  expect(item).toMatchObject({ state: 'done', proof: { how: 'gateway' } })
  expect(botKeys()).toEqual([item.newKey?.id])
})

test('without a bot of the gateway on the old key, the plan asks the user instead of revoking that key', async () => {
  const keyId = await reader('no bots')
  const id = await movingBots(keyId)
  const asks = { state: 'verifying', reason: 'gateway_unproven', needsUser: true, may: ['confirm', 'deliver', 'skip'], proof: null }
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([asks, 'active'])
  await user.look(id)
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([asks, 'active'])
  value(await user.choose(id, (await user.item(id)).id, 'confirm'))
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([{ state: 'done', proof: { how: 'user' } }, 'revoked'])
})

test('while the app cannot tell whether the new key works, the gateway’s use of it proves nothing', async () => {
  const keyId = await reader('bots')
  await addBot(keyId)
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/status', status: 500, code: 'INTERNAL', times: 99 }]
  const id = await movingBots(keyId)
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([{ state: 'verifying', reason: 'gateway_unproven', proof: null }, 'active'])
  workspace.faults.answer = []
  workspace.clock.advance(minute)
  value(await user.choose(id, (await user.item(id)).id, 'deliver'))
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([{ state: 'done', proof: { how: 'gateway' } }, 'revoked'])
})

test('the gateway’s bots stay on the old key while the new key’s secret is only in memory', async () => {
  const keyId = await reader('bots')
  await addBot(keyId)
  workspace.secrets.failWritesAfterProbe('failed')
  const id = await movingBots(keyId)
  expect([await user.item(id), await statusOf(keyId)]).toMatchObject([{ state: 'delivering', reason: 'not_in_keychain', needsUser: true }, 'active'])
  expect(botKeys()).toEqual([keyId])
  workspace.secrets.failWrites(null)
  const item = await user.item(id)
  value(await workspace.handlers()['keys.retryStore']({ keyId: item.newKey?.id ?? '' }))
  await user.look(id)
  expect([await user.item(id), await statusOf(keyId), botKeys()]).toMatchObject([{ state: 'done' }, 'revoked', [item.newKey?.id]])
})

test('the gateway’s bots keep the old key until its other bot is proven to use the new one, and then move before the old key ends', async () => {
  const keyId = await reader('shared')
  await addBot(keyId)
  const { id, oldIds } = await running(0, [keyId])
  expect([(await user.item(id)).state, botKeys()]).toEqual(['verifying', oldIds])
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  const item = await user.item(id)
  expect([item.state, botKeys()]).toEqual(['done', [item.newKey?.id]])
})

test('before the old key is revoked, no bot of the gateway moves to a new key whose secret is only in memory', async () => {
  const keyId = await reader('shared')
  await addBot(keyId)
  workspace.secrets.failWritesAfterProbe('failed')
  const { id } = await running(0, [keyId])
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  const item = await user.item(id)
  expect([item, botKeys(), await statusOf(keyId), deletions()]).toMatchObject([
    { state: 'revoking', reason: 'not_in_keychain', needsUser: true },
    [keyId],
    'active',
    0,
  ])
  workspace.secrets.failWrites(null)
  value(await workspace.handlers()['keys.retryStore']({ keyId: item.newKey?.id ?? '' }))
  await user.look(id)
  expect([(await user.item(id)).state, botKeys(), await statusOf(keyId)]).toEqual(['done', [item.newKey?.id], 'revoked'])
})

test('a call never proves that the bot uses the new key while a bot of this app’s gateway has that key', async () => {
  const { id, oldIds } = await running()
  const { newKey } = await user.item(id)
  await addBot(newKey?.id ?? '')
  await callAsBot(workspace.hostUrl, delivered(), { requestId: 'of-a-bot' })
  await user.look(id)
  expect([await user.item(id), await statusOf(oldIds[0] ?? '')]).toMatchObject([{ state: 'verifying', reason: 'cannot_tell', proof: null }, 'active'])
})

test('a call never proves that the bot uses the new key after a bot of this app’s gateway had that key, not even after a restart', async () => {
  const { id, oldIds } = await running()
  const { newKey } = await user.item(id)
  const botId = await addBot(newKey?.id ?? '')
  await callAsBot(workspace.hostUrl, delivered(), { requestId: 'of-a-bot' })
  value(await workspace.handlers()['gateway.revoke']({ botId }))
  await restart()
  await user.look(id)
  expect([await user.item(id), await statusOf(oldIds[0] ?? '')]).toMatchObject([{ state: 'verifying', reason: 'cannot_tell', proof: null }, 'active'])
})

test.each([
  ['the plan is paused', async (id: string) => value(await user.set(id, 'pause'))],
  [
    'the new key is rotated',
    async (id: string) => {
      const { newKey } = await user.item(id)
      const operation = {
        id: 'rotation',
        kind: 'rotate',
        label: 'bot',
        keyId: newKey?.id ?? '',
        profileId: 'practice',
        wallet: workspace.account.address,
      } as const
      workspace.journal().secretOperations.plan({ ...operation, keyIdsBefore: [], marker: '', draft: null })
      workspace.journal().secretOperations.move('rotation', 'SENT')
    },
  ],
] as const)('no revocation leaves if, while it waits for its turn, %s', async (_, happens) => {
  const { id, oldIds } = await running()
  await refused(id)
  const before = deletions()
  workspace.faults.delay = [{ route: 'GET /api/dex/developer/keys', ms: null }]
  const reads = workspace.sent.length
  const turn = keys.advance((await keys.only()).id, 'check')
  await expect.poll(() => workspace.sent.length, soon).toBeGreaterThan(reads)
  const look = user.look(id)
  // When the service has answered this call, the plan waits for the replacement's other step.
  await callAsBot(workspace.hostUrl, delivered())
  await happens(id)
  workspace.faults.delay = []
  await turn
  await look
  expect([deletions(), await statusOf(oldIds[0] ?? '')]).toEqual([before, 'active'])
})

test('a client that could not be started is not started again, and it is unknown whether the key arrived', async () => {
  process.env.TOO_LONG = 'x'.repeat(2_000_000)
  try {
    const { id } = await running()
    await user.look(id)
    await workspace.tick()
    expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'delivery_unknown', needsUser: true, deliveries: [{ outcome: 'unknown' }] })
  } finally {
    delete process.env.TOO_LONG
  }
})

test('a delivery that is not under way although the records say so is unknown, and is not repeated', async () => {
  const { id } = await running()
  const { records } = workspace.journal()
  const key = { profile: 'practice', id }
  const stored = records.fleetPlans.read(key)
  if (stored === null) throw new Error('No plan')
  const isRunning = { outcome: 'running', endedAtMs: null } as const
  records.fleetPlans.write(key, {
    ...stored,
    items: stored.items.map((item) => ({ ...item, deliveries: item.deliveries.map((one) => ({ ...one, ...isRunning })) })),
  })
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'delivery_unknown', deliveries: [{ outcome: 'unknown' }] })
})

test('while the user makes a key of their own, a plan of the same wallet waits and leaves the draft alone', async () => {
  const keyId = await workspace.createKey('agent')
  const mine = value(await workspace.handlers()['keys.prepare']({ label: 'mine', expiresInDays: 90, ipAllowlist: [] }))
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'making', reason: 'turn', needsUser: false })
  expect(value(await workspace.handlers()['keys.draft']({}))?.id).toBe(mine.id)
  value(await workspace.handlers()['keys.leave']({ draftId: mine.id }))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'making', reason: 'sign' })
})

test.each([
  // The plan reads the key list before it prepares its grant.
  ['while a plan reads the key list', 'GET', '/api/dex/developer/keys'],
  // The user's request leaves first, so its answer comes first.
  ['just before a plan prepares its grant', 'POST', '/api/dex/developer/keys/prepare'],
] as const)('a draft that the user makes %s stays, and the plan waits for its turn', async (_, method, path) => {
  const keyId = await workspace.createKey('agent')
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  const draftId = async () => value(await workspace.handlers()['keys.draft']({}))?.id ?? ''
  value(await workspace.handlers()['keys.leave']({ draftId: await draftId() }))
  const asked = () => workspace.sent.filter((one) => one.method === method && one.path === path).length
  const before = asked()
  const prepare = () => workspace.handlers()['keys.prepare']({ label: 'mine', expiresInDays: 90, ipAllowlist: [] })
  workspace.faults.delay = [{ route: `${method} ${path}`, ms: method === 'GET' ? null : 1_000 }]
  const early = method === 'GET' ? null : prepare()
  if (early !== null) await expect.poll(asked, soon).toBe(before + 1)
  const look = user.look(id)
  await expect.poll(asked, soon).toBe(before + (early === null ? 1 : 2))
  const mine = value(await (early ?? prepare()))
  if (early === null) workspace.faults.delay = []
  await look
  expect(await draftId()).toBe(mine.id)
  expect(await user.item(id)).toMatchObject({ state: 'making', reason: 'turn', needsUser: false })
  workspace.faults.delay = []
  value(await workspace.handlers()['keys.leave']({ draftId: mine.id }))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'making', reason: 'sign' })
})

test('a step that fails unexpectedly is logged, and asks the user', async () => {
  const { id } = await running()
  await callAsBot(workspace.hostUrl, delivered())
  workspace.beforeWrite = (what) => {
    if (what === 'value replacement') throw new Error('broken')
  }
  await workspace.tick()
  workspace.clock.advance(16 * second)
  await workspace.tick()
  workspace.beforeWrite = () => {}
  expect(await user.item(id)).toMatchObject({ state: 'revoking', reason: 'trouble', needsUser: true })
  expect(workspace.logged.join()).toContain('broken')
  workspace.clock.advance(minute)
  await workspace.tick()
  expect(await user.item(id)).toMatchObject({ state: 'done' })
})

test('a plan looks again for a key that the exchange did not list', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  let isHidden = true
  await workspace.rewriteAnswers((route, answer) => (isHidden && route === list ? { keys: [] } : answer))
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'waiting', reason: 'trouble', needsUser: true })
  isHidden = false
  workspace.clock.advance(minute)
  await workspace.tick()
  expect(await user.item(id)).toMatchObject({ state: 'verifying', needsUser: false })
})

test('while the exchange’s audit cannot be read, the plan asks the user once the wait is over', async () => {
  const { id } = await running()
  workspace.faults.dropRequest = [{ route: 'GET /api/dex/developer/audit', times: 999 }]
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: 'out_of_reach', needsUser: false })
  workspace.clock.advance(6 * minute)
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: 'audit_unread', needsUser: true, may: ['confirm', 'deliver', 'skip'] })
})

test('a new delivery forgets what was found about the one before', async () => {
  const { id } = await running()
  workspace.clock.advance(6 * minute)
  await user.look(id)
  const item = await user.item(id)
  expect(item).toMatchObject({ state: 'verifying', reason: 'not_used' })
  value(await user.choose(id, item.id, 'deliver'))
  expect(await user.item(id)).toMatchObject({ state: 'verifying', reason: null })
})

test('the user may say that a key arrived although its client failed', async () => {
  standIn(folder, 'pass', 'KEEP; exit 1')
  const { id, oldIds } = await running()
  const item = await user.item(id)
  expect(item).toMatchObject({ reason: 'delivery_failed', proof: null, delivery: { outcome: 'failed' } })
  value(await user.choose(id, item.id, 'confirm'))
  expect([await user.item(id), await statusOf(oldIds[0] ?? '')]).toMatchObject([{ state: 'done', proof: { how: 'user' } }, 'revoked'])
})

test('a plan knows its own revocation by its id, not by its time', async () => {
  const { id, oldIds } = await running()
  const keyId = oldIds[0] ?? ''
  workspace.faults.dropAnswer = [{ route: deletion, times: 9 }]
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  workspace.faults.dropAnswer = []
  expect(await user.item(id)).toMatchObject({ state: 'revoking' })
  // A second request, which fails, changes nothing about the first one, which arrived.
  workspace.clock.advance(minute)
  refuseDeletions()
  await user.look(id)
  workspace.faults.answer = []
  await keys.keys()
  expect([await statusOf(keyId), await cellsOf(id)]).toMatchObject(['revoked', [{ state: 'done' }]])
})

test.each([
  ['arrived', 'dropAnswer'],
  ['was lost', 'dropRequest'],
] as const)('a plan whose new key was rotated elsewhere after a revocation that %s without an answer has a way out', async (_, fault) => {
  const { id, oldIds } = await running()
  const first = await user.item(id)
  workspace.faults[fault] = [{ route: deletion, times: 9 }]
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  workspace.faults[fault] = []
  expect(await user.item(id)).toMatchObject({ state: 'revoking', may: [] })
  await elsewhere(workspace).rotate(first.newKey?.id ?? '')
  value(await workspace.handlers()['audit.refresh']({}))
  // The old key may be revoked, so no one can say that it stays.
  expect(await user.item(id)).toMatchObject({ state: 'delivering', reason: 'secret_lost', may: ['remake'], remakes: 'keeps' })
  value(await user.choose(id, first.id, 'remake'))
  const item = await user.item(id)
  const left = { id: first.newKey?.id, label: first.newKey?.label }
  if (fault === 'dropAnswer') {
    expect([item, await cellsOf(id)]).toMatchObject([{ state: 'done', newKey: left }, [{ state: 'done', delivered: '', 'verified by': '' }]])
    return
  }
  expect([item, await statusOf(oldIds[0] ?? '')]).toMatchObject([{ state: 'verifying', leftKeys: [left] }, 'active'])
  const before = (await keys.listed()).find(({ newKey }) => newKey?.id === left.id)
  expect(before?.now).toEqual({ state: 'abandoned', newKey: 'unsure' })
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect([await user.item(id), await statusOf(oldIds[0] ?? ''), await statusOf(left.id ?? '')]).toMatchObject([{ state: 'done' }, 'revoked', 'active'])
})

test('a revocation that the plan was about to ask for is not the plan’s if the user asked for it', async () => {
  const { id, oldIds } = await running()
  await callAsBot(workspace.hostUrl, delivered())
  const { secretOperations } = workspace.journal()
  Object.assign(secretOperations, {
    plan: () => {
      throw new Error('killed')
    },
  })
  await user.look(id).catch(() => undefined)
  expect(deletions()).toBe(0)
  await restart()
  value(await user.set(id, 'pause'))
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[0] ?? '', confirmLabel: 'bot-0' }))
  expect(await user.item(id)).toMatchObject({ state: 'stopped', revokedAtMs: null })
})

test('a skip takes effect at once while a request of the plan is under way, and nothing is delivered afterwards', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  workspace.faults.delay = [{ route: 'POST /api/dex/developer/keys', ms: null }]
  const before = workspace.sent.length
  value(await user.set(id, 'resume'))
  await expect.poll(() => workspace.sent.slice(before).filter(({ method, path }) => method === 'POST' && path.endsWith('/keys')).length, soon).toBe(1)
  value(await user.choose(id, (await user.item(id)).id, 'skip'))
  // The request is still under way.
  expect(
    workspace
      .journal()
      .secretOperations.unsettled('practice')
      .map(({ state }) => state),
  ).toEqual(['SENT'])
  expect(await user.item(id)).toMatchObject({ state: 'skipped' })
  workspace.faults.delay = []
  await workspace.settled()
  await user.look(id)
  expect([await statusOf(keyId), await user.item(id)]).toMatchObject(['active', { state: 'skipped', deliveries: [] }])
})

test('a step that cannot succeed asks the user, and is not repeated before the user says so', async () => {
  // The list names no scopes, and the app did not make this key.
  workspace.faults.keyRecord = 'bare'
  const { keyId } = await elsewhere(workspace).create({ scopes: ['market:read'] })
  await keys.keys()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await workspace.settled()
  expect(await user.item(id)).toMatchObject({ state: 'waiting', reason: 'trouble', needsUser: true, may: ['retry', 'skip'] })
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('fleet_waits')
  const sent = workspace.sent.length
  for (let count = 0; count < 3; count += 1) await workspace.tick()
  expect(workspace.sent).toHaveLength(sent)
  workspace.faults.keyRecord = null
  const { id: itemId } = await user.item(id)
  value(await user.choose(id, itemId, 'retry'))
  expect(await user.item(id)).toMatchObject({ state: 'verifying', needsUser: false })
})

test('a service that cannot answer now is asked less and less often', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  workspace.faults.answer = [{ route: 'GET /api/dex/developer/keys', status: 429, code: 'RATE_LIMITED', times: 999 }]
  value(await user.set(id, 'resume'))
  await workspace.settled()
  const asked = () => workspace.sent.filter(({ method, path }) => method === 'GET' && path.endsWith('/keys')).length
  const times: number[] = []
  for (let count = 0; count < 12; count += 1) {
    const before = asked()
    await workspace.tick()
    if (asked() > before) times.push(count)
  }
  expect(await user.item(id)).toMatchObject({ state: 'waiting', reason: 'out_of_reach', needsUser: false })
  expect(times.length).toBeLessThan(5)
})

test('wherever the app dies, a plan continues without a second new key, a second revocation or a lost secret', async () => {
  let died = 0
  for (let at = 0; ; at += 1) {
    await workspace.signIn()
    const label = `kill-${at}`
    const keyId = await reader(label)
    const plan = value(await user.ask([{ keyId, target: pass(label) }]))
    const id = plan?.id ?? ''
    const death = dieAtWrite(workspace, at)
    await Promise.try(() => user.set(id, 'resume')).catch(() => undefined)
    await user.look(id).catch(() => undefined)
    death.revive()
    if (!death.died()) break
    died += 1
    await restart()
    const now = await user.plan(id)
    if (now.state === 'paused') value(await user.set(id, 'resume'))
    for (let round = 0; round < 8 && (await user.item(id)).state !== 'done'; round += 1) {
      await user.look(id)
      workspace.clock.advance(16 * second)
      const item = await user.item(id)
      const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
      if (lost !== undefined) {
        const [candidate] = lost.candidates
        const action = candidate === undefined ? 'dismiss' : 'rotate'
        value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost.operationId, keyId: candidate?.id ?? null, action }))
      } else if (item.may[0] === 'deliver' || item.may[0] === 'retry' || item.may[0] === 'remake') await user.choose(id, item.id, item.may[0])
      else if (item.state === 'verifying') await callAsBot(workspace.hostUrl, delivered())
    }
    expect([at, (await user.item(id)).state, (await user.item(id)).reason]).toEqual([at, 'done', null])
    const made = (await keys.keys()).filter((one) => one.label.startsWith(`${label} `) && one.status === 'active')
    expect([at, made.length]).toEqual([at, 1])
    const revocations = workspace.sent.filter(({ method, path }) => method === 'DELETE' && path.includes(keyId))
    expect([at, revocations.length]).toEqual([at, 1])
    expect(await elsewhere(workspace).works(new Secret(delivered()))).toBe(true)
    value(await workspace.handlers()['keys.revoke']({ keyId: made[0]?.id ?? '', confirmLabel: made[0]?.label ?? '' }))
  }
  expect(died).toBeGreaterThanOrEqual(10)
}, 120_000)
