import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService, type TestService } from '../../e2e/support/api/service.ts'
import { createMemorySecretStore } from '../../e2e/support/main/memory-secret-store.ts'
import { parsingHere } from '../../e2e/support/parsing/parsing-here.ts'
import { systemClock } from '../../shared/time.ts'
import { createEvery } from '../host/app/app-handlers.ts'
import { Secret } from '../kernel/secret.ts'
import { createClipboard, createClipboardSource } from '../keys/delivery/clipboard.ts'
import { createLimiter } from '../service/transport/limiter.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { raw } from '../store/records/raw.ts'
import type { Family } from '../store/records/record.ts'
import { families, sealedFamilies } from '../store/records/registry.ts'
import { vaultAccount } from '../store/secrets/erase-profile.ts'
import { createVault, openVault } from '../store/secrets/vault.ts'
import { buildWorkspace } from './workspace.ts'

const garbage = 'no record'
let folder: string
let exchange: TestService
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-damaged-'))
  exchange = await startService()
})
afterEach(async () => {
  await exchange.close()
  rmSync(folder, { recursive: true, force: true })
})

const file = () => join(folder, 'journal.db')
const nameOf = ({ name }: Family) => name.replace('{profile}', 'p1').replace(/\{\w+\}/g, 'x')
const secrets = createMemorySecretStore()
const account = vaultAccount('p1')

/** Every kind of record. `damageable` has the kinds whose text can be invalid. The other kinds accept any text. */
const all: readonly (readonly [string, Family])[] = Object.entries(families)
const damageable = all.filter(([, { schema, form }]) => form === 'json' || !schema.safeParse(garbage).success)

function write(change: (journal: SqliteJournal) => void): void {
  const journal = openJournal({ file: file(), clock: systemClock })
  change(journal)
  journal.close()
}

async function opened(): Promise<string> {
  const choose = async () => null
  const system = { readText: async () => '', writeText: async () => {}, clear: async () => {} }
  const noProxy = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }
  const workspace = await buildWorkspace({
    profile: { id: 'p1', kind: 'live', name: 'Main', hostUrl: exchange.hostUrl },
    clock: systemClock,
    limiter: createLimiter({ clock: systemClock, sleep: async () => true }),
    journalFile: file(),
    secrets,
    clipboard: createClipboard({ system, writeSecret: system.writeText }),
    clipboardSource: createClipboardSource(system),
    parsing: parsingHere,
    files: { chooseToOpen: choose, chooseToSave: choose, chooseFolder: choose, showInFolder: () => {} },
    outlets: { reveal: () => ({ closesInMs: 0 }), confirm: async () => false, unlocked: () => true, env: {}, home: folder },
    version: '1.2.3',
    proxy: noProxy,
    secondProxy: noProxy,
    emit: () => {},
    every: createEvery(() => {}),
    log: () => {},
    onLimited: () => {},
    projectId: () => '',
    rpcUrl: async () => `${exchange.hostUrl}/rpc`,
  })
  try {
    await workspace.handlers['lab.state']({})
    await workspace.handlers['receiverTest.state']({})
    const attention = await workspace.handlers['app.attention']({})
    return JSON.stringify(attention.ok ? attention.value.filter(({ id }) => id === 'journal-unreadable') : attention)
  } finally {
    await workspace.close()
  }
}

test('the tests with damaged records cover every kind of record except plain text', () => {
  expect(all.filter(([, family]) => !damageable.some(([, one]) => one === family)).map(([, { form }]) => form)).not.toContain('json')
  expect(damageable.length).toBeGreaterThan(40)
})

test.each(damageable)('the app opens a profile with a damaged record of %s, and reports the record once without deleting it [V12]', async (_, family) => {
  const name = nameOf(family)
  write((journal) => journal[raw].values.set(name, garbage))
  expect(await opened()).toContain(name)
  expect(await opened()).toBe('[]')
  const database = new DatabaseSync(file())
  expect(database.prepare('SELECT value FROM set_aside WHERE name = ?').get(name)).toEqual({ value: garbage })
  database.close()
})

test('the app opens a profile with every record damaged at once, including the vault’s [V12]', async () => {
  const vaultOf = (journal: SqliteJournal) => createVault({ rows: journal[raw].sealed, secrets, account })
  const journal = openJournal({ file: file(), clock: systemClock })
  for (const [, family] of damageable) journal[raw].values.set(nameOf(family), garbage)
  for (const family of Object.values(sealedFamilies)) await vaultOf(journal).set(nameOf(family), new Secret(garbage))
  journal.close()
  expect(await opened()).toContain('journal-unreadable')
})

test.each(Object.entries(sealedFamilies))('the app sets a damaged record of %s in the vault aside, and reports it once', async (_, family) => {
  const name = nameOf(family)
  const journal = openJournal({ file: file(), clock: systemClock })
  const vault = createVault({ rows: journal[raw].sealed, secrets, account })
  await vault.set(name, new Secret(garbage))
  // A plain-text record accepts any text, so the test damages its encryption instead.
  if (family.form === 'text') journal[raw].sealed.set(name, new Uint8Array(40))
  const { records } = openVault({ journal, secrets, account })
  const key = { profile: 'p1', wallet: 'x', ref: 'x', draftId: 'x', keyId: 'x', key: 'x' }
  const access = Object.values(records)[Object.values(sealedFamilies).indexOf(family)]
  expect(await access?.read(key)).toBe(null)
  expect(journal.unreadable()).toEqual([name])
  journal.close()
  const again = openJournal({ file: file(), clock: systemClock })
  expect([again.unreadable(), again[raw].setAside.has(name)]).toEqual([[], true])
  again.close()
})

