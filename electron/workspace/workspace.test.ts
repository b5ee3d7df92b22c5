import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, startService, type TestService } from '../../e2e/support/api/service.ts'
import { createMemorySecretStore } from '../../e2e/support/main/memory-secret-store.ts'
import { parsingHere } from '../../e2e/support/parsing/parsing-here.ts'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import { fail } from '../../shared/result.ts'
import { minute, systemClock } from '../../shared/time.ts'
import { createEvery } from '../host/app/app-handlers.ts'
import { Secret } from '../kernel/secret.ts'
import { createClipboard, createClipboardSource } from '../keys/delivery/clipboard.ts'
import { createPracticeClock } from '../practice/base/practice-clock.ts'
import { createLimiter } from '../service/transport/limiter.ts'
import { openJournal } from '../store/journal/tables/sqlite-journal.ts'
import { raw } from '../store/records/raw.ts'
import { vaultAccount } from '../store/secrets/erase-profile.ts'
import type { KeychainFailure } from '../store/secrets/secret-store.ts'
import { createVault } from '../store/secrets/vault.ts'
import { buildWorkspace, type Workspace, type WorkspaceParts } from './workspace.ts'

let folder: string
let exchange: TestService
let rpc: TestService
let parts: WorkspaceParts
let workspace: Workspace

const system = { readText: async () => '', writeText: async () => {}, clear: async () => {} }
const choose = async () => null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-built-'))
  exchange = await startService()
  rpc = await startService()
  rpc.answer = (request, response) => {
    const { id, method } = JSON.parse(request.body)
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x2105' : '0x10' })
  }
  parts = {
    profile: { id: 'p1', kind: 'live', name: 'Main', hostUrl: exchange.hostUrl },
    clock: systemClock,
    limiter: createLimiter({ clock: systemClock, sleep: async () => true }),
    journalFile: join(folder, 'journal.db'),
    secrets: createMemorySecretStore(),
    clipboard: createClipboard({ system, writeSecret: system.writeText }),
    clipboardSource: createClipboardSource(system),
    parsing: parsingHere,
    files: { chooseToOpen: choose, chooseToSave: choose, chooseFolder: choose, showInFolder: () => {} },
    outlets: { reveal: () => ({ closesInMs: 0 }), confirm: async () => false, unlocked: () => true, env: {}, home: folder },
    version: '1.2.3',
    proxy: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
    secondProxy: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
    emit: () => {},
    every: createEvery(() => {}),
    log: () => {},
    onLimited: () => {},
    projectId: () => '',
    rpcUrl: async () => `${rpc.hostUrl}/v2/key-of-the-user`,
  }
  workspace = await buildWorkspace(parts)
})
afterEach(async () => {
  await workspace.close()
  await exchange.close()
  await rpc.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the app reads the chain from the user’s RPC, and sends the RPC’s URL, which contains a key, nowhere else [FLOW-01]', async () => {
  expect(await workspace.handlers['chain.rpc']({ method: 'eth_blockNumber', params: '[]' })).toEqual({ ok: true, value: { result: '"0x10"' } })
  expect(rpc.received.map(({ path }) => path)).toEqual(['/v2/key-of-the-user', '/v2/key-of-the-user'])
  expect(exchange.received.filter(({ path }) => path.includes('key-of-the-user'))).toEqual([])
})

test('the app closes the journal when building the profile’s services fails, so that the next attempt can open it', async () => {
  const journalFile = join(folder, 'other.db')
  const noProxy = { ...parts.proxy, httpProxy: 'no address' }
  await expect(buildWorkspace({ ...parts, journalFile, proxy: noProxy })).rejects.toThrow('Invalid URL')
  const again = await buildWorkspace({ ...parts, journalFile })
  expect(again.journal.state()).toBe('ready')
  await again.close()
})

test('the app closes the journal when a profile fails to start, so that the next attempt can open it', async () => {
  const journalFile = join(folder, 'other.db')
  await expect(buildWorkspace({ ...parts, journalFile, profile: { ...parts.profile, secondHostUrl: 'no address' } })).rejects.toThrow('Invalid URL')
  await (await buildWorkspace({ ...parts, journalFile })).close()
})

test('the app opens a profile whose journal contains a damaged record, and reports the record [V12]', async () => {
  const journalFile = join(folder, 'other.db')
  const journal = openJournal({ file: journalFile, clock: systemClock })
  journal[raw].values.set('replacement/p1/r1', 'no record')
  journal.close()
  const { handlers, close } = await buildWorkspace({ ...parts, journalFile })
  expect(await handlers['app.attention']({})).toMatchObject({
    value: expect.arrayContaining([expect.objectContaining({ id: 'journal-unreadable', names: [expect.stringContaining('replacement/p1/r1')] })]),
  })
  await close()
})

test('the app reads encrypted records again once the user unlocks the keychain', async () => {
  const [journalFile, clock, keychain, events] = [join(folder, 'other.db'), createPracticeClock(systemClock), createMemorySecretStore(), [] as AppEvent[]]
  const journal = openJournal({ file: journalFile, clock })
  const settings = { webhookId: 'wh_1', port: 4807, path: '/deliveries', forwardTo: null, answer: { kind: 'fixed', status: 200, delayS: 0 } }
  const vault = createVault({ rows: journal[raw].sealed, secrets: keychain, account: vaultAccount('p1') })
  await vault.set('lab/p1', new Secret(JSON.stringify({ settings, webhookUrl: 'https://bots.example/in' })))
  journal.close()
  let isLocked = true
  const refused = async () => fail<KeychainFailure>({ kind: 'keychain', code: 'locked', detail: null })
  const { handlers, close } = await buildWorkspace({
    ...{ ...parts, journalFile, clock, emit: (event) => events.push(event) },
    secrets: {
      ...keychain,
      get: (account) => (isLocked ? refused() : keychain.get(account)),
      probe: () => (isLocked ? refused() : keychain.probe()),
    },
  })
  const lab = async () => handlers['lab.state']({})
  expect(await lab()).toMatchObject({ ok: true, value: { status: 'closed', settings: null } })
  expect(await handlers['app.health']({})).toMatchObject({ ok: true, value: { keychain: 'locked' } })
  isLocked = false
  // The app notices the unlocked keychain when a window reads the app's health, which it does every few seconds. Here the test reads it, after a
  // minute.
  const isTold = () => events.some((event) => event.type === 'invalidate' && event.queries.includes('lab.state'))
  expect(isTold()).toBe(false)
  clock.advance(minute)
  await handlers['app.health']({})
  await expect.poll(isTold).toBe(true)
  expect(await lab()).toMatchObject({ ok: true, value: { status: 'paused', earlier: true, settings: { webhookUrl: 'https://bots.example/in' } } })
  await close()
})
