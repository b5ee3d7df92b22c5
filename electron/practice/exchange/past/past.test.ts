import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, start, startMs } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

type Row = Record<string, unknown>
interface Page {
  readonly items: Row[]
  readonly next_cursor: number
  readonly has_more: boolean
  readonly limit: number
}
const lists = { orders: '/orders', transactions: '/transactions', trades: '/trades', history: '/positions/history' } as const
type List = keyof typeof lists
const idOf: Record<List, (row: Row) => string> = {
  orders: ({ order_id }) => String(order_id),
  transactions: ({ intent_id }) => String(intent_id),
  trades: ({ trade_id }) => String(trade_id),
  history: ({ close_id }) => String(close_id),
}
async function pageOf(list: List, query: string): Promise<Page> {
  bench.clock.advance(250)
  return at(await client.read(`${lists[list]}?${query}`), list) as Page
}
async function pagesOf(list: List, query: string): Promise<Page[]> {
  const pages = [await pageOf(list, query)]
  for (let last = pages[0]; last?.has_more === true; last = pages.at(-1)) pages.push(await pageOf(list, `${query}&cursor=${last.next_cursor}`))
  return pages
}
const idsOf = (list: List, pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(idOf[list]))
const allOf = async (list: List) => (await pagesOf(list, 'limit=200')).flatMap(({ items }) => items)

test('the practice exchange returns lists in pages of 50 rows by default and 200 at most, and refuses invalid limits and cursors [ACC-02]', async () => {
  bench.exchange.givePast(bench.wallet.address, { trades: 600, days: 30 })
  for (const list of Object.keys(lists) as List[]) {
    bench.clock.advance(10_000)
    const first = await pageOf(list, '')
    expect([list, first.items.length, first.limit, first.has_more]).toEqual([list, 50, 50, true])
    const largest = await pageOf(list, 'limit=200')
    expect([list, largest.items.length, largest.limit]).toEqual([list, 200, 200])
    for (const query of ['limit=201', 'limit=0', 'limit=-1', 'limit=ten', 'cursor=x', 'cursor=-5', 'cursor=1.5'])
      expect([list, query, (await client.read(`${lists[list]}?${query}`)).status]).toEqual([list, query, 400])
    const open = `${lists[list].replace('/', '/api/dex/')}?wallet=${bench.wallet.address}`
    expect(at(await bench.call(`GET ${open}`), list)).toEqual(first)
    expect((await bench.call(`GET ${open}&limit=201`)).status).toBe(400)
  }
})

test('the practice exchange’s paged lists neither skip nor repeat a row while rows arrive between pages, regardless of the page size [ACC-02]', async () => {
  bench.exchange.givePast(bench.wallet.address, { trades: 150, days: 30 })
  for (const list of Object.keys(lists) as List[])
    for (const limit of [1, 17, 50]) {
      bench.faults.rowsArrive = 0
      const before = idsOf(list, await pagesOf(list, 'limit=200'))
      const query = `limit=${limit}`
      bench.faults.rowsArrive = 4
      const pages = [await pageOf(list, query)]
      for (let last = pages[0]; last?.has_more === true && pages.length < 15; last = pages.at(-1))
        pages.push(await pageOf(list, `${query}&cursor=${last.next_cursor}`))
      bench.faults.rowsArrive = 0
      const seen = idsOf(list, pages)
      const now = idsOf(list, await pagesOf(list, 'limit=200'))
      expect([list, limit, new Set(seen).size, now.length > before.length]).toEqual([list, limit, seen.length, true])
      const from = now.indexOf(seen[0] ?? '')
      expect([list, limit, from >= 0, seen]).toEqual([list, limit, true, now.slice(from, from + seen.length)])
      if (pages.at(-1)?.has_more === false) expect(seen.slice(-before.length)).toEqual(before)
    }
}, 30_000)

