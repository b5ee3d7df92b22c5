import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, failure, startDesk, value } from '../../../e2e/support/main/desk.ts'
import { signInQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import { hour, minute } from '../../../shared/time.ts'

let desk: Desk
beforeEach(async () => {
  desk = await startDesk()
  await desk.connect()
  await desk.signIn()
  value(await desk.handlers()['keys.list']({}))
  desk.events.splice(0)
})
afterEach(() => desk.stop())

const keysRoute = 'GET /api/dex/developer/keys'
const old = { type: 'invalidate', queries: signInQueries }
const ended = (refused: boolean) => ({ type: 'notice', severity: 'warn', notice: { code: 'sign_in_ended', refused }, to: '/sign-in' })
const state = async () => value(await desk.handlers()['session.status']({})).state
/** What was told of the sign-in; the clock's own events come with every answer. */
const told = () => desk.events.splice(0).filter((event) => event.type === 'notice' || (event.type === 'invalidate' && event.queries.includes('keys.list')))

test('the windows are told when the sign-in is about to end and the moment it has ended, once each, though nobody asks [AUTH-08]', async () => {
  desk.clock.advance(3.5 * hour - minute)
  await desk.tick()
  expect(told()).toEqual([])
  desk.clock.advance(minute)
  await desk.tick()
  expect(told()).toEqual([old])
  await desk.tick()
  expect(told()).toEqual([])
  desk.clock.advance(29 * minute)
  await desk.tick()
  expect(told()).toEqual([])
  desk.clock.advance(minute)
  await desk.tick()
  expect(told()).toEqual([old, ended(false)])
  await desk.tick()
  expect(told()).toEqual([])
})

test('an end that somebody’s question brings to light first is told all the same [AUTH-08]', async () => {
  desk.clock.advance(4 * hour)
  expect(await state()).toBe('ended')
  expect(told()).toEqual([old, ended(false)])
  await desk.tick()
  expect(told()).toEqual([])
})

test('a computer that slept over the end tells it as soon as it runs again [AUTH-08]', async () => {
  desk.clock.advance(20 * hour)
  await desk.tick()
  expect(told()).toEqual([old, ended(false)])
})

test('a sign-in that the service refuses has ended: told at once, its bearer erased and never sent again [AUTH-08]', async () => {
  desk.faults.answer = [{ route: keysRoute, status: 401, code: 'SESSION_UNKNOWN', times: 1 }]
  expect(failure(await desk.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(told()).toEqual([old, ended(true)])
  expect(await state()).toBe('ended')
  expect([...desk.vault.values()].some((kept) => kept.reveal().includes('svcds1.'))).toBe(false)
  const before = desk.sent.length
  expect(failure(await desk.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(desk.sent).toHaveLength(before)

  await desk.restart()
  await desk.connect()
  expect(await state()).toBe('ended')
  await desk.signIn()
  expect(await state()).toBe('active')
  expect(value(await desk.handlers()['keys.list']({})).keys).toEqual([])
})

test('a refusal that comes late, of a sign-in that a new one replaced, ends nothing', async () => {
  desk.faults.delay = [{ route: keysRoute, ms: null }]
  desk.faults.answer = [{ route: keysRoute, status: 401, code: 'SESSION_UNKNOWN', times: 1 }]
  const late = desk.handlers()['keys.list']({})
  await expect.poll(() => desk.faults.answer[0]?.times).toBe(0)
  await desk.signIn()
  desk.faults.delay = []
  expect(failure(await late)).toEqual({ kind: 'sign_in_required' })
  expect(await state()).toBe('active')
  expect(told()).toEqual([])
})

test('of a sign-in of another wallet than the connected one nothing is told [AUTH-03]', async () => {
  await desk.connect(privateKeyToAccount(generatePrivateKey()))
  desk.clock.advance(5 * hour)
  await desk.tick()
  expect(told()).toEqual([])
  await desk.connect()
  expect(await state()).toBe('ended')
})
