import { expect, test } from 'vitest'
import type { AccountSummary } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import { freeMargin, marginUsed, mostOpenable, reviewWords, shareOf, simulationRows, valueAtShare } from './ticket-model.ts'

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

test('what can be opened is free margin times leverage, and never more than the market takes [ORD-04]', () => {
  expect(mostOpenable(account, market, '10')).toBe('371891.9')
  expect(mostOpenable(account, market, '50')).toBe('500000')
  expect(mostOpenable({ ...account, freeMargin: '-5' }, market, '10')).toBe('0')
})

test('without an account or with a leverage that is none, nothing is claimed [ERR-02]', () => {
  expect(mostOpenable(undefined, market, '10')).toBeNull()
  expect(mostOpenable(account, market, '2.5')).toBeNull()
  expect(shareOf('100', null)).toBe(0)
})

test('the slider and the amount agree, and a full slider never asks for more than there is', () => {
  const most = '371891.9'
  expect(shareOf(valueAtShare(25, most), most)).toBe(25)
  expect(valueAtShare(100, '0.019')).toBe('0.01')
  expect(shareOf('9999999', most)).toBe(100)
})

test('shows margin before and after, and no after where one number is missing', () => {
  expect(freeMargin(account, '25')).toEqual({ before: '37189.19', after: '37164.19' })
  expect(marginUsed(account, '2500')).toEqual({ before: '22.9', after: '28.08' })
  expect(marginUsed({ ...account, equity: null }, '2500').after).toBeNull()
})

test('the button names side and amount', () => {
  expect(reviewWords('long', '250')).toBe('Review long, 250.00 USDC')
  expect(reviewWords('short', null)).toBe('Review short')
})

test('a before and its after stand on one line, in the order a trader reads, with units and to the cent', () => {
  const rows = simulationRows([
    { label: 'Fee, USDC', value: '1.249602' },
    { label: 'Health after', value: '3.56' },
    { label: 'Margin used before, %', value: '0' },
    { label: 'Margin used after, %', value: '28.14' },
    { label: 'Price impact', value: 'none' },
    { label: 'Margin, USDC', value: '2,500.125' },
    { label: 'Entry', value: '96,421.8' },
  ])
  expect(rows).toEqual([
    { label: 'Entry', before: null, value: '96,421.8', unit: null },
    { label: 'Margin', before: null, value: '2,500.13', unit: 'USDC' },
    { label: 'Margin used', before: '0.0', value: '28.1', unit: '%' },
    { label: 'Health after', before: null, value: '3.56', unit: null },
    { label: 'Price impact', before: null, value: 'none', unit: null },
  ])
})

test('an amount is never rounded to nothing', () => {
  expect(simulationRows([{ label: 'Margin, USDC', value: '0.0004' }])).toMatchObject([{ value: '0.0004' }])
})
