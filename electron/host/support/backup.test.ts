import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { startKeyring, type TestKeyring } from '../../../e2e/support/keyring/keyring.ts'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { openApi } from '../../../e2e/support/main/open-api.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { fail, ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { createKeyTrial } from '../../keys/imported/key-import.ts'
import { createCredentials } from '../../service/credentials/credentials.ts'
import { openMemory } from '../../store/journal/connection.ts'
import { tablesInBackup, writePortable } from '../../store/journal/portable.ts'
import { openJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createKeychain } from '../../store/keychain/keychain.ts'
import { createKeychainProcess, forkKeychainWorker } from '../../store/keychain/keychain-process.ts'
import { createProfileStore, createSettings } from '../../store/records/profile-store.ts'
import { families, inBackup, sealedFamilies, sealedInBackup } from '../../store/records/registry.ts'
import { eraseProfile, vaultAccount } from '../../store/secrets/erase-profile.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import { openVault } from '../../store/secrets/vault.ts'
import { namedFolders } from '../app/folders.ts'
import { type BackupParts, createBackups, type OpenProfile } from './backup.ts'
import { openBackup } from './backup-file.ts'

const passphrase = 'four words that open it'
const profileId = 'practice'
const worker = join(import.meta.dirname, '../../store/keychain/keychain-worker.ts')

let keyrings: readonly [TestKeyring, TestKeyring]
beforeAll(async () => {
  keyrings = await Promise.all([startKeyring(), startKeyring()])
}, 60_000)
afterAll(async () => {
  await Promise.all(keyrings.map((keyring) => keyring.stop()))
})

let workspace: Workspace
let folder: string
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-backup-'))
  workspace = await startWorkspace()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await workspace.stop()
  rmSync(folder, { recursive: true, force: true })
})

function keychain(keyring: TestKeyring): SecretStore {
  const process = createKeychainProcess({ timeoutMs: 10_000, fork: () => forkKeychainWorker(worker, keyring.env) })
  cleanups.push(() => process.close())
  return createKeychain({ process, service: 'Svc Desk' })
}

interface Computer {
  readonly backups: ReturnType<typeof createBackups>
  readonly folders: ReturnType<typeof namedFolders>
  readonly secrets: SecretStore
  readonly store: ReturnType<typeof createProfileStore>
  readonly settings: ReturnType<typeof createSettings>
  readonly rpc: ReturnType<typeof openVault>['records']['rpcUrls']
  /** The path that the simulated user chooses in the next dialog; null to cancel the dialog. */
  path: string | null
  locked: boolean
}

/** Creates a simulated computer with its own data folder and keychain. `open`: the profile that is open on it; null if none. */
function computer(name: string, secrets: SecretStore, open: OpenProfile | null = null, change: Partial<BackupParts> = {}): Computer {
  const folders = namedFolders(join(folder, name))
  const app = openJournal({ file: folders.appJournal, clock: systemClock })
  cleanups.push(app.close)
  const appVault = openVault({ journal: app, secrets, account: vaultAccount('desk') }).records
  const store = createProfileStore(app.records)
  const made: Computer = {
    ...{ folders, secrets, store, settings: createSettings(app.records), rpc: appVault.rpcUrls },
    path: join(folder, 'a.svcbackup'),
    locked: false,
    backups: null as never,
  }
  const choose = async () => made.path
  const backups = createBackups({
    version: '1.2.3',
    clock: workspace.clock,
    files: { chooseToOpen: choose, chooseToSave: choose },
    home: folder,
    unlocked: () => !made.locked,
    workspace: async () => open,
    store,
    settings: app.records.settings,
    settingsRestored: () => undefined,
    appVault,
    folders,
    secrets,
    eraseData: (id) => eraseProfile({ folder: folders.profile(id), journal: folders.profileJournal(id), profileId: id, secrets, clock: systemClock }),
    tryKeys: async () => {
      const api = apiOf()
      return { ...createKeyTrial({ api }), close: api.close }
    },
    ...change,
  })
  return Object.assign(made, { backups })
}

