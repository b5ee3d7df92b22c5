import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { replacing } from '../../../e2e/support/main/replacing.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { day, second } from '../../../shared/time.ts'

const createPath = '/api/dex/developer/keys'

let workspace: Workspace
let user: ReturnType<typeof replacing>
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  user = replacing(workspace)
})
afterEach(() => workspace.stop())

const effects = () => workspace.exchange.effects().keys

test('the app replaces a key with chosen scopes by a key with the same properties; the old key works until the bot has the new key [KEY-07, KEY-09]', async () => {
  const oldId = await user.reader()
  const planned = value(await user.start(oldId))
  expect(planned).toMatchObject({
    oldKey: { id: oldId, label: 'reader' },
    newKey: null,
    now: { state: 'planned' },
    next: ['begin', 'abandon'],
    due: true,
    plan: {
      label: 'reader 2',
      scopes: ['market:read', 'account:read'],
      expiresInDays: 40,
      ipAllowlist: ['127.0.0.1'],
      quotas: [{ name: 'requests_per_second', value: '7' }],
      executor: null,
      agent: 'none',
    },
  })
  expect(effects()).toHaveLength(1)
  const { id } = planned
  const created = value(await user.advance(id, 'begin'))
  expect(created).toMatchObject({ now: { state: 'created' }, newKey: { label: 'reader 2', kept: 'keychain' }, next: ['probe', 'abandon'] })
  expect((await user.keys()).find((key) => key.id === created.newKey?.id)).toMatchObject({
    scopes: ['market:read', 'account:read'],
    allowlist: ['127.0.0.1'],
    quotas: [{ name: 'requests_per_second', value: '7' }],
    status: 'active',
  })
  expect(value(await user.advance(id, 'probe')).now).toEqual({ state: 'probed', verdict: 'works' })
  expect((await user.keys()).find((key) => key.id === oldId)).toMatchObject({ status: 'active', secret: 'keychain' })
  expect(failure(await user.advance(id, 'revoke', 'reader'))).toEqual({ kind: 'wrong_state', state: 'probed', wanted: 'handed_over' })
  expect(value(await user.advance(id, 'handed_over')).now).toEqual({ state: 'handed_over' })
  expect(failure(await user.advance(id, 'revoke', 'reader 2'))).toMatchObject({ kind: 'bad_input', field: 'confirmLabel' })
  expect((await user.only()).now.state).toBe('handed_over')
  const done = value(await user.advance(id, 'revoke', 'reader'))
  expect(done).toMatchObject({ now: { state: 'done' }, next: [] })
  expect(done.steps.map(({ state }) => state)).toEqual(['planned', 'created', 'probed', 'handed_over', 'revoking', 'done'])
  expect((await user.keys()).map(({ label, status }) => [label, status])).toEqual([
    ['reader 2', 'active'],
    ['reader', 'revoked'],
  ])
})

test('the app replaces a bot-ready key with one wallet signature, for the new key’s grant [KEY-10, KEY-15]', async () => {
  const oldId = await workspace.createKey('bot')
  const { id, plan } = value(await user.start(oldId))
  expect(plan).toMatchObject({ agent: 'with_key', expiresInDays: 90 })
  const granting = value(await user.advance(id, 'begin'))
  expect(granting).toMatchObject({ now: { state: 'granting', by: 'preparation' }, next: ['sign_grant', 'check', 'abandon'] })
  const draft = value(await workspace.handlers()['keys.draft']({}))
  expect(draft).toMatchObject({ id: granting.now.state === 'granting' ? granting.now.draftId : '', replacementId: id, request: { label: 'bot 2' } })
  expect(effects()).toHaveLength(1)
  value(await user.signGrant())
  expect(await user.only()).toMatchObject({ now: { state: 'created' }, newKey: { label: 'bot 2', kept: 'keychain' } })
  value(await user.advance(id, 'probe'))
  value(await user.advance(id, 'handed_over'))
  value(await user.advance(id, 'revoke', 'bot'))
  expect((await user.keys()).filter(({ status }) => status === 'active')).toMatchObject([{ label: 'bot 2', agent: { granted: true } }])
})

