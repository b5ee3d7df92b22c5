import { expect, test } from 'vitest'
import { hiddenAmount } from '../decimal.ts'
import { sameReason } from '../ipc/intents/reasons.ts'
import type { Title } from '../ipc/intents/titles.ts'
import { intentEndText, noteText } from './intent-text.ts'
import { noticeText } from './notice-text.ts'
import { reasonText } from './reason-text.ts'
import { titleText } from './title-text.ts'

test('the app writes the reason why an intent ended as a sentence with details, and leaves text from other systems unchanged', () => {
  expect(reasonText({ code: 'rejected_on_phone' })).toBe('Rejected on the phone.')
  expect(reasonText({ code: 'relay_refused', by: 'BAD_SIGNATURE' })).toBe(
    'The relay refused the order (BAD_SIGNATURE). The signature does not belong to this request.',
  )
  expect(reasonText({ code: 'relay_refused', by: 'X_17' })).toBe('The relay refused the order with the code “X_17”.')
  expect(reasonText({ code: 'execution_refused', by: 'POSITION_NOT_FOUND' })).toBe(
    'The exchange refused the order (POSITION_NOT_FOUND). This position no longer exists. Nothing was executed.',
  )
  expect(reasonText({ code: 'relay_refused', by: null })).toBe('The relay refused the order.')
  expect(reasonText({ code: 'user_not_sent', upToBlock: 12, alike: 0 })).toBe(
    'You said that the transaction was not sent. Up to block 12, the chain showed no such transaction.',
  )
  expect(reasonText({ code: 'partly_executed', actions: 3, failed: 1, raw: 'position_not_found' })).toBe(
    '2 of 3 actions took effect. 1 failed. This position no longer exists.',
  )
  expect(reasonText({ code: 'nothing_executed', raw: null })).toBe('Nothing was executed.')
  expect(reasonText({ code: 'as_written', text: 'An older sentence' })).toBe('An older sentence')
})

test('the app shows a final limit order as “placed”, because the order may still be open, and a final market order as “final”', () => {
  const of = { side: 'short', symbol: 'ETH-PERP', pairId: 2 } as const
  const atLimit = { code: 'close', of, size: null, limitPrice: '2510' } as const
  const atMarket = { ...atLimit, limitPrice: null }
  expect(intentEndText({ title: atLimit, state: 'FINAL', reason: null })).toBe('Placed. Final on Base.')
  expect(intentEndText({ title: atMarket, state: 'FINAL', reason: null })).toBe('Final.')
  expect(intentEndText({ title: { code: 'cancel', of }, state: 'FINAL', reason: null })).toBe('Final.')
})

test('the app shows the reason after an intent’s outcome, and does not claim finality for an order seen only in the order list', () => {
  const title = { code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '250', price: '90000', symbol: null } as const
  const reason = { code: 'in_orders' } as const
  expect(intentEndText({ title, state: 'FINAL', reason })).toBe('Placed. Your order list shows the order. No response named its transaction.')
  expect(intentEndText({ title: { ...title, orderType: 'market', price: null }, state: 'FINAL', reason })).toMatch(/^Final\. Your order list/)
  expect(intentEndText({ title, state: 'REVERTED', reason: null })).toBe('The transaction reverted on chain.')
})

test('the notice of a batch that took effect in part states no success', () => {
  const reason = { code: 'partly_executed', actions: 3, failed: 1, raw: null } as const
  expect(intentEndText({ title: { code: 'batch', actions: 3 }, state: 'FINAL', reason })).toBe('2 of 3 actions took effect. 1 failed.')
})

test('the app shows a sentence from the service or the wallet as a timeline note, but omits a single code word', () => {
  expect(noteText({ code: 'said', text: 'signature_ready' })).toBeNull()
  expect(noteText({ code: 'as_written', text: 'the user turned away' })).toBe('The user turned away')
  expect(noteText({ code: 'found', state: null })).toBe('Found: with a transaction')
  expect(noteText({ code: 'reason', reason: { code: 'taken_back' } })).toBe(
    'A chain reorganisation removed the block of the transaction. The app is tracking the transaction again.',
  )
})