const apiOf = () =>
  openApi({
    hostUrl: workspace.hostUrl,
    clock: workspace.clock,
    sent: [],
    onExchange: () => {},
    sleep: async (ms) => {
      workspace.clock.advance(ms)
      return true
    },
  })

const canaries = {
  session: `svcds1.${'c4n4ry'.repeat(6)}`,
  signature: `0x${'5a'.repeat(65)}`,
  walletConnect: 'canary-symkey-of-a-pairing',
  topic: 'canary-topic-of-a-pairing',
  rpc: 'https://rpc.example/v2/canary-rpc-key',
  folder: '/home/canary/folder',
} as const

/**
 * Creates computer A: two keys and a webhook of the practice exchange, with their secrets in the keychain. Also stores values that a backup must
 * never contain, such as signatures.
 */
async function computerA(secrets: SecretStore): Promise<Computer & { readonly keys: readonly [string, string]; readonly webhook: string }> {
  await workspace.connect()
  await workspace.signIn()
  const keys = [await workspace.createKey('hedger'), await workspace.createKey('reader')] as const
  const { id: webhook } = value(await workspace.handlers()['webhooks.create']({ url: 'https://bots.example/in', events: ['order.filled'] }))
  const journal = workspace.journal()
  for (const [account, secret] of workspace.secrets.entries) await secrets.set(account, secret)

  const vault = openVault({ journal, secrets, account: vaultAccount(profileId) })
  const wallet = workspace.account.address
  await vault.records.sessions.write({ profile: profileId, wallet }, { wallet, bearer: canaries.session, expiresAtMs: 9e15, refused: false, developer: null })
  const signature = new Secret(canaries.signature)
  await vault.records.signatures.write({ profile: profileId, ref: 'signed' }, signature)
  await vault.records.keyGrantSignatures.write({ profile: profileId, draftId: 'd' }, signature)
  await vault.records.agentGrantSignatures.write({ profile: profileId, keyId: keys[0] }, signature)
  await vault.records.walletConnect.write({ profile: profileId, key: 'wc@2:core:keychain' }, new Secret(canaries.walletConnect))
  journal.records.leakFolders.write({ profile: profileId }, [canaries.folder])
  journal.records.favouriteMarkets.write({ profile: profileId }, [1, 7])
  journal.records.nonces.write({ profile: profileId, wallet, nonce: '5' }, 'signed')
  journal.records.keyNotes.write({ profile: profileId, keyId: keys[0] }, { owner: '', environment: '', group: '', text: 'on the server in the attic' })

  const open: OpenProfile = { profileId, kind: 'live', journal, vault: vault.records, noteSecretUse: workspace.noteUse }
  const a = computer('a', secrets, open)
  a.store.save({ id: profileId, name: 'Main', hostUrl: workspace.hostUrl, rpcHost: 'rpc.example', secondHostUrl: null, createdAtMs: 1 })
  await a.rpc.write({ profile: profileId }, new Secret(canaries.rpc))
  a.settings.save({ theme: 'dark', language: 'de' })
  return Object.assign(a, { keys, webhook })
}

const save = (a: Computer & { readonly keys: readonly string[]; readonly webhook: string }, keys: readonly string[] = a.keys) =>
  a.backups.handlers['backup.save']({ passphrase, keys: [...keys], webhooks: [a.webhook] })

async function openOn(b: Computer, with_ = passphrase) {
  value(await b.backups.handlers['backup.choose']({}))
  return value(await b.backups.handlers['backup.open']({ passphrase: with_ }))
}

