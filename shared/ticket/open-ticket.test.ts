import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimals, floor, isBelow, over, ratio } from '../../e2e/support/fixtures/ratio.ts'
import { btc, mark } from '../../e2e/support/fixtures/ticket.ts'
import { OpenTicket } from '../ipc/intents/tickets.ts'
import { formIssueText } from '../text/form-text.ts'
import { titleText } from '../text/title-text.ts'
import { repriced } from './actions/replace-ticket.ts'
import { buildPayload, checkTicket, entryPrice, ticketTitle } from './check-ticket.ts'
import { readTicket } from './form/read-ticket.ts'
import { postOnlyRemark, summariseTicket, ticketRemarks } from './form/summarise-ticket.ts'
import { changeTicket, initialTicket, type TicketState } from './form/ticket-state.ts'

const limit: TicketState = { ...initialTicket, orderType: 'limit', orderValue: '25000', limitPrice: '96,000.0', leverage: '20' }
const stop: TicketState = { ...initialTicket, orderType: 'stop', orderValue: '25000', triggerPrice: '97000', marginMode: 'isolated' }
const texts = (state: TicketState, at: string | null = mark, free: string | null = null) =>
  readTicket(state, btc, at, free).errors.map(({ field, issue }) => [field, formIssueText(issue)])
const ticketOf = (state: TicketState, at: string | null = mark): OpenTicket => {
  const { ticket, errors } = readTicket(state, btc, at)
  if (ticket === null) throw new Error(JSON.stringify(errors))
  return ticket
}

test('the order form makes the payload of a limit order [ORD-01] [ORD-03]', () => {
  expect(buildPayload(ticketOf({ ...limit, timeInForce: 'gtc', postOnly: true }), 'desk-1')).toEqual({
    pair_id: 1,
    side: 'long',
    order_type: 'limit',
    margin_mode: 'cross',
    leverage: 20,
    order_value_usdc: '25000',
    limit_price: '96000',
    time_in_force: 'gtc',
    post_only: true,
    client_order_id: 'desk-1',
  })
})

test('the order form makes the payload of a stop order with the user’s own order id [ORD-01] [ORD-03]', () => {
  const state: TicketState = { ...stop, timeInForce: 'ioc', hasTpSl: true, takeProfit: '5', takeProfitBy: 'percent', clientOrderId: ' grid:7 ' }
  expect(buildPayload(ticketOf(state), 'desk-1')).toEqual({
    pair_id: 1,
    side: 'long',
    order_type: 'stop',
    margin_mode: 'isolated',
    leverage: 10,
    order_value_usdc: '25000',
    trigger_price: '97000',
    time_in_force: 'ioc',
    take_profit: '101850',
    client_order_id: 'grid:7',
  })
})

test('the app sends only the fields of the chosen order type, even if the order form contains fields of other types [ORD-03]', () => {
  const all: TicketState = {
    ...initialTicket,
    orderValue: '25000',
    limitPrice: '96000',
    triggerPrice: '97000',
    postOnly: true,
    timeInForce: 'fok',
    restIfUnfilled: true,
  }
  const fields = (orderType: TicketState['orderType']) => Object.keys(buildPayload(ticketOf({ ...all, orderType, timeInForce: 'gtc' }), 'desk-1'))
  expect(fields('market').filter((name) => /limit|trigger|post|time/.test(name))).toEqual([])
  expect(fields('limit').filter((name) => /reference|slippage|trigger|rest/.test(name))).toEqual([])
  expect(fields('stop').filter((name) => /reference|slippage|limit|rest|post/.test(name))).toEqual([])
})

test('the order form requires a limit or stop order’s price on a tick, but needs no mark price for these orders [ORD-03]', () => {
  expect(readTicket({ ...limit, limitPrice: '' }, btc, null).errors).toEqual([{ field: 'limitPrice', issue: ['typePrice'], untouched: true }])
  expect(texts({ ...stop, triggerPrice: 'x' }, null)).toEqual([['triggerPrice', 'Type a price.']])
  expect(texts({ ...limit, limitPrice: '0' })).toEqual([['limitPrice', 'Enter a number above zero.']])
  expect(texts({ ...limit, limitPrice: '96000.2' })).toEqual([['limitPrice', 'BTC-PERP prices move in steps of 0.5. The nearest is 96,000.0.']])
  expect(texts({ ...stop, triggerPrice: '97000.4' })).toEqual([['triggerPrice', 'BTC-PERP prices move in steps of 0.5. The nearest is 97,000.5.']])
  expect(texts(limit, null)).toEqual([])
  expect(texts({ ...limit, slippagePercent: 'x' }, null)).toEqual([])
})

test('the order form reports a missing order price once, and not again at a take profit that is measured from this price', () => {
  const exits = { hasTpSl: true, takeProfit: '5', takeProfitBy: 'percent', stopLoss: 'x' } as const
  expect(texts({ ...limit, ...exits, limitPrice: '' })).toEqual([
    ['limitPrice', 'Type a price.'],
    ['stopLoss', 'Type a price.'],
  ])
})

