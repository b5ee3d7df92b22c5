import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bot, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { executeRoute } from '../../../e2e/support/main/executing.ts'

let served: Served
beforeEach(async () => {
  served = await startServed()
})
afterEach(() => served.stop())

const minuteMs = 60_000
const limitOf = ({ json }: { readonly json: { readonly error?: Readonly<Record<string, unknown>> } }) => json.error?.limit
const order = async (bot: Bot, change: object = {}) => bot.execute('open_market', await served.marketOrder(change))
const carriedOut = async () => {
  await served.chain.mine(9)
  await served.exchange.settle()
}

test('an accepted order counts until the exchange lists it, however long that takes', async () => {
  const bot = await served.bot({ openNotionalUsdc: '150' })
  expect((await order(bot)).status).toBe(202)
  served.clock.advance(5 * minuteMs)
  expect(limitOf(await order(bot))).toBe('open_notional')
  expect(limitOf(await order(await served.bot({ openNotionalUsdc: '150' })))).toBe('open_notional')
})

test('an order on its way still counts after a restart', async () => {
  const bot = await served.bot({ openNotionalUsdc: '150' })
  expect((await order(bot)).status).toBe(202)
  await served.restart()
  await served.connect()
  expect(limitOf(await order(bot))).toBe('open_notional')
})

test('an order whose outcome is unknown counts, and one that was refused does not', async () => {
  const bot = await served.bot({ openNotionalUsdc: '150' })
  served.faults.answer.push({ route: executeRoute, status: 422, code: 'MARKET_DATA_STALE', times: 1 })
  expect((await order(bot)).json.error?.code).toBe('MARKET_DATA_STALE')
  served.faults.dropAnswer.push({ route: executeRoute, times: 1_000 })
  expect((await order(bot)).json).toMatchObject({ state: 'unknown' })
  served.clock.advance(5 * minuteMs)
  expect(limitOf(await order(bot))).toBe('open_notional')
}, 20_000)

test.each([
  ['by its client order id', { client_order_id: 'listed-0001' }],
  ['by the order that its execution names', {}],
])('an order that the lists show counts once: %s', async (_, change) => {
  const bot = await served.bot({ openNotionalUsdc: '250' })
  expect((await order(bot, change)).status).toBe(202)
  await carriedOut()
  expect((await order(bot)).status).toBe(202)
  expect(limitOf(await order(bot))).toBe('open_notional')
  expect(
    served
      .journal()
      .records.botCalls.list({})
      .map(({ record }) => record.reservedUsdc)
      .sort(),
  ).toEqual(['100', null])
})

test('an execution that failed at the exchange gives its room back', async () => {
  const bot = await served.bot({ openNotionalUsdc: '150' })
  const { reference_price, ...resting } = await served.marketOrder()
  // A price far away from the market: the executor takes the order, and the chain refuses it for its slippage.
  served.faults.priceShiftBps = 0
  expect((await bot.execute('open_market', { ...resting, reference_price, max_slippage_bps: 1 })).status).toBe(202)
  served.faults.priceShiftBps = 500
  await carriedOut()
  served.faults.priceShiftBps = 0
  expect((await order(bot)).status).toBe(202)
})

test('many batches at once never open more than the limit', async () => {
  const bots = await Promise.all(Array.from({ length: 3 }, () => served.bot({ openNotionalUsdc: '450' })))
  const one = await served.marketOrder({ order_value_usdc: '50' })
  const batch = {
    actions: [
      { action: 'open_market', payload: one },
      { action: 'open_market', payload: one },
    ],
  }
  const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => (bots[at % 3] as Bot).execute('batch', batch)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(4)
  expect(served.commands()).toBe(4)
})

test('the bots of a wallet share the readings that their limits need', async () => {
  const bots = await Promise.all(Array.from({ length: 4 }, () => served.bot({ openNotionalUsdc: '10000', sides: ['long'] })))
  const before = served.sent.length
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => order(bots[at % 4] as Bot)))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(202))
  const reads = served.sent.slice(before).filter(({ path }) => path.startsWith('/api/dex/v1/positions'))
  expect(reads.length).toBeGreaterThan(0)
  expect(reads.length).toBeLessThanOrEqual(3)
})
