import { fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startKeyring, type TestKeyring } from '../../../e2e/support/keyring/keyring.ts'
import { Secret } from '../../kernel/secret.ts'
import { createKeychain } from './keychain.ts'
import { createKeychainProcess, forkKeychainWorker, type KeychainAnswer, type KeychainProcess, type KeychainWorker } from './keychain-process.ts'

const worker = join(import.meta.dirname, 'keychain-worker.ts')

let keyring: TestKeyring
const running: KeychainProcess[] = []

beforeAll(async () => {
  keyring = await startKeyring()
}, 30_000)
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})
afterAll(() => keyring.stop())

function keychain(env: NodeJS.ProcessEnv, { timeoutMs = 10_000, service = 'Svc Desk test', forks = [] as KeychainWorker[] } = {}) {
  const process = createKeychainProcess({
    timeoutMs,
    fork: () => {
      const forked = forkKeychainWorker(worker, env)
      forks.push(forked)
      return forked
    },
  })
  running.push(process)
  return createKeychain({ process, service })
}

function readElsewhere(env: NodeJS.ProcessEnv, service: string, account: string): Promise<unknown> {
  const other = fork(worker, [], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return new Promise((resolve, reject) => {
    other.once('message', (answer: { value?: unknown }) => {
      resolve(answer.value)
      other.kill('SIGKILL')
    })
    other.once('error', reject)
    other.send({ id: 1, operation: 'get', service, account, value: null })
  })
}

test('the app stores a secret in the system keychain, where a separate process finds it [AUTH-09]', async () => {
  const store = keychain(keyring.env)
  expect(await store.set('key/practice/k1', new Secret('SVCabcdef0123456789'))).toEqual({ ok: true, value: undefined })

  const read = await store.get('key/practice/k1')
  expect(read.ok && read.value?.reveal()).toBe('SVCabcdef0123456789')
  expect(await readElsewhere(keyring.env, 'Svc Desk test', 'key/practice/k1')).toBe('SVCabcdef0123456789')

  expect(await store.delete('key/practice/k1')).toEqual({ ok: true, value: true })
  expect(await store.get('key/practice/k1')).toEqual({ ok: true, value: null })
  expect(await store.delete('key/practice/k1')).toEqual({ ok: true, value: false })
})

test('the app’s keychain entries under one keychain service name are separate from those under another', async () => {
  const live = keychain(keyring.env, { service: 'Svc Desk test' })
  const practice = keychain(keyring.env, { service: 'Svc Desk test practice' })
  await live.set('same', new Secret('live'))
  expect(await practice.get('same')).toEqual({ ok: true, value: null })
  expect(await practice.delete('same')).toEqual({ ok: true, value: false })
  const kept = await live.get('same')
  expect(kept.ok && kept.value?.reveal()).toBe('live')
})

test.each([
  ['an empty value', 'account', ''],
  ['a value with NUL, which the keychain would cut off', 'account', 'SVCab\0cdef'],
  ['a value over 2,560 bytes, which Windows would not take', 'account', 'x'.repeat(2_561)],
  ['an empty name', '', 'value'],
  ['a name with NUL', 'a\0b', 'value'],
])('the app refuses to store %s in the keychain, without calling the keychain', async (_what, account, value) => {
  const forks: KeychainWorker[] = []
  const store = keychain(keyring.env, { forks })
  expect(await store.set(account, new Secret(value))).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'invalid' } })
  expect(forks).toHaveLength(0)
})

test('the app’s check of the keychain writes and reads a test value to prove that a secret can be stored, and leaves nothing behind', async () => {
  const store = keychain(keyring.env)
  expect(await store.probe()).toEqual({ ok: true, value: undefined })
  expect(await readElsewhere(keyring.env, 'Svc Desk test.probe', 'probe')).toBe(null)
})

test('the app reports the keychain as unavailable if the system runs no keychain service', async () => {
  const bare = await startKeyring({ keyring: false })
  try {
    const store = keychain(bare.env)
    for (const attempt of [store.get('a'), store.set('a', new Secret('v')), store.probe()])
      expect(await attempt).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'unavailable' } })
  } finally {
    await bare.stop()
  }
})

test('the app reports the keychain as unavailable if there is no D-Bus session bus', async () => {
  const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = keyring.env
  const store = keychain({ ...env, XDG_RUNTIME_DIR: '/nonexistent' })
  expect(await store.set('a', new Secret('v'))).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'unavailable' } })
})

