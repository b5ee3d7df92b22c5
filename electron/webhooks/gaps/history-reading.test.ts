import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { openApi } from '../../../e2e/support/main/open-api.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { fail, ok } from '../../../shared/result.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { createPracticeClock, type PracticeClock } from '../../practice/base/practice-clock.ts'
import { createAccountReader, type Subject } from '../../reads/history/account-reader.ts'
import { createHistoryRepositories } from '../../reads/history/history-repository.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import { createHistoryReading, type HistoryReading, type Wanted } from './history-reading.ts'

const subject: Subject = { wallet: `0x${'5a'.repeat(20)}`, watchedAs: null }
const t0 = 1_800_000_000_000
const wanted: Wanted = { sinceMs: t0, notBeforeMs: 0, changes: '', reorganisations: '' }
const pageRows = 200

interface Told {
  readonly order_id: string
  readonly created_at_ms: number
  status: string
}

let service: TestService
let api: ApiClient
let clock: PracticeClock
let reading: HistoryReading
/** The account's orders, newest first. The rest of the account's history is empty. */
let orders: Told[]

const order = (n: number, status = 'filled'): Told => ({ order_id: `ord_${n}`, created_at_ms: t0 + n * minute, status })

beforeEach(async () => {
  orders = Array.from({ length: 450 }, (_, index) => order(450 - index))
  clock = createPracticeClock(systemClock)
  service = await startService()
  service.answer = ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://service')
    const name = pathname.split('/').at(-1) ?? ''
    const from = Number(searchParams.get('cursor') ?? 0)
    const items = name === 'orders' ? orders.slice(from, from + pageRows).map((one) => ({ ...one, symbol: 'BTC-PERP', side: 'long', size: '1' })) : []
    const more = name === 'orders' && from + pageRows < orders.length
    // Returns the same page for every table. `intents` and `positions` are the names that the service uses for transactions and history.
    const page = { items, next_cursor: from + pageRows, has_more: more, limit: pageRows }
    json(response, 200, { [name]: page, intents: page, positions: page })
  }
  api = openApi({ hostUrl: service.hostUrl, clock, sleep: async () => true, sent: [], onExchange: () => {} })
  const reader = createAccountReader({
    credentials: { forScope: async () => fail({ kind: 'api_key_required', scope: 'account:read' }) },
    wallet: { current: () => ({ address: subject.wallet }), connected: () => ok({ address: subject.wallet }) } as never, // The cast is safe: the reader uses only these parts of a wallet.
    watched: { find: () => null } as never, // The cast is safe: no wallet is watched.
  })
  const freshRepositories = () =>
    createHistoryRepositories({
      api,
      reader,
      known: () => (row) => row,
      fieldMap: { answers: () => undefined },
      monotonic: clock.monotonic,
      onProgress: () => {},
    })
  reading = createHistoryReading({ freshRepositories, clock })
})
afterEach(async () => {
  await api.close()
  await service.close()
})

async function read(change: Partial<Wanted> = {}) {
  const before = service.received.length
  const { rows } = value(await reading.read(subject, { ...wanted, ...change }))
  return { asked: service.received.length - before, orders: rows.orders.map(({ key, state }) => `${key} ${state}`) }
}
/** How many requests a complete reading takes: three pages of orders and one page of each other table. */
const whole = 6
const newest = 4

test('the gap check reads the whole history once, sends no request for half a minute, then reads only the newest pages [ACC-02]', async () => {
  expect(await read()).toMatchObject({ asked: whole, orders: { length: 450, 0: 'ord_450 filled', 449: 'ord_1 filled' } })
  // Far from half a minute on both sides, because the clock also runs during a reading.
  clock.advance(15_000)
  expect((await read()).asked).toBe(0)
  orders.unshift(order(451, 'open'))
  clock.advance(16_000)
  expect(await read()).toMatchObject({ asked: newest, orders: { length: 451, 0: 'ord_451 open' } })
  Object.assign(orders[0] ?? {}, { status: 'cancelled' })
  expect(await read({ changes: 'in_1 FINAL' })).toMatchObject({ asked: newest, orders: { 0: 'ord_451 cancelled' } })
  expect((await read({ changes: 'in_1 FINAL' })).asked).toBe(0)
  expect((await read({ changes: 'in_1 FINAL', notBeforeMs: clock.now() + 1 })).asked).toBe(newest)
})

test('the gap check reads the whole history again after a reorganisation, on request, or while an older history row may still change', async () => {
  await read()
  orders.splice(300, 1)
  expect(await read({ reorganisations: '1' })).toMatchObject({ asked: whole, orders: { length: 449 } })
  reading.forget()
  expect((await read({ reorganisations: '1' })).asked).toBe(whole)
  Object.assign(orders[400] ?? {}, { status: 'open' })
  reading.forget()
  await read({ reorganisations: '1' })
  const { order_id, created_at_ms } = orders[400] ?? order(0)
  orders[400] = { order_id, created_at_ms, status: 'cancelled' }
  clock.advance(minute)
  const later = await read({ reorganisations: '1' })
  expect(later.orders).toContain(`${order_id} cancelled`)
  clock.advance(minute)
  expect((await read({ reorganisations: '1' })).asked).toBe(newest)
})

test('the gap check drops a history row that disappears from the newest page, even if the service reported no reorganisation [HOOK-07]', async () => {
  await read()
  orders.splice(3, 1)
  clock.advance(minute)
  const after = await read()
  expect(after.orders).toHaveLength(449)
  expect(after.orders).not.toContain('ord_447 filled')
  clock.advance(minute)
  expect((await read()).asked).toBe(newest)
})
