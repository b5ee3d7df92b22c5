import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { createLockFile, type LockRecord } from './lock-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-lock-'))
  path = join(folder, 'lock.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const record: LockRecord = {
  version: 1,
  hash: { kdf: 'scrypt', n: 2, r: 1, p: 1, salt: 'AAAA', hash: 'BBBB' },
  choice: { afterMinutes: 5, withScreen: true, touchId: true },
  tries: { wrong: 0, lastAtMs: 7 },
}

test('the app writes its lock file so that only the user can read the file, and leaves no temporary file', () => {
  const file = createLockFile(path)
  expect(file.read()).toBeNull()
  expect(file.write(record)).toEqual({ ok: true, value: undefined })
  expect(createLockFile(path).read()).toEqual(record)
  expectMode(path, 0o600)
  expect(readdirSync(folder)).toEqual(['lock.json'])
  expect(file.remove().ok).toBe(true)
  expect(file.read()).toBeNull()
})

test.each([
  ['cut', '{"version":1,"hash":{'],
  ['empty', ''],
  ['of another version', JSON.stringify({ ...record, version: 2 })],
  ['without a hash', JSON.stringify({ ...record, hash: null })],
])('the app treats a lock file that is %s as damaged, not as missing', (_, text) => {
  writeFileSync(path, text)
  expect(createLockFile(path).read()).toBe('damaged')
})

test('the app reads a lock file from before Touch ID as one that does not use it', () => {
  const { touchId, ...choice } = record.choice
  writeFileSync(path, JSON.stringify({ ...record, choice }))
  expect(createLockFile(path).read()).toEqual({ ...record, choice: { ...choice, touchId: false } })
  expect(touchId).toBe(true)
})

test('the app saves the number of wrong passphrase attempts only if the lock file’s passphrase has not changed meanwhile', () => {
  const file = createLockFile(path)
  file.write(record)
  file.noteTries(record.hash, { wrong: 3, lastAtMs: 9 })
  expect(file.read()).toEqual({ ...record, tries: { wrong: 3, lastAtMs: 9 } })
  file.noteTries({ ...record.hash, salt: 'CCCC' }, { wrong: 8, lastAtMs: 10 })
  expect(file.read()).toMatchObject({ tries: { wrong: 3 } })
  file.remove()
  file.noteTries(record.hash, { wrong: 4, lastAtMs: 11 })
  expect(file.read()).toBeNull()
})

test('if the app cannot write its lock file, it reports this and keeps the existing file', () => {
  createLockFile(path).write(record)
  const inNoFolder = createLockFile(join(folder, 'none', 'lock.json'))
  expect(inNoFolder.write(record)).toMatchObject({ ok: false, failure: { kind: 'file', issue: 'missing', detail: 'ENOENT' } })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(record)
})
