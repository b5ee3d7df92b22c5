import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createGestures, guardGestures } from './page-gates.ts'

function setUp() {
  const time = { ms: 1_000 }
  const gestures = createGestures({ monotonic: () => time.ms })
  const contents = new EventEmitter()
  gestures.follow(contents as never)
  const answered: unknown[] = []
  const call = guardGestures(async (name) => {
    answered.push(name)
    return { result: { ok: true, value: {} }, invalidates: [] }
  }, gestures.take)
  const input = (type: string, modifiers: string[] = []) => contents.emit('input-event', {}, { type, modifiers })
  return { time, input, answered, ask: async (name: string) => (await call(name, {})).result }
}

const refused = { ok: false, failure: { kind: 'gesture_required' } }

test.each(['mouseUp', 'gestureTap', 'rawKeyDown'])('a page of the app can copy a secret only once after each %s by the user [V10]', async (type) => {
  const { input, ask, answered } = setUp()
  expect(await ask('keys.copySecret')).toEqual(refused)
  input(type)
  expect(await ask('keys.copySecret')).toMatchObject({ ok: true })
  expect(await ask('keys.copySecret')).toEqual(refused)
  input(type)
  expect(await ask('webhooks.copySecret')).toMatchObject({ ok: true })
  expect(answered).toEqual(['keys.copySecret', 'webhooks.copySecret'])
})

test('a page of the app can copy a secret only within two seconds after the user clicked or pressed a key [V10]', async () => {
  const { time, input, ask } = setUp()
  input('mouseUp')
  time.ms += 2_001
  expect(await ask('keys.copySecret')).toEqual(refused)
  for (const type of ['mouseMove', 'mouseEnter', 'mouseWheel', 'pointerRawUpdate', 'keyUp']) input(type)
  input('rawKeyDown', ['isautorepeat'])
  expect(await ask('keys.copySecret')).toEqual(refused)
  expect(await ask('keys.list')).toMatchObject({ ok: true })
})

test('a page of the app can show the system’s Touch ID prompt only after the user clicked or pressed a key', async () => {
  const { input, ask } = setUp()
  expect(await ask('lock.unlockWithTouchId')).toEqual(refused)
  input('mouseUp')
  expect(await ask('lock.unlockWithTouchId')).toMatchObject({ ok: true })
  expect(await ask('lock.unlockWithTouchId')).toEqual(refused)
})
