import { expect, test } from 'vitest'
import { type AppEvent, contract } from '../../../shared/ipc/contract.ts'
import { askedWhileLocked } from '../../../shared/ipc/host/carried-over.ts'
import { ok } from '../../../shared/result.ts'
import { type AnyHandler, createAnswerCall, type HandlerTable } from '../ipc/answer-call.ts'
import { guardCalls, guardEvents } from './gate.ts'

const names = Object.keys(contract)

function setUp(handlerOf: (name: string) => AnyHandler) {
  let locked = true
  const handlers: HandlerTable = Object.fromEntries(names.map((name) => [name, handlerOf(name)]))
  const answerCall = createAnswerCall({ definitions: contract, handlers: () => handlers, log: { error: () => undefined } })
  const guarded = guardCalls(answerCall, contract, () => locked)
  return { ask: guarded, lock: (now: boolean) => (locked = now) }
}

test('while the app is locked, the main process refuses every call from every window, except the calls of the lock page', async () => {
  const reached: string[] = []
  const { ask } = setUp((name) => () => {
    reached.push(name)
    return ok({})
  })
  const free: string[] = []
  for (const name of names)
    for (const input of [{}, null, { keyId: 'k1' }, { passphrase: 'x', current: 'y' }]) {
      const { result, invalidates } = await ask(name, input)
      if (result.ok || result.failure.kind !== 'locked') free.push(name)
      else expect(invalidates, name).toEqual([])
    }
  expect([...new Set(free)].sort()).toEqual(['lock.leave', 'lock.now', 'lock.state', 'lock.unlock', 'lock.unlockWithTouchId'])
  expect(reached.filter((name) => !askedWhileLocked.has(name))).toEqual([])
  expect(names.length).toBeGreaterThan(80)
})

test.each(['toString', '__proto__', 'has', '', 7, null, undefined, ['lock.state'], { toString: () => 'lock.state' }])(
  'while the app is locked, the main process refuses the call %s as it refuses an unknown call',
  async (name) => {
    const { ask } = setUp(() => () => ok({}))
    expect(await ask(name, {})).toEqual({ result: { ok: false, failure: { kind: 'locked' } }, invalidates: [] })
  },
)

test('while the app is unlocked, the main process handles every call of a window as if there were no lock', async () => {
  const { ask, lock } = setUp(() => () => ok({}))
  lock(false)
  expect((await ask('app.acceptRebuiltJournal', {})).result).toEqual({ ok: true, value: {} })
  expect((await ask('toString', {})).result).toMatchObject({ failure: { kind: 'not_found' } })
})

test('the main process withholds the result of a read that finishes after the app locked, but reports the result of a change', async () => {
  const gate = Promise.withResolvers<void>()
  const { ask, lock } = setUp(() => async () => {
    await gate.promise
    return ok({ offsetMs: 5 })
  })
  lock(false)
  const read = ask('app.clock', {})
  const changed = ask('app.acceptRebuiltJournal', {})
  lock(true)
  gate.resolve()
  expect((await read).result).toEqual({ ok: false, failure: { kind: 'locked' } })
  expect((await changed).result).toEqual({ ok: true, value: {} })
})

const notice = (label: string): AppEvent => ({ type: 'notice', severity: 'ok', notice: { code: 'secret_not_stored', label }, to: null })

test('while the app is locked, the main process sends windows only events about the lock, and keeps notices until unlocking', () => {
  const heard: AppEvent[] = []
  let locked = true
  const events = guardEvents(
    (event) => heard.push(event),
    () => locked,
  )
  events.send({ type: 'invalidate', queries: ['intents.list', 'keys.list'] })
  events.send({ type: 'invalidate', queries: ['intents.list', 'lock.state'] })
  events.send(notice('Long 310.00 USDC'))
  events.send({ type: 'reload' })
  expect(heard).toEqual([{ type: 'invalidate', queries: ['lock.state'] }, { type: 'invalidate', queries: ['lock.state'] }, { type: 'reload' }])
  expect(events.waiting()).toBe(1)
  locked = false
  heard.length = 0
  events.release()
  expect(heard).toEqual([notice('Long 310.00 USDC')])
  expect(events.waiting()).toBe(0)
  events.send(notice('Short'))
  expect(heard.at(-1)).toEqual(notice('Short'))
})

test('while the app is locked, the main process keeps only the newest notices if too many arrive', () => {
  const events = guardEvents(
    () => undefined,
    () => true,
  )
  for (let number = 0; number < 100; number += 1) events.send(notice(String(number)))
  expect(events.waiting()).toBe(20)
})
