import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { ImportRead } from '../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../shared/time.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Workspace
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-import-'))
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(async () => {
  await workspace.stop()
  await rm(folder, { recursive: true, force: true })
})

const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const read = async (source: 'clipboard' | 'file' = 'clipboard') => value(await workspace.handlers()['keys.importRead']({ source }))
const store = (importId: string, keyId: string) => workspace.handlers()['keys.importStore']({ importId, keyId })
const operations = () => workspace.journal().secretOperations.list('practice', 10)

function asRead(answer: ImportRead): Extract<ImportRead, { state: 'read' }> {
  if (answer.state !== 'read') throw new Error(`Not read: ${answer.state}`)
  return answer
}

test('when the user imports a copied key, the app finds the key’s id by the audit entry of a test call, then clears the clipboard [KEY-05, KEY-14]', async () => {
  const other = elsewhere(workspace)
  await other.create({ label: 'another' })
  const { keyId, secret } = await other.create({ label: 'mine' })
  workspace.copiedElsewhere = ` SVC_API_KEY=${secret.reveal()}\n`
  const found = asRead(await read())
  expect(found).toMatchObject({ verdict: 'works', evidence: 'audit', candidates: [{ id: keyId, label: 'mine', secret: 'elsewhere' }], from: null })
  expect(workspace.secrets.entries.size).toBe(0)
  expect(workspace.copiedElsewhere).toContain('SVC')
  expect(value(await store(found.importId, keyId))).toMatchObject({ key: { id: keyId, secret: 'keychain', inUse: true }, clipboard: 'cleared' })
  expect(workspace.copiedElsewhere).toBe('')
  expect([...workspace.secrets.entries.values()].map((kept) => kept.equals(secret))).toEqual([true])
  expect(operations()).toMatchObject([{ kind: 'import', state: 'VERIFIED', keyId }])
  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(failure(await store(found.importId, keyId))).toEqual({ kind: 'not_found', what: 'import' })
})

test('when the user imports a key, the page never gets the secret, and the app sends it only to the exchange', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  workspace.copiedElsewhere = secret.reveal()
  const before = workspace.sent.length
  const found = asRead(await read())
  const answers = JSON.stringify([
    found,
    await store(found.importId, keyId),
    await list(),
    workspace.events,
    operations(),
    workspace.journal()[raw].values.withPrefix(''),
  ])
  expect(answers).not.toContain(secret.reveal())
  expect(answers).not.toContain(secret.reveal().slice(3, 15))
  const carrying = workspace.sent.slice(before).filter((request) => JSON.stringify(request).includes(secret.reveal()))
  expect(carrying.length).toBeGreaterThan(0)
  for (const { headers, path } of carrying) expect([headers['x-svc-api-key'], path.startsWith('/api/dex/v1/')]).toEqual([secret.reveal(), true])
})

test('after importing a copied key, the app does not clear the clipboard if the user has copied other text meanwhile', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  workspace.copiedElsewhere = secret.reveal()
  const { importId } = asRead(await read())
  workspace.copiedElsewhere = 'a note'
  expect(value(await store(importId, keyId)).clipboard).toBe('changed')
  expect(workspace.copiedElsewhere).toBe('a note')
})

