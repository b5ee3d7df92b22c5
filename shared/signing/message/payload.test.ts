import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticket, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { buildPayload } from '../../ticket/check-ticket.ts'
import { comparePayload } from './payload.ts'

const sent: Readonly<Record<string, unknown>> = { ...buildPayload(ticket, 'desk-8f31c2') }

/** The sent payload as the service returns it: with defaults filled in and decimals spelled differently. */
const normalised = (): Record<string, unknown> => ({
  ...sent,
  time_in_force: 'ioc',
  post_only: false,
  limit_price: null,
  trigger_price: null,
  order_value_usdc: '25000.000000',
  leverage: '10',
})

test('the app treats a payload that the service returns as unchanged if the service only filled in defaults or wrote numbers differently [ORD-17]', () => {
  expect(comparePayload(sent, normalised())).toEqual([])
  expect(comparePayload(sent, { ...normalised(), wallet: wallet.toLowerCase() }, wallet)).toEqual([])
})

/** Short words that mean what was sent: random text contains them now and then. */
const synonyms: Readonly<Record<string, readonly string[]>> = { side: ['b', 'l', '+', '+1', 'buy', 'bid'], order_type: ['mkt'], rest_if_unfilled: ['no'] }
const isSynonym = (field: string, value: unknown): boolean =>
  synonyms[field]?.includes(
    String(value)
      .replace(/[\s_.-]/g, '')
      .toLowerCase(),
  ) === true

test('the app reports every value in the service’s returned payload that differs from the payload that the app sent [ORD-17]', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(sent)), fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean(), fc.constant(null)), (field, value) => {
      const returned = { ...normalised(), [field]: value }
      fc.pre(String(value) !== String(sent[field]) && !(sent[field] === false && (value === null || value === 0)) && Number(value) !== Number(sent[field]))
      fc.pre(!isSynonym(field, value))
      expect(comparePayload(sent, returned).map((difference) => [difference.field, difference.verdict])).toEqual([[field, 'differ']])
    }),
  )
})

test('the app reports a value of the sent payload that the service’s returned payload lacks [ORD-17]', () => {
  const { stop_loss: _, ...returned } = normalised()
  expect(comparePayload(sent, returned)).toEqual([{ field: 'stop_loss', sent: '94300', returned: null, verdict: 'differ' }])
})

test('the app blocks a value that the service added to a payload’s known field, and asks the user about one in an unknown field [ORD-17]', () => {
  expect(comparePayload(sent, { ...normalised(), limit_price: '96000' })).toEqual([{ field: 'limit_price', sent: null, returned: '96000', verdict: 'differ' }])
  expect(comparePayload(sent, { ...normalised(), time_in_force: 'fok' })[0]?.verdict).toBe('differ')
  expect(comparePayload(sent, { ...normalised(), builder_fee_bps: 50 })).toEqual([
    { field: 'builder_fee_bps', sent: null, returned: '50', verdict: 'unmatched' },
  ])
  expect(comparePayload(sent, { ...normalised(), builder_fee_bps: 0, note: '' })).toEqual([])
  expect(comparePayload(sent, { ...normalised(), recipient: '0x1111111111111111111111111111111111111111' }, wallet)[0]?.verdict).toBe('unmatched')
})

test('the app compares the ids in a sent and a returned payload as text, and the amounts as numbers', () => {
  expect(comparePayload({ client_order_id: '007' }, { client_order_id: '7' })).toHaveLength(1)
  expect(comparePayload({ order_value_usdc: '007' }, { order_value_usdc: 7 })).toEqual([])
  expect(comparePayload({ exits: { take_profit: '1.0' } }, { exits: { take_profit: '1' } })).toEqual([])
  expect(comparePayload({ exits: { take_profit: '1.0' } }, { exits: { take_profit: '2' } })).toHaveLength(1)
})

test('the app treats ids, words, addresses and booleans in a sent and a returned payload as equal if only their spelling differs [ORD-17]', () => {
  const position = { position_id: '90003', order_id: 'ord_7', pair_id: 1, client_order_id: 'desk-1' }
  const forms = [
    { position_id: 90_003, pair_id: '1' },
    { position_id: '0x15f93', order_id: `0x${'6f72645f37'.padEnd(64, '0')}`, pair_id: '0x1' },
    { position_id: `0x${'15F93'.padStart(64, '0')}` },
  ]
  for (const form of forms) expect(comparePayload(position, { ...position, ...form })).toEqual([])
  for (const wrong of [{ position_id: 90_004 }, { position_id: '0x15f94' }, { order_id: 'ord_8' }, { pair_id: '2' }, { client_order_id: 'desk-2' }])
    expect(comparePayload(position, { ...position, ...wrong }).map(({ verdict }) => verdict)).toEqual(['differ'])
  expect(comparePayload(sent, { ...normalised(), side: 'LONG', order_type: 'Market', margin_mode: 'CROSS', rest_if_unfilled: 'false' })).toEqual([])
  expect(comparePayload(sent, { ...normalised(), side: 'BUY' })).toEqual([])
  for (const side of ['SELL', 'Short', 'ask']) expect(comparePayload(sent, { ...normalised(), side })[0]?.verdict).toBe('differ')
  expect(comparePayload(sent, { ...normalised(), time_in_force: 'IOC' })).toEqual([])
  expect(comparePayload({ token: wallet }, { token: wallet.toLowerCase() })).toEqual([])
})

test('the app recognises the field names of a payload that the service returns in any spelling, and compares their values [ORD-17]', () => {
  const cancel = { order_id: '41', pair_id: 1 }
  for (const returned of [
    { orderId: 41, pairId: '1' },
    { OrderID: '0x29', PairID: 1 },
    { 'order-id': '41', 'pair-id': 1 },
  ])
    expect(comparePayload(cancel, returned)).toEqual([])
  expect(comparePayload(cancel, { orderId: 42, pairId: 1 })).toEqual([{ field: 'order_id', sent: '41', returned: '42', verdict: 'differ' }])
  // A field may occur in two spellings. A wrong value under one spelling must be reported even if the other value is right.
  expect(comparePayload(cancel, { order_id: '41', orderId: '42', pair_id: 1 })).toEqual([{ field: 'order_id', sent: '41', returned: '42', verdict: 'differ' }])
  expect(comparePayload(cancel, { ...cancel, takeProfit: '90000' })).toEqual([{ field: 'take_profit', sent: null, returned: '90000', verdict: 'differ' }])
  expect(comparePayload(cancel, { ...cancel, postOnly: false, somethingElse: 'x' })).toMatchObject([{ field: 'somethingElse', verdict: 'unmatched' }])
})

test('the app ignores the idempotency key when it compares payloads, because the key belongs to the request and not to the order', () => {
  expect(comparePayload({ idempotency_key: 'desk-12345678' }, {})).toEqual([])
})
