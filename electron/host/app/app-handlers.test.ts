import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Health, ListedAttention, Settings } from '../../../shared/ipc/host/app.ts'
import { ok } from '../../../shared/result.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createSettings } from '../../store/records/profile-store.ts'
import { createNoticeLog } from '../../workspace/notice-log.ts'
import { createAppHandlers, type OpenWorkspace } from './app-handlers.ts'

const clock = { now: () => 5_000, monotonic: () => 0 }
let journal: SqliteJournal
beforeEach(() => {
  // The journal’s folder cannot be created, so the journal keeps its data in memory.
  journal = openJournal({ file: '/dev/null/journal.db', clock })
})
afterEach(() => journal.close())

const health: Health = { service: 'up', serviceAgeMs: 5, outage: null, hosts: [], stream: null, keychain: 'ready', journal: 'ready' }
const row: ListedAttention = {
  ...{ id: 'no-key', kind: 'no_key', severity: 'info', to: '/keys', atMs: 1, untilMs: null },
  ...{ maySnooze: true, snoozed: null },
}

function setUp(given: { workspace?: OpenWorkspace | null; ownKeychain?: Health['keychain']; appJournal?: Partial<SqliteJournal> } = {}) {
  const done: string[] = []
  const handlers = createAppHandlers({
    version: '1.2.3',
    host: 'stand-in',
    platform: 'linux',
    builtInProjectId: '',
    settings: createSettings(journal.records),
    appJournal: {
      state: () => 'ready',
      trouble: () => null,
      acceptRebuilt: () => done.push('accepted'),
      setAside: () => null,
      unreadable: () => [],
      ...given.appJournal,
    },
    ownHealth: async () => ({ ...health, service: 'unknown', keychain: given.ownKeychain ?? 'ready' }),
    ownNotices: createNoticeLog({ profile: 'app', records: journal.records, clock }),
    workspace: async () => given.workspace ?? null,
    clipboard: { copySecret: async () => ({ clearsInMs: 0 }), copyText: async (text) => void done.push(`copy ${text}`), clear: async () => {} },
    openExternal: async (url) => void done.push(`open ${url}`),
    hasTray: async () => true,
    seesScreenLock: () => false,
    hasTouchId: () => false,
    loginItem: {
      isOn: () => done.includes('login item on'),
      set: async (on) => {
        done.push(`login item ${on ? 'on' : 'off'}`)
        return ok(undefined)
      },
    },
    applyTheme: (theme) => done.push(`theme ${theme}`),
    applyTextSize: (textSize) => done.push(`text size ${textSize}`),
    languageChanged: () => done.push('language'),
    notify: ({ notice }) => done.push(`notice ${notice.code}`),
    reload: ({ notice }) => done.push(`reload ${notice.code}`),
    clock,
  })
  return { handlers, done }
}
const openWorkspace = (state: 'ready' | 'rebuilt' | 'memory_only', connected = false): OpenWorkspace => ({
  journal: { state: () => state, trouble: () => (state === 'memory_only' ? 'no_space' : null) },
  handlers: {
    'app.clock': () => ok({ offsetMs: 600_000 }),
    'app.health': () => ok(health),
    'app.attention': () => ok([row]),
    'app.snooze': () => ok({}),
    'app.wake': () => ok({}),
    'notices.list': () => ok([]),
    'notices.mark': () => ok({}),
    'app.acceptRebuiltJournal': () => ok({}),
    'wallet.shown': () => ok({ address: null, connected }),
  },
})

test('while no profile is open, the app reports this computer’s health and the items that need attention', async () => {
  const { handlers } = setUp({ ownKeychain: 'locked' })
  expect(await handlers['app.health']({})).toMatchObject({ value: { service: 'unknown', keychain: 'locked', journal: 'ready' } })
  expect(await handlers['app.clock']({})).toEqual(ok({ offsetMs: null }))
  expect(await handlers['app.attention']({})).toMatchObject({ value: [{ kind: 'keychain', severity: 'warn' }] })
})

test('the app reports the open profile’s health and attention items, and the worse state of the app’s journal and the profile’s journal', async () => {
  const { handlers } = setUp({
    workspace: openWorkspace('ready'),
    ownKeychain: 'locked',
    appJournal: { state: () => 'rebuilt', setAside: () => 'desk.corrupt-1.db' },
  })
  expect(await handlers['app.health']({})).toMatchObject({ value: { service: 'up', keychain: 'ready', journal: 'rebuilt' } })
  expect(await handlers['app.clock']({})).toEqual(ok({ offsetMs: 600_000 }))
  const rows = await handlers['app.attention']({})
  expect(rows.ok && rows.value).toMatchObject([{ id: 'profiles-rebuilt', what: 'profiles_set_aside', names: ['desk.corrupt-1.db'] }, { id: 'no-key' }])
})

test('the app warns that a saved profile cannot be read, and names that profile [V12]', async () => {
  const { handlers } = setUp({ appJournal: { unreadable: () => ['profile/p1'] } })
  expect(await handlers['app.attention']({})).toMatchObject({
    value: [{ id: 'profiles-unreadable', severity: 'danger', what: 'profiles_unreadable', names: ['profile/p1'] }],
  })
})

