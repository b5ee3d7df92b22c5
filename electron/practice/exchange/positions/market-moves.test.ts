import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition, type Payload, positionsOf } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

const items = async (path: string, name: string): Promise<unknown[]> => {
  const found = at(await client.read(path), `${name}.items`)
  return Array.isArray(found) ? found : []
}
const orders = () => items('/orders', 'orders')
const trades = () => items('/trades', 'trades')
const history = () => items('/positions/history', 'history')
const collateral = async () => Number(text(await client.read('/account'), 'collateral_usdc'))
const numberAt = (value: unknown, path: string) => Number(at(value, path))

async function carryOut(action: string, payload: Payload): Promise<void> {
  const relayed = await client.relay(await client.act(action, payload))
  expect([action, relayed.status]).toEqual([action, 200])
  await bench.chain.mine(1)
}
const atMarket = async (pairId = 1) => ({ reference_price: await bench.mark(pairId), max_slippage_bps: 100 })
async function move(bps: number): Promise<void> {
  bench.faults.priceShiftBps = bps
  await bench.chain.mine(1)
}

test('the practice exchange closes part of a position and then its remainder, and realises the profit or loss of each part [FLOW-01] [ACC-01]', async () => {
  const position_id = await openPosition(bench, client, { order_value_usdc: '5000' })
  const [held] = await positionsOf(client)
  const before = await collateral()
  await move(100)
  await carryOut('close_position_market', { position_id, size: '0.02', ...(await atMarket()) })
  const [left] = await positionsOf(client)
  expect(numberAt(left, 'size')).toBeCloseTo(numberAt(held, 'size') - 0.02, 5)
  expect(at(left, 'position_id')).toBe(position_id)
  const [part] = await history()
  expect(part).toMatchObject({ position_id, side: 'long', size: '0.02', closed_by: 'trade' })
  const gain = 0.02 * (numberAt(part, 'exit_price') - numberAt(held, 'entry_price'))
  expect([gain > 15, numberAt(part, 'realised_pnl_usdc')]).toEqual([true, expect.closeTo(gain, 1)])
  const fee = numberAt((await trades())[0], 'fee_usdc')
  expect(await collateral()).toBeCloseTo(before + gain - fee - 0.02, 1)
  await carryOut('close_position_market', { position_id, ...(await atMarket()) })
  expect([await positionsOf(client), (await history()).length, (await trades()).length]).toEqual([[], 2, 3])
  expect((await orders())[0]).toMatchObject({ side: 'short', order_type: 'market', reduce_only: true, position_id, status: 'filled' })
})

test('the practice exchange does not close a position at a price beyond the max slippage that the wallet signed', async () => {
  const position_id = await openPosition(bench, client)
  const close = await client.act('close_position_market', { position_id, ...(await atMarket()), max_slippage_bps: 20 })
  bench.faults.priceShiftBps = -100
  await client.relay(close)
  await bench.chain.mine(1)
  expect((await orders())[0]).toMatchObject({ status: 'cancelled', reason: 'slippage_exceeded', filled_size: '0' })
  expect(await positionsOf(client)).toHaveLength(1)
})

test('the practice exchange keeps a limit close order until the mark price reaches its limit, and cancels it if the position closes first', async () => {
  const position_id = await openPosition(bench, client)
  const mark = Number(await bench.mark(1))
  await carryOut('close_position_limit', { position_id, limit_price: (mark * 1.01).toFixed(1) })
  await carryOut('close_position_limit', { position_id, limit_price: (mark * 1.3).toFixed(1) })
  expect((await orders()).slice(0, 2)).toMatchObject([
    { status: 'open', order_type: 'limit', reduce_only: true },
    { status: 'open', filled_size: '0' },
  ])
  await move(150)
  expect(await positionsOf(client)).toEqual([])
  await bench.chain.mine(1)
  expect((await orders()).slice(0, 2)).toMatchObject([{ status: 'cancelled', reason: 'position_closed' }, { status: 'filled' }])
})