test('to replace a key with non-default scopes, the app creates the new key first, then grants its agent and binds its executor [KEY-11, KEY-12]', async () => {
  const oldId = await user.reader('trader')
  const other = elsewhere(workspace)
  await other.grantAgent(oldId)
  await other.bindExecutor(oldId, 'exec-fra-1')
  const { id, plan } = value(await user.start(oldId))
  expect(plan).toMatchObject({ agent: 'after_key', executor: 'exec-fra-1' })
  const granting = value(await user.advance(id, 'begin'))
  expect(granting).toMatchObject({ now: { state: 'granting', by: 'agent' }, next: ['sign_agent', 'check', 'without_agent', 'abandon'] })
  const newId = granting.newKey?.id ?? ''
  expect(value(await user.advance(id, 'check')).now.state).toBe('granting')
  await other.grantAgent(newId)
  expect(value(await user.advance(id, 'check')).now.state).toBe('created')
  value(await user.advance(id, 'probe'))
  expect((await user.keys()).find((key) => key.id === newId)).toMatchObject({ executor: 'exec-fra-1', agent: { granted: true } })
  expect(workspace.sent.filter(({ method, path }) => method === 'PUT' && path.endsWith('/executor'))).toHaveLength(1)
})

test('the app lets the user continue a key replacement without a trading agent for the new key', async () => {
  const oldId = await user.reader('trader')
  await elsewhere(workspace).grantAgent(oldId)
  const { id } = value(await user.start(oldId))
  expect(failure(await user.advance(id, 'without_agent'))).toMatchObject({ kind: 'wrong_state' })
  value(await user.advance(id, 'begin'))
  expect(value(await user.advance(id, 'without_agent')).now.state).toBe('created')
})

test('a replacement’s new key is valid for the old key’s remaining days, at least one, and gets the old label with the next number [KEY-02]', async () => {
  const oldId = await user.reader('bot 9')
  workspace.clock.advance(36 * day + 1)
  await workspace.signIn()
  expect(value(await user.start(oldId)).plan).toMatchObject({ expiresInDays: 4, label: 'bot 10' })
  value(await workspace.handlers()['replacements.abandon']({ id: (await user.only()).id, newKey: 'keep' }))
  workspace.clock.advance(9 * day)
  await workspace.signIn()
  expect(value(await user.start(oldId, { label: 'fresh' })).plan).toMatchObject({ expiresInDays: 1, label: 'fresh' })
})

test('a key replacement creates no new key while the wallet has as many active keys as the service allows [KEY-06]', async () => {
  const oldId = await user.reader()
  const other = elsewhere(workspace)
  let last = ''
  for (let count = 1; count < 10; count += 1) last = (await other.create()).keyId
  const { id } = value(await user.start(oldId))
  const stuck = value(await user.advance(id, 'begin'))
  expect(stuck).toMatchObject({ now: { state: 'stuck', at: 'planned', reason: 'no_room' }, next: ['retry', 'check', 'abandon'] })
  expect(await user.attention()).toMatchObject([{ kind: 'replacement_stuck' }])
  expect(workspace.sent.filter(({ method, path }) => method === 'POST' && path === createPath)).toHaveLength(1)
  await other.revoke(last)
  expect(value(await user.advance(id, 'retry')).now.state).toBe('planned')
  expect(value(await user.advance(id, 'begin')).now.state).toBe('created')
})

test('if the user clicks the same step of a key replacement twice, the app refuses the second click and makes only one new key', async () => {
  const { id } = value(await user.start(await user.reader()))
  const [first, second] = await Promise.all([user.advance(id, 'begin'), user.advance(id, 'begin')])
  expect(value(first).now.state).toBe('created')
  expect(failure(second)).toEqual({ kind: 'wrong_state', state: 'created', wanted: 'planned' })
  expect(effects()).toHaveLength(2)
})

