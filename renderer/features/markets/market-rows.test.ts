import { expect, test } from 'vitest'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { firstOrder, marketRows, matches, orderOf, wholeInterest } from './market-rows.ts'

const market = (id: number, symbol: string): Market => ({
  id,
  symbol,
  base: symbol.split('-')[0] ?? symbol,
  priceDecimals: null,
  sizeDecimals: null,
  tickSize: null,
  minOrderUsdc: null,
  maxOrderUsdc: null,
  maxLeverage: null,
  status: null,
  unknownFields: null,
})

const summary = (id: number, change: Partial<MarketSummary>): MarketSummary => ({
  id,
  mark: null,
  index: null,
  change24h: null,
  volume24hUsdc: null,
  openInterestLongUsdc: null,
  openInterestShortUsdc: null,
  fundingRate: null,
  nextFundingAtMs: null,
  priceAtMs: null,
  ...change,
})

const listed = [market(1, 'BTC-PERP'), market(2, 'ETH-PERP'), market(3, 'AERO-PERP'), market(4, 'TIA-PERP')]
const rows = marketRows(listed, [
  summary(1, { mark: '96000.5', change24h: '-1.84', openInterestLongUsdc: '3', openInterestShortUsdc: '4' }),
  summary(2, { mark: '3300', change24h: '10.2', openInterestLongUsdc: '5' }),
  summary(3, { mark: '1.2437', change24h: '2' }),
  summary(9, { mark: '5' }),
])
const symbols = (key: Parameters<typeof firstOrder>[0], down = firstOrder(key).down) =>
  orderOf(rows, { key, down }).map((id) => listed.find((one) => one.id === id)?.base)

test('the list of markets contains every market that the service offers, with its price and other figures if the service reports them', () => {
  expect(rows.map(({ market: { id }, summary: said }) => [id, said?.mark ?? null])).toEqual([
    [1, '96000.5'],
    [2, '3300'],
    [3, '1.2437'],
    [4, null],
  ])
})

test('the list of markets sorts by the greatest number first, and keeps missing numbers last in both directions', () => {
  expect(symbols('mark')).toEqual(['BTC', 'ETH', 'AERO', 'TIA'])
  expect(symbols('mark', false)).toEqual(['AERO', 'ETH', 'BTC', 'TIA'])
  expect(symbols('change')).toEqual(['ETH', 'AERO', 'BTC', 'TIA'])
  expect(symbols('change', false)).toEqual(['BTC', 'AERO', 'ETH', 'TIA'])
  expect(symbols('symbol')).toEqual(['AERO', 'BTC', 'ETH', 'TIA'])
  expect(symbols('volume')).toEqual(['AERO', 'BTC', 'ETH', 'TIA'])
})

test('the list of markets shows no total open interest if the long or short side is missing', () => {
  expect(rows.map(({ summary: said }) => wholeInterest(said))).toEqual(['7', null, null, null])
})

test('the search in the list of markets finds a market by any part of its name, ignoring case', () => {
  expect(listed.filter((one) => matches(one, ' tc-p ')).map(({ id }) => id)).toEqual([1])
  expect(listed.filter((one) => matches(one, 'PERP'))).toHaveLength(4)
  expect(listed.filter((one) => matches(one, 'nothing'))).toEqual([])
})
