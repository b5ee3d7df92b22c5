import { expect, test } from 'vitest'
import type { CheckRow } from '../../../../shared/ipc/host/service-check.ts'
import { unreadText } from './service-check-detail.tsx'

const row = (more: Partial<CheckRow>): CheckRow => ({
  ...{ id: 'getCandles', kind: 'read', route: 'GET /candles', action: null, outcome: 'partly', scope: null, failure: null, checkedAtMs: 1 },
  ...{ read: 5, fields: 6, unread: [], records: 50, incomplete: 0, ...more },
})

test('a partly read row of the service check names what the app did not read, and why', () => {
  const volume = { field: 'volume', state: 'unknown', reason: 'unit' } as const
  const missing = ['open', 'high', 'low'].map((field) => ({ field, state: 'missing', reason: null }) as const)
  expect(unreadText(row({ unread: [volume] }))).toBe('Not read: volume. The service names no unit.')
  expect(unreadText(row({ unread: [volume, ...missing] }))).toMatch(/^Not read: volume\..* open\. Missing from the response\..* And 1 more\.$/)
  expect(unreadText(row({ incomplete: 3 }))).toBe('3 of 50 records lack a required field and are left out.')
  expect(unreadText(row({ outcome: 'read' }))).toBe(null)
})
