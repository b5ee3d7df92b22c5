import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { signInQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import { hour, minute } from '../../../shared/time.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  value(await workspace.handlers()['keys.list']({}))
  workspace.events.splice(0)
})
afterEach(() => workspace.stop())

const keysRoute = 'GET /api/dex/developer/keys'
const old = { type: 'invalidate', queries: signInQueries }
const ended = (refused: boolean) => ({ type: 'notice', severity: 'warn', notice: { code: 'sign_in_ended', refused }, to: '/sign-in' })
const state = async () => value(await workspace.handlers()['session.status']({})).state
const told = () => workspace.events.splice(0).filter((event) => event.type === 'notice' || (event.type === 'invalidate' && event.queries.includes('keys.list')))

test('the app notifies its windows once shortly before the sign-in ends and once when it ends, even if the windows send no query [AUTH-08]', async () => {
  workspace.clock.advance(3.5 * hour - minute)
  await workspace.tick()
  expect(told()).toEqual([])
  workspace.clock.advance(minute)
  await workspace.tick()
  expect(told()).toEqual([old])
  await workspace.tick()
  expect(told()).toEqual([])
  workspace.clock.advance(29 * minute)
  await workspace.tick()
  expect(told()).toEqual([])
  workspace.clock.advance(minute)
  await workspace.tick()
  expect(told()).toEqual([old, ended(false)])
  await workspace.tick()
  expect(told()).toEqual([])
})

test('the app notifies its windows of the end of the sign-in even if it first noticed the end while answering a query [AUTH-08]', async () => {
  workspace.clock.advance(4 * hour)
  expect(await state()).toBe('ended')
  expect(told()).toEqual([old, ended(false)])
  await workspace.tick()
  expect(told()).toEqual([])
})

test('the app notifies its windows that the sign-in ended as soon as the computer wakes from sleep [AUTH-08]', async () => {
  workspace.clock.advance(20 * hour)
  await workspace.tick()
  expect(told()).toEqual([old, ended(false)])
})

test('if the service refuses a sign-in, the app ends the sign-in, notifies its windows at once, and erases the bearer token for good [AUTH-08]', async () => {
  workspace.faults.answer = [{ route: keysRoute, status: 401, code: 'SESSION_UNKNOWN', times: 1 }]
  expect(failure(await workspace.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(told()).toEqual([old, ended(true)])
  expect(await state()).toBe('ended')
  expect([...workspace.vault.values()].some((kept) => kept.reveal().includes('svcds1.'))).toBe(false)
  const before = workspace.sent.length
  expect(failure(await workspace.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(workspace.sent).toHaveLength(before)

  await workspace.restart()
  await workspace.connect()
  expect(await state()).toBe('ended')
  await workspace.signIn()
  expect(await state()).toBe('active')
  expect(value(await workspace.handlers()['keys.list']({})).keys).toEqual([])
})

test('the app ignores a late refusal of an old sign-in if the user has signed in again since', async () => {
  workspace.faults.delay = [{ route: keysRoute, ms: null }]
  workspace.faults.answer = [{ route: keysRoute, status: 401, code: 'SESSION_UNKNOWN', times: 1 }]
  const late = workspace.handlers()['keys.list']({})
  await expect.poll(() => workspace.faults.answer[0]?.times).toBe(0)
  await workspace.signIn()
  workspace.faults.delay = []
  expect(failure(await late)).toEqual({ kind: 'sign_in_required' })
  expect(await state()).toBe('active')
  expect(told()).toEqual([])
})

test('the app sends its windows no notice about the sign-in of a wallet that is not connected [AUTH-03]', async () => {
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  workspace.clock.advance(5 * hour)
  await workspace.tick()
  expect(told()).toEqual([])
  await workspace.connect()
  expect(await state()).toBe('ended')
})
