import { expect, test } from 'vitest'
import { btc, limitOrder, longBtc, mark } from '../../../e2e/support/fixtures/ticket.ts'
import { ActionTicket, type SeenOrder } from '../../ipc/intents/tickets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { titleText } from '../../text/title-text.ts'
import type { FormReading } from '../typed-number.ts'
import { actionTitle, preparedBody } from './action-payload.ts'
import { readTpSl, type TpSlState, tpSlOf } from './close-ticket.ts'
import {
  type CollateralFacts,
  type CollateralState,
  type MarginFacts,
  readDeposit,
  readLeverage,
  readMargin,
  readWithdrawal,
  summariseLeverage,
  summariseMargin,
} from './margin-ticket.ts'
import { type ReplaceState, readReplace, replacementOf } from './replace-ticket.ts'

const made = (reading: FormReading<string, ActionTicket>) => {
  if (reading.ticket === null) throw new Error(JSON.stringify(reading.errors))
  return { ...preparedBody(ActionTicket.parse(reading.ticket), 'desk-1'), title: titleText(actionTitle(reading.ticket, 1)) }
}
const texts = (reading: FormReading<string, ActionTicket>) => reading.errors.map(({ field, issue }) => [field, formIssueText(issue)])

const exits = (change: Partial<TpSlState>, position = longBtc, at: string | null = mark) =>
  readTpSl({ ...tpSlOf(position), ...change }, { position, market: btc, entryPrice: '96000' }, at)

test('the TP/SL ticket sets, moves, removes or keeps a position’s TP and SL independently of each other [ORD-05]', () => {
  expect(made(exits({ stopLoss: '95000' }))).toEqual({
    action: 'update_tpsl',
    payload: { position_id: 'pos_1', stop_loss: '95000' },
    title: 'Set the stop loss of the long on BTC-PERP to 95,000.0',
  })
  expect(made(exits({ takeProfit: '' }))).toMatchObject({ payload: { position_id: 'pos_1', take_profit: null } })
  expect(made(exits({ takeProfit: '', stopLoss: '100', stopLossBy: 'profit' }))).toMatchObject({
    payload: { take_profit: null, stop_loss: '95614.5' },
    title: 'Set SL 95,614.5 and clear the take profit of the long on BTC-PERP',
  })
  // This stop loss is allowed, although it is above the entry price: it is below the current price and secures a profit.
  expect(texts(exits({ stopLoss: '96200' }))).toEqual([])
})

test('the TP/SL ticket refuses a TP or SL that changes nothing or lies on the wrong side of the price [ORD-03]', () => {
  expect(texts(exits({}))).toEqual([['form', 'Nothing changes.']])
  expect(texts(exits({ takeProfit: '98500.0' }))).toEqual([['form', 'Nothing changes.']])
  expect(texts(exits({ takeProfit: '96000', stopLoss: '97000' }))).toEqual([
    ['takeProfit', 'The price must be above the current price, 96,412.5.'],
    ['stopLoss', 'The price must be below the current price, 96,412.5.'],
  ])
  expect(texts(exits({ stopLoss: '95000.3' }, longBtc, null))).toEqual([['stopLoss', 'BTC-PERP prices move in steps of 0.5. The nearest is 95,000.5.']])
  expect(texts(exits({ stopLoss: 'x' }))).toEqual([['stopLoss', 'Type a price.']])
})

test('the TP/SL ticket needs the position’s entry price for a TP or SL in percent, and the position’s size for one by profit', () => {
  const of = (by: 'percent' | 'profit', facts: { readonly entryPrice: string | null; readonly size: string | null }) =>
    texts(
      readTpSl(
        { ...tpSlOf(longBtc), stopLoss: '1', stopLossBy: by },
        { position: { ...longBtc, size: facts.size }, market: btc, entryPrice: facts.entryPrice },
        mark,
      ),
    )
  expect(of('percent', { entryPrice: null, size: '1' })).toEqual([['stopLoss', 'The entry price of the position is unknown. Type a price.']])
  expect(of('profit', { entryPrice: '96000', size: null })).toEqual([['stopLoss', 'Enter the order value first.']])
  expect(of('percent', { entryPrice: '96000', size: null })).toEqual([])
})

