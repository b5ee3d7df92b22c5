import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RequestRecord } from '../../../../shared/ipc/intents/orders.ts'
import type { Exchange, RequestFilter } from '../../../../shared/ipc/reads/requests.ts'
import { systemClock } from '../../../../shared/time.ts'
import { type Database, openDatabase } from '../database.ts'
import { migrations } from '../migrations.ts'
import { type BufferedRequestLog, createRequestLog } from './request-log.ts'

let folder: string
let file: string
let database: Database
let log: BufferedRequestLog
const open = () => {
  database = openDatabase(file, systemClock)
  log = createRequestLog(database)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-requests-'))
  file = join(folder, 'journal.sqlite')
  open()
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

type Place = Parameters<BufferedRequestLog['page']>[2]

const mine = { wallet: '0xA' }
const everything: RequestFilter = { kind: 'all', status: 'any', text: '' }
const top: Place = { upTo: null, offset: 0, limit: 200 }

const request = (index: number, change: Partial<RequestRecord> = {}): RequestRecord => ({
  id: `dsk-${String(index).padStart(12, '0')}`,
  atMs: 1_000_000 + index,
  method: 'GET',
  path: '/api/dex/v1/markets',
  endpoint: 'GET /markets',
  status: 200,
  ms: 12,
  requestId: `srv-${index}`,
  outcome: 'ok',
  attempt: 1,
  intentRef: null,
  host: { name: 'dex.example', second: false },
  ...change,
})
const failure = { status: 503, outcome: 'UPSTREAM_DOWN' } as const
const change = { method: 'POST', path: '/api/dex/v1/orders/prepare', endpoint: 'POST /orders/prepare' } as const
const exchange = (text: string): Exchange => ({
  target: '/api/dex/v1/markets',
  credential: 'key',
  key: null,
  request: { headers: [], body: null },
  answer: { headers: [], body: { text, bytes: text.length, cut: 0 } },
})
const add = (record: RequestRecord, text = 'kept', callId = record.id) => log.add('p', record, '0xA', { callId, exchange: () => exchange(text) })
const page = (filter: Partial<RequestFilter> = {}, place: Partial<Place> = {}) => log.page('p', { ...everything, ...filter }, { ...top, ...place }, mine)
const ids = (filter: Partial<RequestFilter>) => page(filter).rows.map(({ id }) => Number(id.slice(4)))
const kept = (index: number) => log.find('p', request(index).id, mine)?.exchange?.answer?.body.text ?? null

test('while new requests arrive, the request log keeps the shown page unchanged and reports how many have arrived', () => {
  for (let index = 0; index < 10; index += 1) add(request(index))
  const before = page({}, { offset: 2, limit: 3 })
  expect(before).toMatchObject({ total: 10, newer: 0 })
  for (let index = 10; index < 14; index += 1) add(request(index, index % 2 === 0 ? failure : {}))
  expect(page({}, { offset: 2, limit: 3, upTo: before.newest })).toMatchObject({ rows: before.rows, total: 10, newer: 4 })
  expect(page({ kind: 'failures' }, { upTo: before.newest })).toMatchObject({ rows: [], total: 0, newer: 2 })
  expect(page()).toMatchObject({ total: 14, newer: 0 })
})

test('the request log filters requests by status class, and finds them by words, id or service code', () => {
  add(request(1))
  add(request(2, failure))
  add(request(3, change))
  add(request(4, { ...change, status: null, outcome: 'timeout', requestId: null }))
  add(request(5, { status: 429, outcome: 'http_429', path: '/api/dex/v1/positions' }))
  expect(ids({ kind: 'changes' })).toEqual([4, 3])
  expect(ids({ kind: 'failures' })).toEqual([5, 4, 2])
  expect(ids({ status: '2' })).toEqual([3, 1])
  expect(ids({ status: '4' })).toEqual([5])
  expect(ids({ status: 'none' })).toEqual([4])
  expect(ids({ kind: 'failures', status: '5' })).toEqual([2])
  expect(ids({ text: 'upstream down' })).toEqual([2])
  expect(ids({ text: 'UPSTREAM_' })).toEqual([2])
  expect(ids({ text: 'Orders/Prepare' })).toEqual([4, 3])
  expect(ids({ text: 'srv-3' })).toEqual([3])
  expect(ids({ text: request(4).id })).toEqual([4])
  expect(ids({ text: '429' })).toEqual([5])
  expect(ids({ text: '%' })).toEqual([])
})

test('the request log counts “stream disabled” answers as failures, except for the request by which the app checks for a stream [ACC-04]', () => {
  const off = { status: 503, outcome: 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED' } as const
  const probe = { path: '/api/dex/v1/stream', endpoint: 'GET /stream' } as const
  add(request(1, { ...probe, ...off }))
  add(request(2, off))
  add(request(3, { ...probe, ...failure }))
  expect(ids({ kind: 'failures' })).toEqual([3, 2])
  expect(ids({ kind: 'all' })).toEqual([3, 2, 1])
  expect(ids({ status: '5', text: 'realtime stream' })).toEqual([2, 1])
})

test('the request log stores the host of a request, and shows the host of older requests that stored none as unknown [GEN-02]', () => {
  add(request(1))
  add(request(2, { host: { name: 'other.example:8443', second: true } }))
  log.flush()
  expect(page().rows.map(({ host }) => host)).toEqual([
    { name: 'other.example:8443', second: true },
    { name: 'dex.example', second: false },
  ])
})

test('the request log finds all attempts of a call by the id of any of the attempts', () => {
  add(request(1, { ...failure, attempt: 1 }), 'first', request(1).id)
  add(request(2))
  add(request(3, { attempt: 2 }), 'second', request(1).id)
  for (const index of [1, 3])
    expect(log.find('p', request(index).id, mine)?.tries.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 503],
      [2, 200],
    ])
  expect(log.find('p', request(2).id, mine)?.tries).toHaveLength(1)
})

