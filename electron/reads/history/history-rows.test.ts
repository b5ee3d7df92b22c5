import { expect, test } from 'vitest'
import { OrderPage } from '../../../shared/api/schemas/account-resources.ts'
import { orderRow } from './history-rows.ts'

test('takes an order’s value from the service, else computes size times price; a missing or zero price leaves it unknown [ACC-01]', () => {
  const worthOf = (order: object) => {
    const page = OrderPage.parse({ orders: { items: [{ order_id: 'o1', ...order }], next_cursor: 1, has_more: false, limit: 50 } })
    return page.items.map((item) => orderRow(item).valueUsdc)
  }
  expect(worthOf({ size: '0.5', price: '94000.5', order_value_usdc: '47000' })).toEqual(['47000'])
  expect(worthOf({ size_base: '0.5', price: '94000.5' })).toEqual(['47000.25'])
  expect(worthOf({ baseSize: 3, price: 1.5, order_value_usdc: null })).toEqual(['4.5'])
  expect(worthOf({ size_base: '0.5', price: '0' })).toEqual([null])
  expect(worthOf({ size_base: '0.5' })).toEqual([null])
  // This field name does not show the unit of the size, which may be USDC. The value is therefore unknown.
  expect(worthOf({ size: '0.5', price: '94000.5' })).toEqual([null])
})