test('a backup moves an exchange’s profile to an empty computer: active keys work there, and a revoked key is marked as revoked [AUTH-09]', async () => {
  const [here, there] = [keychain(keyrings[0]), keychain(keyrings[1])]
  const a = await computerA(here)
  expect(value(await a.backups.handlers['backup.begin']({}))).toMatchObject({
    name: 'Main',
    items: [{ label: 'hedger' }, { label: 'reader' }, { kind: 'webhook' }],
  })
  expect(value(await save(a))).toEqual({ path: a.path, missing: [] })
  expectMode(a.path ?? '', 0o600)
  // The user revokes one of the keys after the backup.
  await elsewhere(workspace).revoke(a.keys[1])

  const b = computer('b', there)
  const opened = await openOn(b)
  expect(opened).toMatchObject({ outcome: 'opened', about: { name: 'Main', hostUrl: workspace.hostUrl, besides: null } })
  const restored = value(await b.backups.handlers['backup.restore']({}))
  expect(restored.items.map(({ label, answer }) => [label, answer])).toEqual([
    ['hedger', 'works'],
    ['reader', 'revoked'],
    ['https://bots.example/in', null],
  ])
  expect(b.store.list()).toMatchObject([{ id: restored.profileId, name: 'Main', hostUrl: workspace.hostUrl, rpcHost: 'rpc.example' }])
  expect((await b.rpc.read({ profile: restored.profileId }))?.reveal()).toBe(canaries.rpc)
  expect(b.settings.read()).toMatchObject({ theme: 'dark', language: 'de' })

  const journal = openJournal({ file: b.folders.profileJournal(restored.profileId), clock: systemClock })
  cleanups.push(journal.close)
  expect(journal.state()).toBe('ready')
  expect(journal.unreadable()).toEqual([])
  const of = { profile: restored.profileId }
  expect(journal.records.favouriteMarkets.read(of)).toEqual([1, 7])
  expect(journal.records.nonces.read({ ...of, wallet: workspace.account.address, nonce: '5' })).toBe('signed')
  expect(journal.records.keyNotes.read({ ...of, keyId: a.keys[0] })?.text).toBe('on the server in the attic')
  expect(journal.records.leakFolders.read(of)).toBeNull()

  const profile = { id: restored.profileId, kind: 'live', hostUrl: workspace.hostUrl, practiceWallet: null } as const
  const credentials = createCredentials({ profile, journal, secrets: there, clock: workspace.clock })
  const api = apiOf()
  cleanups.push(api.close)
  const wallet = workspace.account.address
  const nothing = { params: {}, query: {}, body: undefined } as const
  const account = await api.call(endpoints.getAccount, { ...nothing, credential: value(await credentials.forKey(wallet, a.keys[0])) })
  expect(account.ok).toBe(true)
  expect(failure(await credentials.forKey(wallet, a.keys[1]))).toMatchObject({ kind: 'api_key_required' })
  expect(credentials.facts(a.keys[1])?.status).toBe('revoked')
  const kept = await there.get(journal.webhookIndex.list(restored.profileId)[0]?.account ?? '')
  const original = await here.get(workspace.journal().webhookIndex.list(profileId)[0]?.account ?? '')
  expect(value(kept)?.reveal()).toBe(value(original)?.reveal())
}, 60_000)

