import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { second } from '../../../shared/time.ts'

const createRoute = 'POST /api/dex/developer/keys'
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
const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const states = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)

async function lost(label: string): Promise<string> {
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  await expect(workspace.createKey(label)).rejects.toThrow('outcome_unknown')
  return String(workspace.exchange.effects().keys.at(-1)?.key_id)
}

test.each(['revoke', 'adopt'] as const)(
  'the app resolves a key creation without an answer once the user acts on the key that it created (%s) [KEY-16]',
  async (how) => {
    const keyId = await lost('lost')
    workspace.faults.audit = 'empty'
    expect(await unmatched()).toMatchObject([{ candidates: [{ id: keyId }] }])
    expect((await workspace.handlers()[`keys.${how}`]({ keyId, confirmLabel: 'lost' })).ok).toBe(true)
    expect(await unmatched()).toEqual([])
    expect(states()).toContain('create SETTLED')
    expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
  },
)

test('if the responses to two key creations were lost, the app finds the right key for each of them [KEY-16]', async () => {
  const first = await lost('first')
  const second = await lost('second')
  const named = (await unmatched()).map(({ label, candidates, ambiguous }) => [label, candidates.map(({ id }) => id), ambiguous])
  expect(named).toEqual([
    ['first', [first], false],
    ['second', [second], false],
  ])
})

test('if one request to create a key was lost, the app does not list the key of another creation, whose response was lost, as its candidate [KEY-16]', async () => {
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  await expect(workspace.createKey('nothing')).rejects.toThrow('outcome_unknown')
  workspace.faults.dropRequest = []
  const made = await lost('made')
  expect((await unmatched()).map(({ label, candidates }) => [label, candidates.map(({ id }) => id)])).toEqual([
    ['nothing', []],
    ['made', [made]],
  ])
})

test('a rotation whose response was lost counts as resolved once its key was revoked or rotated again [KEY-07, KEY-09]', async () => {
  const lose = async (label: string) => {
    const keyId = await workspace.createKey(label)
    workspace.faults.dropAnswer = [{ route: rotateRoute, times: 1 }]
    expect((await workspace.handlers()['keys.rotate']({ keyId, confirmLabel: label })).ok).toBe(false)
    return keyId
  }
  const revoked = await lose('revoked')
  const rotated = await lose('rotated')
  expect(await unmatched()).toHaveLength(2)
  await elsewhere(workspace).revoke(revoked)
  value(await workspace.handlers()['keys.rotate']({ keyId: rotated, confirmLabel: 'rotated' }))
  expect(await unmatched()).toEqual([])
})

test('once a lost request to revoke a key can no longer arrive, the app marks the revocation as failed and the key as active [KEY-09]', async () => {
  const keyId = await workspace.createKey('bot')
  workspace.faults.dropRequest = [{ route: revokeRoute, times: 99 }]
  expect((await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'bot' })).ok).toBe(false)
  workspace.faults.dropRequest = []
  await list()
  expect(states()[0]).toBe('revoke UNKNOWN')
  workspace.clock.advance(16 * second)
  expect(await list()).toMatchObject([{ id: keyId, status: 'active', secret: 'keychain' }])
  expect(states()[0]).toBe('revoke FAILED')
})
