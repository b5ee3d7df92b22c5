import { expect, test } from 'vitest'
import { comparison, intent, prepared, transaction } from '../../../e2e/support/fixtures/prepared-order.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { ActionTicket } from '../../../shared/ipc/intents/tickets.ts'
import { orderMessage } from './order-sheet.tsx'
import { stepsAt } from './order-steps.ts'

const said = (order: PreparedOrder, ticket: ActionTicket | null = null) => orderMessage(order, ticket, stepsAt(order))
const one = [transaction(1, { index: 0 })]
const signed = (way: 'signed_intent' | 'permit_deposit', action: string) =>
  prepared({ intent: { ...intent('PREPARED'), way, action }, mode: way, transactions: [], next: null })

const position = { positionId: 'pos_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', size: '0.1', takeProfit: null, stopLoss: null } as const
const none = { triggerPrice: null, takeProfit: null, stopLoss: null } as const
const order = { orderId: 'ord_1', pairId: 1, symbol: 'BTC-PERP', side: 'long', orderValueUsdc: '100', limitPrice: '90000', ...none } as const
const sent: readonly (readonly [title: string, subject: string, ticket: ActionTicket])[] = [
  ['Set the take profit of the long on BTC-PERP to 110,000', 'change', { action: 'update_tpsl', position, takeProfit: '110000' }],
  ['Add 50.00 USDC of margin to the long on BTC-PERP', 'change', { action: 'add_isolated_margin', position, amountUsdc: '50' }],
  ['Remove 50.00 USDC of margin from the long on BTC-PERP', 'change', { action: 'reduce_isolated_margin', position, amountUsdc: '50' }],
  ['Set the long on BTC-PERP to 5×', 'change', { action: 'change_isolated_leverage', position, leverage: 5 }],
  ['Cancel the long order on BTC-PERP', 'cancellation', { action: 'cancel_order', order }],
  ['Change the long order on BTC-PERP', 'change', { action: 'replace_order', order, limitPrice: '91000' }],
  ['Withdraw 200.00 USDC', 'withdrawal', { action: 'withdraw_collateral', token: 'USDC', amount: '200' }],
]

test.each(sent)('the signing sheet describes “%s” as one wallet transaction that needs ETH [FLOW-03, ORD-11]', (title, subject, ticket) => {
  const message = said(prepared({ intent: { ...intent('PREPARED'), action: ticket.action }, transactions: one }), ticket)
  expect(message).toMatchObject({ thing: 'transaction', title, subject, lead: expect.stringMatching(/^One transaction, .*a little ETH/) })
  expect(message?.transaction).toMatchObject({ steps: [], more: false })
})

test('the signing sheet shows an approval and its deposit as two transactions, and does not repeat an approval that is done [FLOW-03]', () => {
  const ticket = { action: 'add_collateral', token: 'USDC', amount: '500', permit: false } as const
  const first = said(prepared({}), ticket)
  expect(first).toMatchObject({ title: 'Deposit 500.00 USDC', preparedAgain: 'new_deadline', transaction: { more: true } })
  expect(first?.lead).toMatch(/^2 transactions, .*one after another\. They need a little ETH/)
  const second = said(prepared({ next: 1, transactions: [transaction(0, { state: 'final' }), transaction(1)] }), ticket)
  expect(second).toMatchObject({ preparedAgain: 'new_deadline_approved', transaction: { more: false } })
})

test('the signing sheet describes an order as one signature without ETH, and says who pays the gas of a permit deposit [FLOW-04, FLOW-08]', () => {
  expect(said(signed('signed_intent', 'close_position_market'))).toMatchObject({
    ...{ thing: 'order', subject: 'order', transaction: null, lead: 'One signature in your wallet. It needs no ETH.' },
    preparedAgain: 'new_price',
  })
  expect(said(signed('permit_deposit', 'add_collateral'))).toMatchObject({
    ...{ thing: 'order', subject: 'deposit', transaction: null, lead: expect.stringContaining('an executor of the exchange') },
  })
})

test('the signing sheet requires a typed phrase before a transaction that the app cannot read, but not before other transactions [FLOW-03]', () => {
  const word = (change: Parameters<typeof transaction>[1]) => said(prepared({ transactions: [transaction(0, change)] }))?.transaction?.word
  const asks = { kind: 'unreadable_call', selector: '0xdeadbeef' } as const
  expect(word({ expectedPhrase: 'send what cannot be read', comparison: { ...comparison, asks } })).toMatchObject({
    title: 'This app cannot read what the transaction does',
    phrase: 'send what cannot be read',
  })
  expect(word({})).toBeNull()
})

test('the signing sheet blocks sending if the wallet has too little ETH, and shows the network fee [FLOW-08]', () => {
  const poor = transaction(1, { index: 0, gas: { costEth: '0.00001', balanceEth: '0', enough: false } })
  const message = said(prepared({ transactions: [poor] }))
  expect(message?.transaction?.obstacle).toContain('Your wallet has 0.000000 ETH on Base, and the network fee may be 0.000010 ETH.')
  expect(message?.facts.map(({ label }) => label)).toContain('Max network fee')
})
