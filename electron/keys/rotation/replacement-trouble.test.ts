import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { replacing } from '../../../e2e/support/main/replacing.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { minute, second } from '../../../shared/time.ts'

const createRoute = 'POST /api/dex/developer/keys'
const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

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

test('if the creation of a replacement’s new key got no answer, the replacement continues once the user rotates that unmatched key [KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  expect(value(await user.advance(id, 'begin')).now).toEqual({ state: 'stuck', at: 'planned', reason: 'creation_unknown' })
  expect(failure(await user.advance(id, 'retry'))).toMatchObject({ kind: 'wrong_state', state: 'creation_unknown' })
  const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
  const keyId = lost?.candidates[0]?.id ?? ''
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId, action: 'rotate' }))
  expect(await user.only()).toMatchObject({ now: { state: 'created' }, newKey: { id: keyId, kept: 'keychain' } })
  expect(value(await user.advance(id, 'probe')).now).toMatchObject({ state: 'probed', verdict: 'works' })
  expect(effects()).toHaveLength(2)
})

test('if a replacement’s new key is unmatched, the app creates another once the user has revoked it, but not if the user only dismissed it [KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  const lose = async () => {
    workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
    expect(value(await user.advance(id, 'begin')).now).toMatchObject({ state: 'stuck', reason: 'creation_unknown' })
    const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
    return { operationId: lost?.operationId ?? '', keyId: lost?.candidates[0]?.id ?? '' }
  }
  value(await workspace.handlers()['keys.resolveUnmatched']({ ...(await lose()), action: 'revoke' }))
  await user.keys()
  expect((await user.only()).now.state).toBe('planned')

  const left = await lose()
  value(await workspace.handlers()['keys.resolveUnmatched']({ ...left, action: 'dismiss' }))
  expect((await user.only()).now).toEqual({ state: 'stuck', at: 'planned', reason: 'creation_unnamed' })
  workspace.clock.advance(16 * second)
  expect(failure(await user.advance(id, 'retry'))).toMatchObject({ kind: 'wrong_state', state: 'creation_unnamed' })
  await elsewhere(workspace).revoke(left.keyId)
  expect(value(await user.advance(id, 'retry')).now.state).toBe('planned')
  expect(value(await user.advance(id, 'begin')).now.state).toBe('created')
})

test('if the request to create a replacement’s new key was lost, the user can repeat it only once the lost request can no longer arrive [KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  expect(value(await user.advance(id, 'begin')).now).toMatchObject({ state: 'stuck', reason: 'creation_unknown' })
  workspace.clock.advance(16 * second)
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])
  expect(failure(await user.advance(id, 'retry'))).toMatchObject({ kind: 'wrong_state', wanted: 'nothing_on_its_way' })
  workspace.clock.advance(16 * second)
  expect(value(await user.advance(id, 'retry')).now.state).toBe('planned')
  expect(value(await user.advance(id, 'begin')).now.state).toBe('created')
  expect(effects()).toHaveLength(2)
})

test('if the service refuses to create a replacement’s new key, the replacement stays in the state “planned” and shows the service’s reason', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.faults.answer = [{ route: createRoute, status: 403, code: 'NOT_NOW', times: 1 }]
  expect(failure(await user.advance(id, 'begin'))).toMatchObject({ kind: 'refused', code: 'NOT_NOW' })
  expect((await user.only()).now.state).toBe('planned')
})

test.each([
  ['with a trading agent', () => workspace.createKey('bot')],
  ['without one', () => user.reader()],
] as const)('a replacement’s new key %s is never made with another wallet that the user opens meanwhile [KEY-16]', async (_which, oldKey) => {
  const { id } = value(await user.start(await oldKey()))
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, other) }))
  await workspace.connect()
  const before = effects().length
  const calls = workspace.sent.length
  workspace.faults.delay = [{ route: 'GET /api/dex/developer/keys', ms: 500 }]
  const answer = user.advance(id, 'begin')
  await vi.waitFor(() => expect(workspace.sent.length).toBeGreaterThan(calls))
  await workspace.connect(other)
  expect(failure(await answer)).toMatchObject({ kind: 'wrong_wallet' })
  expect(effects()).toHaveLength(before)
})

