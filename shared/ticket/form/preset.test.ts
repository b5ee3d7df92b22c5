import { expect, test } from 'vitest'
import { btc, mark, pepe } from '../../../e2e/support/fixtures/ticket.ts'
import { TicketPreset } from '../../ipc/intents/presets.ts'
import { presetOf, withPreset } from './preset.ts'
import { readTicket } from './read-ticket.ts'
import { initialTicket, type TicketState } from './ticket-state.ts'

const filled: TicketState = {
  ...initialTicket,
  side: 'short',
  marginMode: 'isolated',
  leverage: '30',
  orderValue: '25,000.00',
  exits: true,
  takeProfit: '94300',
  stopLoss: '1.5',
  stopLossBy: 'percent',
  clientOrderId: 'mine',
}
const kept = (state: TicketState, at: string | null = mark) => {
  const preset = presetOf(state, ' Scalp ', btc, at, null)
  if (!preset.ok) throw new Error(preset.failure)
  return preset.value
}

test('terms are kept without what belongs to one moment: no price, no id, exits as distances', () => {
  expect(kept(filled)).toEqual({
    name: 'Scalp',
    side: 'short',
    orderType: 'market',
    marginMode: 'isolated',
    leverage: 30,
    orderValue: '25000',
    valueIn: 'usdc',
    maxSlippageBps: 50,
    timeInForce: 'gtc',
    postOnly: false,
    restIfUnfilled: false,
    takeProfitPercent: '2.19',
    stopLossPercent: '1.5',
  })
  expect(TicketPreset.safeParse(kept(filled)).success).toBe(true)
  expect(kept({ ...filled, exits: false })).toMatchObject({ takeProfitPercent: null, stopLossPercent: null })
  expect(kept({ ...initialTicket, orderType: 'limit' }, null)).toMatchObject({ orderValue: null, orderType: 'limit' })
})

test('what cannot be read is not kept, and named', () => {
  const refused = (change: Partial<TicketState>, at: string | null = mark) => presetOf({ ...filled, ...change }, 'x', btc, at, null)
  expect(refused({ leverage: '' })).toMatchObject({ failure: 'The leverage is not a whole number yet.' })
  expect(refused({ orderValue: 'much' })).toMatchObject({ failure: 'The order value is not a number yet.' })
  expect(refused({ slippagePercent: '11' })).toMatchObject({ failure: 'The slippage is not 0.01% to 10% yet.' })
  expect(refused({ takeProfit: '99000' })).toMatchObject({ failure: 'The take profit cannot be told in percent yet.' })
  expect(refused({}, null)).toMatchObject({ failure: 'The take profit cannot be told in percent yet.' })
})

test('applied, the terms make the same order at the price of the moment; typed prices stay [ORD-01]', () => {
  const before: TicketState = { ...initialTicket, limitPrice: '96000', clientOrderId: 'other' }
  const after = withPreset(before, kept(filled), btc)
  expect(after).toMatchObject({ limitPrice: '96000', clientOrderId: 'other', exits: true })
  expect(readTicket(after, btc, '90000').ticket).toMatchObject({ side: 'short', leverage: 30, orderValueUsdc: '25000', takeProfit: '88029', stopLoss: '91350' })
})

test('a market that allows less leverage gets its most [ORD-04]', () => {
  expect(withPreset(initialTicket, kept(filled), pepe).leverage).toBe('20')
  expect(withPreset(initialTicket, kept(filled), { ...pepe, maxLeverage: null }).leverage).toBe('30')
})
