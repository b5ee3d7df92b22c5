import { expect, test } from 'vitest'
import { btc, mark, pepe } from '../../../e2e/support/fixtures/ticket.ts'
import { TicketPreset } from '../../ipc/intents/presets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { presetOf, readTicket, withPreset } from './read-ticket.ts'
import { initialTicket, type TicketState } from './ticket-state.ts'

const filled: TicketState = {
  ...initialTicket,
  side: 'short',
  marginMode: 'isolated',
  leverage: '30',
  orderValue: '25,000.00',
  hasTpSl: true,
  takeProfit: '94300',
  stopLoss: '1.5',
  stopLossBy: 'percent',
  clientOrderId: 'mine',
}
const kept = (state: TicketState, at: string | null = mark) => {
  const preset = presetOf(state, ' Scalp ', btc, at, null)
  if (!preset.ok) throw new Error(formIssueText(preset.failure))
  return preset.value
}

test('the app saves an order’s terms as a preset without prices and order id, and saves TP and SL as distances in percent', () => {
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
  expect(kept({ ...filled, hasTpSl: false })).toMatchObject({ takeProfitPercent: null, stopLossPercent: null })
  expect(kept({ ...initialTicket, orderType: 'limit' }, null)).toMatchObject({ orderValue: null, orderType: 'limit' })
})

test('the app refuses to save a preset if a field of the order ticket is unreadable, and names the field', () => {
  const refused = (change: Partial<TicketState>, at: string | null = mark) => {
    const preset = presetOf({ ...filled, ...change }, 'x', btc, at, null)
    return preset.ok ? null : formIssueText(preset.failure)
  }
  expect(refused({ leverage: '' })).toBe('Leverage must be a whole number.')
  expect(refused({ orderValue: 'much' })).toBe('The order value must be a number.')
  expect(refused({ slippagePercent: '11' })).toBe('Slippage must be between 0.01% and 10%.')
  expect(refused({ takeProfit: '99000' })).toBe('The take profit cannot be converted to percent yet.')
  expect(refused({}, null)).toBe('The take profit cannot be converted to percent yet.')
})

test('the app applies a preset at the current price, and keeps the limit price and order id that the user typed [ORD-01]', () => {
  const before: TicketState = { ...initialTicket, limitPrice: '96000', clientOrderId: 'other' }
  const after = withPreset(before, kept(filled), btc)
  expect(after).toMatchObject({ limitPrice: '96000', clientOrderId: 'other', hasTpSl: true })
  expect(readTicket(after, btc, '90000').ticket).toMatchObject({ side: 'short', leverage: 30, orderValueUsdc: '25000', takeProfit: '88029', stopLoss: '91350' })
})

test('the app lowers a preset’s leverage to the maximum of the chosen market [ORD-04]', () => {
  expect(withPreset(initialTicket, kept(filled), pepe).leverage).toBe('20')
  expect(withPreset(initialTicket, kept(filled), { ...pepe, maxLeverage: null }).leverage).toBe('30')
})