test('the practice exchange can quickly generate a year of ten thousand trades for one wallet, and generates the same trades each time [ACC-01]', async () => {
  const made = performance.now()
  const givenAtMs = bench.clock.now()
  const counts = bench.exchange.givePast(bench.wallet.address, { trades: 10_000, days: 365 })
  expect(performance.now() - made).toBeLessThan(20_000)
  expect([counts.trades, counts.orders > 9_000, counts.closed > 4_000, counts.intents > 9_000]).toEqual([10_000, true, true, true])
  const trades = await allOf('trades')
  expect(trades).toHaveLength(10_000)
  const times = trades.map(({ executed_at_ms }) => Number(executed_at_ms))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect([(times.at(-1) ?? 0) >= startMs - 366 * 86_400_000, (times.at(-1) ?? 0) < startMs - 360 * 86_400_000]).toEqual([true, true])
  expect(new Set(trades.map(({ pair_id }) => pair_id)).size).toBe(23)
  expect(trades.every(({ fee_usdc, price, size }) => Number(fee_usdc) > 0 && Number(price) > 0 && Number(size) > 0)).toBe(true)

  const history = await allOf('history')
  const values = (name: string) => history.map((row) => Number(row[name]))
  expect([values('realised_pnl_usdc').some((value) => value > 0), values('realised_pnl_usdc').some((value) => value < 0)]).toEqual([true, true])
  expect([values('funding_usdc').some((value) => value > 0), values('funding_usdc').some((value) => value < 0)]).toEqual([true, true])
  expect(new Set(history.map(({ closed_by }) => closed_by))).toEqual(new Set(['trade', 'liquidation']))

  const wrong = history.filter((row) => {
    const move = (Number(row.exit_price) - Number(row.entry_price)) * Number(row.size) * (row.side === 'long' ? 1 : -1)
    return Math.abs(move - Number(row.realised_pnl_usdc)) > 0.006
  })
  expect(wrong).toEqual([])
  const liquidated = history.filter(({ closed_by }) => closed_by === 'liquidation')
  expect(liquidated.filter(({ realised_pnl_usdc }) => Number(realised_pnl_usdc) >= 0)).toEqual([])
  expect(new Set(trades.map(({ effect, role, realised_pnl_usdc }) => `${effect} ${role} ${realised_pnl_usdc === null}`))).toEqual(
    new Set(['open taker true', 'reduce taker false', 'close taker false']),
  )
  const results = (rows: readonly Row[]) => rows.map(({ realised_pnl_usdc }) => String(realised_pnl_usdc)).toSorted()
  expect(results(trades.filter(({ effect }) => effect !== 'open'))).toEqual(results(history.filter(({ closed_by }) => closed_by === 'trade')))

  const twin = await start({ wallet: bench.wallet })
  twin.clock.advance(givenAtMs - startMs)
  twin.exchange.givePast(bench.wallet.address, { trades: 10_000, days: 365 })
  const again = at(await twin.call(`GET /api/dex/trades?wallet=${bench.wallet.address}&limit=200`), 'trades.items')
  expect(again).toEqual(trades.slice(0, 200))
  await twin.stop()
  const other = await bench.call('GET /api/dex/trades?wallet=0x52908400098527886E0F7030069857D2E4169EE7')
  expect(at(other, 'trades.items')).toEqual([])
}, 60_000)

test('each trade of a history that the practice exchange generated has a matching order and intent; new trades are listed before it [ACC-01]', async () => {
  bench.exchange.givePast(bench.wallet.address, { trades: 400, days: 90 })
  const before = at(await client.read('/account'), 'collateral_usdc')
  const trade = (await pageOf('trades', 'limit=1')).items[0]
  const order = (await allOf('orders')).find(({ order_id }) => order_id === trade?.order_id)
  const intent = (await allOf('transactions')).find(({ intent_id }) => intent_id === order?.intent_id)
  expect(order).toMatchObject({ tx_hash: trade?.tx_hash, pair_id: trade?.pair_id, status: 'filled', filled_size: trade?.size })
  expect(intent).toMatchObject({
    state: 'confirmed',
    tx_hash: trade?.tx_hash,
    client_order_id: order?.client_order_id,
    key_id: expect.any(String),
    payload: { pair_id: trade?.pair_id, side: (trade?.side === 'long') === (trade?.effect === 'open') ? 'long' : 'short' },
  })
  const found = (await allOf('transactions')).find(({ action }) => action === 'open_position')
  expect((await client.read(`/orders/by-client-id?client_order_id=${found?.client_order_id}`)).json).toMatchObject({ intent: { intent_id: found?.intent_id } })
  expect((await client.read(`/native/executions/${trade?.tx_hash}`)).json).toMatchObject({ finality: 'FINAL' })
  expect(at(await client.read('/account'), 'collateral_usdc')).toBe(before)

  await openPosition(bench, client)
  const states = (await allOf('transactions')).map(({ state }) => state)
  expect([...new Set(states)].toSorted()).toEqual(['confirmed', 'expired', 'reverted', 'submitted'])
  expect((await pageOf('orders', 'limit=1')).items[0]).toMatchObject({ pair_id: 1, status: 'filled' })
  expect((await pageOf('orders', 'limit=1')).items[0]?.order_id).not.toMatch(/^ord_p/)
})
