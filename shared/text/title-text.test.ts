import { expect, test } from 'vitest'
import { hiddenAmount } from '../decimal.ts'
import type { Title } from '../ipc/intents/titles.ts'
import { noticeText } from './notice-text.ts'
import { titleText } from './title-text.ts'

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
] satisfies [Title, string][])('hides the amount of a title in %s', (title, hidden) => {
  expect(titleText(title, hiddenAmount)).toBe(hidden)
  expect(titleText(title)).not.toContain('•')
})

test('hides the amount in a notice of an order’s end', () => {
  const title: Title = { code: 'deposit', amount: '1250', token: 'USDC' }
  const notice = { code: 'intent', title, state: 'FINAL', reason: null } as const
  expect(noticeText(notice, hiddenAmount).title).toBe('Deposit •••• USDC')
  expect(noticeText(notice).title).toBe('Deposit 1,250.00 USDC')
})
