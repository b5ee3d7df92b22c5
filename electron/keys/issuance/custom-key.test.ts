import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { CustomKeyRequest } from '../../../shared/ipc/keys/keys.ts'

const createPath = '/api/dex/developer/keys'
const createRoute = `POST ${createPath}`
const request: CustomKeyRequest = {
  label: 'reader',
  scopes: ['market:read', 'account:read'],
  expiresInDays: 30,
  ipAllowlist: ['127.0.0.1', '2001:db8::/32'],
  quotas: [{ name: 'requests_per_second', value: '20' }],
}

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const create = (change: Partial<CustomKeyRequest> = {}) => workspace.handlers()['keys.createCustom']({ ...request, ...change })
const list = async () => value(await workspace.handlers()['keys.list']({}))
const unmatched = async () => value(await workspace.handlers()['keys.unmatched']({}))
const operations = () => workspace.journal().secretOperations.list('practice', 10)
const sentToCreate = () => workspace.sent.filter(({ method, path }) => method === 'POST' && path === createPath)

test('the app creates a key with exactly the scopes, days, addresses and limits that the user chose, and stores its secret before reporting success [KEY-01, KEY-02, KEY-03]', async () => {
  const key = value(await create())
  expect(JSON.parse(sentToCreate()[0]?.body ?? '')).toEqual({
    label: `reader #${operations()[0]?.marker}`,
    scopes: ['market:read', 'account:read'],
    expires_in_days: 30,
    ip_allowlist: ['127.0.0.1', '2001:db8::/32'],
    quotas: { requests_per_second: 20 },
  })
  expect(key).toMatchObject({
    label: 'reader',
    markedLabel: `reader #${operations()[0]?.marker}`,
    status: 'active',
    secret: 'keychain',
    scopes: ['market:read', 'account:read'],
    allowlist: ['127.0.0.1', '2001:db8::/32'],
    quotas: [{ name: 'requests_per_second', value: '20' }],
    agent: null,
  })
  expect([...workspace.secrets.entries.values()].map((secret) => secret.reveal())).toEqual([expect.stringMatching(/^SVC/)])
  expect(operations()).toMatchObject([{ kind: 'create', state: 'VERIFIED', keyId: key.id, draft: null }])
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('when the app creates a key, it sends no IP allowlist and no limits to the service unless the user set them [KEY-03, KEY-04]', async () => {
  value(await create({ ipAllowlist: [], quotas: [] }))
  expect(Object.keys(JSON.parse(sentToCreate()[0]?.body ?? '')).sort()).toEqual(['expires_in_days', 'label', 'scopes'])
})

test('the app sends no key limit that is not a number, and shows the service’s refusal of a limit that is too high [KEY-04]', async () => {
  expect(failure(await create({ quotas: [{ name: 'requests_per_second', value: 'many' }] }))).toEqual({
    kind: 'bad_input',
    field: 'quotas.0.value',
    issue: 'not_a_number',
  })
  const twice = [
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ]
  expect(failure(await create({ quotas: twice }))).toMatchObject({ kind: 'bad_input', field: 'quotas.1.name' })
  expect(sentToCreate()).toEqual([])
  expect(failure(await create({ quotas: [{ name: 'requests_per_second', value: '100000' }] }))).toMatchObject({
    kind: 'refused',
    status: 400,
    message: expect.stringContaining('cap'),
  })
  expect(operations()).toMatchObject([{ state: 'FAILED' }])
})

test('the app shows the service’s refusal of an eleventh active key, and changes nothing [KEY-06]', async () => {
  for (let count = 0; count < 10; count += 1) value(await create({ label: `key ${count}` }))
  expect(await list()).toMatchObject({ active: 10, limit: 10 })
  expect(failure(await create())).toMatchObject({ kind: 'refused', code: 'KEY_LIMIT_REACHED' })
  expect(sentToCreate()).toHaveLength(11)
  expect(workspace.exchange.effects().keys).toHaveLength(10)
  expect(await unmatched()).toEqual([])
})

test('while the keychain cannot store secrets, the app does not ask the service to create a key with chosen scopes [KEY-05]', async () => {
  workspace.secrets.failWrites('locked')
  expect(failure(await create())).toMatchObject({ kind: 'keychain', code: 'locked' })
  expect(sentToCreate()).toEqual([])
  expect(operations()).toEqual([])
})

test('if the keychain fails after a key was created, the app keeps the key’s secret in memory until the keychain can store it [KEY-05]', async () => {
  workspace.secrets.failWritesAfterProbe('failed')
  const key = value(await create())
  expect(key.secret).toBe('memory')
  expect(await unmatched()).toEqual([])
  value(await workspace.handlers()['account.summary']({ watch: null }))
  workspace.secrets.failWrites(null)
  expect(value(await workspace.handlers()['keys.retryStore']({ keyId: key.id })).secret).toBe('keychain')
  expect(operations()).toMatchObject([{ state: 'VERIFIED', keyId: key.id }])
})

test('if the response to a key creation was lost, the app finds the key among other new keys by the unique suffix of its label [KEY-16]', async () => {
  const first = value(await create({ label: 'first' }))
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  expect(failure(await create({ label: 'lost' })).kind).toBe('outcome_unknown')
  expect(operations()[0]).toMatchObject({ state: 'UNKNOWN', keyIdsBefore: [first.id], label: 'lost' })
  await elsewhere(workspace).create()
  await workspace.restart()
  await workspace.connect()
  const [lost, ...more] = await unmatched()
  expect(more).toEqual([])
  expect(lost).toMatchObject({ label: 'lost', ambiguous: false, evidence: 'label_marker', candidates: [{ label: 'lost', secret: 'elsewhere' }] })
  expect(sentToCreate()).toHaveLength(2)
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId: lost?.candidates[0]?.id ?? '', action: 'rotate' }))
  expect((await list()).keys.find(({ label }) => label === 'lost')).toMatchObject({ secret: 'keychain' })
})

