import { afterEach, beforeEach, expect, test } from 'vitest'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { second } from '../../../shared/time.ts'

const createRoute = 'POST /api/dex/developer/keys'
const auditRoute = 'GET /api/dex/developer/audit'
const rotateRoute = 'POST /api/dex/developer/keys/{key_id}/rotate'
const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const unmatched = async () => value(await workspace.handlers()['keys.unmatched']({}))
const settle = (operationId: string, keyId: string | null, action: 'rotate' | 'revoke' | 'dismiss') =>
  workspace.handlers()['keys.resolveUnmatched']({ operationId, keyId, action })
const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const states = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)

async function lostCreation(label = 'lost'): Promise<string> {
  const before = workspace.exchange.effects().keys.length
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  await expect(workspace.createKey(label)).rejects.toThrow('outcome_unknown')
  const made = workspace.exchange.effects().keys.at(before)
  return String(made?.key_id)
}

async function elsewhere(label: string): Promise<void> {
  const bearer = workspace.sent.findLast(({ headers }) => headers.authorization !== undefined)?.headers.authorization ?? ''
  workspace.clock.advance(second)
  const answer = await fetch(`${workspace.hostUrl}/api/dex/developer/keys`, {
    method: 'POST',
    headers: { authorization: bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ label }),
  })
  expect(answer.status).toBe(201)
}

test('if the response to a key creation was lost, the app finds the key by comparing the key lists, and the user can rotate it [KEY-16]', async () => {
  await workspace.createKey('first')
  const id = await lostCreation()
  const [lost, ...more] = await unmatched()
  expect(more).toEqual([])
  expect(lost).toMatchObject({
    kind: 'create',
    label: 'lost',
    candidates: [{ id, label: 'lost', secret: 'elsewhere' }],
    ambiguous: false,
    evidence: 'id_difference',
  })
  value(await settle(lost?.operationId ?? '', id, 'rotate'))
  expect(await unmatched()).toEqual([])
  expect((await list()).find((key) => key.id === id)).toMatchObject({ secret: 'keychain' })
  expect(states()).toContain('create SETTLED')
  expect(states()).toContain('rotate VERIFIED')
  expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
})

test('the user can revoke an unmatched key instead of rotating it [KEY-16]', async () => {
  const id = await lostCreation()
  const [lost] = await unmatched()
  value(await settle(lost?.operationId ?? '', id, 'revoke'))
  expect(await unmatched()).toEqual([])
  expect((await list()).find((key) => key.id === id)?.status).toBe('revoked')
})

test('the app finds an unmatched key among several new keys by the unique suffix that it added to the key’s label [KEY-16]', async () => {
  const id = await lostCreation()
  await elsewhere('of another tool')
  expect(await unmatched()).toMatchObject([{ candidates: [{ id }], ambiguous: false, evidence: 'label_marker' }])
})

test('if the only new key has another label than the key whose creation was lost, the app lists it as an uncertain candidate [KEY-16]', async () => {
  const draft = value(await workspace.handlers()['keys.prepare']({ label: 'mine', expiresInDays: 30, ipAllowlist: [] }))
  const signature = await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })))
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  expect(failure(await workspace.handlers()['keys.create']({ draftId: draft.id, signature })).kind).toBe('outcome_unknown')
  await elsewhere('of another tool')
  const [lost] = await unmatched()
  expect(lost).toMatchObject({ ambiguous: true, evidence: 'none', candidates: [{ label: 'of another tool' }] })
})

test('the app finds an unmatched key among several new keys without labels by the service’s audit log [KEY-16]', async () => {
  const id = await lostCreation()
  await elsewhere('of another tool')
  workspace.faults.keyRecord = 'bare'
  const [lost, ...more] = await unmatched()
  expect(more).toEqual([])
  expect(lost).toMatchObject({ candidates: [{ id }], ambiguous: false, evidence: 'audit' })
  value(await settle(lost?.operationId ?? '', id, 'revoke'))
  workspace.faults.keyRecord = null
  expect(workspace.exchange.effects().keys.filter(({ status }) => status === 'revoked')).toEqual([expect.objectContaining({ key_id: id })])
})