test('the order form requires TP and SL to be on the right side of the limit or trigger price [ORD-03]', () => {
  const exits = { hasTpSl: true, takeProfit: '96200', stopLoss: '96300' } as const
  expect(texts({ ...limit, ...exits })).toEqual([['stopLoss', 'The price must be below the limit price, 96,000.0.']])
  expect(texts({ ...stop, ...exits })).toEqual([['takeProfit', 'The price must be above the trigger price, 97,000.0.']])
  expect(texts({ ...limit, ...exits, side: 'short' })).toEqual([['takeProfit', 'The price must be below the limit price, 96,000.0.']])
})

test('the order form allows post-only with any time in force but warns about unsuitable ones, and accepts order ids of up to 96 characters [ORD-01] [ORD-04]', () => {
  const odd = { ...limit, postOnly: true, timeInForce: 'ioc' } as const
  expect(texts(odd)).toEqual([])
  expect(buildPayload(ticketOf(odd), 'desk-1')).toMatchObject({ post_only: true, time_in_force: 'ioc' })
  expect(formIssueText(postOnlyRemark({ postOnly: true, timeInForce: 'ioc' }) ?? expect.fail('no remark'))).toBe(
    'A post-only order waits in the book, but immediate or cancel forbids waiting. The exchange may refuse it.',
  )
  expect(postOnlyRemark({ postOnly: true, timeInForce: 'gtc' })).toBeNull()
  expect(postOnlyRemark({ postOnly: false, timeInForce: 'fok' })).toBeNull()
  expect(texts({ ...limit, clientOrderId: 'x'.repeat(97) })).toEqual([['clientOrderId', 'An order ID has at most 96 characters.']])
  expect(texts({ ...limit, clientOrderId: 'x'.repeat(96) })).toEqual([])
})

test('the order form applies the market’s order limits in every unit in which the user can type the size [ORD-04]', () => {
  expect(texts({ ...limit, valueIn: 'base', orderValue: '0.0001' })).toEqual([['orderValue', 'BTC-PERP accepts orders from 10.00 USDC.']])
  expect(texts({ ...limit, valueIn: 'free_margin', orderValue: '100' }, mark, '60000')).toEqual([
    ['orderValue', 'BTC-PERP accepts orders up to 1,000,000.00 USDC.'],
  ])
  expect(texts({ ...limit, valueIn: 'free_margin', orderValue: '50' })).toEqual([['orderValue', 'Your free margin is unknown.']])
})

test('the order form’s summary values a limit order at its limit price and a stop order at its trigger price', () => {
  expect(summariseTicket({ ...limit, hasTpSl: true, stopLoss: '250', stopLossBy: 'profit' }, btc, mark, '5000')).toEqual({
    orderValueUsdc: '25000',
    baseSize: '0.2604',
    margin: '1250',
    marginShare: '25',
    entry: '96000',
    worstPrice: '96000',
    fee: null,
    takeProfit: null,
    stopLoss: { price: '95040', pnl: '-250', percent: '-1' },
  })
  expect(summariseTicket(stop, btc, null)).toMatchObject({ entry: '97000', worstPrice: null, margin: '2500', marginShare: null })
  expect(summariseTicket({ ...limit, valueIn: 'base', orderValue: '0.5' }, btc, null)).toMatchObject({ orderValueUsdc: '48000', baseSize: '0.5' })
})

test('an order’s title names the order’s side, value and price', () => {
  expect(titleText(ticketTitle(ticketOf(limit), 1))).toBe('Long 25,000.00 USDC at limit 96,000.0')
  expect(titleText(ticketTitle(ticketOf({ ...stop, side: 'short' }), null))).toBe('Short 25,000.00 USDC at stop 97,000')
})

const remarks = (...args: Parameters<typeof ticketRemarks>) => ticketRemarks(...args).map(formIssueText)

test('the app warns about order settings that are allowed but rarely intended, such as a limit that the price has passed', () => {
  expect(remarks(ticketOf({ ...limit, limitPrice: '97000' }), mark, null, null)).toEqual(['The price has passed this limit. The order would fill immediately.'])
  expect(remarks(ticketOf({ ...limit, limitPrice: '97000', postOnly: true }), mark, null, null)).toEqual([
    'The price has passed this limit. The exchange would refuse a post-only order.',
  ])
  expect(remarks(ticketOf({ ...stop, triggerPrice: '96000' }), mark, null, null)).toEqual([
    'The price has passed this trigger. The order would execute immediately.',
  ])
  // A limit or trigger price equal to the mark price counts as already reached, so the form warns.
  expect(remarks(ticketOf({ ...limit, side: 'short', limitPrice: mark }), mark, null, null)).toHaveLength(1)
  expect(remarks(ticketOf({ ...limit, limitPrice: mark }), mark, null, null)).toHaveLength(1)
  expect(remarks(ticketOf({ ...stop, side: 'short', triggerPrice: mark }), mark, null, null)).toHaveLength(1)
  expect(remarks(ticketOf({ ...stop, triggerPrice: mark }), mark, null, null)).toHaveLength(1)
  expect(remarks(ticketOf({ ...limit, side: 'short' }), '95999.5', null, null)).toEqual([])
  expect(remarks(ticketOf({ ...stop, side: 'short' }), '97000.5', null, null)).toEqual([])
  expect(remarks(ticketOf(stop), mark, '2500', '-2500')).toEqual([
    'The stop loss costs more than the margin of the position. The liquidation would come first.',
  ])
  expect(remarks(ticketOf(stop), mark, '2500', '-2499.99')).toEqual([])
  expect(remarks(ticketOf(limit), mark, '2500', '-3000')).toEqual([])
})

