import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AuditFilter, AuditKind } from '../../../../shared/ipc/reads/audit.ts'
import { systemClock } from '../../../../shared/time.ts'
import { createUnread, type Unread } from '../columns.ts'
import { type Database, openDatabase } from '../database.ts'
import type { AuditLog, AuditLogRow } from '../journal.ts'
import { createAuditLog } from './audit-log.ts'

const mine = { profileId: 'p', wallet: '0xA' }
const theirs = { profileId: 'p', wallet: '0xB' }
const all: AuditFilter = { keyId: null, source: 'both', kinds: [], ownCalls: true, text: '' }
const first = { offset: 0, limit: 50 }

let folder: string
let database: Database
let log: AuditLog
let unread: Unread
let asked: { readonly sql: string; readonly values: unknown[] }[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-audit-'))
  database = openDatabase(join(folder, 'journal.sqlite'), systemClock)
  asked = []
  const counted: Database = {
    ...database,
    get: (sql, ...values) => {
      asked.push({ sql, values })
      return database.get(sql, ...values)
    },
    all: (sql, ...values) => {
      asked.push({ sql, values })
      return database.all(sql, ...values)
    },
  }
  unread = createUnread([])
  log = createAuditLog(counted, () => undefined, unread)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const row = (index: number, change: Partial<AuditLogRow> = {}): AuditLogRow => ({
  id: `service:au_${String(index).padStart(5, '0')}`,
  source: 'service',
  atMs: 1_000_000 + index,
  timed: true,
  kind: index % 10 === 0 ? 'key_rotated' : 'call',
  event: index % 10 === 0 ? 'key.rotated' : 'key.call',
  title: `GET /api/dex/v1/positions/${index}`,
  keyId: `key_${index % 64}`,
  label: `bot ${index % 64}`,
  ip: '203.0.113.7',
  requestId: `req-${index}`,
  outcome: 'done',
  detail: null,
  origin: 'elsewhere',
  ...change,
})
const fill = (count: number) =>
  log.put(
    mine,
    Array.from({ length: count }, (_, index) => row(index)),
  )

test.each<[string, Partial<AuditFilter>]>([
  ['everything', {}],
  ['a text', { text: 'positions/42' }],
  ['a key', { keyId: 'key_7' }],
  ['a kind', { kinds: ['key_rotated'] }],
  ['a source', { source: 'app' }],
  ['everything but this app’s own calls', { ownCalls: false }],
])('the journal reads a page of the audit log, with %s, out of 5,000 rows in one index scan, without sorting [KEY-14]', (_what, filter) => {
  fill(5_000)
  asked = []
  log.list(mine, { ...all, ...filter }, { offset: 1_000, limit: 50 })
  expect(asked).toHaveLength(1)
  const [{ sql, values } = { sql: '', values: [] }] = asked
  const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`, ...(values as string[])).map(({ detail }) => String(detail))
  expect(plan.filter((step) => /^(SEARCH|SCAN) r\b/.test(step))).toEqual([expect.stringContaining('USING INDEX audit_rows_recent (profile_id=? AND wallet=?')])
  expect(plan.filter((step) => step.includes('other'))).toEqual([
    expect.stringContaining('USING INDEX audit_rows_request (profile_id=? AND wallet=? AND request_id=?)'),
  ])
  // In the query plan, only the subquery may sort, because few rows share a request id. The main query must use an index, and neither scan nor
  // sort.
  expect(plan.slice(0, plan.indexOf('CORRELATED SCALAR SUBQUERY 1')).join()).not.toMatch(/SCAN|TEMP B-TREE/)
  asked = []
  log.count(mine, { ...all, ...filter })
  expect(asked).toHaveLength(1)
})

test('the audit log finds text anywhere in a row, ignores case, and treats no character as a wildcard', () => {
  fill(100)
  log.put(mine, [row(200, { detail: '100% Sure_thing', label: 'GRID' })])
  const found = (text: string) => log.list(mine, { ...all, text }, first).map(({ id }) => id)
  expect(found('grid')).toEqual(['service:au_00200'])
  expect(found('% sure_')).toEqual(['service:au_00200'])
  expect(found('%')).toEqual(['service:au_00200'])
  expect(found('REQ-42')).toEqual(['service:au_00042'])
})

test('the audit log hides this app’s own calls unless the filter requests them, and keeps rows of every other kind and origin [KEY-14]', () => {
  const origins = ['here', 'elsewhere', 'unclear', null] as const
  const given = AuditKind.options.flatMap((kind) => origins.map((origin) => ({ kind, origin })))
  log.put(
    mine,
    given.map((one, index) => row(index, one)),
  )
  const found = (ownCalls: boolean) => log.list(mine, { ...all, ownCalls }, first).map(({ kind, origin }) => ({ kind, origin }))
  expect(found(true)).toHaveLength(given.length)
  expect(new Set(found(false).map((one) => JSON.stringify(one)))).toEqual(
    new Set(given.filter(({ kind, origin }) => kind !== 'call' || origin !== 'here').map((one) => JSON.stringify(one))),
  )
  expect(found(false)).toHaveLength(given.length - 1)
  expect(log.count(mine, { ...all, ownCalls: false })).toBe(given.length - 1)
  expect(log.list(mine, { ...all, kinds: ['call'], ownCalls: false }, first).map(({ origin }) => origin)).not.toContain('here')
})

test('the audit log omits another wallet’s rows from every page and count [AUTH-03]', () => {
  fill(10)
  expect(log.list(theirs, all, first)).toEqual([])
  expect(log.count(theirs, all)).toBe(0)
  log.put(theirs, [row(3)])
  expect(log.count(mine, all)).toBe(10)
})

test('the audit log updates a row that the app reads again, and keeps the row’s origin', () => {
  log.put(mine, [row(1, { outcome: 'waiting', origin: 'here' })])
  log.put(mine, [row(1, { outcome: 'failed', origin: 'unclear', detail: 'refused', requestId: null })])
  expect(log.list(mine, all, first)).toMatchObject([{ outcome: 'failed', origin: 'here', detail: 'refused', requestId: 'req-1' }])
})

test('the audit log links two rows with one request id; if several rows have that id, it prefers one that records more than a call', () => {
  log.put(mine, [row(1, { kind: 'call' }), row(2, { requestId: 'req-1', kind: 'key_created' }), row(3, { id: 'app:op', source: 'app', requestId: 'req-1' })])
  const matches = new Map(log.list(mine, all, first).map(({ id, matches: other }) => [id, other]))
  expect(matches.get('app:op')).toBe('service:au_00002')
  expect(matches.get('service:au_00001')).toBe('app:op')
})

test('the audit log removes rows of kind “call” beyond the limit, and keeps all other rows', () => {
  fill(7_000)
  expect(log.count(mine, { ...all, kinds: ['call'] })).toBeLessThanOrEqual(5_001)
  expect(log.count(mine, { ...all, kinds: ['key_rotated'] })).toBe(700)
  expect(log.list(mine, all, first)[0]?.id).toBe('service:au_06999')
})

test.each(['kind', 'source', 'outcome', 'origin'])(
  'the audit log omits a row whose %s is unreadable and reports its id; keeps all other rows [V12]',
  (column) => {
    log.put(mine, [row(1), row(2), row(3)])
    database.run(`UPDATE audit_rows SET ${column} = 'kez' WHERE id = ?`, row(2).id)
    expect(log.list(mine, all, first).map(({ id }) => id)).toEqual([row(3).id, row(1).id])
    expect(unread.ids()).toEqual([row(2).id])
    log.replace(mine, [row(1), row(2), row(3)])
    if (column !== 'source') expect(log.list(mine, all, first)).toHaveLength(3)
  },
)
