import { expect, test } from 'vitest'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { keptPreparation } from './prepare.ts'

test('the app stores a preparation with every digit of an id that is too large for a floating-point number', () => {
  const raw = '{"intent_id":"dx_1","payload":{"order_id":90071992547409931},"execution":{"status":"ready","ready":true},"expires_at_ms":1795012328000}'
  const kept = keptPreparation(raw, PreparedAction.parse({ ...JSON.parse(raw), payload: { order_id: '90071992547409931' } }))
  expect(kept).toContain('90071992547409931')
})