test('the app reports a full disk, and which actions still work', async () => {
  const { handlers } = setUp({ workspace: openWorkspace('memory_only') })
  expect(await handlers['app.health']({})).toMatchObject({ value: { journal: 'memory_only' } })
  expect(await handlers['app.attention']({})).toMatchObject({
    value: [{ severity: 'danger', kind: 'journal_rebuilt', what: 'no_space' }, { id: 'no-key' }],
  })
})

const defaults: Settings = {
  theme: 'system',
  directionColours: 'green_red',
  textSize: 100,
  language: 'system',
  rail: 'open',
  hideAmounts: false,
  projectId: null,
  whenClosed: 'ask',
  startAtLogin: false,
  looksForUpdates: true,
}

test('the app saves a changed setting, keeps all other settings, and applies a changed theme at once', async () => {
  const { handlers, done } = setUp()
  expect(await handlers['app.info']({})).toMatchObject({ value: { hasProjectId: false, host: 'stand-in', version: '1.2.3' } })
  expect(await handlers['app.saveSettings']({ theme: 'dark' })).toEqual({
    ok: true,
    value: { ...defaults, theme: 'dark' },
  })
  expect(await handlers['app.saveSettings']({ projectId: 'abc' })).toEqual({
    ok: true,
    value: { ...defaults, theme: 'dark', projectId: 'abc' },
  })
  expect(await handlers['app.settings']({})).toEqual({ ok: true, value: { ...defaults, theme: 'dark', projectId: 'abc' } })
  expect(await handlers['app.info']({})).toMatchObject({ value: { hasProjectId: true } })
  expect(await handlers['app.saveSettings']({ projectId: null })).toMatchObject({ value: { projectId: null } })
  expect(done.filter((one) => one.startsWith('theme'))).toEqual(['theme dark', 'theme dark', 'theme dark'])
})

test('the app reloads its page when the WalletConnect project id changes, because the page uses the new id only after a reload', async () => {
  const { handlers, done } = setUp({ workspace: openWorkspace('ready') })
  const reloads = () => done.filter((one) => one.startsWith('reload'))
  await handlers['app.saveSettings']({ theme: 'dark', projectId: null })
  expect(reloads()).toEqual([])
  await handlers['app.saveSettings']({ projectId: 'abc' })
  expect(reloads()).toEqual(['reload project_id_saved'])
  await handlers['app.saveSettings']({ projectId: 'abc', theme: 'light' })
  await handlers['app.saveSettings']({ rail: 'collapsed' })
  expect(reloads()).toHaveLength(1)
  await handlers['app.saveSettings']({ projectId: null })
  expect(reloads()).toHaveLength(2)
})

test('the app does not reload its page for a new WalletConnect project id while a wallet is connected', async () => {
  const { handlers, done } = setUp({ workspace: openWorkspace('ready', true) })
  await handlers['app.saveSettings']({ projectId: 'abc' })
  expect(done).toEqual(['theme system', 'notice project_id_saved'])
})

test('the app changes the zoom when the user changes the text size; changing another setting keeps the zoom from the View menu', async () => {
  const { handlers, done } = setUp()
  expect(await handlers['app.saveSettings']({ textSize: 130, directionColours: 'blue_orange' })).toEqual(
    ok({ ...defaults, textSize: 130, directionColours: 'blue_orange' }),
  )
  await handlers['app.saveSettings']({ textSize: 130 })
  await handlers['app.saveSettings']({ rail: 'collapsed' })
  await handlers['app.saveSettings']({ textSize: 100 })
  expect(done.filter((one) => one.startsWith('text size'))).toEqual(['text size 130', 'text size 100'])
})

test('the app reports a language change only when the user chose another language', async () => {
  const { handlers, done } = setUp()
  await handlers['app.saveSettings']({ language: 'de' })
  await handlers['app.saveSettings']({ language: 'de', rail: 'collapsed' })
  expect(await handlers['app.settings']({})).toMatchObject({ value: { language: 'de', rail: 'collapsed' } })
  await handlers['app.saveSettings']({ language: 'system' })
  expect(done.filter((one) => one === 'language')).toHaveLength(2)
})

test('the app opens only web pages on its fixed list in the browser, and nothing for an unknown page id', async () => {
  const { handlers, done } = setUp()
  expect(await handlers['app.openExternal']({ page: 'transaction', id: 'https://evil.test' })).toMatchObject({ ok: false, failure: { kind: 'bad_input' } })
  expect(done).toEqual([])
  await handlers['app.openExternal']({ page: 'walletconnect_projects', id: null })
  await handlers['app.copyText']({ text: '0xabc' })
  expect(done).toEqual(['open https://dashboard.reown.com', 'copy 0xabc'])
})

test('the app reads from the operating system whether it starts at login, not from its own saved settings', async () => {
  const { handlers, done } = setUp()
  expect(await handlers['app.settings']({})).toMatchObject({ value: { startAtLogin: false } })
  expect(await handlers['app.saveSettings']({ theme: 'dark' })).toMatchObject({ value: { startAtLogin: false } })
  expect(done).not.toContain('login item off')
  expect(await handlers['app.saveSettings']({ startAtLogin: true })).toMatchObject({ value: { startAtLogin: true } })
  done.length = 0
  expect(await handlers['app.settings']({})).toMatchObject({ value: { startAtLogin: false } })
})