test('if labels and audit log do not show which of several new keys is the unmatched one, the app lists them all and selects none [KEY-16]', async () => {
  const id = await lostCreation()
  await elsewhere('of another tool')
  workspace.faults.keyRecord = 'bare'
  workspace.faults.answer = [{ route: auditRoute, status: 403, code: 'NOT_NOW', times: 99 }]
  const [lost] = await unmatched()
  expect(lost).toMatchObject({ ambiguous: true, evidence: 'none' })
  const made = workspace.exchange.effects().keys.map(({ key_id }) => key_id)
  expect(lost?.candidates.map((key) => key.id).sort()).toEqual(made.sort())
  expect(failure(await settle(lost?.operationId ?? '', null, 'rotate'))).toMatchObject({ kind: 'bad_input', field: 'keyId' })
  workspace.faults.answer = []
  expect(await unmatched()).toMatchObject([{ candidates: [{ id }], ambiguous: false, evidence: 'audit' }])
})

test('the app matches a creation without an answer to the only new key without a label, unless the audit log names another label for it [KEY-16]', async () => {
  const id = await lostCreation()
  workspace.faults.keyRecord = 'bare'
  workspace.faults.answer = [{ route: auditRoute, status: 403, code: 'NOT_NOW', times: 1 }]
  expect(await unmatched()).toMatchObject([{ candidates: [{ id }], ambiguous: false, evidence: 'id_difference' }])
  value(await settle((await unmatched())[0]?.operationId ?? '', id, 'revoke'))

  workspace.faults.keyRecord = null
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  await expect(workspace.createKey('nothing')).rejects.toThrow('outcome_unknown')
  await elsewhere('of another tool')
  workspace.faults.keyRecord = 'bare'
  expect(await unmatched()).toMatchObject([{ candidates: [expect.anything()], ambiguous: true, evidence: 'none' }])
})

test('once a lost request to create a key can no longer reach the service, the app closes it and lists no unmatched key [KEY-16]', async () => {
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  await expect(workspace.createKey('nothing')).rejects.toThrow('outcome_unknown')
  expect(await unmatched()).toMatchObject([{ candidates: [], evidence: 'none' }])
  workspace.clock.advance(16 * second)
  expect(await unmatched()).toEqual([])
  expect(states()).toEqual(['create SETTLED'])
})

test('if the app crashes after the service created a key but before the keychain stored its secret, it lists the key as unmatched [KEY-16]', async () => {
  const draft = value(await workspace.handlers()['keys.prepare']({ label: 'killed', expiresInDays: 30, ipAllowlist: [] }))
  const signature = await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })))
  workspace.faults.delay = [{ route: createRoute, ms: null }]
  const dying = Promise.resolve(workspace.handlers()['keys.create']({ draftId: draft.id, signature })).catch(() => 'killed')
  await expect.poll(() => workspace.exchange.effects().keys).toHaveLength(1)
  await workspace.restart()
  await dying
  await workspace.connect()
  workspace.faults.delay = []
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('orphan_key')
  expect(await unmatched()).toMatchObject([{ kind: 'create', label: 'killed', evidence: 'id_difference' }])
  expect(workspace.exchange.effects().keys).toHaveLength(1)
  expect(workspace.secrets.entries.size).toBe(0)
})

function dieBefore(stops: 'STORED' | 'promotion'): void {
  const { secretOperations, secretIndex } = workspace.journal()
  const die = () => {
    throw new Error('killed')
  }
  if (stops === 'promotion') Object.assign(secretIndex, { remember: die })
  else {
    const { move } = secretOperations
    Object.assign(secretOperations, { move: (...[id, to, change]: Parameters<typeof move>) => (to === 'STORED' ? die() : move(id, to, change)) })
  }
}

test.each(['STORED', 'promotion'] as const)(
  'the app finds and uses a stored secret if it crashed before recording the secret in the journal (%s) [KEY-05]',
  async (stops) => {
    dieBefore(stops)
    await expect(workspace.createKey('kept')).rejects.toThrow('killed')
    expect(workspace.secrets.entries.size).toBe(1)
    await workspace.restart()
    await workspace.connect()
    expect(await unmatched()).toEqual([])
    expect(await list()).toMatchObject([{ label: 'kept', secret: 'keychain', inUse: true }])
    expect(states()).toEqual(['create VERIFIED'])
    expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
    value(await workspace.handlers()['account.summary']({ watch: null }))
    expect(workspace.exchange.effects().keys).toHaveLength(1)
  },
)

