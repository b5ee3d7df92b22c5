import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimals } from '../../../e2e/support/fixtures/ratio.ts'
import { btc, mark } from '../../../e2e/support/fixtures/ticket.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { buildPayload, payloadWithoutId } from '../check-ticket.ts'
import { checkPayload, payloadText, readPayload, stateOfTicket } from './read-payload.ts'
import { readTicket } from './read-ticket.ts'
import { initialTicket, type TicketState } from './ticket-state.ts'

const limit = {
  pair_id: 1,
  side: 'long',
  order_type: 'limit',
  margin_mode: 'cross',
  leverage: 20,
  order_value_usdc: '25000',
  limit_price: '96000',
  time_in_force: 'gtc',
  post_only: true,
}
const says = (change: object) => checkPayload(JSON.stringify({ ...limit, ...change }), btc).errors.map(({ field, issue }) => [field, formIssueText(issue)])

const amount = decimals(1_000_000n, 6)
const anyTicket: fc.Arbitrary<OpenTicket> = fc
  .record({
    pairId: fc.integer({ min: 0, max: 500 }),
    side: fc.constantFrom<'long' | 'short'>('long', 'short'),
    marginMode: fc.constantFrom<'cross' | 'isolated'>('cross', 'isolated'),
    leverage: fc.integer({ min: 1, max: 400 }),
    orderValueUsdc: amount,
    takeProfit: fc.option(amount),
    stopLoss: fc.option(amount),
    clientOrderId: fc.string({ minLength: 1, maxLength: 96 }),
    timeInForce: fc.constantFrom<'gtc' | 'ioc' | 'fok'>('gtc', 'ioc', 'fok'),
    flag: fc.boolean(),
    price: amount,
    bps: fc.integer({ min: 1, max: 1000 }),
    orderType: fc.constantFrom<OpenTicket['orderType']>('market', 'limit', 'stop'),
  })
  .map(
    ({ timeInForce, flag, price, bps, orderType, ...opening }): OpenTicket =>
      orderType === 'market'
        ? { ...opening, orderType, referencePrice: price, maxSlippageBps: bps, restIfUnfilled: flag }
        : orderType === 'limit'
          ? { ...opening, orderType, limitPrice: price, timeInForce, postOnly: flag }
          : { ...opening, orderType, triggerPrice: price, timeInForce },
  )

test('the app reads any order ticket back unchanged from its JSON payload [ORD-01]', () => {
  fc.assert(
    fc.property(anyTicket, (ticket) => {
      const payload = buildPayload(ticket, 'desk-1')
      const { ticket: read, errors } = readPayload(JSON.stringify(payload, null, 2))
      expect(errors).toEqual([])
      if (read === null) throw new Error('there is no ticket')
      expect(buildPayload(read, 'desk-1')).toEqual(payload)
      expect(readPayload(JSON.stringify(payloadWithoutId(ticket))).ticket).not.toHaveProperty('clientOrderId')
    }),
  )
})

test('the app uses the documented default for a field that a hand-written order payload omits [ORD-01]', () => {
  const { post_only: _1, margin_mode: _2, ...short } = limit
  expect(readPayload(JSON.stringify(short)).ticket).toMatchObject({ marginMode: 'cross', postOnly: false, takeProfit: null })
  const market = { pair_id: 1, side: 'short', leverage: 2, order_value_usdc: '20', reference_price: '96412.5', max_slippage_bps: 50 }
  expect(readPayload(JSON.stringify(market)).ticket).toEqual({
    orderType: 'market',
    pairId: 1,
    side: 'short',
    marginMode: 'cross',
    leverage: 2,
    orderValueUsdc: '20',
    takeProfit: null,
    stopLoss: null,
    referencePrice: '96412.5',
    maxSlippageBps: 50,
    restIfUnfilled: false,
  })
})