test('the app reports a locked keychain as locked, and does not report its stored entries as missing', async () => {
  const own = await startKeyring()
  try {
    const store = keychain(own.env)
    await store.set('known', new Secret('v'))
    await own.lock()
    expect(await store.get('known')).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'locked' } })
    expect(await store.delete('known')).toMatchObject({ ok: false, failure: { code: 'locked' } })
    expect(await store.set('known', new Secret('w'))).toMatchObject({ ok: false, failure: { code: 'locked' } })
  } finally {
    await own.stop()
  }
})

test('the app ends the keychain process when the app locks, and starts another process for the next keychain call [section 6]', async () => {
  const forks: KeychainWorker[] = []
  const ended: string[] = []
  const process = createKeychainProcess({
    timeoutMs: 10_000,
    fork: () => {
      const forked = forkKeychainWorker(worker, keyring.env)
      forks.push(forked)
      forked.onExit((how) => ended.push(how))
      return forked
    },
  })
  running.push(process)
  const store = createKeychain({ process, service: 'Svc Desk test' })
  await store.set('resting', new Secret('v'))
  await process.rest()
  await expect.poll(() => ended).toEqual(['SIGKILL'])
  const again = await store.get('resting')
  expect(again.ok && again.value?.reveal()).toBe('v')
  expect(forks).toHaveLength(2)
})

test('a keychain call that gets no answer in time fails, and later calls succeed once the keychain answers again', async () => {
  const own = await startKeyring()
  try {
    const forks: KeychainWorker[] = []
    const store = keychain(own.env, { timeoutMs: 1_500, forks })
    await store.set('a', new Secret('before'))
    await own.freeze()
    expect(await store.get('a')).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'timeout' } })
    await own.thaw()
    const again = await store.get('a')
    expect(again.ok && again.value?.reveal()).toBe('before')
    expect(forks).toHaveLength(2)
  } finally {
    await own.stop()
  }
})

test('after the keychain process crashes, the app reports the interrupted call as failed, and starts another process for the next call', async () => {
  const pids: number[] = []
  const process = createKeychainProcess({
    timeoutMs: 10_000,
    fork: () => {
      const child = fork(worker, [], { env: keyring.env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      pids.push(child.pid ?? 0)
      const doomed = pids.length === 1
      return {
        post: (call) => {
          if (doomed) child.kill('SIGSEGV')
          else child.send(call)
        },
        onMessage: (listener) => child.on('message', listener),
        onExit: (listener) => child.once('exit', (code, signal) => listener(String(signal ?? code))),
        kill: () => child.kill('SIGKILL'),
      }
    },
  })
  running.push(process)
  const store = createKeychain({ process, service: 'Svc Desk test' })
  const [first, second] = await Promise.all([store.set('a', new Secret('v')), store.set('b', new Secret('w'))])
  expect(first).toMatchObject({ ok: false, failure: { code: 'unavailable', detail: expect.stringContaining('SIGSEGV') } })
  expect(second).toEqual({ ok: true, value: undefined })
  expect(new Set(pids).size).toBe(2)
})

test('the app runs keychain calls one at a time, in the order in which they were made', async () => {
  const asked: number[] = []
  let answer: ((reply: { id: number; value: string }) => void) | undefined
  const process = createKeychainProcess({
    timeoutMs: 10_000,
    fork: () => ({
      post: ({ id }) => {
        asked.push(id)
      },
      onMessage: (listener) => {
        answer = listener
      },
      onExit: () => {},
      kill: () => {},
    }),
  })
  const call = (account: string) => process.call({ operation: 'get', service: 's', account, value: null })
  const both = [call('a'), call('b')]
  await expect.poll(() => asked).toEqual([1])
  answer?.({ id: 7, value: 'stray' })
  answer?.({ id: 1, value: 'first' })
  await expect.poll(() => asked).toEqual([1, 2])
  answer?.({ id: 2, value: 'second' })
  expect(await Promise.all(both)).toEqual([
    { ok: true, value: 'first' },
    { ok: true, value: 'second' },
  ])
})

test('the app’s check of the keychain fails if the keychain returns a test value other than the one written [10]', async () => {
  let answer: (answer: KeychainAnswer) => void = () => {}
  const forgetful: KeychainWorker = {
    post: ({ id, operation }) => answer({ id, value: operation === 'get' ? 'something else' : true }),
    onMessage: (listener) => {
      answer = listener
    },
    onExit: () => {},
    kill: () => {},
  }
  const process = createKeychainProcess({ timeoutMs: 10_000, fork: () => forgetful })
  running.push(process)
  expect(await createKeychain({ process, service: 'Svc Desk test' }).probe()).toMatchObject({ ok: false, failure: { kind: 'keychain', code: 'failed' } })
})
