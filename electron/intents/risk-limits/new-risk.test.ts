import { expect, test } from 'vitest'
import type { DelegatedTicket, OrderTicket, SeenOrder, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { type AccountNow, newRiskOf, newRisksOf } from './new-risk.ts'

const order: SeenOrder = {
  ...{ orderId: 'o', pairId: 1, symbol: 'BTC-PERP', side: 'long', orderValueUsdc: '300', limitPrice: '90000', triggerPrice: null },
  ...{ takeProfit: null, stopLoss: null },
}
const held: OpenOrder = {
  ...{ id: 'o', pairId: 1, symbol: 'BTC-PERP', side: 'long', type: 'limit', price: '90000', size: null, filledSize: null, orderValueUsdc: '300' },
  ...{ limitPrice: '90000', triggerPrice: null, takeProfit: null, stopLoss: null, marginMode: 'cross', leverage: '20', reduceOnly: false, positionId: null },
  ...{ status: 'open', clientOrderId: null, atMs: null },
}
const position: SeenPosition = { positionId: 'p', pairId: 2, symbol: 'ETH-PERP', side: 'long', size: '2', takeProfit: null, stopLoss: null }
const openPosition: Position = {
  ...{ id: 'p', pairId: 2, symbol: 'ETH-PERP', side: 'long', size: '2', notionalUsdc: '6100', entryPrice: '3000', markPrice: '3050', liquidationPrice: null },
  ...{ leverage: '10', marginMode: 'isolated', marginUsdc: '600', unrealisedPnl: null, takeProfit: null, stopLoss: null },
}
const now = (change: { readonly order?: Partial<OpenOrder> | null; readonly position?: Partial<Position> | null } = {}): AccountNow => ({
  order: async () => (change.order === null ? null : { ...held, ...change.order }),
  position: async () => (change.position === null ? null : { ...openPosition, ...change.position }),
})
const atMarket = { referencePrice: '3050', maxSlippageBps: 50 }
const replace = (change: object): OrderTicket => ({ action: 'replace_order', order, ...change })

test.each([
  ['larger', replace({ orderValueUsdc: '301' }), now(), { pairId: 1, orderValueUsdc: '301', leverage: '20' }],
  ['at another price', replace({ limitPrice: '95000' }), now(), { pairId: 1, orderValueUsdc: '300', leverage: '20' }],
  ['at another trigger', replace({ triggerPrice: '95000' }), now(), { pairId: 1, orderValueUsdc: '300', leverage: '20' }],
  ['smaller', replace({ orderValueUsdc: '299' }), now(), null],
  ['with other exits', replace({ takeProfit: '99000' }), now(), null],
  ['larger and closing', replace({ orderValueUsdc: '301' }), now({ order: { reduceOnly: true } }), null],
  [
    'larger than the list now says, though not than was seen',
    replace({ orderValueUsdc: '290' }),
    now({ order: { orderValueUsdc: '200' } }),
    { orderValueUsdc: '290' },
  ],
  ['of which nothing is known', replace({ limitPrice: '1' }), now({ order: { orderValueUsdc: null, leverage: null } }), { orderValueUsdc: '300' }],
] as const)('a change to an order (%s) counts as new risk with the size and leverage that the order then has', async (_, ticket, account, risk) => {
  const found = await newRiskOf(ticket, account)
  if (risk === null) expect(found).toBeNull()
  else expect(found).toMatchObject(risk)
})

test('inverting a position, raising its leverage and withdrawing its margin count as new risk, measured on the current position', async () => {
  expect(await newRiskOf({ action: 'invert_position', position, ...atMarket }, now())).toEqual({ pairId: 2, orderValueUsdc: '6100', leverage: '10' })
  expect(await newRiskOf({ action: 'invert_position', position, ...atMarket }, now({ position: null }))).toEqual({
    pairId: 2,
    orderValueUsdc: '6100',
    leverage: null,
  })
  expect(await newRiskOf({ action: 'change_isolated_leverage', position, leverage: 11 }, now())).toEqual({ pairId: 2, leverage: '11' })
  expect(await newRiskOf({ action: 'change_isolated_leverage', position, leverage: 10 }, now())).toBeNull()
  expect(await newRiskOf({ action: 'change_isolated_leverage', position, leverage: 9 }, now({ position: null }))).toEqual({ pairId: 2, leverage: '9' })
  expect(await newRiskOf({ action: 'reduce_isolated_margin', position, amountUsdc: '100' }, now())).toEqual({ pairId: 2, leverage: '12.2' })
  expect(await newRiskOf({ action: 'reduce_isolated_margin', position, amountUsdc: '600' }, now())).toEqual({ pairId: 2, leverage: null })
})

const batch: DelegatedTicket = {
  action: 'batch',
  items: [
    { action: 'close', position, ...atMarket },
    { action: 'reduce', position, size: '1', ...atMarket },
    { action: 'cancel', order },
    { action: 'set_tp', position, price: '4000' },
    { action: 'set_sl', position, price: '2000' },
    { action: 'clear_tp', position },
    { action: 'clear_sl', position },
    { action: 'isolated_manage', position, change: { marginDeltaUsdc: '5' } },
    { action: 'increase', position, orderValueUsdc: '40', ...atMarket },
    { action: 'invert', position, ...atMarket },
    { action: 'replace', order, orderValueUsdc: '500' },
    { action: 'isolated_manage', position, change: { marginDeltaUsdc: '-100' } },
    { action: 'isolated_manage', position, change: { leverage: 30 } },
    {
      action: 'open_market',
      order: {
        ...{ pairId: 3, side: 'long', orderType: 'market', marginMode: 'cross', leverage: 7, orderValueUsdc: '80' },
        ...{ ...atMarket, restIfUnfilled: false, takeProfit: null, stopLoss: null },
      },
    },
  ],
}

test('the risk limits check each action of an executor batch separately, and skip actions that reduce risk [ORD-13]', async () => {
  expect(await newRisksOf(batch, now())).toEqual([
    { pairId: 2, orderValueUsdc: '40', leverage: '10' },
    { pairId: 2, orderValueUsdc: '6100', leverage: '10' },
    { pairId: 1, orderValueUsdc: '500', leverage: '20' },
    { pairId: 2, leverage: '12.2' },
    { pairId: 2, leverage: '30' },
    { pairId: 3, orderValueUsdc: '80', leverage: '7' },
  ])
})