test('if a file contains several keys, the app asks which one to import; from an empty or missing file it imports nothing', async () => {
  const other = elsewhere(workspace)
  const first = await other.create({ label: 'first' })
  const second = await other.create({ label: 'second' })
  const file = join(folder, '.env')
  await writeFile(file, `# keys\nFIRST=${first.secret.reveal()}\nSECOND="${second.secret.reveal()}"\n`)
  expect(await read('file')).toEqual({ state: 'cancelled' })
  workspace.chosenFiles.push(file)
  const several = await read('file')
  expect(several).toMatchObject({
    state: 'several',
    from: '.env',
    entries: [
      { entry: 0, name: 'FIRST', line: 2 },
      { entry: 1, name: 'SECOND', line: 3 },
    ],
  })
  if (several.state !== 'several') throw new Error('Not several')
  expect(failure(await store(several.importId, second.keyId))).toMatchObject({ kind: 'wrong_state' })
  expect(failure(await workspace.handlers()['keys.importPick']({ importId: several.importId, entry: 2 }))).toMatchObject({ kind: 'bad_input', field: 'entry' })
  const picked = asRead(value(await workspace.handlers()['keys.importPick']({ importId: several.importId, entry: 1 })))
  expect(picked.candidates.map(({ id }) => id)).toEqual([second.keyId])
  expect(value(await store(picked.importId, second.keyId)).clipboard).toBeNull()

  const empty = join(folder, 'empty')
  await writeFile(empty, 'NOTHING=1\n')
  workspace.chosenFiles.push(empty, join(folder, 'none'), folder)
  expect(await read('file')).toEqual({ state: 'nothing_found', from: 'empty' })
  expect(failure(await workspace.handlers()['keys.importRead']({ source: 'file' }))).toMatchObject({ kind: 'file', issue: 'missing' })
  expect(failure(await workspace.handlers()['keys.importRead']({ source: 'file' }))).toMatchObject({ kind: 'file', issue: 'not_a_file' })
  const large = join(folder, 'large')
  await writeFile(large, 'x'.repeat(70_000))
  workspace.chosenFiles.push(large)
  expect(failure(await workspace.handlers()['keys.importRead']({ source: 'file' }))).toMatchObject({ kind: 'file', issue: 'too_large' })
})

test('if the audit log is empty, the app identifies an imported key by its last-used time, which changes after each test call', async () => {
  const other = elsewhere(workspace)
  await other.create({ label: 'another' })
  const { keyId, secret } = await other.create({ label: 'mine' })
  workspace.faults.audit = 'empty'
  workspace.copiedElsewhere = secret.reveal()
  expect(asRead(await read())).toMatchObject({ verdict: 'works', evidence: 'last_used', candidates: [{ id: keyId }] })
})

test('if the app cannot tell which key an imported secret belongs to, the user chooses among all keys without a stored secret', async () => {
  const other = elsewhere(workspace)
  const kept = await workspace.createKey('kept')
  const { keyId, secret } = await other.create({ label: 'mine' })
  const another = await other.create({ label: 'another' })
  const gone = await other.create({ label: 'gone' })
  await other.revoke(gone.keyId)
  workspace.faults.audit = 'empty'
  workspace.faults.omitOptional = true
  workspace.copiedElsewhere = secret.reveal()
  const found = asRead(await read())
  expect(found.evidence).toBe('none')
  expect(found.candidates.map(({ id }) => id).sort()).toEqual([keyId, another.keyId].sort())
  expect(failure(await store(found.importId, kept))).toMatchObject({ kind: 'bad_input', field: 'keyId' })
  workspace.faults.omitOptional = false
  expect(value(await store(found.importId, keyId)).key).toMatchObject({ id: keyId, secret: 'keychain' })
})

test('the app does not import a key’s secret that the service rejects', async () => {
  const other = elsewhere(workspace)
  const { keyId, secret } = await other.create()
  await other.rotate(keyId)
  workspace.copiedElsewhere = secret.reveal()
  const found = asRead(await read())
  expect(found).toMatchObject({ verdict: 'dead', candidates: [] })
  expect(failure(await store(found.importId, keyId))).toMatchObject({ kind: 'wrong_state', state: 'dead' })
  expect(workspace.secrets.entries.size).toBe(0)
  expect(workspace.copiedElsewhere).toBe(secret.reveal())
})

test('the app does not import another wallet’s key under the current wallet [AUTH-03]', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  const stranger = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(stranger)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, stranger) }))
  workspace.copiedElsewhere = secret.reveal()
  const found = asRead(await read())
  expect(found).toMatchObject({ verdict: 'other_wallet', candidates: [] })
  expect((await store(found.importId, keyId)).ok).toBe(false)
  expect(workspace.secrets.entries.size).toBe(0)
})

