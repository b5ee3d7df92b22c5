import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fail } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { createExecutionRecords } from '../../intents/executor/execution-record.ts'
import { createPaymentRecords } from '../../intents/payments/payment-record.ts'
import { createPresets } from '../../intents/presets/presets.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { createKeyNotes } from '../../keys/calls/key-notes.ts'
import { createRadarNotices } from '../../keys/expiry/notices.ts'
import { createGrantEnds } from '../../keys/issuance/grant-ends.ts'
import { createReplacementStore } from '../../keys/rotation/stored-replacement.ts'
import { createRiskAlerts } from '../../reads/account/risk-alerts.ts'
import { createWatchList } from '../../reads/history/watch-list.ts'
import { createFavourites } from '../../reads/markets/market-services.ts'
import { createPins } from '../../wallet/trusted-contracts/pins.ts'
import { requestOf } from '../../webhooks/subscriptions/create-webhook.ts'
import { createProfileStore } from '../records/profile-store.ts'
import { createSettings } from '../records/settings.ts'
import { openJournal, type SqliteJournal } from './tables/sqlite-journal.ts'

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

type Read = (values: SqliteJournal['values']) => unknown
const pins = (values: SqliteJournal['values']) =>
  createPins({
    profile,
    values,
    published: async () => ({ config: null, meta: null, unread: [] }) as never,
    hasCode: async () => null,
    rpcHost: async () => 'rpc.example',
  })

/** What is kept under a name, how it is read, and what is read where it is damaged. `told`: the user would miss it. */
const kept: readonly { readonly name: string; readonly read: Read; readonly otherwise: unknown; readonly told: boolean }[] = [
  { name: 'profile/p1', read: (values) => createProfileStore(values).list(), otherwise: [], told: true },
  { name: 'profile/p1', read: (values) => createProfileStore(values).get('p1'), otherwise: null, told: true },
  { name: 'replacement/p/r1', read: (values) => createReplacementStore({ profile, values, clock: systemClock }).all(), otherwise: [], told: true },
  { name: 'replacement/p/r1', read: (values) => createReplacementStore({ profile, values, clock: systemClock }).byId('r1'), otherwise: null, told: true },
  { name: 'payment/p/a', read: (values) => createPaymentRecords({ profile, values }).of('a'), otherwise: null, told: true },
  { name: 'execution/p/a', read: (values) => createExecutionRecords({ profileId: 'p', values }).of('a'), otherwise: null, told: true },
  { name: 'key/p/note/k', read: (values) => createKeyNotes({ profile, values }).of('k'), otherwise: null, told: true },
  { name: 'watch/p/0xa', read: (values) => createWatchList({ profile, values }).find('0xa'), otherwise: null, told: true },
  { name: 'grant-end/p/k', read: (values) => createGrantEnds({ profile, values }).of('k'), otherwise: null, told: false },
  { name: 'settings', read: (values) => createSettings(values).read().theme, otherwise: 'system', told: false },
  { name: 'pin/p/layout/open_position', read: (values) => pins(values).layouts('open_position'), otherwise: [], told: false },
  { name: 'pin/p/trusted', read: (values) => pins(values).trusted.others(), otherwise: [], told: false },
  {
    name: 'markets/p/favourites',
    read: async (values) => createFavourites({ profile, values }).handlers['markets.favourites']({}),
    otherwise: { ok: true, value: { pairIds: [] } },
    told: false,
  },
  {
    name: 'ticket/p/preset/one',
    read: async (values) => createPresets({ profile, values }).handlers['presets.list']({}),
    otherwise: { ok: true, value: { presets: [] } },
    told: false,
  },
  {
    name: 'radar/p/told/i',
    read: (values) => createRadarNotices({ profile, values, emit: () => undefined }).look([], 0),
    otherwise: undefined,
    told: false,
  },
]

test.each(kept.flatMap((each) => ['{"a":', '7', '{"a":1}', '"x'].map((text) => ({ ...each, text }))))(
  'a damaged $name ($text) costs nothing but itself [V12]',
  async ({ name, read, otherwise, told, text }) => {
    journal.values.set(name, text)
    expect(await read(journal.values)).toEqual(otherwise)
    // Defaults of the settings are a whole answer to an empty record.
    expect(journal.unreadable()).toEqual(told ? [name] : [])
  },
)

test('a damaged profile is left out, told of, and the others are there [V12]', () => {
  const store = createProfileStore(journal.values)
  for (const id of ['p1', 'p2', 'p3']) store.save({ id, name: id, hostUrl: 'https://dex.example', rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  journal.values.set('profile/p2', (journal.values.get('profile/p2') ?? '').replace('"name"', '"nam\u0001"'))
  expect(store.list().map(({ id }) => id)).toEqual(['p1', 'p3'])
  expect(journal.unreadable()).toEqual(['profile/p2'])
  // Written again, it is read again.
  store.save({ id: 'p2', name: 'p2', hostUrl: 'https://dex.example', rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  expect([store.list().length, journal.unreadable()]).toEqual([3, []])
})

test('thresholds that cannot be read are off, and told of [V12]', () => {
  journal.values.set('alerts/p/own/0xa/thresholds', '{"marg')
  const alerts = createRiskAlerts({ profile, values: journal.values, reader: { subject: () => fail({ kind: 'no_wallet' }) }, emit: () => undefined })
  expect(alerts.watches({ wallet: '0xa', watchedAs: null })).toBe(false)
  expect(journal.unreadable()).toEqual(['alerts/p/own/0xa/thresholds'])
})

test('of a webhook whose request is damaged its address is left [V12]', () => {
  expect(requestOf({ draft: '{"url":', label: 'https://bots.example/in' })).toEqual({ url: 'https://bots.example/in', events: [] })
})
