import { expect, test } from 'vitest'
import { OrderPage } from '../schemas/account.ts'
import { MarkList } from '../schemas/markets.ts'
import { OwnTokenMetrics } from '../schemas/own-token.ts'
import { BreakerList } from '../schemas/safety.ts'

const page = (order: Readonly<Record<string, unknown>>) => ({ orders: { items: [order], next_cursor: 0, has_more: false, limit: 1 } })
const first = (order: Readonly<Record<string, unknown>>) => {
  const [found] = OrderPage.parse(page(order)).items
  if (found === undefined) throw new Error('No order was read')
  return found
}

test('a size that does not say its unit is no value in USDC', () => {
  expect(first({ orderId: 1, SzX8: '364000' }).orderValueUsdc).toBeNull()
  expect(first({ orderId: 1, size_usdc: '348.78' }).orderValueUsdc).toBe('348.78')
})

test('the scale beside a size in a group is that of the size', () => {
  expect(first({ oid: 7, amounts: { size: '364000', size_decimals: 8 }, fill: { size: '182000', size_decimals: 8 } }).filledSize).not.toBe('182000')
})

test('the decimals of an amount are not those of a share of the same name', () => {
  const { stakedPercent } = OwnTokenMetrics.parse({ metrics: { staked: '267304351000000000000000000', staked_decimals: 18, staked_bps: 2731 } })
  expect(stakedPercent).toBe('27.31')
})

test('a list under a name that nobody knows is read where the answer holds nothing else', () => {
  expect(MarkList.parse({ code: 0, msg: 'success', tape: [{ product_id: 1, mark_px: '95000.5' }] }).marks).toMatchObject([{ pairId: 1, mark: '95000.5' }])
})

test('a table of breakers is read as one, and what stands beside it is no breaker', () => {
  const switches = { trading: { name: 'trading', triggered: '0' }, relay: { name: 'relay', triggered: '0' } }
  for (const json of [
    { status: 'ok', 'request-id': 'r', payload: switches },
    { ok: true, 'request-id': 'r', 'server-time': 0, result: { 'circuit-breakers': switches } },
  ])
    expect(BreakerList.parse(json).breakers).toMatchObject([
      { name: 'trading', tripped: false },
      { name: 'relay', tripped: false },
    ])
  const { breakers } = BreakerList.parse({ retCode: 0, retMsg: 'OK', breakers: { name: ['trading', 'relay'], engaged: [0, 1] } })
  expect(breakers.map(({ name, tripped }) => [name, tripped])).toEqual([
    ['trading', false],
    ['relay', true],
  ])
})
