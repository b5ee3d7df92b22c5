import { afterEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { second } from '../../../shared/time.ts'

let workspace: Workspace
afterEach(() => workspace.stop())

const path = '/api/dex/developer/keys'
const createRoute = `POST ${path}`
let say: (keys: Record<string, unknown>[]) => unknown
const unreadable = () => ({ success: true, credentials: 'see the console' })

async function open(says: typeof say = (keys) => ({ keys })): Promise<void> {
  say = says
  workspace = await startWorkspace({
    speaks: (route, body) => (route === `GET ${path}` ? say((body as { keys: Record<string, unknown>[] }).keys) : body),
  })
  await workspace.connect()
  await workspace.signIn()
}
const custom = (label: string) =>
  workspace.handlers()['keys.createCustom']({ label, scopes: ['market:read', 'account:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] })
const list = async () => value(await workspace.handlers()['keys.list']({}))
const unmatched = async () => value(await workspace.handlers()['keys.unmatched']({}))
const created = () => workspace.exchange.effects().keys
const operation = () => workspace.journal().secretOperations.list('practice', 1)[0]

test('the user can revoke, rotate and extend known keys even if the service’s key list is unreadable or empty [KEY-07, KEY-08, KEY-09]', async () => {
  await open()
  const ids = [value(await custom('one')).id, value(await custom('two')).id]
  await list()
  for (const says of [unreadable, () => ({ keys: [] }), () => '<html>']) {
    say = says
    const [first = ''] = ids
    value(await workspace.handlers()['keys.rotate']({ keyId: first, confirmLabel: 'one' }))
    expect(value(await workspace.handlers()['keys.setExpiry']({ keyId: first, days: 90 })).id).toBe(first)
  }
  for (const [index, keyId] of ids.entries()) {
    say = index === 0 ? unreadable : () => ({ keys: [] })
    const label = index === 0 ? 'one' : 'two'
    expect(failure(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'three' }))).toMatchObject({ kind: 'bad_input' })
    value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: label }))
  }
  expect(created().map(({ status }) => status)).toEqual(['revoked', 'revoked'])
})

test('while the key list cannot be read, the app shows the keys that it already knows, and can revoke all of them [KEY-09]', async () => {
  await open()
  value(await custom('one'))
  const { keyId: theirs } = await elsewhere(workspace).create({ label: 'theirs' })
  await list()
  say = unreadable
  const shown = await list()
  expect(shown).toMatchObject({ active: null, limit: 10, unread: { kind: expect.any(String) }, keys: [{ label: 'one' }, { id: theirs, label: 'theirs' }] })
  const keyIds = shown.keys.map(({ id }) => id)
  value(await workspace.handlers()['revokeAll.start']({ keyIds, typed: 'revoke 2 keys' }))
  await expect.poll(async () => value(await workspace.handlers()['revokeAll.state']({})).state).toBe('done')
  expect(created().map(({ status }) => status)).toEqual(['revoked', 'revoked'])
})

test('while the key list cannot be read, the app can create a key, and assumes that the key has the requested scopes [KEY-05, KEY-16]', async () => {
  await open(unreadable)
  const made = value(await custom('first'))
  expect(made).toMatchObject({ label: 'first', secret: 'keychain', scopes: ['market:read', 'account:read'], scopesFrom: 'asked' })
  expect(operation()).toMatchObject({ state: 'VERIFIED', keyIdsWhole: false })
  value(await workspace.handlers()['keys.revoke']({ keyId: made.id, confirmLabel: 'first' }))
  expect(created().map(({ status }) => status)).toEqual(['revoked'])
})

test('while the key list cannot be read, the app can create a bot-ready key [KEY-10]', async () => {
  await open(unreadable)
  const keyId = await workspace.createKey('bot')
  expect((await list()).keys).toMatchObject([{ id: keyId, label: 'bot', scopesFrom: 'asked', agent: { granted: true } }])
})

