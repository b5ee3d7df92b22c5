import { expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { watchKeychain } from './keychain-process.ts'

test('the app notices a failed keychain write at once, and reports the keychain as ready only after a write succeeds', async () => {
  const store = createMemorySecretStore()
  let opened = 0
  const watched = watchKeychain(store, createPracticeClock(systemClock), () => {
    opened += 1
  })
  const state = () => watched.evidence()?.state ?? null
  expect(state()).toBeNull()
  await watched.probe()
  expect(state()).toBe('ready')
  expect(opened).toBe(0)
  store.failWritesAfterProbe('locked')
  await watched.set('key/a/b', new Secret('x'))
  expect(state()).toBe('locked')
  await watched.get('key/a/b')
  await watched.delete('key/a/b')
  expect(state()).toBe('locked')
  store.failWrites('timeout')
  await watched.set('key/a/b', new Secret('x'))
  expect(state()).toBe('unavailable')
  store.failWrites(null)
  await watched.set('key/a/b', new Secret('x'))
  expect(state()).toBe('ready')
  expect(opened).toBe(1)
  await watched.probe()
  expect(opened).toBe(1)
})
