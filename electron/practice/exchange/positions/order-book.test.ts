import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, openClient } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'
import { isMultipleOf } from '../../../../shared/decimal.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

interface Level {
  readonly price: string
  readonly size: string
}
const book = async (pairId: number) => {
  const answer = await bench.call(`GET /api/dex/orderbook?pair_id=${pairId}`)
  return { bids: at(answer, 'orderbook.bids') as Level[], asks: at(answer, 'orderbook.asks') as Level[] }
}
const isFalling = (prices: readonly number[]) => prices.every((price, index) => index === 0 || price < (prices[index - 1] ?? 0))

test('the practice exchange’s order book shows dozens of changing levels on each side of the mark price, in tick steps, best price first [MKT-01]', async () => {
  const markets = at(await bench.call('GET /api/dex/markets'), 'markets') as { id: number; tick_size: string; price_decimals: number }[]
  for (const { id, tick_size, price_decimals } of markets) {
    const mark = Number(await bench.mark(id))
    const { bids, asks } = await book(id)
    expect([id, bids.length, asks.length]).toEqual([id, 48, 48])
    const [buying, selling] = [bids.map(({ price }) => Number(price)), asks.map(({ price }) => Number(price))]
    expect([id, isFalling(buying), isFalling(selling.toReversed()), (buying[0] ?? mark) < mark, (selling[0] ?? mark) > mark]).toEqual([
      id,
      true,
      true,
      true,
      true,
    ])
    for (const { price, size } of [...bids, ...asks]) {
      expect([id, isMultipleOf(price, tick_size), price.split('.')[1]?.length ?? 0]).toEqual([id, true, price_decimals])
      expect(Number(size)).toBeGreaterThan(0)
    }
  }
  const before = await book(1)
  bench.clock.advance(5_000)
  expect(await book(1)).not.toEqual(before)
})

test('with its fault “emptyBook”, the practice exchange shows an empty order book [MKT-01]', async () => {
  bench.faults.emptyBook = true
  expect(await book(1)).toEqual({ bids: [], asks: [] })
  expect(at(await bench.call('GET /api/dex/orderbook'), 'orderbooks.0')).toMatchObject({ pair_id: 1, bids: [], asks: [] })
})

test('the practice exchange’s order book shows the unfilled part of a limit order for as long as the order rests [MKT-01]', async () => {
  const client = await openClient(bench, allScopes)
  const price = (Number(await bench.mark(1)) * 0.97).toFixed(1)
  const order = { pair_id: 1, side: 'long', order_type: 'limit', leverage: 10, order_value_usdc: '5000', limit_price: price, time_in_force: 'gtc' }
  await client.relay(await client.prepare(order))
  await bench.chain.mine(1)
  const size = text(await client.read('/orders'), 'orders.items.0.size')
  const { bids } = await book(1)
  expect(bids.find((level) => level.price === price)).toEqual({ price, size })
  expect(isFalling(bids.map((level) => Number(level.price)))).toBe(true)

  bench.faults.priceShiftBps = -400
  for (let block = 0; block < 40; block += 1) await bench.chain.mine(1)
  expect(text(await client.read('/orders'), 'orders.items.0.status')).toBe('filled')
  expect((await book(1)).bids.some((level) => level.price === price)).toBe(false)
})