test('the practice exchange refuses a post-only limit close that would take liquidity, and fills the same close without post_only', async () => {
  const position_id = await openPosition(bench, client)
  const mark = Number(await bench.mark(1))
  await carryOut('close_position_limit', { position_id, limit_price: (mark * 0.99).toFixed(1), post_only: true })
  expect((await orders())[0]).toMatchObject({ status: 'cancelled', reason: 'post_only_would_take' })
  await carryOut('close_position_limit', { position_id, limit_price: (mark * 1.3).toFixed(1), time_in_force: 'ioc' })
  expect((await orders())[0]).toMatchObject({ status: 'cancelled', reason: 'not_filled' })
  await carryOut('close_position_limit', { position_id, limit_price: (mark * 0.99).toFixed(1) })
  expect([(await orders())[0], await positionsOf(client)]).toMatchObject([{ status: 'filled' }, []])
})

test('if a position is inverted, the practice exchange opens the same size on the other side, with a new id and without TP/SL', async () => {
  const position_id = await openPosition(bench, client, { take_profit: '150000' })
  const [before] = await positionsOf(client)
  await carryOut('invert_position', { position_id, ...(await atMarket()) })
  const after = await positionsOf(client)
  expect(after).toMatchObject([{ side: 'short', size: at(before, 'size'), leverage: at(before, 'leverage'), take_profit: null }])
  expect(at(after[0], 'position_id')).not.toBe(position_id)
  expect(await history()).toMatchObject([{ position_id, side: 'long' }])
})

test('if two intents close the same position, the practice exchange ignores the second intent and reports why', async () => {
  const position_id = await openPosition(bench, client)
  const prices = await atMarket()
  const [first, second] = [
    await client.act('close_position_market', { position_id, ...prices }),
    await client.act('close_position_market', { position_id, ...prices, client_order_id: 'too-late' }),
  ]
  await client.relay(first)
  await bench.chain.mine(1)
  const account = await collateral()
  await client.relay(second)
  await bench.chain.mine(1)
  expect(await positionsOf(client)).toEqual([])
  expect((await items('/transactions', 'transactions'))[0]).toMatchObject({ client_order_id: 'too-late', reason: 'position_not_found' })
  expect(await collateral()).toBeCloseTo(account - 0.02, 2)
})

test('if a reorganisation removes a limit close order’s transaction, the practice exchange undoes the order and its fill [FLOW-06]', async () => {
  const position_id = await openPosition(bench, client, { order_value_usdc: '3000' })
  const before = [await positionsOf(client), await collateral()]
  const mark = Number(await bench.mark(1))
  await carryOut('close_position_limit', { position_id, size: '0.01', limit_price: (mark * 1.01).toFixed(1) })
  await move(150)
  expect((await orders())[0]).toMatchObject({ status: 'filled', filled_size: '0.01' })
  bench.faults.priceShiftBps = 0
  await bench.chain.reorganise(2)
  await bench.exchange.settle()
  expect([await positionsOf(client), await collateral()]).toEqual(before)
  expect([await history(), (await trades()).length, (await orders()).length]).toEqual([[], 1, 1])
})

test.each([
  ['long', 'take_profit', 1.01, 150],
  ['long', 'stop_loss', 0.99, -150],
  ['short', 'take_profit', 0.99, -150],
  ['short', 'stop_loss', 1.01, 150],
] as const)('the practice exchange closes a %s position when the mark price passes its %s', async (side, exit, share, bps) => {
  const mark = Number(await bench.mark(1))
  const price = (mark * share).toFixed(1)
  await openPosition(bench, client, { side, [exit]: price })
  await move(Math.sign(bps) * 50)
  expect(await positionsOf(client)).toHaveLength(1)
  await move(bps)
  expect(await positionsOf(client)).toEqual([])
  expect((await orders())[0]).toMatchObject({ order_type: exit, reduce_only: true, status: 'filled', side: side === 'long' ? 'short' : 'long' })
  expect(Math.sign(numberAt((await history())[0], 'realised_pnl_usdc'))).toBe(exit === 'take_profit' ? 1 : -1)
})