test('the app treats two reasons why an intent ended as the same if their fields have equal values, in any order', () => {
  expect(sameReason({ code: 'user_not_sent', upToBlock: 1, alike: 2 }, { alike: 2, upToBlock: 1, code: 'user_not_sent' })).toBe(true)
  expect(sameReason({ code: 'listed_unsent', state: 'prepared' }, { code: 'listed_unsent', state: 'expired' })).toBe(false)
  expect(sameReason(null, { code: 'reverted' })).toBe(false)
})

const of = { side: 'long', symbol: 'BTC-PERP', pairId: 1 } as const

test.each([
  [{ code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '1250', price: '94000', symbol: 'BTC-PERP' }, 'Long •••• USDC at limit 94000, BTC-PERP'],
  [{ code: 'close', of, size: '0.25', limitPrice: null }, 'Close •••• of the long on BTC-PERP at market'],
  [{ code: 'increase', of, orderValueUsdc: '1250' }, 'Add •••• USDC to the long on BTC-PERP'],
  [{ code: 'reduce', of, size: '0.25' }, 'Reduce the long on BTC-PERP by ••••'],
  [{ code: 'add_margin', of, amountUsdc: '1250' }, 'Add •••• USDC of margin to the long on BTC-PERP'],
  [{ code: 'take_margin', of, amountUsdc: '1250' }, 'Remove •••• USDC of margin from the long on BTC-PERP'],
  [{ code: 'deposit', amount: '1250', token: 'USDC' }, 'Deposit •••• USDC'],
  [{ code: 'withdraw', amount: '1250', token: 'USDC' }, 'Withdraw •••• USDC'],
] satisfies [Title, string][])('while amounts are hidden, the app hides the amount in the title of %s', (title, hidden) => {
  expect(titleText(title, hiddenAmount)).toBe(hidden)
  expect(titleText(title)).not.toContain('•')
})

test('the app hides the amount in a notification that an intent has ended', () => {
  const title: Title = { code: 'deposit', amount: '1250', token: 'USDC' }
  const notice = { code: 'intent', title, state: 'FINAL', reason: null } as const
  expect(noticeText(notice, hiddenAmount).title).toBe('Deposit •••• USDC')
  expect(noticeText(notice).title).toBe('Deposit 1,250.00 USDC')
})

test.each([
  [
    { price: '94,352.40', size: '0.0265', base: 'BTC', feeUsdc: '1.25' },
    'Filled 0.0265 BTC at 94,352.40. Fee 1.25 USDC.',
    'Filled •••• BTC at 94,352.40. Fee •••• USDC.',
  ],
  [
    { price: '94,352.40', size: '0.0265', base: 'BTC', feeUsdc: '1.25', realisedPnlUsdc: '12.5' },
    'Filled 0.0265 BTC at 94,352.40. Fee 1.25 USDC. Realised +12.50 USDC.',
    'Filled •••• BTC at 94,352.40. Fee •••• USDC. Realised •••• USDC.',
  ],
  [
    { price: null, size: null, base: null, feeUsdc: null, realisedPnlUsdc: null },
    'Filled an unknown size at an unknown price. Fee unknown. Realised result unknown.',
    'Filled an unknown size at an unknown price. Fee unknown. Realised result unknown.',
  ],
  [null, 'Final. Fill price, size and fee are unknown.', 'Final. Fill price, size and fee are unknown.'],
])('the notice of a final order states its fill, calls unknown figures unknown, and hides amounts: %j', (fill, shown, hidden) => {
  const title: Title = { code: 'close', of, size: null, limitPrice: null }
  const notice = { code: 'intent', title, state: 'FINAL', reason: null, fill } as const
  expect(noticeText(notice).text).toBe(shown)
  expect(noticeText(notice, hiddenAmount).text).toBe(hidden)
})

test('the notice of a limit order that filled in part says that it was placed, and states the fill', () => {
  const fill = { price: '94,000.0', size: '0.01', base: 'BTC', feeUsdc: '0.5' }
  const title: Title = { code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '1250', price: '94,000.0', symbol: 'BTC-PERP' }
  expect(noticeText({ code: 'intent', title, state: 'FINAL', reason: null, fill }).text).toBe(
    'Placed. Final on Base. Filled 0.01 BTC at 94,000.0. Fee 0.50 USDC.',
  )
})
