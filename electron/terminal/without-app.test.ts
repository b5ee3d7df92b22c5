import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../e2e/support/free-port.ts'
import { startKeyring, type TestKeyring } from '../../e2e/support/keyring/keyring.ts'
import { type OldEntry, oldLiveProfile, oldPassphrase, unpackOldFolder } from '../../e2e/support/old-folder.ts'
import { startCommand, startOnTerminal } from '../../e2e/support/terminal/command.ts'
import { apiKey, startOpenApp, webhookSecret } from '../../e2e/support/terminal/open-app.ts'
import { second, systemClock } from '../../shared/time.ts'
import { namedFolders } from '../host/app/folders.ts'
import { createLockFile, hashPassphrase } from '../host/lock/lock-file.ts'
import { Secret } from '../kernel/secret.ts'
import { openJournal } from '../store/journal/tables/sqlite-journal.ts'
import { createKeychain } from '../store/keychain/keychain.ts'
import { createKeychainProcess, forkKeychainWorker } from '../store/keychain/keychain-process.ts'
import { createProfileStore } from '../store/records/profile-store.ts'
import { maskText } from '../store/secrets/mask.ts'
import { signedHeaders } from '../webhooks/verifier/delivery.ts'

const wallet = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'
let keyring: TestKeyring
let userData: string

beforeAll(async () => {
  keyring = await startKeyring()
}, 30_000)
afterAll(() => keyring.stop())
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'svc-desk-closed-'))
})
afterEach(() => rmSync(userData, { recursive: true, force: true }))

const folders = () => namedFolders(userData)

