import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLockClock, type LockClock } from '../../../e2e/support/lock/lock-clock.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { minute, second } from '../../../shared/time.ts'
import { createLock, createTouchId } from './app-lock.ts'
import { createLockFile } from './lock-file.ts'

const right = 'correct horse battery'
let folder: string
let clock: LockClock
/** The Mac of a test. `prompt`: the system’s Touch ID prompt. */
let mac: { isReady: boolean; prompt: () => Promise<void> }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-lock-'))
  clock = createLockClock()
  mac = { isReady: false, prompt: () => Promise.reject(new Error('no Touch ID')) }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = () => join(folder, 'lock.json')

function start() {
  const happened: string[] = []
  let look: (() => void) | null = null
  const lock = createLock({
    file: createLockFile(path()),
    cost: { n: 2, r: 1, p: 1 },
    clock,
    every: (_, work) => {
      look = work
      return () => {
        look = null
      }
    },
    touchId: { isReady: () => mac.isReady, prompt: () => mac.prompt() },
    page: () => ({ theme: 'system', practice: true, waiting: 2 }),
    onLock: () => happened.push('locked'),
    onUnlock: (wrong) => happened.push(`unlocked after ${wrong}`),
    changed: () => happened.push('changed'),
  })
  const { handlers } = lock
  return {
    lock,
    happened,
    /** Advances the time in steps of one second, the interval of the inactivity check. */
    pass(ms: number) {
      clock.pass(ms)
      look?.()
    },
    state: async () => value(await handlers['lock.state']({})).state,
    unlock: async (passphrase: string) => value(await handlers['lock.unlock']({ passphrase })),
    set: async (passphrase: string, current: string | null = null) => value(await handlers['lock.set']({ passphrase, current })),
    remove: async (current: string) => value(await handlers['lock.remove']({ current })),
    touchId: async (on: boolean) => handlers['lock.choose']({ afterMinutes: 15, withScreen: true, touchId: on }),
    finger: async () => handlers['lock.unlockWithTouchId']({}),
    offersTouchId: async () => value(await handlers['lock.state']({})).touchId,
    choose: async (afterMinutes: 1 | 5 | 15 | 60 | null, withScreen: boolean) =>
      value(await handlers['lock.choose']({ afterMinutes, withScreen, touchId: false })),
    touch: async () => value(await handlers['lock.touch']({})),
    choice: async () => value(await handlers['lock.choice']({})),
  }
}

test('the app has no lock until the user sets a passphrase; afterwards the app starts locked', async () => {
  const first = start()
  first.lock.now()
  first.lock.screenGone()
  first.pass(24 * 60 * minute)
  expect([await first.state(), first.lock.isSet(), await first.choice()]).toEqual(['off', false, null])
  expect(await first.set(right)).toEqual({ outcome: 'done' })
  expect([await first.state(), first.lock.isSet(), await first.choice()]).toEqual(['open', true, { afterMinutes: 15, withScreen: true, touchId: false }])

  const second = start()
  expect(second.lock.locked()).toBe(true)
  expect(value(await second.lock.handlers['lock.state']({}))).toEqual({
    state: 'locked',
    waitMs: 0,
    damaged: false,
    theme: 'system',
    practice: true,
    waiting: 2,
    touchId: false,
  })
  expect(await second.unlock('correct horse batter')).toEqual({ outcome: 'wrong', waitMs: 0 })
  expect(second.lock.locked()).toBe(true)
  expect(await second.unlock(right)).toEqual({ outcome: 'done' })
  expect([second.lock.locked(), second.happened]).toEqual([false, ['changed', 'unlocked after 1']])
})

test('the app locks when the user asks, and refuses calls from its windows even before it tells them about the lock', async () => {
  const { lock, set, happened, state } = start()
  await set(right)
  happened.length = 0
  lock.now()
  lock.now()
  expect([await state(), happened]).toEqual(['locked', ['locked', 'changed']])
})

test('the app locks automatically after the chosen time without user input, and not while the user is active', async () => {
  const workspace = start()
  await workspace.set(right)
  await workspace.choose(1, false)
  workspace.pass(minute - second)
  expect(workspace.lock.locked()).toBe(false)
  await workspace.touch()
  workspace.pass(minute - second)
  expect(workspace.lock.locked()).toBe(false)
  workspace.pass(second)
  expect(workspace.lock.locked()).toBe(true)
  await workspace.unlock(right)
  workspace.pass(minute - second)
  expect(workspace.lock.locked()).toBe(false)
})

test('the app counts sleep as inactivity even if a clock stops, and locks on time even if the computer’s clock is set back', async () => {
  const asleep = start()
  await asleep.set(right)
  await asleep.choose(5, false)
  clock.set(clock.now() + 5 * minute)
  asleep.pass(0)
  expect(asleep.lock.locked()).toBe(true)
  await asleep.unlock(right)
  clock.set(clock.now() - 60 * minute)
  asleep.pass(5 * minute)
  expect(asleep.lock.locked()).toBe(true)
})

test('without an idle time, the app locks automatically only when the computer’s screen locks, and only if the user chose that', async () => {
  const { lock, set, choose, unlock, pass } = start()
  await set(right)
  await choose(null, false)
  lock.screenGone()
  pass(24 * 60 * minute)
  expect(lock.locked()).toBe(false)
  await choose(null, true)
  lock.screenGone()
  expect(lock.locked()).toBe(true)
  await unlock(right)
  expect(start().lock.locked()).toBe(true)
})