test('the app repeats a market order with the new price, keeps the prices of other repeated orders, and always drops the old order id [ORD-02]', () => {
  const market = ticketOf({ ...limit, orderType: 'market', clientOrderId: 'mine' })
  expect(repriced(market, '97000')).toMatchObject({ referencePrice: '97000', orderValueUsdc: '25000' })
  expect(repriced(market, '97000')).not.toHaveProperty('clientOrderId')
  expect(repriced(ticketOf(limit), '97000')).toEqual(ticketOf(limit))
})

test('the order form empties prices, a size in base units and the order id when the user chooses another market', () => {
  const state: TicketState = { ...limit, valueIn: 'base', orderValue: '0.5', clientOrderId: 'mine' }
  expect(changeTicket(state, { type: 'market', market: { ...btc, id: 2 } })).toMatchObject({
    limitPrice: '',
    orderValue: '',
    clientOrderId: '',
    orderType: 'limit',
  })
})

const anything = fc.oneof(fc.string(), fc.double().map(String), decimals(200_000n, 4), fc.constant(''))
const typed = (...sensible: readonly string[]) => fc.oneof({ arbitrary: fc.constantFrom(...sensible), weight: 9 }, { arbitrary: anything, weight: 1 })
const by = fc.constantFrom('price' as const, 'percent' as const, 'profit' as const)

test('the order form makes a ticket from any typed text only if the ticket obeys every rule [ORD-01] [ORD-03] [ORD-04]', () => {
  const made = new Set<string>()
  fc.assert(
    fc.property(
      fc.record({
        side: fc.constantFrom('long' as const, 'short' as const),
        orderType: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const),
        marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
        leverage: typed('1', '10', '50', '51', '0'),
        limitPrice: typed('96000', '96,412.5', '1e5', '96000.25'),
        triggerPrice: typed('97000', '96412.5', '90000'),
        orderValue: typed('100', '25', '0.25', '25,000', '10.000001', '0.1234'),
        valueIn: fc.constantFrom('usdc' as const, 'base' as const, 'free_margin' as const),
        slippagePercent: typed('0.5', '10', '0.01'),
        timeInForce: fc.constantFrom('gtc' as const, 'ioc' as const, 'fok' as const),
        postOnly: fc.boolean(),
        restIfUnfilled: fc.boolean(),
        hasTpSl: fc.boolean(),
        takeProfit: typed('98000', '95000', '2', '0.0001', '12.5', '96412.5'),
        takeProfitBy: by,
        stopLoss: typed('98000', '95000', '2', '0.0001', '12.5', '96412.5'),
        stopLossBy: by,
        clientOrderId: fc.oneof(fc.constant(''), fc.string({ maxLength: 120 })),
      }),
      (state) => {
        const { ticket } = readTicket(state, btc, mark, '48216.37')
        if (ticket === null) return
        made.add(ticket.orderType)
        if (ticket.takeProfit !== null) made.add(state.takeProfitBy)
        expect(checkTicket(ticket, btc)).toEqual([])
        expect(OpenTicket.parse(ticket)).toEqual(ticket)
        const value = ratio(ticket.orderValueUsdc)
        expect(isBelow(value, ratio('10')) || isBelow(ratio('1000000'), value)).toBe(false)
        expect(ticket.orderValueUsdc).toMatch(/^\d+(\.\d{1,6})?$/)
        const entry = ratio(entryPrice(ticket))
        for (const [price, above] of [
          [ticket.takeProfit, ticket.side === 'long'],
          [ticket.stopLoss, ticket.side === 'short'],
        ] as const) {
          if (price === null) continue
          const steps = over(ratio(price), ratio('0.5'))
          expect(steps.top).toBe(floor(steps) * steps.bottom)
          expect(above ? isBelow(entry, ratio(price)) : isBelow(ratio(price), entry)).toBe(true)
        }
      },
    ),
    { numRuns: 1_000 },
  )
  // Check that the random input covered every order type and every way of typing a TP or SL.
  expect([...made].sort()).toEqual(['limit', 'market', 'percent', 'price', 'profit', 'stop'])
})