test('the practice exchange fills a resting limit order in parts, with at most the market’s depth per block and never beyond the limit price', async () => {
  const mark = Number(await bench.mark(14))
  const limit = (mark * 0.995).toFixed(7)
  await client.relay(await client.prepare({ pair_id: 14, side: 'long', order_type: 'limit', leverage: 5, order_value_usdc: '200', limit_price: limit }))
  await bench.chain.mine(1)
  expect((await orders())[0]).toMatchObject({ status: 'open', filled_size: '0' })
  const states: unknown[] = []
  bench.faults.priceShiftBps = -100
  for (let block = 0; block < 3; block += 1) {
    await bench.chain.mine(1)
    for (let look = 0; look < 3; look += 1) await bench.exchange.settle()
    const [order] = await orders()
    states.push(at(order, 'status'))
  }
  expect(states).toEqual(['partially_filled', 'partially_filled', 'filled'])
  const fills = await trades()
  expect(fills.map((trade) => Number(at(trade, 'price')))).toEqual(Array(3).fill(Number(limit)))
  const size = fills.reduce<number>((sum, trade) => sum + numberAt(trade, 'size'), 0)
  expect([size, numberAt((await positionsOf(client))[0], 'size')]).toEqual(Array(2).fill(numberAt((await orders())[0], 'size')))
})

test('the practice exchange cancels a resting order if the wallet no longer has enough margin when the order would fill', async () => {
  const mark = Number(await bench.mark(1))
  const order = { pair_id: 1, side: 'long', order_type: 'limit', leverage: 1, order_value_usdc: '9000', limit_price: (mark * 0.99).toFixed(1) }
  await client.relay(await client.prepare(order))
  await bench.chain.mine(1)
  await openPosition(bench, client, { pair_id: 3, order_value_usdc: '50000', leverage: 10 })
  await move(-120)
  expect((await orders()).find((each) => at(each, 'pair_id') === 1)).toMatchObject({
    status: 'cancelled',
    reason: 'open_margin_insufficient',
    filled_size: '0',
  })
})

test('the practice exchange charges funding every hour, so that one side of the market receives what the other side pays', async () => {
  await openPosition(bench, client, { order_value_usdc: '20000', leverage: 10 })
  await openPosition(bench, client, { order_value_usdc: '20000', leverage: 10, side: 'short', margin_mode: 'isolated' })
  const before = await collateral()
  const funding = async () => {
    const held = await positionsOf(client)
    return [held.find((each) => at(each, 'side') === 'long'), held.find((each) => at(each, 'side') === 'short')].map((each) => numberAt(each, 'funding_usdc'))
  }
  expect(await funding()).toEqual([0, 0])
  bench.clock.advance(27 * 60_000)
  await bench.chain.mine(1)
  expect(await funding()).toEqual([0, 0])
  bench.clock.advance(2 * 3_600_000)
  await bench.chain.mine(1)
  const [long = 0, short = 0] = await funding()
  expect([Math.abs(long) > 0.01, long + short]).toEqual([true, expect.closeTo(0, 1)])
  const rate = Number(text(await bench.call('GET /api/dex/markets/1/funding'), 'funding.funding_rate_1h_pct'))
  expect(Math.sign(long)).toBe(-Math.sign(rate))
  expect(await collateral()).toBeCloseTo(before + long + short, 1)
  await bench.exchange.settle()
  await bench.chain.mine(1)
  expect(await funding()).toEqual([long, short])
})