test('to change or remove the lock’s passphrase, the user needs the current one, and wrong ones count as failed attempts', async () => {
  const { set, remove, state, lock } = start()
  await set(right)
  expect(await lock.handlers['lock.set']({ passphrase: 'another long one', current: null })).toMatchObject({ ok: false, failure: { kind: 'bad_input' } })
  for (const attempt of [await set('another long one', 'wrong one'), await remove('wrong one'), await remove('wrong one')])
    expect(attempt).toEqual({ outcome: 'wrong', waitMs: 0 })
  expect(await remove('wrong one')).toEqual({ outcome: 'wrong', waitMs: 5 * second })
  expect(await remove(right)).toMatchObject({ outcome: 'too_soon' })
  clock.pass(5 * second)
  expect(await set('another long one', right)).toEqual({ outcome: 'done' })
  const next = start()
  expect(await next.unlock(right)).toMatchObject({ outcome: 'wrong' })
  expect(await next.unlock('another long one')).toEqual({ outcome: 'done' })
  expect(await next.remove('another long one')).toEqual({ outcome: 'done' })
  expect([await next.state(), next.lock.isSet(), start().lock.locked()]).toEqual(['off', false, false])
  expect(await state()).toBe('open')
})

test('the app saves the settings for automatic locking, and keeps them when the user changes the passphrase', async () => {
  const { set, choose } = start()
  await set(right)
  await choose(60, false)
  await set('another long one', right)
  expect(await start().choice()).toEqual({ afterMinutes: 60, withScreen: false, touchId: false })
})

const off = { ok: false, failure: { kind: 'wrong_state', state: 'off', wanted: 'on' } }

test('Touch ID unlocks the app only if the user turned it on, and only for the lock whose prompt the user answered', async () => {
  const prompts: PromiseWithResolvers<void>[] = []
  mac = {
    isReady: true,
    prompt: () => {
      const prompt = Promise.withResolvers<void>()
      prompts.push(prompt)
      return prompt.promise
    },
  }
  const { set, unlock, touchId, finger, offersTouchId, happened, lock } = start()
  await set(right)
  lock.now()
  expect([await offersTouchId(), await finger(), prompts.length]).toEqual([false, off, 0])
  await unlock(right)
  expect(await touchId(true)).toMatchObject({ ok: true })
  expect(await offersTouchId()).toBe(false)

  lock.now()
  expect(await offersTouchId()).toBe(true)
  const [refused, also] = [finger(), finger()]
  expect(prompts).toHaveLength(1)
  prompts[0]?.reject(new Error('cancelled'))
  expect(await Promise.all([refused, also])).toEqual([1, 2].map(() => ({ ok: true, value: { outcome: 'refused' } })))
  expect(lock.locked()).toBe(true)

  const late = finger()
  await unlock(right)
  lock.now()
  prompts[1]?.resolve()
  expect([await late, lock.locked()]).toEqual([{ ok: true, value: { outcome: 'refused' } }, true])

  for (let time = 0; time < 3; time += 1) await unlock('wrong')
  happened.length = 0
  const asked = finger()
  prompts[2]?.resolve()
  expect([await asked, lock.locked(), happened]).toEqual([{ ok: true, value: { outcome: 'done' } }, false, ['changed', 'unlocked after 3']])
  lock.now()
  await unlock(right)
  expect(happened.at(-1)).toBe('unlocked after 0')
})

test('without Touch ID at hand, the app neither turns it on nor offers it, and the passphrase unlocks', async () => {
  const { set, unlock, touchId, finger, offersTouchId, lock } = start()
  await set(right)
  expect(await touchId(true)).toEqual(off)
  mac.isReady = true
  expect(await touchId(true)).toMatchObject({ ok: true })
  mac.isReady = false
  lock.now()
  expect([await offersTouchId(), await finger(), lock.locked()]).toEqual([false, off, true])
  expect(await unlock(right)).toEqual({ outcome: 'done' })
  expect(await touchId(true)).toMatchObject({ ok: true })
})

test('on a system where Electron has no Touch ID, a prompt fails and never counts as recognised', async () => {
  const touchId = createTouchId({}, () => 'unlock')
  expect(touchId.isReady()).toBe(false)
  await expect(touchId.prompt()).rejects.toThrow('no Touch ID')
})

test('the app stays locked if the lock file is damaged, until the user deletes the file and restarts the app', async () => {
  writeFileSync(path(), '{')
  const { lock, unlock } = start()
  expect(value(await lock.handlers['lock.state']({}))).toMatchObject({ state: 'locked', damaged: true })
  expect(await unlock(right)).toMatchObject({ outcome: 'wrong' })
  expect(lock.locked()).toBe(true)
  rmSync(path())
  expect(lock.locked()).toBe(true)
  expect(start().lock.locked()).toBe(false)
})

test('if the app cannot save the first passphrase, it stays unlocked and has no lock', async () => {
  const { lock, state } = start()
  rmSync(folder, { recursive: true })
  expect(await lock.handlers['lock.set']({ passphrase: right, current: null })).toMatchObject({ ok: false, failure: { kind: 'file' } })
  expect(await state()).toBe('off')
})
