import { expect, test } from 'vitest'
import { btc } from '../../../../e2e/support/fixtures/ticket.ts'
import type { Underway } from '../../../../shared/ipc/intents/orders.ts'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import { initialClose, readClose } from '../../../../shared/ticket/actions/close-ticket.ts'
import { seenOrder, seenPosition } from '../../../../shared/ticket/form/ticket-state.ts'
import { changeIssue, changePositionIssue, closingMarket, marginIssue, positionIssue, underwayAt } from './row-subjects.ts'

const position: Position = {
  ...{ id: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '2', notionalUsdc: '200', entryPrice: '100', markPrice: '100' },
  ...{ liquidationPrice: '82', leverage: '5', marginMode: 'isolated', marginUsdc: '40', unrealisedPnl: '0', takeProfit: '120', stopLoss: null },
}
const order: OpenOrder = {
  ...{ id: 'ord_1', pairId: 1, symbol: 'BTC-PERP', side: 'short', type: 'limit', price: '120', size: '2', filledSize: '0', orderValueUsdc: '240' },
  ...{ limitPrice: '120', triggerPrice: null, takeProfit: null, stopLoss: null, marginMode: null, leverage: null, reduceOnly: true },
  ...{ positionId: 'pos_1', status: 'open', clientOrderId: null, atMs: null },
}

test('a form for a position or an order keeps the values that the table showed when the user chose an action [ACC-01]', () => {
  expect(seenPosition(position)).toEqual({ positionId: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '2', takeProfit: '120', stopLoss: null })
  expect(seenOrder(order)).toMatchObject({ orderId: 'ord_1', side: 'short', limitPrice: '120', orderValueUsdc: '240' })
  expect(seenOrder({ ...order, side: 'both' })).toMatchObject({ side: null })
})

test('the trade page blocks actions on a position or order without an id, and changes to one whose market or price is missing', () => {
  expect(positionIssue(position)).toBe(null)
  expect(changePositionIssue(position, btc)).toBe(null)
  for (const id of [null, '']) {
    expect(positionIssue({ ...position, id })).toBe('The service gives this row no ID')
    expect(changePositionIssue({ ...position, id }, btc)).toBe('The service gives this row no ID')
  }
  expect(changePositionIssue(position, undefined)).toBe('The service does not list this position’s market')
  expect(changeIssue(order, btc)).toBe(null)
  expect(changeIssue(order, undefined)).toBe('The service does not name this order’s market')
  expect(changeIssue({ ...order, limitPrice: null }, btc)).toBe('The service does not give this order’s price')
})

test('the user can close all or part of a position on a market that the service does not list [ORD-05]', () => {
  const seen = seenPosition(position)
  const market = closingMarket(position, undefined)
  expect(closingMarket(position, btc)).toBe(btc)
  expect(closingMarket({ ...position, symbol: null }, undefined)).toMatchObject({ id: 1, symbol: 'Market 1' })
  const close = (part: string) => (seen === null ? null : readClose({ ...initialClose, part }, seen, market, '100'))
  expect(close('100')).toMatchObject({ errors: [], ticket: { size: null, referencePrice: '100' } })
  expect(close('50')).toMatchObject({ errors: [], ticket: { size: '1' } })
})

test('the trade page blocks margin changes only for a position whose margin mode is known to be cross', () => {
  expect(marginIssue({ ...position, marginMode: 'cross' })).toBe('Isolated only')
  expect(marginIssue(position)).toBe(null)
  expect(marginIssue({ ...position, marginMode: null })).toBe(null)
})

const doing = (change: Partial<Underway>): Underway => ({
  ref: 'a',
  action: 'close_position_market',
  positionId: 'pos_1',
  orderId: null,
  state: 'CONFIRMING',
  ...change,
})

test('a position or order shows its running action, and allows other actions if that action waits on the phone or its outcome is unknown', () => {
  const at = { positionId: 'pos_1' }
  expect(underwayAt([doing({})], at)).toEqual({ ref: 'a', text: 'Closing…', unknown: false, left: true })
  expect(underwayAt([doing({ state: 'ASKED' })], at)).toMatchObject({ text: 'Closing: on your phone', left: false })
  expect(underwayAt([doing({ state: 'UNKNOWN' })], at)).toMatchObject({ text: 'Closing: unknown', unknown: true, left: false })
  expect(underwayAt([doing({ action: 'update_tpsl' })], at)?.text).toBe('Changing…')
  expect(underwayAt([doing({ positionId: null, orderId: 'ord_1', action: 'cancel_order' })], { orderId: 'ord_1' })?.text).toBe('Cancelling…')
  expect(underwayAt([doing({ positionId: null, orderId: 'ord_1' })], { positionId: null })).toBe(null)
  expect(underwayAt([doing({})], { positionId: 'pos_2' })).toBe(null)
})
