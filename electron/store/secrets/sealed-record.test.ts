import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { systemClock } from '../../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { createSealedRecord } from './sealed-record.ts'
import { createVault } from './vault.ts'

const schema = z.strictObject({ url: z.string() })
const record = { url: 'http://localhost:3000/hook?token=tok_5f1c9a7be2d04c86' }

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

test('what is kept is there in the next run, and in no file to be read [AUTH-09]', async () => {
  const secrets = createMemorySecretStore()
  const over = () => createSealedRecord({ name: 'lab/p', schema, vault: createVault({ rows: journal.sealed, secrets, account: 'vault/p' }) })
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

test('what is kept while it is read is newer; a vault that takes and gives nothing keeps it for the run', async () => {
  const vault = createMemoryVault()
  await createSealedRecord({ name: 'a', schema, vault }).keep({ url: 'old' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = createSealedRecord({ name: 'a', schema, vault: { ...vault, get: (name) => released.then(() => vault.get(name)) } })
  const read = slow.read()
  await slow.keep(record)
  release()
  expect(await read).toEqual(record)

  let locked = true
  const failing = () => Promise.reject(new Error('locked'))
  const late = createSealedRecord({ name: 'a', schema, vault: { set: failing, get: (name) => (locked ? failing() : vault.get(name)) } })
  expect(await late.read()).toBeNull()
  locked = false
  expect(await late.read()).toEqual(record)
  await late.keep({ url: 'for this run' })
  expect(await late.read()).toEqual({ url: 'for this run' })
  expect(await createSealedRecord({ name: 'a', schema, vault }).read()).toEqual(record)
})
