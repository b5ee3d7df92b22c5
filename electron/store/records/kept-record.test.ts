import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fail } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPresets } from '../../intents/presets/presets.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { createKeyNotes } from '../../keys/calls/key-list.ts'
import { createExpiryNotices } from '../../keys/expiry/expiry-items.ts'
import { createGrantEnds } from '../../keys/issuance/grant-check.ts'
import { createReplacementStore } from '../../keys/rotation/conclude.ts'
import { createRiskAlerts } from '../../reads/account/risk-alerts.ts'
import { createWatchList } from '../../reads/history/watch-list.ts'
import { createFavourites } from '../../reads/markets/market-services.ts'
import { createTrust } from '../../wallet/trusted-contracts/trust.ts'
import { requestOf } from '../../webhooks/subscriptions/webhook-changes.ts'
import { openJournal, type SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { createProfileStore, createSettings } from './profile-store.ts'
import { raw } from './raw.ts'
import type { Records } from './registry.ts'

const profile: ProfileFacts = { id: 'p', kind: 'live', hostUrl: 'https://dex.example', practiceWallet: null }
let folder: string
let journal: SqliteJournal
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-kept-'))
  journal = openJournal({ file: join(folder, 'journal.db'), clock: systemClock })
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

type Read = (records: Records) => unknown
const trust = (records: Records) =>
  createTrust({
    profile,
    records,
    published: async () => ({ config: null, meta: null, unread: [] }) as never,
    hasCode: async () => null,
    rpcHost: async () => 'rpc.example',
  })

/** Every kind of stored record: its name, how the app reads it (`read`), and the value that the app uses if the record is damaged (`otherwise`). */
const kept: readonly { readonly name: string; readonly read: Read; readonly otherwise: unknown }[] = [
  { name: 'profile/p1', read: (records) => createProfileStore(records).list(), otherwise: [] },
  { name: 'profile/p1', read: (records) => createProfileStore(records).get('p1'), otherwise: null },
  { name: 'replacement/p/r1', read: (records) => createReplacementStore({ profile, records, clock: systemClock }).all(), otherwise: [] },
  { name: 'replacement/p/r1', read: (records) => createReplacementStore({ profile, records, clock: systemClock }).byId('r1'), otherwise: null },
  { name: 'payment/p/a', read: (records) => records.payments.read({ profile: 'p', ref: 'a' }), otherwise: null },
  { name: 'execution/p/a', read: (records) => records.executions.read({ profile: 'p', ref: 'a' }), otherwise: null },
  { name: 'key/p/note/k', read: (records) => createKeyNotes({ profile, records }).of('k'), otherwise: null },
  { name: 'watch/p/0xa', read: (records) => createWatchList({ profile, records }).find('0xa'), otherwise: null },
  { name: 'grant-end/p/k', read: (records) => createGrantEnds({ profile, records }).of('k'), otherwise: null },
  { name: 'settings', read: (records) => createSettings(records).read().theme, otherwise: 'system' },
  { name: 'pin/p/layout/open_position', read: (records) => trust(records).formats('open_position'), otherwise: [] },
  { name: 'pin/p/trusted', read: (records) => trust(records).contracts.others(), otherwise: [] },
  {
    name: 'markets/p/favourites',
    read: async (records) => createFavourites({ profile, records }).handlers['markets.favourites']({}),
    otherwise: { ok: true, value: { pairIds: [] } },
  },
  {
    name: 'ticket/p/preset/one',
    read: async (records) => createPresets({ profile, records }).handlers['presets.list']({}),
    otherwise: { ok: true, value: { presets: [] } },
  },
  {
    name: 'radar/p/told/i',
    read: (records) => {
      createExpiryNotices({ profile, records, emit: () => undefined }).look([], 0)
      return records.endNotices.read({ profile: 'p', id: 'i' })
    },
    otherwise: null,
  },
]

test.each(kept.flatMap((each) => ['{"a":', '7', '{"a":1}', '"x'].map((text) => ({ ...each, text }))))(
  'if the stored record $name is damaged ($text), no other record is lost [V12]',
  async ({ name, read, otherwise, text }) => {
    journal[raw].values.set(name, text)
    expect(await read(journal.records)).toEqual(otherwise)
    // Settings without any known field are valid, because every setting has a default. So the app doesn't report such settings as unreadable.
    expect(journal.unreadable()).toEqual(name === 'settings' && text === '{"a":1}' ? [] : [name])
  },
)

test('the app opens the settings of an older version, and uses the defaults for the settings that the older version lacked', () => {
  journal[raw].values.set('settings', JSON.stringify({ theme: 'dark', language: 'de', rail: 'collapsed', projectId: null }))
  const settings = createSettings(journal.records)
  expect(settings.read()).toEqual({
    theme: 'dark',
    directionColours: 'green_red',
    textSize: 100,
    language: 'de',
    rail: 'collapsed',
    hideAmounts: false,
    projectId: null,
    whenClosed: 'ask',
    startAtLogin: false,
    looksForUpdates: true,
  })
  settings.save({ directionColours: 'blue_orange', textSize: 115, hideAmounts: true })
  expect(createSettings(journal.records).read()).toMatchObject({ theme: 'dark', directionColours: 'blue_orange', textSize: 115, hideAmounts: true })
  expect(journal.unreadable()).toEqual([])
})

test('the app reports a damaged profile and leaves it out of the list of profiles, which still contains the others [V12]', () => {
  const store = createProfileStore(journal.records)
  for (const id of ['p1', 'p2', 'p3']) store.save({ id, name: id, hostUrl: 'https://dex.example', rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  journal[raw].values.set('profile/p2', (journal[raw].values.get('profile/p2') ?? '').replace('"name"', '"nam\u0001"'))
  expect(store.list().map(({ id }) => id)).toEqual(['p1', 'p3'])
  expect(journal.unreadable()).toEqual(['profile/p2'])
  store.save({ id: 'p2', name: 'p2', hostUrl: 'https://dex.example', rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  expect([store.list().length, journal.unreadable()]).toEqual([3, []])
})

test('the app turns risk alerts off and reports a damaged record when the stored alert thresholds are unreadable [V12]', () => {
  journal[raw].values.set('alerts/p/own/0xa/thresholds', '{"marg')
  const alerts = createRiskAlerts({ profile, records: journal.records, reader: { subject: () => fail({ kind: 'no_wallet' }) }, emit: () => undefined })
  expect(alerts.watches({ wallet: '0xa', watchedAs: null })).toBe(false)
  expect(journal.unreadable()).toEqual(['alerts/p/own/0xa/thresholds'])
})

test('the app keeps a webhook’s URL when the webhook’s stored creation request is damaged [V12]', () => {
  expect(requestOf({ draft: '{"url":', label: 'https://bots.example/in' })).toEqual({ url: 'https://bots.example/in', events: [] })
})
