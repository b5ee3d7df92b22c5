import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../shared/time.ts'
import { createLimiter } from '../api/limiter.ts'
import { json, startService, type TestService } from '../api/testing/service.ts'
import { openJournal } from '../journal/sqlite-journal.ts'
import { createClipboard } from '../secrets/clipboard.ts'
import { createClipboardSource } from '../secrets/clipboard-source.ts'
import { createMemorySecretStore } from '../testing/memory-secret-store.ts'
import { buildDesk, type Desk, type DeskParts } from './desk.ts'

let folder: string
let exchange: TestService
let rpc: TestService
let parts: DeskParts
let desk: Desk

const system = { readText: async () => '', writeText: async () => {}, clear: async () => {} }
const choose = async () => null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-built-'))
  exchange = await startService()
  rpc = await startService()
  rpc.answer = (request, response) => json(response, 200, { jsonrpc: '2.0', id: JSON.parse(request.body).id, result: '0x10' })
  parts = {
    profile: { id: 'p1', kind: 'live', name: 'Main', hostUrl: exchange.hostUrl },
    clock: systemClock,
    limiter: createLimiter({ clock: systemClock, sleep: async () => true }),
    journalFile: join(folder, 'journal.db'),
    secrets: createMemorySecretStore(),
    clipboard: createClipboard({ system }),
    clipboardSource: createClipboardSource(system),
    files: { chooseToOpen: choose, chooseToSave: choose, chooseFolder: choose, showInFolder: () => {} },
    outlets: { reveal: () => ({ closesInMs: 0 }), confirm: async () => false, env: {}, home: folder },
    version: '1.2.3',
    proxy: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
    secondProxy: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
    emit: () => {},
    log: () => {},
    onLimited: () => {},
    projectId: () => '',
    rpcUrl: async () => `${rpc.hostUrl}/v2/key-of-the-user`,
  }
  desk = await buildDesk(parts)
})
afterEach(async () => {
  await desk.close()
  await exchange.close()
  await rpc.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the chain is read from the RPC that the user named, and its address with its key is sent to nobody else [FLOW-01]', async () => {
  expect(await desk.handlers['chain.rpc']({ method: 'eth_blockNumber', params: '[]' })).toEqual({ ok: true, value: { result: '"0x10"' } })
  expect(rpc.received.map(({ path }) => path)).toEqual(['/v2/key-of-the-user'])
  expect(exchange.received.filter(({ path }) => path.includes('key-of-the-user'))).toEqual([])
})

test('a profile that cannot be put together leaves its journal to the next try', async () => {
  const journalFile = join(folder, 'other.db')
  const noProxy = { ...parts.proxy, httpProxy: 'no address' }
  await expect(buildDesk({ ...parts, journalFile, proxy: noProxy })).rejects.toThrow('Invalid URL')
  const again = await buildDesk({ ...parts, journalFile })
  expect(again.journal.state()).toBe('ready')
  await again.close()
})

test('a profile whose start fails leaves its journal to the next try', async () => {
  const journalFile = join(folder, 'other.db')
  const journal = openJournal({ file: journalFile, clock: systemClock })
  journal.values.set('replacement/p1/r1', 'no record')
  journal.close()
  await expect(buildDesk({ ...parts, journalFile })).rejects.toThrow('JSON')
  const left = openJournal({ file: journalFile, clock: systemClock })
  left.values.set('replacement/p1/r1', null)
  left.close()
  await (await buildDesk({ ...parts, journalFile })).close()
})