const isolated: MarginFacts = { marginMode: 'isolated', marginUsdc: '2500', notionalUsdc: '25000', leverage: '10', freeMargin: '1000' }

test('the margin ticket adds margin to a position up to the free margin, and removes margin only if some margin stays [ORD-05]', () => {
  expect(made(readMargin('add_isolated_margin', '1,000', longBtc, isolated))).toEqual({
    action: 'add_isolated_margin',
    payload: { position_id: 'pos_1', amount_usdc: '1000' },
    title: 'Add 1,000.00 USDC of margin to the long on BTC-PERP',
  })
  expect(made(readMargin('reduce_isolated_margin', '500.5', longBtc, isolated))).toMatchObject({
    action: 'reduce_isolated_margin',
    payload: { amount_usdc: '500.5' },
    title: 'Remove 500.50 USDC of margin from the long on BTC-PERP',
  })
  expect(texts(readMargin('add_isolated_margin', '1000.01', longBtc, isolated))).toEqual([['amount', 'Your free margin is 1,000.00 USDC.']])
  expect(texts(readMargin('reduce_isolated_margin', '2500', longBtc, isolated))).toEqual([
    ['amount', 'The position has 2,500.00 USDC of margin. Some of it must stay.'],
  ])
  expect(texts(readMargin('add_isolated_margin', '0', longBtc, isolated))).toEqual([['amount', 'Enter a number above zero.']])
  expect(texts(readMargin('add_isolated_margin', '1.0000001', longBtc, isolated))).toEqual([['amount', 'USDC has at most 6 decimals.']])
  expect(texts(readMargin('add_isolated_margin', '1', longBtc, { ...isolated, marginMode: 'cross' }))).toEqual([
    ['form', 'This position shares the margin of the account. Only isolated positions have margin of their own.'],
  ])
  expect(summariseMargin({ action: 'reduce_isolated_margin', position: longBtc, amountUsdc: '1000' }, { ...isolated, marginUsdc: null })).toEqual({
    marginUsdc: null,
    leverage: null,
  })
  expect(summariseMargin({ action: 'add_isolated_margin', position: longBtc, amountUsdc: '1000' }, isolated)).toEqual({ marginUsdc: '3500', leverage: '7.14' })
})

test('the leverage ticket changes leverage up to the market’s maximum, and refuses the position’s current leverage [ORD-04] [ORD-05]', () => {
  expect(made(readLeverage('20', longBtc, btc, isolated))).toEqual({
    action: 'change_isolated_leverage',
    payload: { position_id: 'pos_1', leverage: 20 },
    title: 'Set the long on BTC-PERP to 20×',
  })
  expect(texts(readLeverage('51', longBtc, btc, isolated))).toEqual([['leverage', 'BTC-PERP allows up to 50×.']])
  expect(texts(readLeverage('10', longBtc, btc, { ...isolated, leverage: '10.0' }))).toEqual([['leverage', 'The position already has 10×.']])
  expect(texts(readLeverage('2.5', longBtc, btc, isolated))).toEqual([['leverage', 'Leverage must be a whole number.']])
  expect(summariseLeverage({ action: 'change_isolated_leverage', position: longBtc, leverage: 20 }, isolated)).toEqual({ marginUsdc: '1250', change: '-1250' })
})

const replace = (change: Partial<ReplaceState>, order = limitOrder) => readReplace({ ...replacementOf(order), ...change }, order, btc)

test('the app’s tickets cancel an order by its id, and refuse a change of an order that changes nothing [ORD-05]', () => {
  expect(made({ errors: [], ticket: { action: 'cancel_order', order: limitOrder } })).toEqual({
    action: 'cancel_order',
    payload: { order_id: 'ord_1' },
    title: 'Cancel the long order on BTC-PERP',
  })
  expect(made(replace({ limitPrice: '95,500', takeProfit: '' }))).toEqual({
    action: 'replace_order',
    payload: { order_id: 'ord_1', limit_price: '95500', take_profit: null },
    title: 'Change the long order on BTC-PERP',
  })
  expect(texts(replace({ orderValue: '25000.00' }))).toEqual([['form', 'Nothing changes.']])
})