test('if the key list was unreadable before a key creation got no answer, the app does not select an older key as the created one [KEY-16]', async () => {
  await open((keys) => ({ keys: keys.map(({ label: _, ...key }) => key) }))
  const { keyId: older } = await elsewhere(workspace).create({ label: 'older' })
  say = unreadable
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  workspace.faults.audit = 'empty'
  expect(failure(await custom('lost'))).toMatchObject({ kind: 'outcome_unknown' })
  expect(await unmatched()).toMatchObject([{ candidates: [], incomplete: true }])
  say = (keys) => ({ keys: keys.map(({ label: _, ...key }) => key) })
  workspace.clock.advance(30 * second)
  expect(await unmatched()).toMatchObject([{ candidates: [{ id: older }], ambiguous: true, incomplete: true, evidence: 'none' }])
})

test('if the key list is full with 64 keys, the app does not conclude that a key creation without an answer created no key [KEY-16]', async () => {
  const others = Array.from({ length: 64 }, (_, at) => ({ key_id: `key_other_${at}`, label: `other ${at}`, status: 'revoked' }))
  await open(() => ({ keys: others }))
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  expect(failure(await custom('lost'))).toMatchObject({ kind: 'outcome_unknown' })
  workspace.faults.audit = 'empty'
  workspace.clock.advance(30 * second)
  expect(await unmatched()).toMatchObject([{ candidates: [], incomplete: true }])
  expect(operation()).toMatchObject({ state: 'UNKNOWN', keyIdsWhole: false })
  say = (keys) => ({ keys })
  expect(await unmatched()).toMatchObject([{ candidates: [{ id: created()[0]?.key_id }], evidence: 'label_marker' }])
})

test('if one key in the list is unreadable, the app lists the others, but does not conclude that a creation without an answer created no key [KEY-16]', async () => {
  await open(() => ({ keys: [{ key_id: 'key_older', label: 'older', status: 'active' }, { label: 'no id' }] }))
  expect((await list()).keys.map(({ id }) => id)).toEqual(['key_older'])
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  workspace.faults.audit = 'empty'
  expect(failure(await custom('lost'))).toMatchObject({ kind: 'outcome_unknown' })
  workspace.clock.advance(30 * second)
  expect(await unmatched()).toMatchObject([{ candidates: [], incomplete: true }])
  expect(operation()).toMatchObject({ state: 'UNKNOWN', keyIdsWhole: false })
})

test('while the key list cannot be read, the app still shows a key as unmatched if its rotation got no answer [KEY-07, KEY-16]', async () => {
  await open()
  const { id } = value(await custom('one'))
  workspace.faults.dropAnswer = [{ route: `POST ${path}/{key_id}/rotate`, times: 1 }]
  expect(failure(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'one' }))).toMatchObject({ kind: 'outcome_unknown' })
  say = unreadable
  const [lost] = await unmatched()
  expect(lost).toMatchObject({ kind: 'rotate', candidates: [{ id }] })
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId: id, action: 'rotate' }))
  expect(await unmatched()).toEqual([])
})

test('if the service marks the key list as incomplete, the app reports this and does not treat unlisted keys as deleted [KEY-06, KEY-16]', async () => {
  await open((keys) => ({ keys, has_more: true, limit: 1 }))
  value(await custom('one'))
  expect(await list()).toMatchObject({ active: null, missing: { unreadable: 0, more: true }, keys: [{ label: 'one' }] })
  say = (keys) => ({ keys })
  expect(await list()).toMatchObject({ active: 1, missing: { unreadable: 0, more: false } })
  say = (keys) => ({ keys: [...keys, { label: 'without an id' }] })
  expect(await list()).toMatchObject({ active: null, missing: { unreadable: 1, more: false } })
  say = (keys) => ({ keys, has_more: true })
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  await custom('two')
  say = (keys) => ({ keys: keys.filter(({ label }) => !String(label).startsWith('two')), has_more: true })
  workspace.clock.advance(10 * 60 * second)
  expect(await unmatched()).toMatchObject([{ label: 'two', candidates: [], evidence: 'none', incomplete: true }])
})
