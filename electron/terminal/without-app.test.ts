import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { second, systemClock } from '../../shared/time.ts'
import { namedFolders } from '../app/folders.ts'
import { openJournal } from '../journal/sqlite-journal.ts'
import { createProfileStore } from '../profiles/profile-store.ts'
import { createKeychain } from '../secrets/keychain.ts'
import { forkKeychainWorker } from '../secrets/keychain-fork.ts'
import { createKeychainProcess } from '../secrets/keychain-process.ts'
import { maskText } from '../secrets/mask.ts'
import { Secret } from '../secrets/secret.ts'
import { startKeyring, type TestKeyring } from '../secrets/testing/keyring.ts'
import { startCommand } from './testing/command.ts'
import { apiKey, startOpenApp } from './testing/open-app.ts'

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

/** What a closed app leaves: its profile, the index of its keys, and the secret in the system's keychain. */
async function leave(): Promise<void> {
  const desk = openJournal({ file: folders().deskJournal, clock: systemClock })
  const store = createProfileStore(desk.values)
  store.save({ id: 'p1', name: 'Main', hostUrl: 'https://dex.example', rpcHost: null, createdAtMs: 1 })
  store.setActive('p1')
  desk.close()
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  journal.secretIndex.remember({ profileId: 'p1', wallet, keyId: 'k1', account: 'key/p1/k1/1', label: 'bot' })
  journal.close()
  const keychain = createKeychainProcess({
    fork: () => forkKeychainWorker(join(import.meta.dirname, '../secrets/keychain-worker.ts'), keyring.env),
    timeoutMs: 20 * second,
  })
  const stored = await createKeychain({ process: keychain, service: 'Svc Desk' }).set('key/p1/k1/1', new Secret(apiKey))
  expect(stored.ok).toBe(true)
  await keychain.close()
}

const command = (...words: string[]) => startCommand([...words.slice(0, 1), '--data', userData, ...words.slice(1)], { env: keyring.env })
const run = (...words: string[]) => command('run', '--key', 'bot', '--', ...words)

test('with the app closed the key comes from the system keychain, and is masked [AUTH-09]', async () => {
  await leave()
  const { code, stdout } = await run('/bin/sh', '-c', 'echo "$SVC_API_KEY $SVC_BASE_URL"; test $(printf %s "$SVC_API_KEY" | wc -c) -eq 33').ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${maskText} https://dex.example/api/dex/v1\n` })
  const journal = openJournal({ file: folders().profileJournal('p1'), clock: systemClock })
  const rows = journal.audit.list({ profileId: 'p1', wallet }, { keyId: 'k1', source: 'app', kinds: [], text: '' }, { after: null, limit: 10 })
  journal.close()
  expect(rows).toMatchObject([{ kind: 'secret_used', event: 'secret.run', label: 'bot', outcome: 'done', detail: expect.stringContaining('/bin/sh -c') }])
})

test('lists what this computer remembers; what needs the wallet waits for the app', async () => {
  await leave()
  expect(await command('keys', 'list').ended).toMatchObject({ code: 0, stdout: expect.stringContaining('bot  k1  unknown') })
  expect(await command('keys', 'rotate', 'bot').ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringContaining('sign-in of your wallet') })
  expect(await command('run', '--profile', 'practice', '--key', 'bot', '--', 'env').ended).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('only while it is open in Svc Desk'),
  })
})

test('a locked keychain is said, and the command is not started', async () => {
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

test('without a profile it makes nothing and says so', async () => {
  const empty = join(userData, 'none')
  const answer = await startCommand(['run', '--data', empty, '--key', 'bot', '--', 'env'], { env: keyring.env }).ended
  expect(answer).toMatchObject({ code: 66, stderr: expect.stringContaining('Start Svc Desk first') })
  expect(() => rmSync(empty)).toThrow()
})

test('an app that has the journals and does not listen yet is waited for, and then asked', async () => {
  const app = await startOpenApp()
  await app.terminal.close()
  const started = startCommand(['run', '--data', app.userData, '--key', 'bot', '--', '/bin/sh', '-c', 'echo ok'], { env: keyring.env })
  // Its first look finds the journal taken.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await app.terminal.open()
  const request = await app.asked()
  await app.answer(request.id, 'once')
  expect(await started.ended).toMatchObject({ code: 0, stdout: 'ok\n' })
  await app.stop()
})

test('an app that starts while a command reads the journal waits for the moment', async () => {
  await leave()
  const file = folders().deskJournal
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
