import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLockClock, type LockClock } from '../../../e2e/support/lock/lock-clock.ts'
import { minute, second } from '../../../shared/time.ts'
import { createAttempts, createLockFile, hashPassphrase, type LockFile, type LockRecord } from './lock-file.ts'

const right = 'correct horse battery'
let folder: string
let file: LockFile
let clock: LockClock
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-attempts-'))
  file = createLockFile(join(folder, 'lock.json'))
  clock = createLockClock()
  const hash = await hashPassphrase(right, { n: 2, r: 1, p: 1 })
  file.write({ version: 1, hash, choice: { afterMinutes: null, withScreen: false, touchId: false }, tries: { wrong: 0, lastAtMs: 0 } })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kept = (): LockRecord => {
  const record = file.read()
  if (record === null || record === 'damaged') throw new Error('there is no lock')
  return record
}
/** Simulates a start of the app with the passphrase data that it stored before. */
const start = () => createAttempts({ file, hash: kept().hash, tries: kept().tries, clock })

test('the lock’s delay after a wrong passphrase gets longer each time, and ends after the right passphrase', async () => {
  const attempts = start()
  const waits: number[] = []
  for (let time = 0; time < 11; time += 1) {
    const attempt = await attempts.attempt('wrong one')
    if (attempt.outcome !== 'wrong') throw new Error(attempt.outcome)
    waits.push(attempt.waitMs)
    clock.pass(attempt.waitMs)
  }
  expect(waits).toEqual([0, 0, 0, 5, 15, 30, 60, 300, 900, 900, 900].map((seconds) => seconds * second))
  expect(await attempts.attempt(right)).toEqual({ outcome: 'done' })
  expect(kept().tries.wrong).toBe(0)
  expect(await attempts.attempt('wrong one')).toEqual({ outcome: 'wrong', waitMs: 0 })
})

test('the lock refuses even the right passphrase until the delay after wrong passphrases is over', async () => {
  const attempts = start()
  for (let time = 0; time < 4; time += 1) await attempts.attempt('wrong one')
  expect(await attempts.attempt(right)).toEqual({ outcome: 'too_soon', waitMs: 5 * second })
  clock.pass(5 * second - 1)
  expect(await attempts.attempt(right)).toEqual({ outcome: 'too_soon', waitMs: 1 })
  expect(kept().tries.wrong).toBe(4)
  clock.pass(1)
  expect(await attempts.attempt(right)).toEqual({ outcome: 'done' })
})

test('the lock checks passphrases that arrive at the same time one after the other, so that none avoids the delay', async () => {
  const attempts = start()
  const outcomes = await Promise.all([...Array(6).fill('wrong one'), right].map((passphrase) => attempts.attempt(passphrase)))
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'too_soon', 'too_soon', 'too_soon'])
})

test('the lock’s delay after wrong passphrases survives a restart of the app', async () => {
  const before = start()
  for (let time = 0; time < 7; time += 1) {
    await before.attempt('wrong one')
    clock.pass(before.waitMs())
  }
  await before.attempt('wrong one')
  expect(before.waitMs()).toBe(5 * minute)
  clock.pass(2 * minute)
  const after = start()
  expect(after.wrong()).toBe(8)
  expect(after.waitMs()).toBe(3 * minute)
  expect(await after.attempt(right)).toMatchObject({ outcome: 'too_soon' })
})

test('the lock counts a passphrase attempt before checking it, so that killing the app meanwhile gives no extra attempt', () => {
  const attempts = start()
  const under = attempts.attempt('wrong one')
  return Promise.resolve()
    .then(() => expect(start().wrong()).toBe(1))
    .then(() => under)
})

test('changing the computer’s clock never shortens the lock’s delay after wrong passphrases, and never lengthens it after a restart', async () => {
  const attempts = start()
  for (let time = 0; time < 4; time += 1) await attempts.attempt('wrong one')
  const now = clock.now()
  clock.set(now + 60 * minute)
  expect(attempts.waitMs()).toBe(5 * second)
  clock.set(now - 60 * minute)
  expect(attempts.waitMs()).toBe(5 * second)
  expect(start().waitMs()).toBe(5 * second)
})
