import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { systemClock } from '../../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { openVault } from '../secrets/vault.ts'
import { createSealedRecord } from './kept-record.ts'
import type { StoredLab } from './registry.ts'

const settings = { webhookId: 'wh_1', port: 4807, path: '/in', forwardTo: null, answer: { kind: 'fixed', status: 200, delayS: 0 } } as const
const lab = (webhookUrl: string): StoredLab => ({ settings, webhookUrl })
const record = lab('http://localhost:3000/hook?token=tok_5f1c9a7be2d04c86')
const key = { profile: 'p' }

let folder: string
let journal: SqliteJournal
const open = () => openJournal({ file: join(folder, 'journal.db'), clock: systemClock })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-sealed-'))
  journal = open()
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the app stores a secret record only encrypted, so that no file contains it in readable form, and can read it after a restart [AUTH-09]', async () => {
  const secrets = createMemorySecretStore()
  const over = () => createSealedRecord(openVault({ journal, secrets, account: 'vault/p' }).records.labs, key)
  expect(await over().read()).toBeNull()
  await over().keep(record)
  journal.close()
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'))
  expect(files.join('')).toContain('lab/p')
  expect(files.join('')).not.toContain('tok_5f1c9a7be2d04c86')
  expect(files.join('')).not.toContain('localhost:3000')
  journal = open()
  expect(await over().read()).toEqual(record)
})

test('a read of an encrypted record returns a value saved during that read; if the vault fails, the app keeps that value in memory', async () => {
  const { labs } = createMemoryVault()
  await createSealedRecord(labs, key).keep(lab('old'))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = createSealedRecord({ ...labs, read: (of) => released.then(() => labs.read(of)) }, key)
  const read = slow.read()
  await slow.keep(record)
  release()
  expect(await read).toEqual(record)

  let locked = true
  const failing = () => Promise.reject(new Error('locked'))
  const late = createSealedRecord({ write: failing, read: (of) => (locked ? failing() : labs.read(of)) }, key)
  expect(await late.read()).toBeNull()
  locked = false
  expect(await late.read()).toEqual(record)
  await late.keep(lab('for this run'))
  expect(await late.read()).toEqual(lab('for this run'))
  expect(await createSealedRecord(labs, key).read()).toEqual(record)
})