test('if the wallet does not sign the grant of a replacement’s new key within thirty minutes, the user can have the grant prepared again [KEY-10]', async () => {
  const { id } = value(await user.start(await workspace.createKey('bot')))
  value(await user.advance(id, 'begin'))
  workspace.clock.advance(30 * minute + 1)
  expect((await user.only()).now.state).toBe('planned')
  expect(value(await user.advance(id, 'begin')).now.state).toBe('granting')
  value(await user.signGrant())
  expect((await user.only()).now.state).toBe('created')
  expect(effects()).toHaveLength(2)
})

test('if the user prepares another key, the app discards a replacement’s grant draft, and the replacement returns to the state “planned”', async () => {
  const { id } = value(await user.start(await workspace.createKey('bot')))
  value(await user.advance(id, 'begin'))
  value(await workspace.handlers()['keys.prepare']({ label: 'another', expiresInDays: 30, ipAllowlist: [] }))
  expect((await user.only()).now.state).toBe('planned')
})

test('if the service refuses the secret of a replacement’s new key, the key replacement stops until the user rotates the new key [KEY-07]', async () => {
  const oldId = await user.reader()
  const { id } = value(await user.start(oldId))
  workspace.faults.keySecret = 'wrong'
  const { newKey } = value(await user.advance(id, 'begin'))
  workspace.faults.keySecret = null
  expect(value(await user.advance(id, 'probe')).now).toEqual({ state: 'stuck', at: 'created', reason: 'new_key_dead' })
  value(await workspace.handlers()['keys.rotate']({ keyId: newKey?.id ?? '', confirmLabel: 'reader 2' }))
  expect(value(await user.advance(id, 'retry')).now.state).toBe('created')
  expect(value(await user.advance(id, 'probe')).now).toMatchObject({ state: 'probed', verdict: 'works' })
})

test('after a crash before the app stored a replacement’s new secret, the new key is unmatched, and the replacement continues once it is rotated [KEY-05, KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.secrets.failWritesAfterProbe('failed')
  expect(value(await user.advance(id, 'begin'))).toMatchObject({ now: { state: 'created' }, newKey: { kept: 'memory' } })
  await workspace.restart()
  await workspace.connect()
  workspace.secrets.failWrites(null)
  expect((await user.only()).now).toEqual({ state: 'stuck', at: 'created', reason: 'secret_lost' })
  expect(failure(await user.advance(id, 'retry'))).toMatchObject({ kind: 'wrong_state', state: 'secret_lost' })
  const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId: lost?.candidates[0]?.id ?? '', action: 'rotate' }))
  expect(await user.only()).toMatchObject({ now: { state: 'created' }, newKey: { kept: 'keychain' } })
})

test('if revoking a replacement’s old key got no answer, the app lets the user revoke again, or sees the revocation in the key list [KEY-09]', async () => {
  const { id } = value(await user.start(await user.reader()))
  for (const step of ['begin', 'probe', 'handed_over'] as const) value(await user.advance(id, step))
  workspace.faults.answer = [{ route: revokeRoute, status: 503, code: 'MAINTENANCE', times: 99 }]
  expect((await user.advance(id, 'revoke', 'reader')).ok).toBe(false)
  expect(await user.only()).toMatchObject({ now: { state: 'revoking' }, next: ['revoke', 'check'] })
  workspace.faults.answer = []
  workspace.faults.dropAnswer = [{ route: revokeRoute, times: 99 }]
  expect((await user.advance(id, 'revoke', 'reader')).ok).toBe(false)
  workspace.faults.dropAnswer = []
  workspace.clock.advance(minute)
  expect(value(await user.advance(id, 'check')).now.state).toBe('done')
})

