import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../e2e/support/main/memory-secret-store.ts'
import { oldLiveProfile, unpackOldFolder } from '../../e2e/support/old-folder.ts'
import { parsingHere } from '../../e2e/support/parsing/parsing-here.ts'
import { createFakeChain } from '../../e2e/support/practice/fake-chain.ts'
import { IntentReason, StepNote } from '../../shared/ipc/intents/reasons.ts'
import type { Result } from '../../shared/result.ts'
import { titleText } from '../../shared/text/title-text.ts'
import { systemClock } from '../../shared/time.ts'
import { namedFolders } from '../host/app/folders.ts'
import { createRpcAddresses } from '../host/profiles/exchange-hosts.ts'
import { practiceSeed } from '../host/profiles/practice-process.ts'
import { Secret } from '../kernel/secret.ts'
import { createClipboard, createClipboardSource } from '../keys/delivery/clipboard.ts'

import { noFaults } from '../practice/base/faults.ts'
import { createPracticeClock } from '../practice/base/practice-clock.ts'
import { createExchange, type Exchange } from '../practice/exchange/exchange.ts'
import { createLimiter } from '../service/transport/limiter.ts'
import { migrations } from '../store/journal/migrations.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { familyFinder } from '../store/records/access.ts'
import { createProfileStore, createSettings } from '../store/records/profile-store.ts'
import { families, sealedFamilies } from '../store/records/registry.ts'
import { vaultAccount } from '../store/secrets/erase-profile.ts'
import { openVault } from '../store/secrets/vault.ts'
import { buildWorkspace, type Workspace } from './workspace.ts'

const clock = createPracticeClock({ ...systemClock, now: () => 1_795_605_270_000 })
const wallet = '0x0fFc4c3249D222FEFf361Bfa4C46312DAe38570f'
const services = { desk: 'Svc Desk', live: 'Svc Desk', practice: 'Svc Desk Practice' } as const
const ids = { desk: 'desk', live: oldLiveProfile, practice: 'practice' } as const
type Which = keyof typeof ids
const journals: readonly Which[] = ['desk', 'practice', 'live']

let folder: string
let old: ReturnType<typeof unpackOldFolder>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-old-'))
  old = unpackOldFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (which: Which) => {
  const { appJournal, profileJournal } = namedFolders(old.userData)
  return which === 'desk' ? appJournal : profileJournal(ids[which])
}

async function keychainOf(which: Which) {
  const secrets = createMemorySecretStore()
  for (const { service, account, secret } of old.keychain) if (service === services[which]) await secrets.set(account, new Secret(secret))
  return secrets
}

async function opened(which: Which, use: (journal: SqliteJournal) => unknown): Promise<void> {
  const journal = openJournal({ file: fileOf(which), clock })
  try {
    await use(journal)
  } finally {
    journal.close()
  }
}

type Row = Readonly<Record<string, unknown>>

function tablesOf(which: Which): ReadonlyMap<string, readonly Row[]> {
  const database = new DatabaseSync(fileOf(which), { readOnly: true })
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()
  const tables = new Map(names.map(({ name }) => [String(name), database.prepare(`SELECT * FROM "${name}"`).all()]))
  database.close()
  return tables
}

test.each(journals)('the app migrates the journal %s of the first published app version completely; a second migration changes nothing', async (which) => {
  const before = tablesOf(which)
  await opened(which, (journal) => expect([journal.state(), journal.unreadable()]).toEqual(['ready', []]))
  const after = tablesOf(which)
  for (const [table, rows] of before) {
    // Older versions stored only `yes` here. The migration replaces it with the field map of that time, which was empty.
    const had = rows.map((row) => (String(row.name).startsWith(`audit/${ids[which]}/whole/`) ? { ...row, value: '{}' } : row))
    const has = after.get(table)?.map((row, index) => Object.fromEntries(Object.keys(had[index] ?? row).map((column) => [column, row[column]])))
    // The migration replaces the sentences in these columns with codes, so don't compare them.
    const coded = (row: Row) => ({ ...row, reason: undefined, note: undefined })
    const titled = (row: Row) => (table === 'intents' ? { ...row, title: JSON.stringify({ code: 'as_written', text: row.title }) } : row)
    expect([table, has?.map(coded)]).toEqual([table, had.map(titled).map(coded)])
  }
  expect(after.get('set_aside')).toEqual([])
  await opened(which, (journal) => expect([journal.state(), journal.unreadable()]).toEqual(['ready', []]))
  expect(tablesOf(which)).toEqual(after)
  const database = new DatabaseSync(fileOf(which), { readOnly: true })
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length })
  database.close()
})

