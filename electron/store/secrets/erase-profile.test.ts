import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { fail } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { openJournal } from '../journal/tables/sqlite-journal.ts'
import { eraseProfile, vaultAccount } from './erase-profile.ts'

let folder: string
let journal: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-erase-'))
  journal = join(folder, 'journal.db')
  const opened = openJournal({ file: journal, clock: systemClock })
  opened.secretIndex.remember({ profileId: 'p1', wallet: '0xaa', keyId: 'k1', account: 'key/p1/k1/1', label: 'bot' })
  opened.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function keychain() {
  const secrets = createMemorySecretStore()
  for (const account of ['key/p1/k1/1', 'key/p1/k1/2', vaultAccount('p1'), 'key/p2/k9/1']) await secrets.set(account, new Secret('x'))
  return secrets
}

test('erasing a profile removes its secrets, then its files, and leaves other profiles untouched', async () => {
  const secrets = await keychain()
  expect(await eraseProfile({ folder, journal, profileId: 'p1', secrets, clock: systemClock })).toEqual({ ok: true, value: undefined })
  expect([...secrets.entries.keys()]).toEqual(['key/p2/k9/1'])
  expect(existsSync(folder)).toBe(false)
})

test('erasing a profile keeps its files when the keychain fails, because the files list the secrets that still exist', async () => {
  const secrets = await keychain()
  const locked = { ...secrets, delete: async () => fail({ kind: 'keychain' as const, code: 'locked' as const, detail: null }) }
  expect(await eraseProfile({ folder, journal, profileId: 'p1', secrets: locked, clock: systemClock })).toMatchObject({
    ok: false,
    failure: { kind: 'keychain', code: 'locked' },
  })
  expect(existsSync(journal)).toBe(true)
})
