import { afterEach, beforeEach, expect, test } from 'vitest'
import { Attention } from '../../shared/ipc/host/app.ts'
import { day, hour } from '../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { createSnoozes, type Snoozes } from './snoozes.ts'

let now = 1_000 * day
const clock = { now: () => now, monotonic: () => now }
const profile = { id: 'p', kind: 'live', hostUrl: 'https://h', practiceWallet: null } as const
let journal: SqliteJournal
let snoozes: Snoozes
const restart = () => {
  snoozes = createSnoozes({ profile, records: journal.records, clock })
}
beforeEach(() => {
  now = 1_000 * day
  // `/dev/null` is not a folder, so the journal can't be created there and everything stays in memory.
  journal = openJournal({ file: '/dev/null/journal.db', clock })
  restart()
})
afterEach(() => journal.close())

const fields = { severity: 'warn', to: '/', atMs: 0, untilMs: null } as const
const key: Attention = { ...fields, id: 'expiring:k', kind: 'key_expiring', label: 'grid', over: false, untilMs: 1_010 * day }
const clockOff: Attention = { ...fields, id: 'clock', kind: 'clock', offsetMs: 40_000 }
const isAsleep = (item: Attention = key, wallet = 'w'): boolean => snoozes.applied(wallet, [item])[0]?.snoozed != null

test('the app snoozes an attention item for the chosen time, even across a restart', () => {
  expect(snoozes.snooze('w', key, 'hour')).toBe(true)
  expect(isAsleep()).toBe(true)
  now += hour - 1
  restart()
  expect(isAsleep()).toBe(true)
  expect(snoozes.isOneOver()).toBe(false)
  now += 1
  expect(snoozes.isOneOver()).toBe(true)
  expect(isAsleep()).toBe(false)
})

test('the snooze of an attention item ends early if the item gets more severe', () => {
  for (const worse of [{ severity: 'danger' }, { over: true }] as const) {
    for (const length of ['hour', 'day', 'changed'] as const) {
      snoozes.snooze('w', key, length)
      expect(isAsleep()).toBe(true)
      expect(isAsleep({ ...key, ...worse })).toBe(false)
      expect(isAsleep(), 'and does not fall asleep again').toBe(false)
    }
  }
})

test('when the sign-in has expired, the app ends the snooze of the warning that the sign-in expires soon', () => {
  const ending: Attention = { ...fields, id: 'sign-in', kind: 'sign_in_ending', untilMs: now + hour }
  snoozes.snooze('w', ending, 'day')
  expect(isAsleep({ ...fields, id: 'sign-in', kind: 'sign_in_required', ended: true })).toBe(false)
})

test('the snooze of an attention item without an end time ends when the item’s facts change, but not with time', () => {
  snoozes.snooze('w', key, 'changed')
  now += 3 * day
  expect(isAsleep({ ...key, atMs: now })).toBe(true)
  expect(isAsleep({ ...key, untilMs: 1_012 * day })).toBe(false)
  snoozes.snooze('w', clockOff, 'changed')
  expect(isAsleep({ ...clockOff, offsetMs: 41_000 }), 'a slightly other measurement is no change').toBe(true)
  expect(isAsleep({ ...clockOff, offsetMs: -41_000 })).toBe(false)
})

test('the app forgets the snooze of an attention item that disappeared, but not if only the first list after a restart lacks the item', () => {
  snoozes.snooze('w', key, 'changed')
  restart()
  snoozes.applied('w', [])
  expect(isAsleep()).toBe(true)
  snoozes.applied('w', [])
  expect(isAsleep()).toBe(false)
})

test('the user can end the snooze of an attention item, and a snooze applies to only one wallet', () => {
  snoozes.snooze('w', key, 'day')
  expect(isAsleep(key, 'other')).toBe(false)
  expect(isAsleep()).toBe(true)
  snoozes.wake('w', key.id)
  expect(isAsleep()).toBe(false)
})

test('the snooze of an attention item ends if the computer’s clock is set back', () => {
  snoozes.snooze('w', key, 'hour')
  now -= 2 * day
  expect(isAsleep()).toBe(false)
})

test('the app refuses to snooze an attention item that affects an exit or whose outcome is unknown', () => {
  const guards = [
    ...['unknown_intent', 'unsent_signature', 'orphan_key', 'orphan_webhook', 'unstored_key', 'unstored_webhook', 'service_down', 'keychain'],
    ...['journal_rebuilt', 'revoke_all_unfinished', 'bulk_action_unfinished', 'grant_unknown'],
  ]
  const all = Attention.options.flatMap(({ shape: { kind } }) => ('options' in kind ? kind.options : [...kind.values]))
  const refused = all.filter((kind) => !snoozes.snooze('w', { ...key, kind } as Attention, 'day')) // The other fields of an item do not matter here.
  expect(refused.sort()).toEqual(guards.sort())
})