test('the migration from the first app version turns every sentence of an old intent or operation into a code, and keeps unknown texts', async () => {
  const before = tablesOf('practice')
  await opened('practice', () => {})
  const after = tablesOf('practice')
  const [asWritten, reasons, notes] = [new Set<unknown>(), new Set<string>(), new Set<string>()]
  for (const [table, column, schema, codes] of [
    ['intents', 'reason', IntentReason, reasons],
    ['intent_transactions', 'reason', IntentReason, reasons],
    ['intent_steps', 'note', StepNote, notes],
  ] as const)
    for (const [index, row] of (after.get(table) ?? []).entries()) {
      if (row[column] === null) continue
      const { code } = schema.parse(JSON.parse(String(row[column])))
      if (code === 'as_written') asWritten.add(before.get(table)?.[index]?.[column])
      codes.add(code)
    }
  for (const { note } of after.get('secret_operations') ?? []) if (String(note).startsWith('as_written ')) asWritten.add(note)
  expect([...asWritten].toSorted()).toEqual([
    'BAD_SIGNATURE',
    'The prepared message carries an order value of 2,150.00 USDC. Your ticket says 215.00 USDC.',
    'User rejected the request.',
    ...['oracle_unavailable', 'outcome_unknown', 'refused', 'rejected', 'signature_ready', 'unreachable'],
  ])
  expect([reasons.size, notes.size].map((count) => count > 5)).toEqual([true, true])
  expect([...reasons]).toEqual(expect.arrayContaining(['shown_nowhere', 'partly_executed', 'execution_asked_again', 'rejected_on_phone', 'relay_not_reached']))
})

