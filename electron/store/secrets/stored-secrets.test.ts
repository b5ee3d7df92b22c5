import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore, type MemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { openJournal, type SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { createStoredSecrets } from './stored-secrets.ts'

const secret = new Secret('SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h')
const another = new Secret('SVC_live_Xx8fW3nT0vRk51LmXy7PdG2h')

let folder: string
let journal: SqliteJournal
let secrets: MemorySecretStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-held-'))
  journal = openJournal({ file: join(folder, 'journal.db'), clock: systemClock })
  secrets = createMemorySecretStore()
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

const hold = (mayKeep = () => true) =>
  createStoredSecrets({ kind: 'key', profileId: 'p', index: journal.secretIndex, records: journal.records, secrets, mayKeep })

test.each([
  ['another secret', another],
  ['nothing', null],
])('the app does not count a secret as stored when the keychain returns %s [11] [KEY-05]', async (_what, back) => {
  secrets.get = async () => ok(back)
  expect(failure(await hold().stage('key/p/k1/1', secret))).toMatchObject({ kind: 'keychain', code: 'failed' })
})

test('the app counts a new secret as stored only once the keychain returns the same secret [KEY-05]', async () => {
  const held = hold()
  value(await held.stage('key/p/k1/1', secret))
  held.promote({ wallet: '0x1', keyId: 'k1', label: 'bot', account: 'key/p/k1/1', secret })
  expect(value(await held.secretOf('k1'))?.equals(secret)).toBe(true)
})

test('the app’s lock removes secrets from memory; while the app is locked, each use reads the secret from the keychain [section 6]', async () => {
  let unlocked = true
  let asked = 0
  const { get } = secrets
  secrets.get = (account) => {
    asked += 1
    return get(account)
  }
  const held = hold(() => unlocked)
  value(await held.stage('key/p/k1/1', secret))
  held.promote({ wallet: '0x1', keyId: 'k1', label: 'bot', account: 'key/p/k1/1', secret })
  const before = asked
  await held.secretOf('k1')
  expect(asked).toBe(before)

  unlocked = false
  held.rest()
  for (const times of [1, 2]) {
    expect(value(await held.secretOf('k1'))?.equals(secret)).toBe(true)
    expect(asked).toBe(before + times)
  }
  unlocked = true
  await held.secretOf('k1')
  await held.secretOf('k1')
  expect(asked).toBe(before + 3)
})

test('the app keeps a secret in memory even while the app is locked if the keychain refused the secret, because no other copy exists [KEY-05]', async () => {
  const held = hold()
  held.keepInMemory({ wallet: '0x1', keyId: 'k1', label: 'bot', secret })
  held.rest()
  expect(value(await held.secretOf('k1'))?.equals(secret)).toBe(true)
})
