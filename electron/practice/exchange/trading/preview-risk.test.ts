import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition, type Payload } from '../../../../e2e/support/practice/orders.ts'
import { at, type Bench, keyHeader, start } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

const preview = (body: unknown) => bench.call('POST /api/dex/v1/risk/preview', { ...keyHeader(client.apiKey), body })
const of = async (action: string, payload: Payload) => at(await preview({ action, payload }), 'preview')
const numberAt = (value: unknown, path: string) => Number(at(value, path))

test('the practice exchange’s risk preview shows an order’s effect on liquidation price, margin, fees and network cost [ORD-15]', async () => {
  const order = await client.marketOrder({ order_value_usdc: '20000', leverage: 20 })
  const shown = await of('open_position', order)
  expect(shown).toEqual({
    action: 'open_position',
    executable: true,
    reason: null,
    entry_price: expect.stringMatching(/^\d+\.\d$/),
    liquidation_price: expect.stringMatching(/^\d+\.\d$/),
    margin_required_usdc: '1000',
    margin_used_before_pct: '0.00',
    margin_used_after_pct: expect.stringMatching(/^(9\.9\d|10\.0\d)$/),
    health_before: null,
    health_after: expect.stringMatching(/^\d+\.\d\d$/),
    fee_usdc: expect.stringMatching(/^(9\.9\d*|10(\.0\d*)?)$/),
    network_cost_usdc: '0.02',
    equity_after_usdc: expect.stringMatching(/^99[89]\d\.\d\d$/),
    margin_after_usdc: expect.stringMatching(/^(999|1000)\.\d\d$/),
    free_margin_after_usdc: expect.stringMatching(/^89[89]\d\.\d\d$/),
    withdrawable_after_usdc: expect.stringMatching(/^89[89]\d\.\d\d$/),
  })
  await openPosition(bench, client, { order_value_usdc: '20000', leverage: 20 })
  const account = await client.read('/account')
  expect([numberAt(account, 'equity_usdc'), numberAt(account, 'free_margin_usdc')]).toEqual([
    expect.closeTo(numberAt(shown, 'equity_after_usdc'), 0),
    expect.closeTo(numberAt(shown, 'free_margin_after_usdc'), 0),
  ])
  expect(numberAt(await client.read('/positions'), 'positions.0.liquidation_price')).toBeCloseTo(numberAt(shown, 'liquidation_price'), 0)
})

test('a risk preview makes the practice exchange prepare, store and change nothing [ORD-15] [GEN-06]', async () => {
  const before = [await client.read('/account'), await client.read('/transactions')].map((answer) => answer.json)
  for (let each = 0; each < 3; each += 1) expect(at(await of('open_position', await client.marketOrder()), 'executable')).toBe(true)
  expect([await client.read('/account'), await client.read('/transactions')].map((answer) => answer.json)).toEqual(before)
  expect(bench.exchange.effects().prepared).toBe(0)
})

test('the practice exchange’s risk preview shows that less margin moves the liquidation price nearer, and that a withdrawal lowers the equity [ORD-15]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated', order_value_usdc: '5000', leverage: 5 })
  const now = await client.read('/positions')
  const liquidation = numberAt(now, 'positions.0.liquidation_price')
  const reduced = await of('reduce_isolated_margin', { position_id, amount_usdc: '300' })
  expect([at(reduced, 'executable'), at(reduced, 'network_cost_usdc'), numberAt(reduced, 'liquidation_price') > liquidation]).toEqual([true, '0', true])
  const withdrawn = await of('withdraw_collateral', { token: 'USDC', amount: '1000' })
  const account = await client.read('/account')
  expect(numberAt(withdrawn, 'equity_after_usdc')).toBeCloseTo(numberAt(account, 'equity_usdc') - 1_000, 0)
  const closed = await of('close_position_market', { position_id, reference_price: await bench.mark(1), max_slippage_bps: 50 })
  expect(closed).toMatchObject({ executable: true, liquidation_price: null, margin_required_usdc: '0.000000', health_after: null })
})

test('the practice exchange’s risk preview shows why an action cannot be executed, and names the field of an invalid value [ORD-15]', async () => {
  expect(await of('open_position', await client.marketOrder({ order_value_usdc: '900000' }))).toMatchObject({
    executable: false,
    reason: 'open_margin_insufficient',
  })
  expect(await of('cancel_order', { order_id: 'ord_1' })).toMatchObject({ executable: false, reason: 'order_not_found' })
  expect(at(await preview({ action: 'open_position', payload: await client.marketOrder({ leverage: 0 }) }), 'error.field')).toBe('payload.leverage')
  expect(at(await preview({ action: 'batch', payload: {} }), 'error.field')).toBe('action')
  expect(at(await preview({ action: 'open_position' }), 'error.field')).toBe('payload')
  // The exchange treats a payload without an action as `open_position`.
  expect(at(await preview(await client.marketOrder()), 'preview.action')).toBe('open_position')
})

test('the practice exchange requires the scope account:read for risk previews [AUTH-04]', async () => {
  bench.clock.advance(1_000)
  const { apiKey } = await bench.newKey({ scopes: ['trade:prepare'] })
  const refused = await bench.call('POST /api/dex/v1/risk/preview', { ...keyHeader(apiKey), body: {} })
  expect([refused.status, at(refused, 'error.required_scope')]).toEqual([403, 'account:read'])
})
