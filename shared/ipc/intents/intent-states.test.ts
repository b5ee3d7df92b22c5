import { expect, test } from 'vitest'
import { placesOrder } from './intent-states.ts'
import type { Title } from './titles.ts'

const of = { side: 'long', symbol: 'BTC-PERP', pairId: 1 } as const
const opening = { code: 'open', side: 'long', orderValueUsdc: '250', price: '90000', symbol: null } as const

test.each<Title>([
  { ...opening, orderType: 'limit' },
  { ...opening, orderType: 'stop' },
  { code: 'close', of, size: null, limitPrice: '110000' },
  { code: 'close', of, size: '0.1', limitPrice: '110000' },
  { code: 'replace', of },
])('the app says that an order may still be open after its transaction is final: %j', (title) => {
  expect(placesOrder(title)).toBe(true)
})

test.each<Title>([
  { ...opening, orderType: 'market', price: null },
  { code: 'close', of, size: null, limitPrice: null },
  { code: 'cancel', of },
  { code: 'invert', of },
  { code: 'tpsl', of, takeProfit: '110000' },
  { code: 'deposit', amount: '25', token: 'USDC' },
  { code: 'batch', actions: 3 },
  { code: 'as_written', text: 'Long 250.00 USDC at limit 90,000.0' },
])('the app recognises that no order remains open after the transaction is final: %j', (title) => {
  expect(placesOrder(title)).toBe(false)
})