test('if a replacement’s new key was revoked outside the app, the app lets the user create the new key again', async () => {
  const { id } = value(await user.start(await user.reader()))
  const { newKey } = value(await user.advance(id, 'begin'))
  await elsewhere(workspace).revoke(newKey?.id ?? '')
  expect(value(await user.advance(id, 'check')).now).toEqual({ state: 'stuck', at: 'created', reason: 'new_key_gone' })
  expect(value(await user.advance(id, 'retry')).now.state).toBe('planned')
  expect(value(await user.advance(id, 'begin')).now.state).toBe('created')
})

test('after a crash at any step of a key replacement, the app resumes the replacement at the same step [KEY-16]', async () => {
  const { id } = value(await user.start(await workspace.createKey('bot')))
  const killed = async (state: string) => {
    await workspace.restart()
    workspace.clock.advance(second)
    await workspace.connect()
    expect((await user.only()).now.state).toBe(state)
  }
  await killed('planned')
  value(await user.advance(id, 'begin'))
  await killed('granting')
  value(await user.signGrant())
  await killed('created')
  value(await user.advance(id, 'probe'))
  await killed('probed')
  value(await user.advance(id, 'handed_over'))
  await killed('handed_over')
  value(await user.advance(id, 'revoke', 'bot'))
  await killed('done')
})

test('after a crash during the creation of a replacement’s new key, the app reports that the new key may exist [KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.faults.delay = [{ route: createRoute, ms: null }]
  const dying = Promise.resolve(user.advance(id, 'begin')).catch(() => 'killed')
  await expect.poll(effects).toHaveLength(2)
  await workspace.restart()
  await dying
  workspace.faults.delay = []
  await workspace.connect()
  expect((await user.only()).now).toEqual({ state: 'stuck', at: 'planned', reason: 'creation_unknown' })
  expect(failure(await user.advance(id, 'begin'))).toMatchObject({ kind: 'wrong_state' })
  expect(effects()).toHaveLength(2)
})

test('after a crash, the app does not list a replacement’s new key as unmatched if the user had already given its secret to the bot [KEY-05, KEY-16]', async () => {
  const { id } = value(await user.start(await user.reader()))
  workspace.secrets.failWritesAfterProbe('failed')
  for (const step of ['begin', 'probe', 'handed_over'] as const) value(await user.advance(id, step))
  await workspace.restart()
  await workspace.connect()
  workspace.secrets.failWrites(null)
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])
  expect(await user.only()).toMatchObject({ now: { state: 'handed_over' }, newKey: { kept: 'elsewhere' } })
  expect(value(await user.advance(id, 'revoke', 'reader')).now.state).toBe('done')
})

test('the old key stays if the new key ends while the app is about to revoke the old one', async () => {
  const oldKeyId = await user.reader()
  const { id } = value(await user.start(oldKeyId))
  for (const step of ['begin', 'probe', 'handed_over'] as const) value(await user.advance(id, step))
  const newKeyId = (await user.only()).newKey?.id ?? ''
  const { keyFacts, replacements } = workspace.journal().records
  const key = { profile: 'practice', keyId: newKeyId }
  const { read } = replacements
  let reads = 0
  replacements.read = (of) => {
    reads += 1
    const facts = keyFacts.read(key)
    // The second read is the last one before the request leaves.
    if (reads === 2 && facts !== null) keyFacts.write(key, { ...facts, status: 'revoked' })
    return read(of)
  }
  expect(failure(await user.advance(id, 'revoke', 'reader'))).toMatchObject({ kind: 'wrong_state', state: 'stuck' })
  replacements.read = read
  expect([(await user.only()).now, workspace.sent.filter(({ method }) => method === 'DELETE')]).toEqual([
    { state: 'stuck', at: 'handed_over', reason: 'new_key_gone' },
    [],
  ])
})
