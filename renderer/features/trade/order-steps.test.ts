import { expect, test } from 'vitest'
import { intent, prepared, transaction } from '../../../e2e/support/fixtures/prepared-order.ts'
import type { PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import { hasMore, isUnderWay, offersNext, signingSteps, stepIntent, stepsAt } from './order-steps.ts'

const first = stepsAt(prepared({}))
const sent = (state: PreparedTransaction['state']) => [transaction(0, { state, txHash: '0xaa', confirmations: 1 }), transaction(1)]

test('the signing sheet offers the deposit only once a block contains the approval that the deposit needs [FLOW-03]', () => {
  expect(offersNext(prepared({ next: 1, transactions: sent('submitted'), intent: intent('ASKED') }), first)).toBe(false)
  expect(offersNext(prepared({ next: 1, transactions: sent('confirming') }), first)).toBe(true)
  expect(offersNext(prepared({ next: 0 }), first)).toBe(false)
  expect(offersNext(prepared({ next: null, transactions: sent('reverted'), intent: intent('REVERTED') }), first)).toBe(false)
})

test('the signing sheet shows the current transaction’s state instead of the intent’s state while another transaction of the intent follows', () => {
  const at = { at: 0, transactions: sent('submitted') }
  expect(stepIntent(intent('ASKED'), at)).toMatchObject({ state: 'SUBMITTED', txHash: '0xaa', confirmations: 1 })
  expect(stepIntent(intent('ASKED'), first)).toBeNull()
  expect(stepIntent(intent('EXPIRED'), at)).toMatchObject({ state: 'EXPIRED' })
})

test('the signing sheet names each transaction of a deposit with its state, and the exact amount of the approval [FLOW-03]', () => {
  const second = { at: 1, transactions: sent('final') }
  expect(signingSteps(second, 'Deposit 500.00 USDC')).toEqual([
    { label: 'Approve exactly 500.00 USDC', state: 'done', note: 'On the chain' },
    { label: 'Deposit 500.00 USDC', state: 'now', note: null },
  ])
  expect(signingSteps(first, 'Deposit 500.00 USDC').map(({ state, note }) => [state, note])).toEqual([
    ['now', null],
    ['next', 'After the current step'],
  ])
  expect(signingSteps({ at: 0, transactions: [transaction(1)] }, 'Withdraw')).toEqual([])
})

test('the signing sheet treats an action of two transactions as partly on the chain only while it shows the second transaction', () => {
  expect([hasMore(first), isUnderWay(first)]).toEqual([true, false])
  expect([hasMore({ at: 1, transactions: sent('final') }), isUnderWay({ at: 1, transactions: sent('final') })]).toEqual([false, true])
})
