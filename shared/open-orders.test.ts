import { expect, test } from 'vitest'
import { isWaiting } from './positions.ts'

test('an order that the service calls finished does not wait, however it is spelled', () => {
  for (const status of ['filled', 'CANCELLED', 'Canceled', 'expired', 'rejected', ' reverted ']) expect(isWaiting({ status }), status).toBe(false)
})

test('an order of a status that nobody documented, or of none, still waits', () => {
  for (const status of ['open', 'partially_filled', 'triggered_v2', null]) expect(isWaiting({ status })).toBe(true)
})
