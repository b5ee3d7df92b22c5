import { expect, test } from 'vitest'
import { parsePlace } from '../../app/shell-store.ts'
import { tradeSheetOf, underTradeSheet } from './trade-sheet-place.ts'

const at = (address: string) => {
  const place = parsePlace(address)
  const sheet = tradeSheetOf(place)
  return sheet === null ? null : { ...sheet, under: underTradeSheet(sheet, place.query) }
}

test('gives the collateral sheet its own address, and returns to the page from which it was opened', () => {
  expect(at('trade/collateral/deposit')).toEqual({ kind: 'collateral', direction: 'deposit', token: 'USDC', under: 'trade' })
  expect(at('trade/collateral/withdraw?token=SVC&over=overview')).toEqual({ kind: 'collateral', direction: 'withdraw', token: 'SVC', under: 'overview' })
})

test('continues an intent in a sheet over the trade page, and returns to the intent’s page in Activity', () => {
  expect(at('trade/continue/ref-1')).toEqual({ kind: 'continue', ref: 'ref-1', under: 'activity/ref-1' })
  expect(at('trade/continue')).toBeNull()
})

test('opens no sheet for the address of a market', () => expect([at('trade'), at('trade/BTC-PERP')]).toEqual([null, null]))
