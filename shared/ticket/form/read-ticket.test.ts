import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mark, btc as market } from '../../../e2e/support/fixtures/ticket.ts'
import { formIssueText } from '../../text/form-text.ts'
import { titleText } from '../../text/title-text.ts'
import { buildPayload, checkTicket, ticketTitle } from '../check-ticket.ts'
import { slippageBps } from '../typed-number.ts'
import { readTicket } from './read-ticket.ts'
import { summariseTicket } from './summarise-ticket.ts'
import { changeTicket, initialTicket, type TicketState } from './ticket-state.ts'

const filled: TicketState = { ...initialTicket, orderValue: '25,000.00', hasTpSl: true, takeProfit: '98500', stopLoss: '94300' }
const read = (change: Partial<TicketState> = {}, of = market, at: string | null = mark) => readTicket({ ...filled, ...change }, of, at)
const texts = (check: ReturnType<typeof read>) => check.errors.map(({ field, issue }) => [field, formIssueText(issue)])

test('the order form makes the payload of a market order with the order’s reference price and slippage [ORD-02]', () => {
  const { ticket, errors } = read()
  expect(errors).toEqual([])
  if (ticket === null) throw new Error('There is no ticket')
  expect(buildPayload(ticket, 'desk-8f31c2')).toEqual({
    pair_id: 1,
    side: 'long',
    order_type: 'market',
    margin_mode: 'cross',
    leverage: 10,
    order_value_usdc: '25000',
    reference_price: '96412.5',
    max_slippage_bps: 50,
    rest_if_unfilled: false,
    take_profit: '98500',
    stop_loss: '94300',
    client_order_id: 'desk-8f31c2',
  })
  expect(Object.keys(buildPayload({ ...ticket, takeProfit: null, stopLoss: null }, 'desk-8f31c2'))).not.toContain('take_profit')
  expect(titleText(ticketTitle(ticket, 1))).toBe('Long 25,000.00 USDC at market')
})

test('the order form accepts a max slippage of 1 to 1000 basis points [ORD-02]', () => {
  expect([slippageBps('0.01'), slippageBps('10'), slippageBps('0.5'), slippageBps('0.005'), slippageBps('x')]).toEqual([1, 1000, 50, null, null])
  for (const slippagePercent of ['0', '10.01', '-1', '0.001', '']) expect(read({ slippagePercent }).errors.map((error) => error.field)).toContain('slippage')
})

test('the order form names the limits of the chosen market in its errors [ORD-04]', () => {
  expect(texts(read({ orderValue: '9.99' }))).toEqual([['orderValue', 'BTC-PERP accepts orders from 10.00 USDC.']])
  expect(texts(read({ orderValue: '1000000.01' }))).toEqual([['orderValue', 'BTC-PERP accepts orders up to 1,000,000.00 USDC.']])
  expect([...texts(read({ orderValue: '10' })), ...texts(read({ orderValue: '1000000' }))]).toEqual([])
  expect(texts(read({ orderValue: '10.0000001' }))).toEqual([['orderValue', 'USDC has at most 6 decimals.']])
  expect(texts(read({ leverage: '51' }))).toEqual([['leverage', 'BTC-PERP allows up to 50×.']])
  expect(texts(read({ leverage: '0' }))).toEqual([['leverage', 'Leverage must be at least 1.']])
  expect(texts(read({ takeProfit: '98500.3' }))).toEqual([['takeProfit', 'BTC-PERP prices move in steps of 0.5. The nearest is 98,500.5.']])
  const silent = { ...market, minOrderUsdc: null, maxOrderUsdc: null, maxLeverage: null, tickSize: null }
  expect(read({ orderValue: '0.000001', leverage: '999', takeProfit: '98500.37' }, silent).errors).toEqual([])
})

test('the order form requires take profit and stop loss to be on the correct side of the current price [ORD-03]', () => {
  expect(texts(read({ takeProfit: '96412.5', stopLoss: '97000' }))).toEqual([
    ['takeProfit', 'The price must be above the current price, 96,412.5.'],
    ['stopLoss', 'The price must be below the current price, 96,412.5.'],
  ])
  expect(texts(read({ side: 'short' }))).toEqual([
    ['takeProfit', 'The price must be below the current price, 96,412.5.'],
    ['stopLoss', 'The price must be above the current price, 96,412.5.'],
  ])
  expect(read({ side: 'short', takeProfit: '94300', stopLoss: '98500' }).errors).toEqual([])
  expect(read({ hasTpSl: false, takeProfit: '1', stopLoss: 'x' }).ticket).toMatchObject({ takeProfit: null, stopLoss: null })
})

