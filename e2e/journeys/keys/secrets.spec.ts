import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { asksToSign } from '../../pages/phone.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { expectFinal, sendToWallet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { expect, test } from '../../support/fixtures.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { readKeyring } from '../../support/keyring.ts'
import { heapOf, plant, storageOf } from '../../support/search/page-memory.ts'
import { openSealed } from '../../support/search/sealed.ts'
import { createSearch } from '../../support/search/secret-search.ts'

const service = 'Svc Desk Practice'

/**
 * A test value for checking the search for secrets. The test plants it in every place where a secret could leak; the search must find it in each
 * place.
 */
const canary = 'SVCplanted.canary/0123456789+abcdef'

test('secrets appear in no page, browser storage, IPC message, log, output, URL or file of the app [AUTH-09 AUTH-08]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open()
  const page = desk.main
  const traffic = await recordIpc(desk.app)
  const phone = await joinExchange(desk, 'canary')
  const keyId = await keyIdOf(page, 'canary')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expectFinal(page)
  const pages = [page, phone.page]
  const heaps = await Promise.all(pages.map(heapOf))
  const stores = await Promise.all(pages.map(storageOf))
  const said = await traffic()
  const calls = JSON.stringify(await practice.calls())

  await plant(page, canary)
  const sees = createSearch([{ name: 'planted', value: canary }])
  expect(sees.inText('heap', await heapOf(page)).map(({ encoding }) => encoding)).toEqual(expect.arrayContaining(['plain', 'base64, from byte 2']))
  expect(sees.inText('storage', await storageOf(page)).map(({ encoding }) => encoding)).toEqual(expect.arrayContaining(['plain', 'URL-encoded']))
  await page.evaluate(
    (text) => (window as unknown as { appBridge: { call(name: string, input: unknown): Promise<unknown> } }).appBridge.call('app.copyText', { text }),
    canary,
  )
  expect(sees.inText('IPC', await traffic()).length).toBeGreaterThan(0)
  await desk.app.evaluate((_electron, text) => void process.stderr.write(`${text}\n`), Buffer.from(canary).toString('hex'))
  await expect.poll(() => sees.inText('output', desk.output()).length).toBeGreaterThan(0)
  await desk.close()

  const operations = new DatabaseSync(join(profileDir, 'profiles/practice/journal.db'))
  const account = operations.prepare('SELECT account FROM secret_index WHERE key_id = ?').get(keyId)?.account
  operations.close()
  const apiKey = readKeyring(service, String(account))
  const vaultKey = readKeyring(service, 'vault/practice')
  if (apiKey === null || vaultKey === null) throw new Error('the keychain does not hold what it should')
  const sealed = openSealed(join(profileDir, 'profiles/practice/journal.db'), vaultKey)
  const bearer = [...sealed].find(([name]) => name.startsWith('session/'))?.[1].match(/svcds1\.[^"]+/)?.[0] ?? ''
  // WalletConnect’s own keychain contains private and shared keys. Each entry’s name is a public key or a topic.
  const kept = [...sealed].filter(([name]) => name.endsWith('//keychain')).map(([, value]) => JSON.parse(value) as Record<string, string>)
  const pairingKeys = [...new Set(kept.flatMap((keys) => Object.values(keys)))]
  const signature = /intents\.answered.*?"answer":"0x([0-9a-f]{130})"/.exec(said)?.[1] ?? ''
  expect(apiKey).toMatch(/^SVC/)
  expect(bearer).toMatch(/^svcds1\./)
  expect(signature).toHaveLength(130)
  expect(pairingKeys.filter((key) => /^[0-9a-f]{64}$/.test(key)).length).toBeGreaterThan(1)

  const credentials = [
    { name: 'API key', value: apiKey },
    { name: 'session bearer', value: bearer },
    { name: 'key of the vault', value: vaultKey },
  ]
  const inPages = createSearch(credentials)
  const places = { heap: heaps, storage: stores, IPC: [said], 'request paths': [calls], output: [desk.output()] }
  expect(Object.entries(places).flatMap(([place, texts]) => texts.flatMap((text) => inPages.inText(place, text)))).toEqual([])

  // The page may contain WalletConnect data and the signature. On disk, the app must encrypt both.
  const onDisk = createSearch([
    ...credentials,
    { name: 'signature', value: signature },
    ...pairingKeys.map((value, index) => ({ name: `WalletConnect key ${index + 1}`, value })),
  ])
  expect(readdirSync(profileDir)).toEqual(expect.arrayContaining(['desk.db', 'logs', 'profiles']))
  expect(onDisk.inFolder(profileDir)).toEqual([])
  // A practice exchange that the app starts itself keeps its data inside the profile folder, so this folder is searched too.
  expect(inPages.inFolder(dirname(practice.descriptorFile))).toEqual([])

  const copy = mkdtempSync(join(tmpdir(), 'svc-desk-planted-'))
  try {
    cpSync(join(profileDir, 'profiles'), copy, { recursive: true })
    const planted = new DatabaseSync(join(copy, 'practice/journal.db'))
    planted.exec('PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0')
    planted.prepare('INSERT INTO "values" (name, value) VALUES (?, ?)').run('planted', canary)
    expect(sees.inFolder(copy).some(({ place }) => place.endsWith('-wal'))).toBe(true)
    planted.close()
    expect(sees.inFolder(copy).some(({ place }) => place.endsWith('journal.db'))).toBe(true)
    writeFileSync(join(copy, 'main.log'), `{"what":"${Buffer.from(`k${canary}`).toString('base64')}"}`)
    expect(sees.inFolder(copy).some(({ place }) => place.endsWith('main.log'))).toBe(true)
    expect(inPages.inFolder(copy)).toEqual([])
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