test.each([
  ['pair_id', { pair_id: '1' }, 'Must be a whole number, without quotes.'],
  ['side', { side: 'buy' }, 'Must be one of "long", "short".'],
  ['side', { side: undefined }, 'Missing: one of "long", "short".'],
  ['order_type', { order_type: 'twap' }, 'Must be one of "market", "limit", "stop".'],
  ['leverage', { leverage: 2.5 }, 'Must be a whole number, without quotes.'],
  ['order_value_usdc', { order_value_usdc: 250 }, 'Must be a decimal number in quotes, such as "250.5".'],
  ['limit_price', { limit_price: '9,6000' }, 'Must be a decimal number in quotes, such as "250.5".'],
  ['time_in_force', { time_in_force: 'day' }, 'Must be one of "gtc", "ioc", "fok".'],
  ['post_only', { post_only: 'yes' }, 'Must be true or false.'],
  ['take_profit', { take_profit: null }, 'Must be a decimal number in quotes, such as "250.5".'],
  ['client_order_id', { client_order_id: '' }, 'Must be text in quotes.'],
  ['reduce_only', { reduce_only: true }, 'open_position has no such field.'],
  ['reference_price', { reference_price: '96412.5' }, 'A limit order has no such field. Leave it out.'],
])('the order ticket accepts no hand-written payload with an unreadable field, and names the field: %s [ORD-01, ORD-03]', (field, change, sentence) => {
  expect(says(change)).toContainEqual([field, sentence])
  expect(checkPayload(JSON.stringify({ ...limit, ...change }), btc).ticket).toBeNull()
})

test('the app applies the order form’s rules to a hand-written payload, and names the payload’s field in each error [ORD-04]', () => {
  expect(says({ leverage: 51 })).toEqual([['leverage', 'BTC-PERP allows up to 50×.']])
  expect(says({ order_value_usdc: '1' })).toEqual([['order_value_usdc', 'BTC-PERP accepts orders from 10.00 USDC.']])
  expect(says({ limit_price: '96000.2' })).toEqual([['limit_price', 'BTC-PERP prices move in steps of 0.5. The nearest is 96,000.0.']])
  expect(says({ time_in_force: 'ioc' })).toEqual([])
  expect(says({ take_profit: '95000' })).toEqual([['take_profit', 'The price must be above the limit price, 96,000.0.']])
  expect(says({ client_order_id: 'x'.repeat(97) })).toEqual([['client_order_id', 'An order ID has at most 96 characters.']])
  expect(says({ pair_id: 2 })).toEqual([['pair_id', 'The ticket shows BTC-PERP, which is market 1.']])
})

test('the app reports the text of an order payload that is not a JSON object', () => {
  expect(readPayload('{').errors).toEqual([{ field: '', issue: ['payloadNotJson'], untouched: false }])
  for (const text of ['[]', '1', 'null', '"x"'])
    expect(readPayload(text).errors.map(({ issue }) => formIssueText(issue))).toEqual([expect.stringContaining('begins with {')])
})

test('the app makes a ticket from any text of an order payload only if the ticket obeys every rule [ORD-04]', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, '25000', '96000', 'gtc', 'long'))
  const names = [...Object.keys(limit), 'take_profit', '__proto__', 'extra']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (change) => {
      const { ticket, errors } = checkPayload(JSON.stringify({ ...limit, ...change }), btc)
      expect(ticket === null).toBe(errors.length > 0)
    }),
    { numRuns: 300 },
  )
})

const filled: TicketState = { ...initialTicket, orderValue: '25,000.00', hasTpSl: true, takeProfit: '2', takeProfitBy: 'percent', clientOrderId: 'mine' }

test('the app shows the order form’s content as the payload that it would send, without a generated order id', () => {
  const written = JSON.parse(payloadText(filled, btc, mark, null))
  expect(written).toMatchObject({ reference_price: mark, take_profit: '98341', client_order_id: 'mine' })
  expect(JSON.parse(payloadText({ ...filled, clientOrderId: '' }, btc, mark, null))).not.toHaveProperty('client_order_id')
})

test('the app leaves missing values of an order empty in the payload text, so that the check of the payload reports them', () => {
  for (const orderType of ['market', 'limit', 'stop'] as const) {
    const text = payloadText({ ...initialTicket, orderType, leverage: 'x' }, btc, null, null)
    const { ticket, errors } = checkPayload(text, btc)
    expect(ticket).toBeNull()
    expect(errors.map(({ field }) => field)).toContain('order_value_usdc')
  }
})

test('the app fills the order form from a ticket so that the form makes the same ticket again [ORD-01]', () => {
  fc.assert(
    fc.property(fc.constantFrom<TicketState['orderType']>('market', 'limit', 'stop'), fc.boolean(), (orderType, postOnly) => {
      const state: TicketState = { ...filled, orderType, limitPrice: '96000', triggerPrice: '97000', postOnly, leverage: '7', slippagePercent: '0.3' }
      const { ticket } = readTicket(state, btc, mark)
      if (ticket === null) throw new Error('there is no ticket')
      expect(readTicket(stateOfTicket(ticket, initialTicket), btc, mark).ticket).toEqual(ticket)
    }),
  )
})