test('the practice exchange charges a position no funding for an hour that ended before the position opened', async () => {
  await openPosition(bench, client, { order_value_usdc: '20000' })
  bench.clock.advance(40 * 60_000)
  await openPosition(bench, client, { pair_id: 2, order_value_usdc: '20000' })
  const held = await positionsOf(client)
  const funding = (pairId: number) =>
    numberAt(
      held.find((each) => at(each, 'pair_id') === pairId),
      'funding_usdc',
    )
  expect([Math.abs(funding(1)) > 0.01, funding(2)]).toEqual([true, 0])
})

test('when the practice exchange liquidates an isolated position, it takes only that position’s own margin', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated', leverage: 50, order_value_usdc: '5000' })
  await openPosition(bench, client, { pair_id: 2, order_value_usdc: '500', leverage: 2 })
  const [before, [held]] = [await collateral(), await positionsOf(client)]
  expect(numberAt(held, 'liquidation_price')).toBeGreaterThan(0)
  await move(-90)
  expect(await positionsOf(client)).toHaveLength(2)
  await move(-200)
  expect(await positionsOf(client)).toMatchObject([{ pair_id: 2 }])
  const [closed] = await history()
  expect(closed).toMatchObject({ position_id, closed_by: 'liquidation' })
  expect(numberAt(closed, 'realised_pnl_usdc')).toBeCloseTo(-numberAt(held, 'margin_usdc'), 2)
  expect(await collateral()).toBeCloseTo(before - numberAt(held, 'margin_usdc'), 2)
  const listed = await bench.call('GET /api/dex/liquidations')
  expect(at(listed, 'liquidations.0')).toMatchObject({ pair_id: 1, side: 'long', size: at(held, 'size') })
  expect(listed.text).not.toContain(bench.wallet.address)
})

test('the practice exchange liquidates all cross-margin positions together once their collateral is used up, and takes no more than is left', async () => {
  await openPosition(bench, client, { order_value_usdc: '200000', leverage: 50 })
  await openPosition(bench, client, { pair_id: 2, order_value_usdc: '200000', leverage: 50 })
  expect(at(await client.read('/account'), 'liquidation_state')).not.toBe('liquidatable')
  await move(-120)
  expect(await positionsOf(client)).toHaveLength(2)
  await move(-300)
  expect(await positionsOf(client)).toEqual([])
  expect(await collateral()).toBe(0)
  expect((await history()).map((closed) => at(closed, 'closed_by'))).toEqual(['liquidation', 'liquidation'])
})

test('if a reorganisation removes the block in which an order filled, the practice exchange undoes the fill and lets the order rest again [FLOW-06]', async () => {
  const mark = Number(await bench.mark(1))
  await client.relay(
    await client.prepare({ pair_id: 1, side: 'long', order_type: 'limit', leverage: 5, order_value_usdc: '1000', limit_price: (mark * 0.99).toFixed(1) }),
  )
  await bench.chain.mine(1)
  await openPosition(bench, client, { pair_id: 2 })
  await move(-120)
  expect((await positionsOf(client)).map((each) => at(each, 'pair_id'))).toEqual([2, 1])
  bench.faults.priceShiftBps = 0
  await bench.chain.reorganise(2)
  await bench.exchange.settle()
  expect([await positionsOf(client), await orders()]).toMatchObject([[], [{ pair_id: 1, status: 'open', filled_size: '0' }]])
  // After the reorganisation, the order rests in the book again. It fills again when the price reaches it.
  await move(-120)
  expect(await positionsOf(client)).toMatchObject([{ pair_id: 1 }])
})

test('if a reorganisation removes the opening of a position, the practice exchange undoes the position and the position’s liquidation [FLOW-06]', async () => {
  const before = await collateral()
  await openPosition(bench, client, { margin_mode: 'isolated', leverage: 50, order_value_usdc: '5000' })
  await move(-200)
  expect((await history())[0]).toMatchObject({ closed_by: 'liquidation' })
  await bench.chain.reorganise(2)
  await bench.exchange.settle()
  expect([await positionsOf(client), await history(), await collateral()]).toEqual([[], [], before])
})