test('the request log hides the log line and the stored content of another wallet’s request [AUTH-03]', () => {
  add(request(1, change))
  expect(log.page('p', everything, top, { wallet: '0xB' })).toMatchObject({ rows: [], total: 0 })
  for (const whose of [{ wallet: '0xB' }, { wallet: null }]) expect(log.find('p', request(1).id, whose)).toBeNull()
  expect(log.find('other profile', request(1).id, mine)).toBeNull()
})

test('the request log stores the content of changes and failures on disk, but that of successful reads only in memory', () => {
  add(request(1), 'a passing read')
  add(request(2, change), 'a change')
  add(request(3, failure), 'a failed read')
  expect([1, 2, 3].map(kept)).toEqual(['a passing read', 'a change', 'a failed read'])
  database.close()
  const bytes = readFileSync(file).toString('latin1')
  expect(bytes).toContain('a failed read')
  expect(bytes).not.toContain('a passing read')
  open()
  expect([1, 2, 3].map(kept)).toEqual([null, 'a change', 'a failed read'])
  expect(page().total).toBe(3)
})

test('the request log keeps at most 200 successful reads in memory, and on disk 1,000 other requests with content and 5,000 lines', () => {
  for (let index = 0; index < 300; index += 1) add(request(index), 'read')
  log.flush()
  expect([kept(0), kept(99), kept(100), kept(299)]).toEqual([null, null, 'read', 'read'])
  for (let index = 300; index < 6_500; index += 1) add(request(index, change), 'change')
  log.flush()
  const rows = (table: string) => Number(database.get(`SELECT count(*) AS found FROM ${table}`)?.found)
  expect(rows('exchanges')).toBeGreaterThanOrEqual(1_000)
  expect(rows('exchanges')).toBeLessThanOrEqual(1_500)
  expect(rows('requests')).toBeLessThanOrEqual(5_500)
  expect(kept(6_499)).toBe('change')
  expect(kept(4_000)).toBeNull()
})

test('the request log removes secrets from a request and its answer before it queues them for writing', () => {
  let searched = 0
  log.add('p', request(1, change), '0xA', {
    callId: request(1).id,
    exchange: () => {
      searched += 1
      return exchange('clean')
    },
  })
  expect(searched).toBe(1)
})

test('the request log lists requests from a journal of an older app version, which stored no request content', () => {
  database.close()
  rmSync(file, { force: true })
  const old = new DatabaseSync(file)
  for (const [index, migration] of migrations.slice(0, 3).entries()) old.exec(`BEGIN; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`)
  old.exec(
    "INSERT INTO requests (profile_id, id, at_ms, method, path, endpoint, status, ms, outcome, attempt, wallet) VALUES ('p', 'dsk-000000000001', 1, 'GET', '/x', 'GET /x', 200, 3, 'ok', 1, '0xA')",
  )
  old.close()
  open()
  expect(page().rows.map(({ path, host }) => [path, host])).toEqual([['/x', null]])
  expect(log.find('p', 'dsk-000000000001', mine)).toMatchObject({ tries: [{ path: '/x' }], exchange: null })
})

test('if a request’s stored content is damaged, the request log omits only that content and still lists the request [V12]', () => {
  for (const index of [1, 2]) add(request(index, change))
  log.flush()
  database.run('UPDATE exchanges SET exchange = substr(exchange, 2) WHERE id = ?', request(1).id)
  expect([kept(1), kept(2)]).toEqual([null, 'kept'])
  expect(log.find('p', request(1).id, mine)?.record.id).toBe(request(1).id)
})
