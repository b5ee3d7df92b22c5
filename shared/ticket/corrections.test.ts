import { expect, test } from 'vitest'
import type { ActionTicket } from '../ipc/tickets.ts'
import { preparedBody } from './actions/action-payload.ts'
import { assumedFields, corrected, correctionIssues, readCorrections } from './corrections.ts'
import { limitOrder, longBtc, mark } from './ticket.fixture.ts'

const atMarket = { referencePrice: mark, maxSlippageBps: 50 }
/** Every action with every field that it may send. */
const full: readonly ActionTicket[] = [
  { action: 'close_position_market', position: longBtc, size: '0.1', ...atMarket },
  { action: 'close_position_limit', position: longBtc, size: '0.1', limitPrice: '97000', timeInForce: 'gtc', postOnly: true },
  { action: 'invert_position', position: longBtc, ...atMarket },
  { action: 'update_tpsl', position: longBtc, takeProfit: '99000', stopLoss: null },
  { action: 'add_isolated_margin', position: longBtc, amountUsdc: '5' },
  { action: 'reduce_isolated_margin', position: longBtc, amountUsdc: '5' },
  { action: 'change_isolated_leverage', position: longBtc, leverage: 3 },
  { action: 'cancel_order', order: limitOrder },
  {
    action: 'replace_order',
    order: limitOrder,
    orderValueUsdc: '10',
    limitPrice: '95000',
    triggerPrice: '95000',
    takeProfit: '99000',
    stopLoss: '90000',
  },
  { action: 'add_collateral', token: 'USDC', amount: '5', permit: true },
  { action: 'withdraw_collateral', token: 'USDC', amount: '5' },
]

test('the fields that can be renamed are those that are sent [ORD-05]', () => {
  expect(Object.fromEntries(full.map((ticket) => [ticket.action, Object.keys(preparedBody(ticket, 'desk-1').payload).sort()]))).toEqual(
    Object.fromEntries(Object.entries(assumedFields).map(([action, fields]) => [action, [...fields].sort()])),
  )
})

test('a corrected name is sent in place of the assumed one, its value untouched, and nothing else changes [ORD-05]', () => {
  const corrections = { close_position_market: { size: 'quantity' }, add_collateral: { amount: 'amount_usdc' } }
  for (const ticket of full) {
    const before = preparedBody(ticket, 'desk-1')
    const after = corrected(before, corrections)
    expect({ ...after, payload: null }).toEqual({ ...before, payload: null })
    if (ticket.action === 'close_position_market') {
      const { size, ...rest } = before.payload
      expect(after.payload).toEqual({ ...rest, quantity: size })
    } else if (ticket.action === 'add_collateral')
      expect(after).toEqual({ action: 'add_collateral', payload: { token: 'USDC', amount_usdc: '5' }, permit: true })
    else expect(after).toEqual(before)
  }
})

test('the documented payload keeps its names whatever stands in the corrections [ORD-01]', () => {
  const body = { action: 'open_position', payload: { leverage: 3 } }
  const forced = JSON.parse('{"open_position":{"leverage":"lev"}}')
  expect(readCorrections(forced)).toEqual({ ok: false, failure: 'open_position is no action whose payload is assumed.' })
  expect(corrected(body, forced)).toEqual(body)
})

test.each([
  ['no action', { twap: {} }, 'twap is no action whose payload is assumed.'],
  ['no field', { cancel_order: { size: 'qty' } }, 'cancel_order, size: cancel_order sends no size.'],
  [
    'no name',
    { cancel_order: { order_id: 'order id' } },
    'cancel_order, order_id: A name begins with a letter and has letters, digits and underscores, at most 64.',
  ],
  [
    'the name of another field',
    { withdraw_collateral: { amount: 'token' } },
    'withdraw_collateral, amount: Another field of withdraw_collateral has this name.',
  ],
  ['no text', { cancel_order: { order_id: 7 } }, 'cancel_order: the name of order_id has to be text.'],
  ['no object', { cancel_order: 'id' }, 'cancel_order has to be an object: its fields and their names.'],
  ['no object at all', [], 'Corrections are an object: actions, each with its fields and their names.'],
])('%s is refused in a sentence', (_, value, sentence) => {
  expect(readCorrections(value)).toEqual({ ok: false, failure: sentence })
})

test('two names may change places; one that stays as it is, is not kept', () => {
  expect(readCorrections({ withdraw_collateral: { amount: 'token', token: 'amount' } })).toMatchObject({ ok: true })
  expect(readCorrections({ cancel_order: { order_id: 'order_id' } })).toEqual({ ok: true, value: {} })
  expect(correctionIssues('cancel_order', {}).size).toBe(0)
})