test('a backup contains no signature, sign-in, wallet connection or folder path, and only the secrets that the user chose', async () => {
  const secrets = createMemorySecretStore()
  const a = await computerA(secrets)
  const journal = workspace.journal()
  journal.intents.plan(anIntent('asked'))
  journal.intents.move('asked', 'PREPARED')
  journal.intents.move('asked', 'ASKED', { topic: canaries.topic, walletRequestId: canaries.topic })
  value(await save(a, [a.keys[0]]))
  const bytes = readFileSync(a.path ?? '')
  const content = JSON.stringify(await openBackup(bytes, passphrase))
  const secretOf = async (keyId: string) =>
    value(await secrets.get(journal.secretIndex.list(profileId).find((row) => row.keyId === keyId)?.account ?? ''))?.reveal() ?? ''
  expect(content).toContain(await secretOf(a.keys[0]))
  expect(content).toContain('on the server in the attic')
  expect(content).toContain(canaries.rpc)
  expect(content).not.toContain(await secretOf(a.keys[1]))
  for (const canary of [canaries.session, canaries.signature, canaries.signature.slice(2), canaries.walletConnect, canaries.topic, canaries.folder])
    expect(content).not.toContain(canary)
  const real = [...workspace.vault].filter(([name]) => /^(session|signature|grant-signature|agent-grant-signature|walletconnect)\//.test(name))
  expect(real.length).toBeGreaterThan(0)
  for (const [, secret] of real) expect(content).not.toContain(secret.reveal())
  // The audit log lists each secret that the backup took from the keychain.
  const audited = journal.audit.list(
    { profileId, wallet: workspace.account.address },
    { keyId: null, source: 'app', kinds: [], ownCalls: true, text: 'a.svcbackup' },
    { offset: 0, limit: 10 },
  )
  expect(audited.map(({ label }) => label).toSorted()).toEqual(['hedger', 'https://bots.example/in'])
}, 60_000)

test('after a backup is restored, the app looks up the open orders in it, but never relays or resends them [FLOW-07]', async () => {
  const a = await computerA(createMemorySecretStore())
  const journal = workspace.journal()
  const path = {
    PREPARED: ['PREPARED'],
    ASKED: ['PREPARED', 'ASKED'],
    SIGNED: ['PREPARED', 'ASKED', 'SIGNED'],
    SENT: ['PREPARED', 'ASKED', 'SIGNED', 'SENT'],
  } as const
  for (const ref of ['planned', 'prepared', 'asked', 'signed', 'sent', 'submitted', 'final', 'delegated', 'approval', 'deposit'])
    journal.intents.plan(anIntent(ref))
  const move = (ref: string, states: readonly Parameters<typeof journal.intents.move>[1][]) => {
    for (const state of states) journal.intents.move(ref, state, { way: 'signed_intent' })
  }
  move('prepared', path.PREPARED)
  move('asked', path.ASKED)
  move('signed', path.SIGNED)
  move('sent', path.SENT)
  move('submitted', [...path.SENT, 'SUBMITTED'])
  move('final', [...path.SENT, 'SUBMITTED', 'CONFIRMING', 'FINAL'])
  journal.intents.move('delegated', 'SENT', { way: 'executor' })
  journal.intents.move('delegated', 'UNKNOWN', { reason: { code: 'execution_lost' } })
  const transaction = { kind: null, from: workspace.account.address, to: workspace.account.address, data: '0x', value: '0x0', deadlineMs: null }
  for (const ref of ['approval', 'deposit']) {
    journal.transactions.plan(ref, [transaction])
    journal.intents.move(ref, 'PREPARED', { way: 'transactions' })
  }
  journal.intents.move('deposit', 'ASKED')
  journal.transactions.change('deposit', 0, { state: 'asked', nonce: 3, blockNumber: 9 })
  value(await save(a))

  const b = computer('b', createMemorySecretStore())
  await openOn(b)
  const { profileId: id } = value(await b.backups.handlers['backup.restore']({}))
  const there = openJournal({ file: b.folders.profileJournal(id), clock: systemClock })
  cleanups.push(there.close)
  const states = Object.fromEntries(
    there.intents.list(id, { wallet: null, beforeMs: null, limit: 50 }).intents.map(({ ref, state, reason }) => [ref, [state, reason?.code ?? null]]),
  )
  const unknown = ['UNKNOWN', 'restored']
  expect(states).toEqual({
    ...{ planned: unknown, prepared: unknown, asked: unknown, signed: unknown, sent: unknown, delegated: unknown, deposit: unknown },
    submitted: ['SUBMITTED', null],
    final: ['FINAL', null],
    approval: ['CANCELLED', 'restored_unasked'],
  })
  expect(there.transactions.of('deposit')).toMatchObject([{ state: 'unknown', nonce: 3, blockNumber: 9 }])
  expect(there.intents.open(id).some(({ unsentSignature }) => unsentSignature)).toBe(false)
  expect(there.intents.timeline('asked').map(({ state }) => state)).toEqual(['PLANNED', 'PREPARED', 'ASKED', 'UNKNOWN'])
  expect(there.state()).toBe('ready')
}, 60_000)

test('if the passphrase is wrong or the backup file is damaged, the app refuses to open the backup in the same way, and restores nothing', async () => {
  const a = await computerA(createMemorySecretStore())
  value(await save(a))
  const b = computer('b', createMemorySecretStore())
  expect(await openOn(b, 'another passphrase')).toEqual({ outcome: 'refused' })
  const bytes = readFileSync(a.path ?? '')
  bytes[100] = (bytes[100] ?? 0) ^ 1
  for (const damaged of [bytes, bytes.subarray(0, 60), Buffer.from('not a backup')]) {
    writeFileSync(a.path ?? '', damaged)
    expect(await openOn(b)).toEqual({ outcome: 'refused' })
  }
  expect(failure(await b.backups.handlers['backup.restore']({}))).toEqual({ kind: 'not_found', what: 'file' })
  expect(b.store.list()).toEqual([])
}, 60_000)

test('if the exchange already has a profile, the app restores a backup as a second profile and does not change the existing profile', async () => {
  const a = await computerA(createMemorySecretStore())
  value(await save(a))
  a.settings.save({ theme: 'light' })
  const opened = await openOn(a)
  expect(opened).toMatchObject({ outcome: 'opened', about: { besides: 'Main' } })
  const before = await a.secrets.get(workspace.journal().secretIndex.list(profileId)[0]?.account ?? '')
  const restored = value(await a.backups.handlers['backup.restore']({}))
  expect(restored.name).toBe('Main 2')
  expect(a.settings.read()).toMatchObject({ theme: 'light' })
  expect(a.store.list().map(({ id, name }) => [id, name])).toContainEqual([profileId, 'Main'])
  expect(a.store.list()).toHaveLength(2)
  expect(await a.secrets.get(workspace.journal().secretIndex.list(profileId)[0]?.account ?? '')).toEqual(before)
}, 60_000)

test('if the keychain fails while the app restores a backup, the app leaves no new profile and no new secret behind', async () => {
  const a = await computerA(createMemorySecretStore())
  value(await save(a))
  const secrets = createMemorySecretStore()
  let writes = 0
  const breaking: SecretStore = {
    ...secrets,
    set: async (...given) => {
      writes += 1
      return writes === 2 ? fail({ kind: 'keychain', code: 'locked', detail: null }) : secrets.set(...given)
    },
  }
  const b = computer('b', breaking)
  await openOn(b)
  expect(failure(await b.backups.handlers['backup.restore']({}))).toMatchObject({ kind: 'keychain', code: 'locked' })
  expect(b.store.list()).toEqual([])
  expect([...secrets.entries.keys()]).toEqual([])
  expect(readdirSync(join(folder, 'b', 'profiles'))).toEqual([])
}, 60_000)

test('restoring a backup fails if the keychain does not return the secret that the app has just stored in it', async () => {
  const a = await computerA(createMemorySecretStore())
  value(await save(a))
  const secrets = createMemorySecretStore()
  const b = computer('b', { ...secrets, get: async (account) => (account.startsWith('key/') ? ok(new Secret('SVCother00000000')) : secrets.get(account)) })
  await openOn(b)
  expect(failure(await b.backups.handlers['backup.restore']({}))).toMatchObject({ kind: 'keychain', detail: 'not_read_back' })
  expect(b.store.list()).toEqual([])
}, 60_000)

test('a locked app writes no backup file, and when the app locks, it closes a backup that the user had opened to restore', async () => {
  const a = await computerA(createMemorySecretStore())
  a.locked = true
  expect(failure(await save(a))).toEqual({ kind: 'locked' })
  expect(existsSync(a.path ?? '')).toBe(false)
  a.locked = false
  value(await save(a))
  await openOn(a)
  a.backups.rest()
  expect(failure(await a.backups.handlers['backup.restore']({}))).toEqual({ kind: 'not_found', what: 'file' })
}, 60_000)

test('before saving a backup, the app lists the secrets that the user chose for it but that are missing in the keychain', async () => {
  const secrets = createMemorySecretStore()
  const a = await computerA(secrets)
  await secrets.delete(
    workspace
      .journal()
      .secretIndex.list(profileId)
      .find(({ keyId }) => keyId === a.keys[1])?.account ?? '',
  )
  expect(value(await save(a)).missing).toMatchObject([{ kind: 'key', id: a.keys[1], label: 'reader' }])
}, 60_000)

test('if the app cannot reach the service, it shows the status of a key from a restored backup as unknown', async () => {
  const a = await computerA(createMemorySecretStore())
  value(await save(a))
  const b = computer('b', createMemorySecretStore(), null, {
    tryKeys: async () => ({ run: async () => ({ verdict: 'cannot_tell', wallet: null, requestIds: [] }), close: async () => {} }),
  })
  await openOn(b)
  const restored = value(await b.backups.handlers['backup.restore']({}))
  expect(restored.items.map(({ answer }) => answer)).toEqual(['unknown', 'unknown', null])
}, 60_000)

test('the app restores a backup made by an older version of the app, and refuses one made by a newer version', () => {
  const folders = namedFolders(folder)
  const title = 'Buy BTC-PERP'
  const row = { ...intentRow, ref: 'old', profile_id: 'p1', title, state: 'FINAL' }
  const steps = ['PLANNED', 'FINAL'].map((state, index) => ({ seq: index + 1, ref: 'old', state, at_ms: 1, note: null }))
  const old = { schema: 13, tables: { intents: [row], intent_steps: steps, values: [{ name: 'markets/p1/favourites', value: '[3]', version: 1 }] } }
  writePortable(folders.profileJournal('p2'), old, { from: 'p1', to: 'p2' })
  const journal = openJournal({ file: folders.profileJournal('p2'), clock: systemClock })
  cleanups.push(journal.close)
  expect(journal.state()).toBe('ready')
  expect(journal.intents.get('old')).toMatchObject({ profileId: 'p2', state: 'FINAL', title: { code: 'as_written', text: title } })
  expect(journal.records.favouriteMarkets.read({ profile: 'p2' })).toEqual([3])
  expect(() => writePortable(folders.profileJournal('p3'), { schema: 1_000, tables: {} }, { from: 'p1', to: 'p3' })).toThrow('newer')
})

/** An intent’s row with the columns that every version of the journal has. */
const intentRow = {
  ...{
    wallet: '0xaa',
    action: 'open_position',
    pair_id: 1,
    symbol: 'BTC-PERP',
    side: 'long',
    idempotency_key: 'k',
    client_order_id: null,
    body: '{}',
    ticket: '{}',
  },
  ...{ intent_id: null, reason: null, tx_hash: null, confirmations: null, finality: null, deadline_ms: null, typed_data: null, prepared: null, topic: null },
  ...{ wallet_request_id: null, block_number: null, created_at_ms: 1, updated_at_ms: 1 },
}

test('the app’s code names each table and record of the journal, and says for each whether a backup contains it', () => {
  const names = openMemory()
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
  expect(Object.keys(tablesInBackup).toSorted()).toEqual(names.toSorted())
  expect(Object.keys(inBackup).toSorted()).toEqual(Object.keys(families).toSorted())
  expect(Object.keys(sealedInBackup).toSorted()).toEqual(Object.keys(sealedFamilies).toSorted())
})
