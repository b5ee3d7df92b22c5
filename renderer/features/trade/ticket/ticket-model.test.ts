import { expect, test } from 'vitest'
import type { AccountSummary } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { cents, freeMargin, marginUsed, mostOpenable, reviewWords, shareOf, sizeAtShare, valueAtShare } from './ticket-model.ts'

const market: Market = {
  id: 1,
  symbol: 'BTC-PERP',
  base: 'BTC',
  priceDecimals: 1,
  sizeDecimals: 4,
  tickSize: '0.5',
  minOrderUsdc: '10',
  maxOrderUsdc: '500000',
  maxLeverage: 50,
  status: 'open',
  unknownFields: null,
}
const account: AccountSummary = {
  wallet: '0x7A3f',
  equity: '48216.37',
  collateral: '47740.65',
  freeMargin: '37189.19',
  marginUsedPercent: '22.9',
  unrealisedPnl: '475.72',
  healthFactor: '4.37',
  liquidationState: 'safe',
  unknownFields: null,
  readAtMs: 0,
}

test('the ticket limits an order to free margin times leverage, and to the market’s maximum order [ORD-04]', () => {
  expect(mostOpenable(account, market, '10')).toBe('371891.9')
  expect(mostOpenable(account, market, '50')).toBe('500000')
  expect(mostOpenable({ ...account, freeMargin: '-5' }, market, '10')).toBe('0')
})

test('the ticket shows no maximum order size without an account or with an invalid leverage [ERR-02]', () => {
  expect(mostOpenable(undefined, market, '10')).toBeNull()
  expect(mostOpenable(account, market, '2.5')).toBeNull()
  expect(shareOf('100', null)).toBe(0)
})

test('the ticket keeps the size slider and the typed amount in sync, and never requests more than the maximum order', () => {
  const most = '371891.9'
  expect(shareOf(valueAtShare(25, most), most)).toBe(25)
  expect(valueAtShare(100, '0.019')).toBe('0.01')
  expect(shareOf('9999999', most)).toBe(100)
})

test('the ticket shows the margin before and after the order, but no margin after the order if a number is missing', () => {
  expect(freeMargin(account, '25')).toEqual({ before: '37189.19', after: '37164.19' })
  expect(marginUsed(account, '2500')).toEqual({ before: '22.9', after: '28.08' })
  expect(marginUsed({ ...account, equity: null }, '2500').after).toBeNull()
})

test('the ticket’s Review button names the order’s side and amount', () => {
  expect(reviewWords('long', '250')).toBe('Review long, 250.00 USDC')
  expect(reviewWords('short', null)).toBe('Review short')
})

test('the ticket never rounds a non-zero USDC amount to zero', () => {
  expect([cents('0.0004'), cents('2500.125'), cents('0')]).toEqual(['0.0004', '2,500.13', '0.00'])
})

test('the ticket converts the size slider’s position to the chosen unit, and uses all free margin at the maximum [ORD-04]', () => {
  const facts = { entry: '96412.5', leverage: 10, freeMargin: '37189.19', market }
  const most = mostOpenable(account, market, '10') ?? '0'
  expect(sizeAtShare(25, most, 'usdc', facts)).toBe('92972.97')
  expect(sizeAtShare(25, most, 'base', facts)).toBe('0.9643')
  expect([25, 100].map((percent) => sizeAtShare(percent, most, 'free_margin', facts))).toEqual(['25', '100'])
  expect(sizeAtShare(0, most, 'usdc', facts)).toBe('')
  // In this case the market's maximum order is smaller than what the free margin allows. It needs only 26.89 % of the free margin.
  expect(sizeAtShare(100, '100000', 'free_margin', facts)).toBe('26.89')
})