const earlier: Readonly<Record<string, readonly unknown[]>> = {
  doctorReports: [
    {
      wallet: '0xa',
      report: {
        ...{ keyId: 'x', label: 'bot', startedAtMs: 1, finishedAtMs: 2, cause: 'healthy', sentence: 'The key works.', action: null },
        checks: [{ id: 'secret', title: 'Secret on this computer', verdict: 'pass', words: 'In the keychain.', ms: null, requestId: null }],
      },
    },
  ],
  bulkActions: [
    {
      ...{ id: 's', wallet: '0xa', kind: 'kill', by: { way: 'wallet' }, startedAtMs: 1, endedAtMs: null, revocation: { keyIds: ['x'], panicId: null } },
      steps: [
        {
          ...{ id: 'cancel/?', kind: 'cancel', subject: '', title: 'Orders that could not be listed', state: 'failed', ref: null, txHash: null, atMs: null },
          detail: 'The service did not list all orders to the end. More may be waiting: look at the exchange itself.',
        },
      ],
    },
    {
      ...{ id: 's', wallet: '0xa', kind: 'kill', by: { way: 'wallet' }, startedAtMs: 1, endedAtMs: null, revocation: null },
      steps: [
        {
          ...{
            id: 'close/p',
            kind: 'close',
            subject: 'p',
            title: 'Close the long on BTC-PERP at market',
            state: 'failed',
            ref: null,
            txHash: null,
            atMs: null,
          },
          detail: { code: 'as_written', text: 'It reverted.' },
        },
      ],
    },
  ],
  revokeAllRuns: [
    {
      ...{ id: 'p', wallet: '0xa', startedAtMs: 1, endedAtMs: null },
      rows: [{ keyId: 'x', label: 'bot', outcome: 'unknown', detail: 'No answer: timeout', requestId: null, atMs: 2, leftInKeychain: false }],
    },
  ],
  replacements: [
    {
      ...{ id: 'x', wallet: '0xa', oldKeyId: 'x', oldLabel: 'bot', newKeyId: 'y', operationId: null, draftId: null, agentSettled: true, notBeforeMs: null },
      ...{ createdAtMs: 1, updatedAtMs: 2, now: { state: 'done' } },
      plan: { label: 'bot 2', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [], executor: null, agent: 'none' },
      steps: [
        { state: 'planned', atMs: 1, note: null },
        { state: 'handed_over', atMs: 2, note: 'By your word.' },
        { state: 'done', atMs: 2, note: 'The service confirmed it.' },
      ],
    },
  ],
  receiverTests: [
    {
      setup: { url: 'http://127.0.0.1:4818/in', effectsUrl: null, signWith: { kind: 'throwaway' } },
      report: {
        ...{ verdict: 'failed', url: 'http://127.0.0.1:4818/in', secret: 'throwaway', startedAtMs: 1, endedAtMs: 2 },
        checks: [
          {
            ...{ id: 'wrong_signature', title: 'A wrong signature', rule: 'HOOK-06', result: 'failed', why: 'answered 2xx' },
            exchanges: [
              {
                sent: { type: 'order.filled', eventId: 'evt_1', attempt: 1, timestampS: 1, bytes: 9, altered: 'one digit of the signature' },
                answered: { status: 200, ms: 3, text: '200 taken' },
              },
            ],
          },
        ],
      },
    },
  ],
}

test('the tests of record upgrades have an example of every earlier version of every kind of record', () => {
  const versioned = Object.entries({ ...families, ...sealedFamilies }).filter(([, { version }]) => version > 1)
  expect(Object.fromEntries(Object.entries(earlier).map(([kind, records]) => [kind, records.length + 1]))).toEqual(
    Object.fromEntries(versioned.map(([kind, { version }]) => [kind, version])),
  )
})

test.each(all.filter(([, { version }]) => version > 1))('the app can read a record of %s that any earlier version wrote', (kind, family) => {
  for (const [index, record] of (earlier[kind] ?? []).entries()) {
    write((journal) => journal[raw].values.set(nameOf(family), JSON.stringify(record), index + 1))
    write((journal) => expect([journal.unreadable(), journal[raw].values.get(nameOf(family)) === null]).toEqual([[], false]))
  }
})

test.each(Object.entries(sealedFamilies).filter(([, { version }]) => version > 1))(
  'the app can read a record of %s in the vault that any earlier version wrote',
  async (kind, family) => {
    for (const [index, record] of (earlier[kind] ?? []).entries()) {
      const journal = openJournal({ file: file(), clock: systemClock })
      await createVault({ rows: journal[raw].sealed, secrets, account }).set(nameOf(family), new Secret(JSON.stringify(record)), index + 1)
      const { records } = openVault({ journal, secrets, account })
      const access = Object.values(records)[Object.values(sealedFamilies).indexOf(family)]
      expect([(await access?.list({ profile: 'p1' }))?.length, journal.unreadable()]).toEqual([1, []])
      journal.close()
    }
  },
)

test('the app sets aside a record that a newer app version wrote, so that the newer version can read it again', () => {
  write((journal) => journal[raw].values.set('ticket/p1/settings', '{"expert":true}', 2))
  write((journal) => expect([journal.records.ticketSettings.read({ profile: 'p1' }), journal.unreadable()]).toEqual([null, ['ticket/p1/settings']]))
  const database = new DatabaseSync(file())
  database.exec('UPDATE set_aside SET version = 1')
  database.close()
  write((journal) => expect(journal.records.ticketSettings.read({ profile: 'p1' })).toEqual({ expert: true }))
})
