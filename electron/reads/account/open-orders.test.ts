import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, type Received, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { PlannedIntent } from '../../store/journal/journal.ts'

let service: TestService
let workspace: Workspace
let rows: readonly Record<string, unknown>[]
const pageSize = 50

const orderOf = (id: number, status: string) => ({ id, market: { id: 1 }, pair_id: 1, side: 'buy', type: 'limit', limit_price: 90_000 + id, status })
const parameter = ({ path }: Received, name: string): string | null => new URL(path, 'http://service').searchParams.get(name)

const pageFrom = (cursor: number) => ({
  orders: { items: rows.slice(cursor, cursor + pageSize), limit: pageSize, has_more: cursor + pageSize < rows.length, next_cursor: cursor + pageSize },
})
let answerPage: (cursor: number) => unknown

beforeEach(async () => {
  rows = Array.from({ length: 430 }, (_, place) => orderOf(9_430 - place, place === 5 || place > 426 ? 'resting' : 'filled'))
  answerPage = pageFrom
  service = await startService()
  service.answer = (request, response) => {
    if (!request.path.startsWith('/api/dex/orders')) return json(response, 404, {})
    const answer = answerPage(Number(parameter(request, 'cursor') ?? 0))
    return answer === null ? json(response, 500, { error: 'later' }) : json(response, 200, answer)
  }
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
})
afterEach(async () => {
  await workspace.stop()
  await service.close()
})

const read = async () => value(await workspace.handlers()['account.orders']({ watch: null }))
const waiting = async () => (await read()).orders.filter(({ status }) => status === 'open').map(({ id }) => id)
const asked = () => service.received.filter(({ path }) => path.startsWith('/api/dex/orders')).map((request) => parameter(request, 'cursor'))

test('the app shows an open order that the service lists after 420 ended orders, and can cancel it [ACC-02]', async () => {
  expect(await waiting()).toEqual(['9425', '9003', '9002', '9001'])
  expect((await read()).cut).toBeNull()
})

test('the app reads the older pages of the order list again only if the newest page has changed [ACC-02]', async () => {
  await read()
  const whole = asked().length
  expect(whole).toBe(9)
  await read()
  expect(asked().length - whole).toBe(1)
  rows = rows.filter(({ id }) => id !== 9_002)
  expect(await waiting()).toEqual(['9425', '9003', '9002', '9001'])
  rows = [orderOf(9_500, 'filled'), ...rows]
  expect(await waiting()).toEqual(['9425', '9003', '9001'])
})

test('the app reads the older pages of the order list again after a while even if the newest page has not changed [ACC-02]', async () => {
  await read()
  rows = rows.filter(({ id }) => id !== 9_002)
  workspace.clock.advance(10 * 60_000)
  expect(await waiting()).toEqual(['9425', '9003', '9001'])
})

test('the app stops reading orders if the service returns the same cursor again, and reports the list as incomplete [ACC-02]', async () => {
  answerPage = (cursor) => ({ orders: { ...pageFrom(cursor).orders, has_more: true, next_cursor: cursor >= 100 ? 50 : cursor + pageSize } })
  const { orders, cut } = await read()
  expect(cut).toBe('no_next_page')
  expect(asked()).toEqual([null, '50', '100'])
  expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length)
})

test('the app reports the order list as incomplete if the service says that more rows exist but sends no cursor for them [ACC-02]', async () => {
  answerPage = (cursor) => ({ orders: { ...pageFrom(cursor).orders, has_more: true, next_cursor: null } })
  expect((await read()).cut).toBe('no_next_page')
})

test('if one page of orders fails, the app keeps the pages read before it and later requests the failed page again [ACC-02]', async () => {
  answerPage = (cursor) => (cursor >= 400 ? null : pageFrom(cursor))
  expect(await read()).toMatchObject({ cut: 'unanswered' })
  expect(await waiting()).toEqual(['9425'])
  answerPage = pageFrom
  expect(await waiting()).toEqual(['9425', '9003', '9002', '9001'])
})