test('the app stores a new key’s secret even if the service’s response contains only the secret and the key’s id [KEY-05]', async () => {
  await elsewhere(workspace).create()
  workspace.faults.keyRecord = 'bare'
  const bare = value(await create())
  workspace.faults.keyRecord = null
  expect((await list()).keys.find(({ id }) => id === bare.id)).toMatchObject({ label: 'reader', secret: 'keychain' })
})

test('if the response to a key creation contains no secret, the app treats the response as lost and lists the key as unmatched [KEY-05, KEY-16]', async () => {
  workspace.faults.keySecret = 'missing'
  expect(failure(await create()).kind).toBe('unreadable')
  expect(await unmatched()).toMatchObject([{ candidates: [{ label: 'reader' }], ambiguous: false }])
})

test('if the user creates two keys at the same time, the app creates them one after the other and never confuses them [KEY-16]', async () => {
  const [a, b] = await Promise.all([create({ label: 'a' }), create({ label: 'b' })])
  const ids = [value(a).id, value(b).id]
  expect(new Set(ids).size).toBe(2)
  const [second, first] = operations()
  expect(first).toMatchObject({ keyId: ids[0], keyIdsBefore: [] })
  expect(second).toMatchObject({ keyId: ids[1], keyIdsBefore: [ids[0]] })
})

test('after the journal was rebuilt, the app creates no key until the user agrees', async () => {
  await workspace.restart((file) => writeFileSync(file, Buffer.alloc(8_192, 'not a database ')))
  await workspace.connect()
  expect(failure(await create())).toEqual({ kind: 'held_back', why: 'journal_rebuilt', intentRef: null })
  expect(sentToCreate()).toEqual([])
  value(await workspace.handlers()['app.acceptRebuiltJournal']({}))
  value(await create())
})