test('if the user switches wallets between reading and storing an imported secret, the app does not store the secret [AUTH-03]', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  workspace.copiedElsewhere = secret.reveal()
  const { importId } = asRead(await read())
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(failure(await store(importId, keyId))).toMatchObject({ kind: 'wrong_wallet' })
  expect(workspace.secrets.entries.size).toBe(0)
})

test('if a key does not allow this IP address, the import still identifies it by the audit entry of the refused test call [AUTH-05]', async () => {
  const { keyId, secret } = await elsewhere(workspace).create({ ip_allowlist: ['203.0.113.4'] })
  workspace.copiedElsewhere = secret.reveal()
  expect(asRead(await read())).toMatchObject({ verdict: 'address', evidence: 'audit', candidates: [{ id: keyId }] })
})

test('if an imported key lacks the scope account:read, the app tests it with another call and identifies it by the audit log [AUTH-04]', async () => {
  const other = elsewhere(workspace)
  const { keyId, secret } = await other.create({ scopes: ['market:read'] })
  workspace.copiedElsewhere = secret.reveal()
  expect(asRead(await read())).toMatchObject({ verdict: 'works', evidence: 'audit', candidates: [{ id: keyId }] })
  workspace.faults.audit = 'empty'
  workspace.faults.omitOptional = true
  expect(asRead(await read())).toMatchObject({ verdict: 'cannot_tell', evidence: 'none' })
})

test('when the user imports a key whose secret the app already stores, the app says which key it is', async () => {
  const id = await workspace.createKey('kept')
  workspace.copiedElsewhere = [...workspace.secrets.entries.values()][0]?.reveal() ?? ''
  expect(asRead(await read())).toMatchObject({ verdict: 'works', evidence: 'held', candidates: [{ id }] })
})

test('when the user imports a newer secret of a key, the app deletes the old secret only once the new one works [KEY-07]', async () => {
  const id = await workspace.createKey('kept')
  const secret = await elsewhere(workspace).rotate(id)
  workspace.copiedElsewhere = secret.reveal()
  const { importId, evidence } = asRead(await read())
  expect(evidence).toBe('audit')
  expect(value(await store(importId, id)).key).toMatchObject({ id, secret: 'keychain' })
  expect([...workspace.secrets.entries.values()].map((kept) => kept.equals(secret))).toEqual([true])
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('if the keychain is locked when the user stores an imported secret, the user can store it later without a new import [KEY-05]', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  workspace.copiedElsewhere = secret.reveal()
  const { importId } = asRead(await read())
  workspace.secrets.failWrites('locked')
  expect(failure(await store(importId, keyId))).toMatchObject({ kind: 'keychain', code: 'locked' })
  expect(workspace.copiedElsewhere).toBe(secret.reveal())
  workspace.secrets.failWrites(null)
  expect(value(await store(importId, keyId)).clipboard).toBe('cleared')
  expect(operations().map(({ state }) => state)).toEqual(['VERIFIED', 'FAILED'])
})

test('the app forgets an imported secret that was not stored, after five minutes or when the user leaves the page', async () => {
  const { keyId, secret } = await elsewhere(workspace).create()
  workspace.copiedElsewhere = secret.reveal()
  const first = asRead(await read())
  workspace.clock.advance(5 * minute + 1)
  expect(failure(await store(first.importId, keyId))).toEqual({ kind: 'not_found', what: 'import' })
  const again = asRead(await read())
  value(await workspace.handlers()['keys.importLeave']({ importId: again.importId }))
  expect(failure(await store(again.importId, keyId))).toEqual({ kind: 'not_found', what: 'import' })
})

test('while the user is signed out, the app imports no key', async () => {
  value(await workspace.handlers()['session.end']({}))
  workspace.copiedElsewhere = 'SVC1a2B3c4D5e6F7g8H9'
  const before = workspace.sent.length
  expect(failure(await workspace.handlers()['keys.importRead']({ source: 'clipboard' }))).toEqual({ kind: 'sign_in_required' })
  expect(workspace.sent).toHaveLength(before)
})