test('the app stops reading orders after a limited number of pages if the service’s list of orders never ends [ACC-02]', async () => {
  answerPage = (cursor) => ({ orders: { ...pageFrom(0).orders, has_more: true, next_cursor: cursor + 1 } })
  expect((await read()).cut).toBe('too_long')
  expect(asked()).toHaveLength(50)
})

test('the app stops reading a history when the service’s cursors lead back to an earlier page, and reports the history as cut short [ACC-02]', async () => {
  answerPage = (cursor) => ({ orders: { ...pageFrom(cursor).orders, has_more: true, next_cursor: cursor >= 100 ? 50 : cursor + pageSize } })
  const table = { watch: null, table: 'orders', symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' } as const
  const view = async () => value(await workspace.handlers()['account.history']({ ...table, offset: 0, limit: 200 }))
  expect(await view()).toMatchObject({ complete: false, cut: false })
  for (let turns = 0; turns < 3; turns += 1) value(await workspace.handlers()['account.readOlder'](table))
  expect(await view()).toMatchObject({ complete: true, cut: true, total: 150 })
})

test('if one order is unreadable, the app keeps the other orders and reports the order list as incomplete [ORD-05]', async () => {
  rows = [orderOf(3, 'resting'), { market: { id: 1 }, side: 'buy', status: 'resting' }, orderOf(2, 'resting')]
  const { orders, cut } = await read()
  expect([orders.map(({ id }) => id), cut]).toEqual([['3', '2'], 'unreadable'])
})

function cancelOf(orderId: string, to: readonly IntentState[], change: Partial<PlannedIntent> = {}): void {
  const { intents } = workspace.journal()
  const cancel = { action: 'cancel_order', order: { orderId } }
  const { ref } = intents.plan({
    ...anIntent(`cancel ${orderId}`),
    profileId: 'practice',
    wallet: workspace.account.address,
    action: 'cancel_order',
    ticket: JSON.stringify(cancel),
    ...change,
  })
  for (const state of to) intents.move(ref, state)
}
const statusOf = async (id: string) => (await read()).orders.find((order) => order.id === id)?.status

test('the app treats an order with an unknown status as ended once the app’s own cancellation of that order is final [ACC-02]', async () => {
  rows = [
    orderOf(1, 'parked'),
    orderOf(2, 'parked'),
    orderOf(3, 'resting'),
    orderOf(4, 'parked'),
    { ...orderOf(5, ''), status: undefined },
    orderOf(6, 'parked'),
  ]
  const final = ['PREPARED', 'ASKED', 'SUBMITTED', 'CONFIRMING', 'FINAL'] as const
  for (const id of ['0x1', '3', '5']) cancelOf(id, final)
  cancelOf('2', ['PREPARED', 'ASKED', 'SUBMITTED', 'CONFIRMING'])
  cancelOf('4', [...final, 'REVERTED'])
  cancelOf('6', final, { wallet: '0x1111111111111111111111111111111111111111' })
  expect(await Promise.all(['1', '2', '3', '4', '5', '6'].map(statusOf))).toEqual(['cancelled', 'parked', 'open', 'parked', 'cancelled', 'parked'])
})

test('the app lists open orders even if the journal, or the cancel request that the journal stores, is unreadable', async () => {
  rows = [orderOf(1, 'parked'), orderOf(2, 'parked')]
  const final = ['PREPARED', 'ASKED', 'SUBMITTED', 'CONFIRMING', 'FINAL'] as const
  cancelOf('1', final, { ticket: '{"order":7}' })
  cancelOf('2', final)
  expect(await Promise.all(['1', '2'].map(statusOf))).toEqual(['parked', 'cancelled'])
  const unreadable = () => {
    throw new Error('database disk image is malformed')
  }
  Object.assign(workspace.journal().intents, { list: unreadable })
  expect(await Promise.all(['1', '2'].map(statusOf))).toEqual(['parked', 'parked'])
})
