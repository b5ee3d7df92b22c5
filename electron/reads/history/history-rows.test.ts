import { expect, test } from 'vitest'
import { OrderPage } from '../../../shared/api/schemas/account-resources.ts'
import { orderRow } from './history-rows.ts'

test('the app takes the value of an order in the history from the service, or else computes size times price; without a price, it is unknown [ACC-01]', () => {
  const worthOf = (order: object) => {
    const page = OrderPage.parse({ orders: { items: [{ order_id: 'o1', ...order }], next_cursor: 1, has_more: false, limit: 50 } })
    return page.items.map((item) => orderRow(item).valueUsdc)
  }
  expect(worthOf({ size: '0.5', price: '94000.5', order_value_usdc: '47000' })).toEqual(['47000'])
  expect(worthOf({ size_base: '0.5', price: '94000.5' })).toEqual(['47000.25'])
  expect(worthOf({ baseSize: 3, price: 1.5, order_value_usdc: null })).toEqual(['4.5'])
  expect(worthOf({ size_base: '0.5', price: '0' })).toEqual([null])
  expect(worthOf({ size_base: '0.5' })).toEqual([null])
  // This field's name does not show whether the size is in USDC or in the base asset, so the order's value is unknown.
  expect(worthOf({ size: '0.5', price: '94000.5' })).toEqual([null])
})
