import { expect, test } from 'vitest'
import { parsePlace } from '../../app/shell-store.ts'
import { tradeSheetOf, underTradeSheet } from './trade-sheet-place.ts'

const at = (address: string) => {
  const place = parsePlace(address)
  const sheet = tradeSheetOf(place)
  return sheet === null ? null : { ...sheet, under: underTradeSheet(sheet, place.query) }
}

test('the trade page opens the collateral sheet at its own page address, and then returns to the page from which the user opened it', () => {
  expect(at('trade/collateral/deposit')).toEqual({ kind: 'collateral', direction: 'deposit', token: 'USDC', under: 'trade' })
  expect(at('trade/collateral/withdraw?token=SVC&over=overview')).toEqual({ kind: 'collateral', direction: 'withdraw', token: 'SVC', under: 'overview' })
})

test('the sheet that continues an intent opens over the trade page, and then returns to the intent’s page in Activity', () => {
  expect(at('trade/continue/ref-1')).toEqual({ kind: 'continue', ref: 'ref-1', under: 'activity/ref-1' })
  expect(at('trade/continue')).toBeNull()
})

test('the trade page opens no sheet if the page address names only a market', () => expect([at('trade'), at('trade/BTC-PERP')]).toEqual([null, null]))

test('the trade page opens the close or cancel form that a page address names, but no form for cancelling a position or closing an order', () => {
  expect(at('trade/position/close/0x1%2F2')).toEqual({ kind: 'position', id: '0x1/2', action: 'close', under: 'trade' })
  expect(at('trade/order/cancel/7')).toEqual({ kind: 'order', id: '7', action: 'cancel', under: 'trade' })
  expect([at('trade/position/cancel/7'), at('trade/order/close/7'), at('trade/position/close')]).toEqual([null, null, null])
})