test('the app applies all rules for new orders to a changed order and the changed order’s TP and SL [ORD-03] [ORD-04]', () => {
  expect(texts(replace({ orderValue: '9' }))).toEqual([['orderValue', 'BTC-PERP accepts orders from 10.00 USDC.']])
  expect(texts(replace({ orderValue: '' }))).toEqual([['orderValue', 'Type an amount in USDC.']])
  expect(texts(replace({ limitPrice: 'x' }))).toEqual([['limitPrice', 'Type a price.']])
  expect(texts(replace({ limitPrice: '95500.1' }))).toEqual([['limitPrice', 'BTC-PERP prices move in steps of 0.5. The nearest is 95,500.0.']])
  expect(texts(replace({ triggerPrice: '97000' }))).toEqual([['triggerPrice', 'A limit order has no trigger price.']])
  expect(texts(replace({ limitPrice: '99000' }))).toEqual([['takeProfit', 'The price must be above the order price, 99,000.0.']])
  expect(texts(replace({ stopLoss: '96500' }))).toEqual([['stopLoss', 'The price must be below the order price, 96,000.0.']])
})

test('the app changes a stop order’s trigger price, and checks the order’s TP and SL against the new trigger price', () => {
  const stop: SeenOrder = { ...limitOrder, limitPrice: null, triggerPrice: '97000', stopLoss: '95000' }
  expect(made(replace({ triggerPrice: '98000' }, stop)).payload).toEqual({ order_id: 'ord_1', trigger_price: '98000' })
  expect(texts(replace({ limitPrice: '97000' }, stop))).toEqual([['limitPrice', 'A stop order has no limit price.']])
  expect(texts(replace({ triggerPrice: '98500' }, stop))).toEqual([['takeProfit', 'The price must be above the order price, 98,500.0.']])
  // The order's price does not change. So the unchanged take profit is not checked again.
  expect(texts(replace({ orderValue: '30000' }, { ...stop, takeProfit: '90000' }))).toEqual([])
  const silent: SeenOrder = { ...stop, side: null, triggerPrice: null }
  expect(texts(replace({ takeProfit: '0', stopLoss: '-1' }, silent))).toEqual([
    ['takeProfit', 'Enter a number above zero.'],
    ['stopLoss', 'Enter a number above zero.'],
  ])
  expect(texts(replace({ triggerPrice: '98000' }, silent))).toEqual([])
})

const usdc: CollateralFacts = { available: '500.5', decimals: 6, permitOffered: true }
const deposit = (change: Partial<CollateralState>, facts = usdc) => readDeposit({ token: 'USDC', amount: '100', permit: false, ...change }, facts)

test('the deposit ticket deposits collateral by transactions, or by signature if the service supports deposits by signature [ORD-05] [FLOW-04]', () => {
  expect(made(deposit({}))).toEqual({ action: 'add_collateral', payload: { token: 'USDC', amount: '100' }, title: 'Deposit 100.00 USDC' })
  expect(made(deposit({ permit: true }))).toMatchObject({ payload: { token: 'USDC', amount: '100' }, permit: true })
  expect(texts(deposit({ permit: true }, { ...usdc, permitOffered: false }))).toEqual([['permit', 'The exchange accepts no deposits by signature now.']])
  expect(texts(deposit({ permit: true, token: 'SVC' }))).toEqual([['permit', 'You can only deposit USDC by signature.']])
  expect(texts(deposit({ amount: '500.51' }))).toEqual([['amount', 'Your wallet holds 500.50 USDC.']])
  expect(texts(deposit({ amount: '1.0000001' }))).toEqual([['amount', 'USDC has at most 6 decimals.']])
  expect(texts(deposit({ amount: '' }))).toEqual([['amount', 'Type an amount in USDC.']])
  expect(texts(deposit({ amount: '-1' }))).toEqual([['amount', 'Enter a number above zero.']])
})

test('the withdrawal ticket withdraws collateral up to the amount that the exchange can pay out [ORD-05]', () => {
  const out = (amount: string) => readWithdrawal({ token: 'SVC', amount, permit: true }, { available: '3', decimals: 18, permitOffered: true })
  expect(made(out('2.5'))).toEqual({ action: 'withdraw_collateral', payload: { token: 'SVC', amount: '2.5' }, title: 'Withdraw 2.50 SVC' })
  expect(texts(out('3.000000000000000001'))).toEqual([['amount', 'You can withdraw 3.00 SVC.']])
})
