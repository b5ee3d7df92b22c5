import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { day, minute } from '../../../shared/time.ts'

const expiryRoute = 'PUT /api/dex/developer/keys/{key_id}/expiry'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const operations = () => workspace.journal().secretOperations.list('practice', 10)
const custom = async (ipAllowlist: string[] = []) =>
  value(await workspace.handlers()['keys.createCustom']({ label: 'bot', scopes: ['market:read', 'account:read'], expiresInDays: 5, ipAllowlist, quotas: [] }))

test.each([30, 90, 360, 2000] as const)('the user can set a key to expire %i days from now, and the app shows the date [KEY-08]', async (days) => {
  const { id } = await custom()
  const key = value(await workspace.handlers()['keys.setExpiry']({ keyId: id, days }))
  expect(Math.abs((key.expiresAtMs ?? 0) - workspace.clock.now() - days * day)).toBeLessThan(minute)
  expect((await list()).find((one) => one.id === id)?.expiresAtMs).toBe(key.expiresAtMs)
  expect(operations()[0]).toMatchObject({ kind: 'expiry', state: 'SETTLED', keyId: id })
})

test('if the service’s response to a new expiry of a key is lost, the app automatically sends the new expiry again [KEY-08]', async () => {
  const { id } = await custom()
  workspace.faults.dropAnswer = [{ route: expiryRoute, times: 1 }]
  value(await workspace.handlers()['keys.setExpiry']({ keyId: id, days: 90 }))
  expect(workspace.sent.filter(({ method }) => method === 'PUT')).toHaveLength(2)
})

test('if every response to a new expiry of a key is lost, the app reads from the key list whether the expiry has changed [KEY-08]', async () => {
  const { id } = await custom()
  workspace.faults.dropAnswer = [{ route: expiryRoute, times: 99 }]
  expect((await workspace.handlers()['keys.setExpiry']({ keyId: id, days: 90 })).ok).toBe(false)
  expect(operations()[0]).toMatchObject({ kind: 'expiry', state: 'UNKNOWN' })
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])
  await list()
  expect(operations()[0]).toMatchObject({ state: 'SETTLED', note: expect.stringMatching(/^listed_end 20/) })
})

test('the app cannot change a key’s expiry if the service refuses, or if the key is not in the connected wallet’s list [KEY-08]', async () => {
  const { id } = await custom()
  workspace.faults.answer = [{ route: expiryRoute, status: 409, code: 'KEY_NOT_ACTIVE', times: 1 }]
  expect(failure(await workspace.handlers()['keys.setExpiry']({ keyId: id, days: 90 }))).toMatchObject({ kind: 'refused', code: 'KEY_NOT_ACTIVE' })
  expect(operations()[0]).toMatchObject({ kind: 'expiry', state: 'FAILED' })
  expect(failure(await workspace.handlers()['keys.setExpiry']({ keyId: 'key_none', days: 90 }))).toEqual({ kind: 'not_found', what: 'key' })
})

test('the user’s note on a key stays on this computer, even after the key is revoked, until the user deletes the note’s text', async () => {
  const { id } = await custom()
  const note = { owner: 'Ada', environment: 'live', group: 'grid', text: 'On the box in Frankfurt.' }
  value(await workspace.handlers()['keys.annotate']({ keyId: id, note }))
  expect(await list()).toMatchObject([{ note }])
  value(await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: 'bot' }))
  await workspace.restart()
  await workspace.connect()
  expect(await list()).toMatchObject([{ status: 'revoked', note }])
  expect(workspace.sent.some(({ body }) => body?.includes('Frankfurt'))).toBe(false)
  value(await workspace.handlers()['keys.annotate']({ keyId: id, note: { owner: ' ', environment: '', group: '', text: '' } }))
  expect(await list()).toMatchObject([{ note: null }])
  expect(failure(await workspace.handlers()['keys.annotate']({ keyId: 'key_none', note }))).toEqual({ kind: 'not_found', what: 'key' })
})

test('if a key does not allow this IP address, the app shows the key’s allowlist and the IP address that the service saw [AUTH-05]', async () => {
  await custom(['203.0.113.0/28', '2001:db8::1'])
  workspace.faults.callerIp = '198.51.100.7'
  workspace.faults.ipInRefusal = true
  const source = async () => value(await workspace.handlers()['account.summary']({ watch: null })).source
  expect(await source()).toMatchObject({
    route: 'public',
    why: { kind: 'ip_not_allowed', keyLabel: 'bot', allowlist: ['203.0.113.0/28', '2001:db8::1'], seenAs: '198.51.100.7' },
  })
  workspace.faults.ipInRefusal = false
  expect(await source()).toMatchObject({ why: { kind: 'ip_not_allowed', seenAs: null } })
  await workspace.restart()
  await workspace.connect()
  expect(await source()).toMatchObject({ why: { allowlist: ['203.0.113.0/28', '2001:db8::1'] } })
})

test('the app learns this computer’s IP address only from audit entries of its own requests, not of other programs [KEY-03, AUTH-05]', async () => {
  const seen = async () => value(await workspace.handlers()['keys.seenAddress']({}))
  workspace.faults.callerIp = '203.0.113.9'
  await elsewhere(workspace).create()
  workspace.faults.callerIp = '198.51.100.7'
  await custom()
  expect(await seen()).toMatchObject({ address: '198.51.100.7', source: 'audit' })
  workspace.faults.callerIp = '203.0.113.9'
  await elsewhere(workspace).create()
  expect(await seen()).toMatchObject({ address: '198.51.100.7' })
})

test('if the audit log does not show this computer’s IP address, the app reads it from a refusal of the service, if that names it [AUTH-05]', async () => {
  const seen = async () => value(await workspace.handlers()['keys.seenAddress']({}))
  workspace.faults.audit = 'empty'
  expect(await seen()).toBeNull()
  await custom(['203.0.113.0/28'])
  workspace.faults.callerIp = '198.51.100.7'
  workspace.faults.ipInRefusal = true
  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(await seen()).toMatchObject({ address: '198.51.100.7', source: 'refusal' })
  value(await workspace.handlers()['session.end']({}))
  expect(await seen()).toMatchObject({ address: '198.51.100.7', source: 'refusal' })
})

test('if a key’s secret is on another computer, the user can rotate the key and store the new secret on this computer [KEY-07]', async () => {
  const other = elsewhere(workspace)
  const { keyId, secret } = await other.create({ label: 'theirs' })
  expect(await list()).toMatchObject([{ id: keyId, secret: 'elsewhere' }])
  expect(failure(await workspace.handlers()['keys.adopt']({ keyId, confirmLabel: 'thiers' }))).toMatchObject({ kind: 'bad_input', field: 'confirmLabel' })
  expect(await other.works(secret)).toBe(true)
  expect(value(await workspace.handlers()['keys.adopt']({ keyId, confirmLabel: 'theirs' }))).toMatchObject({ id: keyId, secret: 'keychain' })
  expect(await other.works(secret)).toBe(false)
  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(failure(await workspace.handlers()['keys.adopt']({ keyId, confirmLabel: 'theirs' }))).toEqual({
    kind: 'wrong_state',
    state: 'keychain',
    wanted: 'elsewhere',
  })
})
