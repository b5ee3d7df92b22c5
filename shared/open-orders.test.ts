import { expect, test } from 'vitest'
import { isWaiting } from './positions.ts'

test('counts a finished order as not open, however the service spells its status', () => {
  for (const status of ['filled', 'CANCELLED', 'Canceled', 'expired', 'rejected', ' reverted ']) expect(isWaiting({ status }), status).toBe(false)
})

test('counts an order with an undocumented or missing status as open', () => {
  for (const status of ['open', 'partially_filled', 'triggered_v2', null]) expect(isWaiting({ status })).toBe(true)
})
