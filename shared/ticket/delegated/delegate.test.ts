import { expect, test } from 'vitest'
import { limitOrder, longBtc, mark } from '../../../e2e/support/fixtures/ticket.ts'
import { preparedActionNames } from '../../api/actions.ts'
import { type ActionTicket, DelegatedTicket, type MarketTicket } from '../../ipc/intents/tickets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { delegate } from './check-delegated.ts'
import { delegatedBody } from './delegated-payload.ts'

const atMarket = { referencePrice: mark, maxSlippageBps: 50 }
const priced = { reference_price: '96412.5', max_slippage_bps: 50 }
const held = { position_id: 'pos_1' }

const cases: readonly (readonly [ActionTicket, string, Readonly<Record<string, unknown>>])[] = [
  [{ action: 'close_position_market', position: longBtc, size: null, ...atMarket }, 'close', { ...held, ...priced }],
  [{ action: 'close_position_market', position: longBtc, size: '0.1', ...atMarket }, 'reduce', { ...held, ...priced, size: '0.1' }],
  [{ action: 'invert_position', position: longBtc, ...atMarket }, 'invert', { ...held, ...priced }],
  [{ action: 'update_tpsl', position: longBtc, takeProfit: '99000' }, 'set_tp', { ...held, price: '99000' }],
  [{ action: 'update_tpsl', position: longBtc, takeProfit: null }, 'clear_tp', held],
  [{ action: 'update_tpsl', position: longBtc, stopLoss: '95000' }, 'set_sl', { ...held, price: '95000' }],
  [{ action: 'update_tpsl', position: longBtc, stopLoss: null }, 'clear_sl', held],
  [
    { action: 'update_tpsl', position: longBtc, takeProfit: null, stopLoss: '95000' },
    'batch',
    {
      actions: [
        { action: 'clear_tp', payload: held },
        { action: 'set_sl', payload: { ...held, price: '95000' } },
      ],
    },
  ],
  [{ action: 'add_isolated_margin', position: longBtc, amountUsdc: '25.5' }, 'isolated_manage', { ...held, margin_delta_usdc: '25.5' }],
  [{ action: 'reduce_isolated_margin', position: longBtc, amountUsdc: '25.5' }, 'isolated_manage', { ...held, margin_delta_usdc: '-25.5' }],
  [{ action: 'change_isolated_leverage', position: longBtc, leverage: 5 }, 'isolated_manage', { ...held, leverage: 5 }],
  [{ action: 'cancel_order', order: limitOrder }, 'cancel', { order_id: 'ord_1' }],
  [
    { action: 'replace_order', order: limitOrder, limitPrice: '95000', takeProfit: null },
    'replace',
    { order_id: 'ord_1', limit_price: '95000', take_profit: null },
  ],
]

test.each(cases)('the app sends the ticket %o to the executor as the action %s [ORD-13]', (ticket, action, payload) => {
  const delegated = delegate(ticket)
  if (!delegated.ok) throw new Error(formIssueText(delegated.failure))
  expect(delegatedBody(DelegatedTicket.parse(delegated.value), 'key-1', false)).toEqual({ action, payload: { ...payload, idempotency_key: 'key-1' } })
})

test('the app sends an executor the same order that the wallet would sign [ORD-13]', () => {
  const order: MarketTicket = {
    ...{ pairId: 1, side: 'long', orderType: 'market', marginMode: 'cross', leverage: 10, orderValueUsdc: '25000' },
    ...{ ...atMarket, restIfUnfilled: false, takeProfit: null, stopLoss: null },
  }
  expect(delegate(order)).toEqual({ ok: true, value: { action: 'open_position', order } })
})

const refused: readonly (readonly [ActionTicket, RegExp])[] = [
  [{ action: 'close_position_limit', position: longBtc, size: null, limitPrice: '97000', timeInForce: 'gtc', postOnly: false }, /only closes at market/],
  [{ action: 'add_collateral', token: 'USDC', amount: '1', permit: false }, /never moves collateral/],
  [{ action: 'withdraw_collateral', token: 'USDC', amount: '1' }, /never moves collateral/],
  [{ action: 'update_tpsl', position: longBtc }, /Nothing changes/],
]

test.each(refused)('the app explains why the executor cannot carry out the ticket %o [ORD-13]', (ticket, sentence) => {
  const delegated = delegate(ticket)
  expect(delegated.ok ? null : formIssueText(delegated.failure)).toMatch(sentence)
})

test('the tables in this test file cover every action that the app can prepare for the wallet [ORD-05]', () => {
  const named = new Set([...cases, ...refused].map(([{ action }]) => action))
  expect(preparedActionNames.filter((name) => name !== 'open_position' && !named.has(name))).toEqual([])
})