test('the migration from the first app version keeps every old record except permissions for commands, for which the app asks again', () => {
  const finders = { values: familyFinder(Object.values(families)), vault: familyFinder(Object.values(sealedFamilies)) }
  const names = journals.flatMap((which) =>
    (['values', 'vault'] as const).flatMap((table) =>
      (tablesOf(which).get(table) ?? []).map(({ name }) => ({ name: String(name), family: finders[table](String(name)) })),
    ),
  )
  expect(names.filter(({ family }) => family === null).map(({ name }) => name)).toEqual([expect.stringMatching(/^terminal\/grant\//)])
  expect(new Set(names.map(({ family }) => family)).size).toBeGreaterThan(45)
})

test('the app finds every secret that its first version stored in the keychain, and opens the vault with its old key', async () => {
  for (const which of ['practice', 'live'] as const) {
    const secrets = await keychainOf(which)
    const { secret_index: keys = [], webhook_secret_index: webhooks = [], vault = [] } = Object.fromEntries(tablesOf(which))
    for (const { account } of [...keys, ...webhooks]) expect(value(await secrets.get(String(account)))?.reveal()).toMatch(/^(SVC|svc_whsec_)[0-9a-f]{48,64}$/)
    await opened(which, async (journal) => {
      const { records } = openVault({ journal, secrets, account: vaultAccount(ids[which]) })
      const read = await Promise.all(Object.values(records).map(async (access) => (await access.list({ profile: ids[which] })).length))
      expect(read.reduce((all, one) => all + one)).toBe(vault.length)
    })
  }
})

test('the app keeps the settings, profiles, hosts and RPC URL of its first published version', async () => {
  await opened('desk', async (journal) => {
    expect(createSettings(journal.records).read()).toEqual({
      language: 'system',
      theme: 'dark',
      directionColours: 'green_red',
      textSize: 100,
      rail: 'collapsed',
      hideAmounts: false,
      projectId: '0123456789abcdef0123456789abcdef',
      whenClosed: 'ask',
      startAtLogin: false,
      looksForUpdates: true,
    })
    const store = createProfileStore(journal.records)
    expect([store.activeId(), store.practiceUsesSecondHost(), practiceSeed(journal.records)]).toEqual(['practice', true, expect.any(Number)])
    expect(store.list()).toMatchObject([{ id: oldLiveProfile, name: 'Main', hostUrl: expect.stringMatching(/^http:\/\/127/), secondHostUrl: null }])
    const { records } = openVault({ journal, secrets: await keychainOf('desk'), account: vaultAccount('desk') })
    expect(await createRpcAddresses(records).of(oldLiveProfile)).toMatch(/\/v2\/practice-rpc-key$/)
  })
})

function value<T, F>(result: Result<T, F>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}

async function open(): Promise<{ readonly workspace: Workspace; readonly exchange: Exchange }> {
  const dataDir = namedFolders(old.userData).practiceData
  const exchange = createExchange({ chain: createFakeChain(), clock, faults: noFaults(), seed: 7, dataDir, resolve: async () => [] })
  const { hostUrl } = await exchange.listen(0)
  const choose = async () => null
  const system = { readText: async () => '', writeText: async () => {}, clear: async () => {} }
  const noProxy = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }
  const workspace = await buildWorkspace({
    profile: { id: 'practice', kind: 'live', name: 'Practice', hostUrl },
    clock,
    limiter: createLimiter({ clock: systemClock, sleep: async () => true }),
    journalFile: fileOf('practice'),
    secrets: await keychainOf('practice'),
    clipboard: createClipboard({ system, writeSecret: system.writeText }),
    clipboardSource: createClipboardSource(system),
    parsing: parsingHere,
    files: { chooseToOpen: choose, chooseToSave: choose, chooseFolder: choose, showInFolder: () => {} },
    outlets: { reveal: () => ({ closesInMs: 0 }), confirm: async () => false, unlocked: () => true, env: {}, home: folder },
    version: '1.2.3',
    proxy: noProxy,
    secondProxy: noProxy,
    emit: () => {},
    every: () => () => {},
    log: () => {},
    onLimited: () => {},
    projectId: () => '',
    rpcUrl: async () => 'http://127.0.0.1:1',
  })
  return { workspace, exchange }
}

test('the app continues a profile of its first published version with the same keys, webhooks, intents, limits and attention items', async () => {
  const statesBefore = Object.fromEntries((tablesOf('practice').get('intents') ?? []).map(({ ref, state }) => [String(ref), state]))
  const { workspace, exchange } = await open()
  try {
    const { handlers, access } = workspace
    value(await handlers['wallet.report']({ address: wallet, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
    expect(value(await handlers['session.status']({}))).toMatchObject({ state: 'active', wallet })

    const { keys } = value(await handlers['keys.list']({}))
    expect(Object.fromEntries(keys.map(({ label, status, secret }) => [label.replace(/ #\w+$/, ''), `${status} ${secret}`]))).toEqual({
      ...{ bot: 'active keychain', all: 'active keychain', reader: 'active keychain', 'reader 2': 'active keychain', 'aged 2': 'active keychain' },
      ...{ short: 'active keychain', 'Svc Desk console': 'active keychain', 'live-bot': 'active elsewhere', orphan: 'active elsewhere' },
      ...{ aged: 'revoked removed', 'old-bot': 'revoked removed', 'doomed-1': 'revoked removed', 'doomed-2': 'revoked removed' },
    })
    expect(keys.find(({ label }) => label === 'bot')).toMatchObject({ executor: 'exec-fra-1', note: { owner: 'Ada' }, agent: { granted: true } })
    for (const { keyId } of access.list()) expect([keyId, value(await access.secretOf(keyId)) === null]).toEqual([keyId, false])
    expect(value(await handlers['keys.console']({}))).toMatchObject({ state: 'own', key: { label: 'Svc Desk console' } })
    expect(value(await handlers['keys.draft']({}))).toMatchObject({ state: 'signed', request: { label: 'half-made' } })
    expect(value(await handlers['keys.unmatched']({}))).toMatchObject([{ label: 'orphan', candidates: [{ label: 'orphan' }] }])
    const all = keys.find(({ label }) => label === 'all')?.id ?? ''
    expect(value(await handlers['agents.draft']({ keyId: all }))).toMatchObject({ label: 'all', state: 'unknown' })
    const bot = keys.find(({ label }) => label === 'bot')?.id ?? ''
    expect(value(await handlers['agents.payments']({ keyId: bot })).map(({ state }) => state)).toEqual(['EXPIRED', 'CANCELLED', 'FINAL'])
    expect(value(await handlers['doctor.last']({ keyId: bot }))).toMatchObject({
      keyId: bot,
      checks: expect.arrayContaining([expect.objectContaining({ id: 'accepted' })]),
    })
    const replaced = value(await handlers['replacements.list']({})).map(({ oldKey, now }) => [oldKey.label, now.state])
    expect(Object.fromEntries(replaced)).toEqual({ short: 'planned', reader: 'probed', aged: 'done' })
    expect(
      value(await handlers['audit.list']({ keyId: null, source: 'service', kinds: [], ownCalls: true, text: '', offset: 0, limit: 1 })).total,
    ).toBeGreaterThan(300)

    const { webhooks } = value(await handlers['webhooks.list']({}))
    expect(webhooks.map(({ status, secret }) => `${status} ${secret}`).toSorted()).toEqual([
      ...Array(2).fill('active elsewhere'),
      ...Array(2).fill('active keychain'),
      'disabled elsewhere',
    ])
    expect(value(await handlers['webhooks.unmatched']({}))).toMatchObject([{ url: 'http://127.0.0.1:4822/orphan' }])
    expect(value(await handlers['lab.state']({}))).toMatchObject({ status: 'paused', settings: { port: 4821, signed: true } })
    expect(value(await handlers['receiverTest.state']({}))).toMatchObject({ run: { verdict: 'failed', checks: { length: 22 } } })

    const { intents } = value(await handlers['intents.list']({ beforeMs: null, limit: 200 }))
    const states = Object.fromEntries(intents.map(({ ref, state }) => [ref, state]))
    // The old app was killed while the wallet was showing this intent's request, so its outcome is unknown.
    const asked = intents.find(({ title }) => titleText(title) === 'Withdraw 10.00 USDC')?.ref ?? ''
    expect(states).toEqual({ ...statesBefore, [asked]: 'UNKNOWN' })
    expect(new Set(Object.values(states))).toEqual(new Set(['FINAL', 'REFUSED', 'CANCELLED', 'EXPIRED', 'PREPARED', 'ASKED', 'SIGNED', 'UNKNOWN']))
    expect(value(await handlers['presets.list']({})).presets.map(({ name }) => name)).toEqual(['Half / short', 'Scalp BTC'])
    expect(value(await handlers['presets.settings']({}))).toEqual({ expert: true })
    expect(value(await handlers['riskLimits.get']({}))).toMatchObject({
      limits: { orderValueUsdc: '5000', leverage: 20, dailyLossUsdc: '5000', markets: [1, 2] },
      lost: false,
    })
    const revoked = value(await handlers['revokeAll.report']({})).map(({ label, outcome }) => `${label} ${outcome}`)
    expect(revoked).toEqual(['doomed-1 revoked', 'doomed-2 revoked'])
    const bulkAction = value(await handlers['bulkActions.state']({}))
    expect(bulkAction).toMatchObject({
      state: 'open',
      kind: 'kill',
      steps: [{ state: 'done' }, { state: 'asking' }, { state: 'waiting' }],
      revocation: { state: 'waiting' },
    })

    expect(value(await handlers['fieldMap.get']({})).entries).toMatchObject([{ of: 'replace_order', field: 'limit_price', at: 'price' }])
    expect(value(await handlers['account.watched']({})).wallets).toMatchObject([{ name: 'Whale' }])
    expect(value(await handlers['account.alerts']({ watch: null }))).toEqual({ healthBelow: '1000000', distanceBelow: '90' })
    expect(value(await handlers['account.columns']({}))).toEqual({ hidden: ['fee'] })
    expect(value(await handlers['leaks.state']({})).folders).toEqual(['/srv/bots'])

    const waits = value(await handlers['app.attention']({})).map(({ kind }) => kind)
    expect(waits.toSorted()).toEqual([
      ...['bulk_action_unfinished', 'grant_unknown', 'keep_draft', 'key_expiring', 'orphan_key', 'orphan_webhook', 'replacement_due', 'service_changed'],
      ...['unknown_intent', 'unknown_intent', 'unknown_intent', 'unsent_signature'],
    ])
  } finally {
    await workspace.close()
    await exchange.stop()
  }
})
