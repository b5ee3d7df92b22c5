import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { AnyHandler } from '../../host/ipc/answer-call.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const place = (of: string, field: string, at: string) => ({ part: 'answers', of, field, at, unit: null }) as const
const says = async (...set: ReturnType<typeof place>[]) => value(await workspace.handlers()['fieldMap.change']({ set, remove: [], from: 'you' }))

const sentTo = (wanted: string) => workspace.sent.filter(({ path }) => path.split('?')[0] === wanted).length

const table = (name: string) => ({ watch: null, table: name, symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 50 })

test.each([
  ['account.history', table('orders'), '/api/dex/v1/orders'],
  ['account.history', table('trades'), '/api/dex/v1/trades'],
  ['account.history', table('transactions'), '/api/dex/v1/transactions'],
  ['account.history', table('history'), '/api/dex/v1/positions/history'],
  ['account.report', { watch: null, by: 'day', fromMs: null }, '/api/dex/v1/trades'],
  ['markets.meta', {}, '/api/dex/v1/meta'],
  ['markets.config', {}, '/api/dex/config'],
  ['markets.trends', { pairIds: [1] }, '/api/dex/v1/candles'],
  ['service.offers', {}, '/api/dex/v1/meta'],
])(
  'after a change of the field map, the app sends the request behind the query %s again, because the map decides how its answer is read',
  async (query, input, path) => {
    const handlers = workspace.handlers() as Readonly<Record<string, AnyHandler>> // The cast allows a lookup of the handler by its name, as the window does.
    const ask = async () => {
      const before = sentTo(path)
      value((await handlers[query]?.(input)) as Result<unknown, Failure>)
      return sentTo(path) - before
    }
    await ask()
    expect(await ask()).toBe(0)
    await says(place('position', 'marginUsdc', 'stake'))
    expect(await ask()).toBe(1)
    expect(await ask()).toBe(0)
  },
)

test('if a field-map change only renames fields of requests, the app does not read the service’s data again', async () => {
  const ask = async () => value(await workspace.handlers()['account.history']({ ...table('orders'), table: 'orders' }))
  await ask()
  const before = sentTo('/api/dex/v1/orders')
  const name = { part: 'payloads', of: 'cancel_order', field: 'order_id', at: 'orderId', unit: null } as const
  value(await workspace.handlers()['fieldMap.change']({ set: [name], remove: [], from: 'refusal' }))
  await ask()
  expect(sentTo('/api/dex/v1/orders')).toBe(before)
})
