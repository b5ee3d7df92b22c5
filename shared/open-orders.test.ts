import { expect, test } from 'vitest'
import { isWaiting } from './positions.ts'

test('the app does not count a finished order as open, in any spelling of the order’s status', () => {
  for (const status of ['filled', 'CANCELLED', 'Canceled', 'expired', 'rejected', ' reverted ']) expect(isWaiting({ status }), status).toBe(false)
})

test('the app counts an order with an undocumented or missing status as open', () => {
  for (const status of ['open', 'partially_filled', 'triggered_v2', null]) expect(isWaiting({ status })).toBe(true)
})
