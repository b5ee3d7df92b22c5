import { expect, test } from 'vitest'
import type { DelegatedItem } from '../../../shared/ipc/intents/tickets.ts'
import { createBatchDraft } from './ticket-drafts.tsx'

const item = (orderId: string): DelegatedItem => ({
  action: 'cancel',
  order: { orderId, pairId: 1, symbol: null, side: null, orderValueUsdc: null, limitPrice: null, triggerPrice: null, takeProfit: null, stopLoss: null },
})

test('the app keeps a separate draft of a batch for each wallet, with the actions in the order in which the user added them [AUTH-03]', () => {
  const store = createBatchDraft()
  const orders = (wallet: string) =>
    (store.getState().byWallet[wallet] ?? []).map(({ item }) => ('order' in item && 'orderId' in item.order ? item.order.orderId : ''))
  for (const id of ['a', 'b', 'c']) store.getState().add('0xA', item(id))
  store.getState().add('0xB', item('other'))
  expect([orders('0xA'), orders('0xB')]).toEqual([['a', 'b', 'c'], ['other']])
  const [first, second] = store.getState().byWallet['0xA'] ?? []
  store.getState().move('0xA', first?.id ?? 0, 2)
  expect(orders('0xA')).toEqual(['b', 'c', 'a'])
  store.getState().move('0xA', first?.id ?? 0, -5)
  store.getState().move('0xA', second?.id ?? 0, 99)
  expect(orders('0xA')).toEqual(['a', 'c', 'b'])
  store.getState().move('0xA', 999, 0)
  store.getState().remove('0xA', second?.id ?? 0)
  expect(orders('0xA')).toEqual(['a', 'c'])
  store.getState().clear('0xA')
  expect([orders('0xA'), orders('0xB')]).toEqual([[], ['other']])
})
