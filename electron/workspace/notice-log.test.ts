import { afterEach, beforeEach, expect, test } from 'vitest'
import { mostNotices } from '../../shared/ipc/host/notices.ts'
import { day } from '../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { createNoticeLog, type NoticeLog } from './notice-log.ts'

let now = 1_000 * day
const clock = { now: () => now, monotonic: () => now }
let journal: SqliteJournal
let log: NoticeLog
beforeEach(() => {
  now = 1_000 * day
  // `/dev/null` is not a folder, so the journal can't be created there and everything stays in memory.
  journal = openJournal({ file: '/dev/null/journal.db', clock })
  log = createNoticeLog({ profile: 'p', records: journal.records, clock })
})
afterEach(() => journal.close())

const add = (label: string, wallet: string | null = 'w') =>
  log.add({ type: 'notice', severity: 'warn', notice: { code: 'secret_not_stored', label }, to: '/keys' }, wallet)
const labels = (of = log, wallet: string | null = 'w') => of.list(wallet).map(({ notice }) => 'label' in notice && notice.label)

test('the app keeps notices across restarts, newest first, and remembers which ones the user has read', () => {
  add('first')
  add('second')
  const [, first] = log.list('w')
  log.mark([first?.id ?? '', 'unknown id'], true)
  const after = createNoticeLog({ profile: 'p', records: journal.records, clock })
  expect(labels(after)).toEqual(['second', 'first'])
  expect(after.list('w').map(({ read }) => read)).toEqual([false, true])
  after.mark([first?.id ?? ''], false)
  expect(after.list('w').map(({ read }) => read)).toEqual([false, false])
})

test('the app deletes notices after 30 days', () => {
  add('old')
  now += 30 * day
  expect(labels()).toEqual([])
  add('new')
  expect(labels()).toEqual(['new'])
  expect(journal.records.notices.list({ profile: 'p' })).toHaveLength(1)
})

test('the app keeps a limited number of notices, and deletes the oldest first', () => {
  for (let index = 0; index < mostNotices + 5; index += 1) {
    now += 1
    add(`n${index}`)
  }
  expect(labels()).toHaveLength(mostNotices)
  expect(labels().at(-1)).toBe('n5')
})

test('the app lists a wallet’s notices only for that wallet, and notices about no wallet for every wallet [AUTH-03]', () => {
  add('mine')
  add('theirs', 'other')
  add('of the app', null)
  expect(labels()).toEqual(['of the app', 'mine'])
  expect(labels(log, null)).toEqual(['of the app'])
})

test('the app adds a notice without a pop-up only if the list contains no unread notice with the same content', () => {
  const quiet = (): boolean => log.add({ type: 'notice', severity: 'warn', notice: { code: 'service_changed' }, to: null, quiet: true }, 'w')
  expect([quiet(), quiet()]).toEqual([true, false])
  expect(log.list('w')).toHaveLength(1)
  log.mark([log.list('w')[0]?.id ?? ''], true)
  quiet()
  expect(log.list('w')).toHaveLength(2)
})