test('the order form makes no ticket while it is empty, and marks the errors of untouched fields so that they stay hidden', () => {
  const check = readTicket(initialTicket, market, null)
  expect(check.ticket).toBeNull()
  expect(check.errors.map(({ field, untouched }) => [field, untouched])).toEqual([
    ['orderValue', true],
    ['referencePrice', true],
  ])
})

test('the order form makes a ticket for a market order from any typed text only if the ticket obeys every rule [ORD-04]', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.double().map(String),
    fc.constantFrom('25000', '10', '0.5', '1e3', '98500', '94300', '25,000'),
  )
  fc.assert(
    fc.property(
      fc.record({
        leverage: typed,
        orderValue: typed,
        slippagePercent: typed,
        takeProfit: typed,
        stopLoss: typed,
        side: fc.constantFrom('long' as const, 'short' as const),
      }),
      (change) => {
        const { ticket } = read(change)
        if (ticket === null) return
        expect(checkTicket(ticket, market)).toEqual([])
        expect(Number(ticket.orderValueUsdc)).toBeGreaterThanOrEqual(10)
        expect(ticket.orderValueUsdc).toMatch(/^\d+(\.\d{1,6})?$/)
      },
    ),
    { numRuns: 300 },
  )
})

test('the order form’s summary of a market order shows size, margin, worst price, TP and SL', () => {
  expect(summariseTicket(filled, market, mark)).toEqual({
    orderValueUsdc: '25000',
    baseSize: '0.2593',
    margin: '2500',
    marginShare: null,
    entry: '96412.5',
    worstPrice: '96894.5625',
    fee: null,
    takeProfit: { price: '98500', pnl: '541.29', percent: '2.17' },
    stopLoss: { price: '94300', pnl: '-547.78', percent: '-2.19' },
  })
  expect(summariseTicket({ ...filled, side: 'short' }, market, mark)).toMatchObject({ worstPrice: '95930.4375', takeProfit: { pnl: '-541.29' } })
  expect(summariseTicket(initialTicket, market, mark)).toBeNull()
  expect(summariseTicket(filled, market, '0')).toBeNull()
  expect(summariseTicket(filled, market, null)).toBeNull()
})

test('the order form empties TP and SL when the user chooses another market, limits the leverage, and keeps the order value', () => {
  const changed = changeTicket({ ...filled, leverage: '50' }, { type: 'market', market: { ...market, id: 2, maxLeverage: 20 } })
  expect(changed).toMatchObject({ takeProfit: '', stopLoss: '', leverage: '20', orderValue: filled.orderValue })
  expect(changeTicket(filled, { type: 'edit', change: { side: 'short' } }).side).toBe('short')
  expect(changeTicket(filled, { type: 'clear' })).toMatchObject({ orderValue: '', takeProfit: '' })
})

test('the order form reports the errors of all fields even if one field is unreadable [ORD-04]', () => {
  const bad = { leverage: '51', slippagePercent: '11', clientOrderId: 'x'.repeat(97), orderValue: 'much' }
  const fields = (change: Partial<TicketState>) =>
    readTicket({ ...initialTicket, ...bad, ...change }, market, mark)
      .errors.map(({ field }) => field)
      .sort()
  expect(fields({})).toEqual(['clientOrderId', 'leverage', 'orderValue', 'slippage'])
  const waiting = { orderType: 'limit', limitPrice: '96000.2', postOnly: true, timeInForce: 'ioc' } as const
  expect(fields(waiting)).toEqual(['clientOrderId', 'leverage', 'limitPrice', 'orderValue'])
  expect(fields({ ...waiting, orderValue: '9', leverage: 'x' })).toEqual(['clientOrderId', 'leverage', 'limitPrice', 'orderValue'])
  expect(fields({ orderType: 'stop', triggerPrice: '0' })).toEqual(['clientOrderId', 'leverage', 'orderValue', 'triggerPrice'])
})
