import { expect, test } from 'vitest'
import { MarketCatalogue } from './market-resources.ts'

const symbols = (markets: readonly unknown[]) => {
  const found = MarketCatalogue.read({ markets })
  return found.ok ? found.value.markets.map(({ symbol }) => symbol) : found.issues
}

test('the app lists a market with an overlong name under a shortened name [ERR-02]', () => {
  const long = `BTC-PERP${'W'.repeat(10_240)}`
  expect(
    symbols([
      { id: 1, symbol: long },
      { id: '2', info: { market_name: 'ETH-PERP' } },
    ]),
  ).toEqual([`${long.slice(0, 4_095)}…`, 'ETH-PERP'])
  // The shortened name does not end with half a surrogate pair.
  expect(symbols([{ id: 1, symbol: `${'W'.repeat(4_094)}👩👩` }])).toEqual([`${'W'.repeat(4_094)}…`])
  expect(
    symbols([
      { id: 1, symbol: '' },
      { id: 2, symbol: 'ETH-PERP' },
    ]),
  ).toEqual(['ETH-PERP'])
})