test.each(['STORED', 'promotion'] as const)(
  'the app finds a rotation’s new secret beside the old one if it crashed before recording the new one in the journal (%s) [KEY-07]',
  async (stops) => {
    const id = await workspace.createKey('turning')
    dieBefore(stops)
    await expect((async () => workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'turning' }))()).rejects.toThrow('killed')
    expect(workspace.secrets.entries.size).toBe(2)
    await workspace.restart()
    await workspace.connect()
    expect(await unmatched()).toEqual([])
    expect(states()).toEqual(['rotate VERIFIED', 'create VERIFIED'])
    expect(workspace.secrets.entries.size).toBe(1)
    value(await workspace.handlers()['account.summary']({ watch: null }))
  },
)

test('to rotate a key, the user types its label, and the app stores and tests the new secret before it deletes the old one', async () => {
  const id = await workspace.createKey('bot')
  const [old] = [...workspace.secrets.entries.values()]
  expect(failure(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'Bot' }))).toMatchObject({ kind: 'bad_input', field: 'confirmLabel' })
  expect(value(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'bot' })).secret).toBe('keychain')
  const now = [...workspace.secrets.entries.values()]
  expect(now).toHaveLength(1)
  expect(now[0]?.equals(old ?? expect.fail('no secret'))).toBe(false)
  expect(states()).toContain('rotate VERIFIED')
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('after a key rotation, the app keeps the old secret in the keychain until a call with the new secret succeeds', async () => {
  const id = await workspace.createKey('bot')
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/status', status: 403, code: 'IP_NOT_ALLOWED', times: 9 }]
  value(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'bot' }))
  expect(workspace.secrets.entries.size).toBe(2)
  expect(states()).toContain('rotate STORED')
  workspace.faults.answer = []
  await workspace.restart()
  expect(workspace.secrets.entries.size).toBe(1)
  expect(states()).toContain('rotate VERIFIED')
})

test.each([
  ['dropAnswer', 'dead'],
  ['dropRequest', 'works'],
] as const)('after a rotation without a response (%s), the app finds out by test calls whether the old secret works: %s', async (fault, oldSecret) => {
  const id = await workspace.createKey('bot')
  workspace.faults[fault] = [{ route: rotateRoute, times: 1 }]
  expect(failure(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'bot' })).kind).toBe('outcome_unknown')
  expect(await unmatched()).toMatchObject([{ kind: 'rotate', oldSecret: 'cannot_tell', candidates: [{ id }] }])
  workspace.clock.advance(16 * second)
  const [lost] = await unmatched()
  expect(lost).toMatchObject({ kind: 'rotate', oldSecret })
  expect(workspace.secrets.entries.size).toBe(1)
  value(await settle(lost?.operationId ?? '', null, 'rotate'))
  expect(await unmatched()).toEqual([])
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('if a key rotation got no answer, a 403 for the old secret proves nothing, because the service may have refused the IP address', async () => {
  const id = await workspace.createKey('bot')
  workspace.faults.dropAnswer = [{ route: rotateRoute, times: 1 }]
  failure(await workspace.handlers()['keys.rotate']({ keyId: id, confirmLabel: 'bot' }))
  workspace.clock.advance(16 * second)
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/status', status: 403, code: 'IP_NOT_ALLOWED', times: 9 }]
  expect(await unmatched()).toMatchObject([{ oldSecret: 'cannot_tell' }])
})

test('the app deletes a revoked key’s secret only after the service confirmed the revocation, and the user can repeat a failed one', async () => {
  const id = await workspace.createKey('bot')
  workspace.faults.answer = [{ route: revokeRoute, status: 500, code: 'INTERNAL', times: 99 }]
  expect((await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: 'bot' })).ok).toBe(false)
  expect(workspace.secrets.entries.size).toBe(1)
  workspace.faults.answer = []
  expect(failure(await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: 'other' })).kind).toBe('bad_input')
  value(await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: 'bot' }))
  expect(workspace.secrets.entries.size).toBe(0)
  expect(await list()).toMatchObject([{ id, status: 'revoked', secret: 'removed', inUse: false }])
  value(await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: 'bot' }))
})