async function leave(): Promise<void> {
  const workspace = openJournal({ file: folders().appJournal, clock: systemClock })
  const store = createProfileStore(workspace.records)
  store.save({ id: 'p1', name: 'Main', hostUrl: 'https://dex.example', rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  store.setActive('p1')
  workspace.close()
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  journal.secretIndex.remember({ profileId: 'p1', wallet, keyId: 'k1', account: 'key/p1/k1/1', label: 'bot' })
  journal.webhookIndex.remember({ profileId: 'p1', wallet, keyId: 'w1', account: 'webhook/p1/w1/1', label: 'https://bots.example/in' })
  journal.close()
  await keepInKeychain([
    { service: 'Svc Desk', account: 'key/p1/k1/1', secret: apiKey },
    { service: 'Svc Desk', account: 'webhook/p1/w1/1', secret: webhookSecret },
  ])
}

async function keepInKeychain(entries: readonly OldEntry[]): Promise<void> {
  const keychain = createKeychainProcess({
    fork: () => forkKeychainWorker(join(import.meta.dirname, '../store/keychain/keychain-worker.ts'), keyring.env),
    timeoutMs: 20 * second,
  })
  for (const { service, account, secret } of entries)
    expect((await createKeychain({ process: keychain, service }).set(account, new Secret(secret))).ok).toBe(true)
  await keychain.close()
}

const command = (...words: string[]) => startCommand([...words.slice(0, 1), '--data', userData, ...words.slice(1)], { env: keyring.env })
const run = (...words: string[]) => command('run', '--key', 'bot', '--', ...words)

test('svc-desk run reads the key from the system keychain while the app is closed, and masks it in the output [AUTH-09]', async () => {
  await leave()
  const { code, stdout } = await run('/bin/sh', '-c', 'echo "$SVC_API_KEY $SVC_BASE_URL"; test $(printf %s "$SVC_API_KEY" | wc -c) -eq 33').ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${maskText} https://dex.example/api/dex/v1\n` })
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  const rows = journal.audit.list({ profileId: 'p1', wallet }, { keyId: 'k1', source: 'app', kinds: [], ownCalls: true, text: '' }, { offset: 0, limit: 10 })
  journal.close()
  expect(rows).toMatchObject([{ kind: 'secret_used', event: 'secret.run', label: 'bot', outcome: 'done', detail: expect.stringContaining('/bin/sh -c') }])
})

test('svc-desk run passes on a signing secret while the app is closed, and the audit log records this use without a key [HOOK-03] [AUTH-09]', async () => {
  await leave()
  const script = ['/bin/sh', '-c', 'echo "$SVC_WEBHOOK_SECRET $SVC_API_KEY"; printf %s "$SVC_WEBHOOK_SECRET" | wc -c']
  const { code, stdout } = await command('run', '--webhook', 'https://bots.example/in', '--', ...script).ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${maskText} \n${webhookSecret.length}\n` })
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  const rows = journal.audit.list({ profileId: 'p1', wallet }, { keyId: null, source: 'app', kinds: [], ownCalls: true, text: '' }, { offset: 0, limit: 10 })
  journal.close()
  expect(rows).toMatchObject([{ event: 'secret.run', keyId: null, label: 'https://bots.example/in', outcome: 'done' }])
})

test('svc-desk listen uses a signing secret from the keychain while the app is closed, and ends at Ctrl-C [HOOK-06] [AUTH-09]', async () => {
  await leave()
  const started = command('listen', '--webhook', 'https://bots.example/in', '--port', String(await freePort()))
  await started.says('Receiving deliveries at ')
  const [, url = ''] = /deliveries at (\S+)/.exec(started.stdout()) ?? []
  const body = Buffer.from('{"id":"evt_1","type":"order.filled","created_at":1800000000,"data":{}}')
  const headers = signedHeaders({ id: 'evt_1', type: 'order.filled', body, secret: webhookSecret, timestampS: Math.floor(systemClock.now() / second) })
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  await started.says('evt_1  attempt 1, verified  not forwarded')
  started.process.kill('SIGINT')
  const { code, stdout, stderr } = await started.ended
  expect(code).toBe(0)
  expect(`${stdout}${stderr}`).not.toContain(webhookSecret)
})

const passphrase = 'correct horse battery'

async function lockApp(wrong = 0): Promise<void> {
  const hash = await hashPassphrase(passphrase, { n: 2, r: 1, p: 1 })
  const tries = { wrong, lastAtMs: systemClock.now() }
  createLockFile(folders().lock).write({ version: 1, hash, choice: { afterMinutes: null, withScreen: false, touchId: false }, tries })
}
const question = 'Passphrase of Svc Desk: '
const onTerminal = (...words: string[]) => startOnTerminal([...words.slice(0, 1), '--data', userData, ...words.slice(1)], { env: keyring.env })

test('svc-desk asks for the lock’s passphrase on the terminal while the app is closed, hides it, and keeps it from the command’s input [AUTH-09]', async () => {
  await leave()
  await lockApp()
  const started = onTerminal('run', '--key', 'bot', '--', '/bin/sh', '-c', 'echo ready; read line; echo "got $line, $(printf %s "$SVC_API_KEY" | wc -c)"')
  await started.says(question)
  started.type('correct horze\u007f\u007fse battery\r')
  await started.says('ready')
  started.type('hello\n')
  const { code, stdout } = await started.ended
  expect({ code, got: stdout.includes('got hello, 33') }).toEqual({ code: 0, got: true })
  expect(stdout).not.toMatch(/horse|battery|SVC_live/)
})

test('after the passphrase is entered, svc-desk finds a key that the first published app version stored under the app’s former name', async () => {
  const old = unpackOldFolder(userData)
  await keepInKeychain(old.keychain)
  const secret = old.keychain.find(({ account }) => account.startsWith(`key/${oldLiveProfile}/`))?.secret ?? ''
  const words = ['run', '--data', old.userData, '--profile', 'Main', '--key', 'live-bot', '--', '/bin/sh', '-c', 'printf %s "$SVC_API_KEY" | sha256sum']
  const started = startOnTerminal(words, { env: keyring.env })
  await started.says(question)
  started.type(`${oldPassphrase}\r`)
  const { code, stdout } = await started.ended
  expect({ code, given: stdout.includes(createHash('sha256').update(secret).digest('hex')) }).toEqual({ code: 0, given: true })
})

test('svc-desk starts no command after a wrong passphrase, and counts the attempt; Ctrl-C ends the passphrase prompt', async () => {
  await leave()
  await lockApp()
  const wrong = onTerminal('run', '--key', 'bot', '--', '/bin/sh', '-c', 'echo started')
  for (let time = 0; time < 3; time += 1) {
    await expect.poll(() => wrong.stdout().split(question).length - 1, { timeout: 15_000 }).toBe(time + 1)
    wrong.type('wrong one\r')
  }
  const ended = await wrong.ended
  expect(ended.code).toBe(77)
  expect(ended.stdout).toContain('Wrong passphrase. Nothing was done.')
  expect(ended.stdout).not.toContain('started')
  expect(createLockFile(folders().lock).read()).toMatchObject({ tries: { wrong: 3 } })

  const left = onTerminal('keys', 'list')
  await left.says(question)
  left.type('\u0003')
  expect(await left.ended).toMatchObject({ code: 77, stdout: expect.stringContaining('You gave no passphrase.') })
})

test('svc-desk starts no command if no terminal can ask for the passphrase, or if too little time has passed since wrong attempts', async () => {
  await leave()
  await lockApp()
  for (const ended of [await run('/bin/sh', '-c', 'echo started').ended, await command('keys', 'list').ended])
    expect(ended).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('no terminal to ask for the passphrase') })
  await lockApp(9)
  const soon = await onTerminal('run', '--key', 'bot', '--', '/bin/sh', '-c', 'echo started').ended
  expect(soon).toMatchObject({ code: 75, stdout: expect.stringMatching(/Too many wrong passphrases\. Try again in \d+ s\./) })
  expect(soon.stdout).not.toContain(question)
})

test('while the app is closed, svc-desk lists the keys that this computer stores, and names the actions that need the app', async () => {
  await leave()
  expect(await command('keys', 'list').ended).toMatchObject({ code: 0, stdout: expect.stringContaining('bot  k1  unknown') })
  expect(await command('keys', 'rotate', 'bot').ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringContaining('signed in with your wallet') })
  expect(await command('run', '--profile', 'practice', '--key', 'bot', '--', 'env').ended).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('only while it is open in Svc Desk'),
  })
})

test('svc-desk run reports a locked keychain and does not start the command', async () => {
  await leave()
  await keyring.lock()
  try {
    expect(await run('/bin/sh', '-c', 'echo started').ended).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(/keychain (is locked|did not answer|cannot be used)/),
    })
  } finally {
    await keyring.unlock()
  }
})

test('if no profile exists, svc-desk reports this and creates no files', async () => {
  const empty = join(userData, 'none')
  const answer = await startCommand(['run', '--data', empty, '--key', 'bot', '--', 'env'], { env: keyring.env }).ended
  expect(answer).toMatchObject({ code: 66, stderr: expect.stringContaining('Start Svc Desk first') })
  expect(() => rmSync(empty)).toThrow()
})

test('svc-desk waits for an app that is starting and does not listen yet, then sends the request to that app', async () => {
  const app = await startOpenApp()
  await app.terminal.close()
  const started = startCommand(['run', '--data', app.userData, '--key', 'bot', '--', '/bin/sh', '-c', 'echo ok'], { env: keyring.env })
  await started.says('Svc Desk is starting. Waiting for it.')
  await app.terminal.open()
  const request = await app.asked()
  await app.answer(request.id, 'once')
  expect(await started.ended).toMatchObject({ code: 0, stdout: 'ok\n' })
  await app.stop()
})

test('the app waits briefly at its start while a svc-desk command still reads the journal', async () => {
  await leave()
  const file = folders().appJournal
  const holder = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '-e',
    `const { DatabaseSync } = require('node:sqlite')
     const held = new DatabaseSync(${JSON.stringify(file)})
     held.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; COMMIT')
     console.log('held')
     setTimeout(() => held.close(), 400)`,
  ])
  await once(holder.stdout, 'data')
  const journal = openJournal({ file, clock: systemClock })
  expect(journal.state()).toBe('ready')
  journal.close()
})

const backupPassphrase = 'four words that open it'
const backup = (input: string, ...words: string[]) =>
  startCommand(['backup', join(userData, 'a.svcbackup'), '--data', userData, '--passphrase-fd', '0', ...words], { env: keyring.env, input })
const restore = (input: string, data: string) =>
  startCommand(['restore', join(userData, 'a.svcbackup'), '--data', data, '--passphrase-fd', '0'], { env: keyring.env, input })

test('svc-desk saves a backup under a passphrase from a file descriptor, and restores it with its secrets into another data folder [AUTH-09]', async () => {
  await leave()
  const saved = await backup(`${backupPassphrase}\n`).ended
  expect(saved).toMatchObject({ code: 0, stdout: `Main is saved in ${join(userData, 'a.svcbackup')}, with 2 secrets.\n`, stderr: '' })
  const file = readFileSync(join(userData, 'a.svcbackup'))
  expect(statSync(join(userData, 'a.svcbackup')).mode & 0o777).toBe(0o600)
  for (const secret of [apiKey, webhookSecret]) expect(file.includes(secret)).toBe(false)
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  const rows = journal.audit.list({ profileId: 'p1', wallet }, { keyId: 'k1', source: 'app', kinds: [], ownCalls: true, text: '' }, { offset: 0, limit: 10 })
  journal.close()
  expect(rows).toMatchObject([{ event: 'secret.saved', label: 'bot', outcome: 'done' }])

  const other = join(userData, 'other')
  const wrong = await restore('another passphrase\n', other).ended
  expect(wrong).toMatchObject({ code: 77, stdout: '', stderr: expect.stringContaining('The passphrase is wrong, or the file is damaged or not a backup.') })
  const restored = await restore(`${backupPassphrase}\nmore`, other).ended
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('The backup of Main (https://dex.example) was made on') })
  expect(restored.stdout).toMatch(/^Restored as Main\.\nkey bot: stored, .*\nwebhook https:\/\/bots\.example\/in: stored\nOpen it in Svc Desk/)
  const script = `test "$SVC_API_KEY" = "$(printf %s '${apiKey.slice(0, 20)}')${apiKey.slice(20)}"`
  const used = startCommand(['run', '--data', other, '--profile', 'Main', '--key', 'bot', '--', '/bin/sh', '-c', script], { env: keyring.env })
  expect(await used.ended).toMatchObject({ code: 0 })
}, 90_000)

test('svc-desk backup asks for a new passphrase twice without showing it, and leaves secrets out if the user wants that', async () => {
  await leave()
  const words = ['backup', join(userData, 'a.svcbackup'), '--data', userData, '--no-secrets']
  const typed = startOnTerminal(words, { env: keyring.env })
  await typed.says('New passphrase of the backup: ')
  typed.type(`${backupPassphrase}\r`)
  await typed.says('The same passphrase again: ')
  typed.type(`${backupPassphrase}\r`)
  const { code, stdout } = await typed.ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('with no secrets.') })
  expect(stdout).not.toContain(backupPassphrase)
}, 60_000)

test('svc-desk refuses a backup with a short passphrase, over an existing file, of practice mode, without a terminal, or while the app is open', async () => {
  await leave()
  expect(await backup('short\n').ended).toMatchObject({ code: 64, stderr: expect.stringContaining('at least 8 characters') })
  expect(await backup(`${backupPassphrase}\n`, '--profile', 'Practice').ended).toMatchObject({ code: 64, stderr: expect.stringContaining('Practice stays') })
  expect(await command('backup', join(userData, 'b.svcbackup')).ended).toMatchObject({ code: 75, stderr: expect.stringContaining('--passphrase-fd') })
  expect(await restore('x\n', join(userData, 'other')).ended).toMatchObject({ code: 66, stderr: expect.stringContaining('does not exist') })
  const journal = openJournal({ file: folders().appJournal, clock: systemClock })
  expect(await backup(`${backupPassphrase}\n`).ended).toMatchObject({ code: 75, stderr: expect.stringContaining('Svc Desk is open. Close it') })
  journal.close()
  expect(existsSync(join(userData, 'a.svcbackup'))).toBe(false)
  writeFileSync(join(userData, 'a.svcbackup'), 'mine')
  expect(await backup(`${backupPassphrase}\n`).ended).toMatchObject({ code: 64, stderr: expect.stringContaining('exists. Name a new file.') })
  expect(readFileSync(join(userData, 'a.svcbackup'), 'utf8')).toBe('mine')
}, 90_000)

test('if the app has a lock, svc-desk saves no backup until the user gives the lock’s passphrase', async () => {
  await leave()
  await lockApp()
  expect(await backup(`${backupPassphrase}\n`).ended).toMatchObject({ code: 75, stderr: expect.stringContaining('Svc Desk has a lock') })
  expect(existsSync(join(userData, 'a.svcbackup'))).toBe(false)
}, 60_000)
