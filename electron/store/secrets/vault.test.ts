import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fail, ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { openJournal, type SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { raw } from '../records/raw.ts'
import type { SecretStore } from './secret-store.ts'
import { createVault, type SealedVault } from './vault.ts'

const canary = 'svcds1.canary-7f3a9c1e5b2d'

let folder: string
let journal: SqliteJournal

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-vault-'))
  journal = open()
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = () => openJournal({ file: join(folder, 'journal.db'), clock: systemClock })

function memoryKeychain() {
  const entries = new Map<string, string>()
  const keychain = {
    entries,
    locked: false,
    writes: 0,
  }
  const locked = () => fail({ kind: 'keychain' as const, code: 'locked' as const, detail: null })
  const store: SecretStore = {
    get: async (account) => {
      if (keychain.locked) return locked()
      const value = entries.get(account)
      return ok(value === undefined ? null : new Secret(value))
    },
    set: async (account, secret) => {
      if (keychain.locked) return locked()
      keychain.writes += 1
      entries.set(account, secret.reveal())
      return ok(undefined)
    },
    delete: async (account) => ok(entries.delete(account)),
    probe: async () => (keychain.locked ? locked() : ok(undefined)),
    close: async () => {},
  }
  return { keychain, store }
}

const get = (vault: SealedVault, name: string) =>
  vault.read(
    name,
    (value) => value,
    () => undefined,
  )

test('the vault returns a stored value, even after a restart [AUTH-08]', async () => {
  const { store } = memoryKeychain()
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  await vault.set('session/p', new Secret(canary))
  journal.close()

  journal = open()
  const again = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  expect((await get(again, 'session/p'))?.reveal()).toBe(canary)
  await again.set('session/p', null)
  expect(await get(again, 'session/p')).toBe(null)
})

test('the vault writes no secret to disk in readable form, in any encoding [AUTH-09]', async () => {
  const { store, keychain } = memoryKeychain()
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  await vault.set('session/p', new Secret(canary))
  journal[raw].values.set('planted', `planted ${canary}`)
  const search = () => {
    const bytes = Buffer.concat(['journal.db', 'journal.db-wal'].map((name) => readFileSync(join(folder, name))))
    const [key = ''] = keychain.entries.values()
    const forms = (text: string) => [
      Buffer.from(text),
      Buffer.from(Buffer.from(text).toString('base64')),
      Buffer.from(Buffer.from(text).toString('hex')),
      Buffer.from(text, 'utf16le'),
    ]
    return { canary: forms(canary).some((form) => bytes.includes(form)), key: [...forms(key), Buffer.from(key, 'base64')].some((form) => bytes.includes(form)) }
  }
  expect(search()).toEqual({ canary: true, key: false })
  journal.close()
  for (const name of ['journal.db', 'journal.db-wal']) rmSync(join(folder, name), { force: true })
  journal = open()
  await createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' }).set('session/p', new Secret(canary))
  expect(search()).toEqual({ canary: false, key: false })
})

test('the vault refuses to decrypt an altered value, or a value that was copied to another name', async () => {
  const { store } = memoryKeychain()
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  await vault.set('a', new Secret('one'))
  const sealed = journal[raw].sealed.get('a')
  if (sealed === null) throw new Error('nothing was sealed')
  journal[raw].sealed.set('b', sealed)
  expect(await get(vault, 'b')).toBe(null)
  for (const position of [0, 13, sealed.length - 1]) {
    const altered = Uint8Array.from(sealed)
    altered[position] = (altered[position] ?? 0) ^ 1
    journal[raw].sealed.set('a', altered)
    expect(await get(vault, 'a')).toBe(null)
  }
  journal[raw].sealed.set('a', sealed)
  expect((await get(vault, 'a'))?.reveal()).toBe('one')
})

test('while the keychain is locked, the vault reports that it cannot read values, and loses no value', async () => {
  const { store, keychain } = memoryKeychain()
  await createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' }).set('a', new Secret('one'))
  keychain.locked = true
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  await expect(get(vault, 'a')).rejects.toMatchObject({ failure: { kind: 'keychain', code: 'locked' } })
  await expect(vault.set('b', new Secret('two'))).rejects.toMatchObject({ failure: { kind: 'keychain', code: 'locked' } })
  // The vault stores no value under this name. It can see this without the encryption key, so it returns null even while the keychain is locked.
  expect(await get(vault, 'missing')).toBe(null)
  keychain.locked = false
  expect((await get(vault, 'a'))?.reveal()).toBe('one')
})

test('the vault creates only one encryption key when several first writes run at once', async () => {
  const { store, keychain } = memoryKeychain()
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => vault.set(`x/${name}`, new Secret(name))))
  expect(keychain.writes).toBe(1)
  const found = await Promise.all(vault.names('x/').map(async (name) => [name, (await get(vault, name))?.reveal()]))
  expect(found).toEqual([
    ['x/a', 'a'],
    ['x/b', 'b'],
    ['x/c', 'c'],
    ['x/d', 'd'],
  ])
  expect(vault.names('y/')).toEqual([])
})

test('if the keychain has lost the vault’s encryption key, the vault treats its values as missing, and can store a new value', async () => {
  const { store, keychain } = memoryKeychain()
  await createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' }).set('a', new Secret('one'))
  keychain.entries.clear()
  const vault = createVault({ rows: journal[raw].sealed, secrets: store, account: 'vault/p' })
  expect(await get(vault, 'a')).toBe(null)
  await vault.set('a', new Secret('two'))
  expect((await get(vault, 'a'))?.reveal()).toBe('two')
})

test('while the app is locked, the vault zeroes its encryption key after each use and reads it from the keychain each time [section 6]', async () => {
  const { store } = memoryKeychain()
  let unlocked = true
  let asked = 0
  const counted = {
    ...store,
    get: (account: string) => {
      asked += 1
      return store.get(account)
    },
  }
  const vault = createVault({ rows: journal[raw].sealed, secrets: counted, account: 'vault/p', mayKeep: () => unlocked })
  await vault.set('a', new Secret('one'))
  const before = asked
  await get(vault, 'a')
  expect(asked).toBe(before)

  const filled: Buffer[] = []
  const { fill } = Buffer.prototype
  const watched = vi.spyOn(Buffer.prototype, 'fill').mockImplementation(function (this: Buffer, ...args: unknown[]) {
    if (this.length === 32) filled.push(this)
    return Reflect.apply(fill, this, args)
  })
  try {
    unlocked = false
    await vault.rest()
    expect(filled).toHaveLength(1)
    expect((await get(vault, 'a'))?.reveal()).toBe('one')
    await vault.set('b', new Secret('two'))
    expect(asked).toBe(before + 2)
    expect(filled.map((key) => key.every((byte) => byte === 0))).toEqual([true, true, true])
  } finally {
    watched.mockRestore()
  }
  unlocked = true
  expect((await get(vault, 'b'))?.reveal()).toBe('two')
})