test('the app allows only one replacement of a key at a time, and no replacement of a revoked key', async () => {
  const oldId = await user.reader()
  const { id } = value(await user.start(oldId))
  expect(failure(await user.start(oldId))).toMatchObject({ kind: 'wrong_state', state: 'planned' })
  value(await workspace.handlers()['replacements.abandon']({ id, newKey: 'keep' }))
  value(await user.start(oldId))
  expect(await user.listed()).toHaveLength(2)
  value(await workspace.handlers()['keys.revoke']({ keyId: oldId, confirmLabel: 'reader' }))
  expect(failure(await user.start(oldId))).toMatchObject({ kind: 'wrong_state', state: 'revoked' })
  expect((await user.listed())[0]?.now).toEqual({ state: 'stuck', at: 'planned', reason: 'old_key_gone' })
  expect(failure(await user.start('key_none'))).toEqual({ kind: 'not_found', what: 'key' })
})

test('the app refuses to replace a key if the service does not report the scopes and limits that the new key must copy', async () => {
  const { keyId: theirs } = await elsewhere(workspace).create()
  workspace.faults.keyRecord = 'bare'
  expect(failure(await user.start(theirs))).toMatchObject({ kind: 'bad_input', field: 'keyId' })
  expect(await user.listed()).toEqual([])
  expect(value(await user.start(await user.reader())).plan.scopes).toEqual(['market:read', 'account:read'])
})

test('the app does not ask for attention to a scheduled key replacement before the scheduled time, and then asks the user to start it [KEY-10]', async () => {
  const oldId = await workspace.createKey('bot')
  const { due } = value(await user.start(oldId, { notBeforeMs: workspace.clock.now() + day }))
  expect(due).toBe(false)
  expect(await user.attention()).toEqual([])
  workspace.clock.advance(day + second)
  expect((await user.only()).due).toBe(true)
  expect(await user.attention()).toMatchObject([{ kind: 'replacement_due', severity: 'warn', planned: true, signs: true }])
})

test('the app lets the user give the new key to the bot even if the key’s test is inconclusive because the key excludes this IP address', async () => {
  const { id } = value(await user.start(await user.reader()))
  value(await user.advance(id, 'begin'))
  workspace.faults.callerIp = '198.51.100.7'
  expect(value(await user.advance(id, 'probe'))).toMatchObject({ now: { state: 'probed', verdict: 'cannot_tell' }, next: ['handed_over', 'probe', 'abandon'] })
  workspace.faults.callerIp = null
  expect(value(await user.advance(id, 'probe')).now).toEqual({ state: 'probed', verdict: 'works' })
})

test.each(['keep', 'revoke'] as const)(
  'if the user abandons a key replacement, the old key stays unchanged; choice for the new key: %s [KEY-09]',
  async (newKey) => {
    const oldId = await user.reader()
    const { id } = value(await user.start(oldId))
    value(await user.advance(id, 'begin'))
    const left = value(await workspace.handlers()['replacements.abandon']({ id, newKey }))
    expect(left).toMatchObject({ now: { state: 'abandoned', newKey: newKey === 'keep' ? 'kept' : 'revoked' }, next: [] })
    expect((await user.keys()).map(({ label, status }) => [label, status])).toEqual([
      ['reader 2', newKey === 'keep' ? 'active' : 'revoked'],
      ['reader', 'active'],
    ])
    expect(failure(await user.advance(id, 'probe'))).toMatchObject({ kind: 'wrong_state' })
    expect(await user.attention()).toEqual([])
  },
)

test('the app makes no new key if the user abandons a key replacement before the wallet signed the new key’s grant [KEY-10]', async () => {
  const { id } = value(await user.start(await workspace.createKey('bot')))
  value(await user.advance(id, 'begin'))
  expect(value(await workspace.handlers()['replacements.abandon']({ id, newKey: 'keep' })).now).toEqual({ state: 'abandoned', newKey: 'none' })
  expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
  expect(effects()).toHaveLength(1)
})

test('the app neither shows nor changes another wallet’s key replacements [AUTH-03]', async () => {
  const { id } = value(await user.start(await user.reader()))
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(await user.listed()).toEqual([])
  expect(failure(await user.advance(id, 'begin'))).toEqual({ kind: 'not_found', what: 'replacement' })
})
