import { expect, test } from 'vitest'
import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { day } from '../../../shared/time.ts'
import { arrangeKeys, countKeys, lifeOf } from './key-view.ts'

const now = 1_000 * day
const key = (label: string, more: Partial<KeySummary> = {}): KeySummary => ({
  id: `key_${label}`,
  label,
  scopes: ['market:read'],
  status: 'active',
  createdAtMs: now - 10 * day,
  expiresAtMs: now + 90 * day,
  lastUsedAtMs: null,
  allowlist: [],
  agent: null,
  executor: null,
  secret: 'keychain',
  masked: null,
  inUse: false,
  unknownFields: null,
  ...more,
})

test('the soonest end comes first, and an unknown end last', () => {
  const keys = [key('late'), key('unknown', { expiresAtMs: null }), key('soon', { expiresAtMs: now + 3 * day })]
  expect(arrangeKeys(keys, 'all', '', now).active.map((one) => one.label)).toEqual(['soon', 'late', 'unknown'])
})

test('counts what the filters will show', () => {
  const keys = [key('a'), key('b', { expiresAtMs: now + 13 * day }), key('c', { status: 'revoked', expiresAtMs: now + day })]
  expect(countKeys(keys, now)).toEqual({ all: 3, active: 2, ending: 1, inactive: 1 })
  expect(arrangeKeys(keys, 'inactive', '', now)).toMatchObject({ active: [], inactive: [{ label: 'c' }] })
})

test('finds a key by label, id, scope or address', () => {
  const keys = [key('grid', { allowlist: ['203.0.113.7'] }), key('other', { scopes: ['collateral:manage'] })]
  expect(arrangeKeys(keys, 'all', '203.0', now).active).toHaveLength(1)
  expect(arrangeKeys(keys, 'all', 'COLLATERAL', now).active[0]?.label).toBe('other')
})

test('says how much life is left, and nothing where the service said nothing [ERR-02]', () => {
  expect(lifeOf(key('a', { expiresAtMs: now + 3.5 * day, createdAtMs: now - 86.5 * day }), now)).toEqual({ days: 3, share: 3.5 / 90, tone: 'danger' })
  expect(lifeOf(key('b', { createdAtMs: null }), now).share).toBeNull()
  expect(lifeOf(key('c', { expiresAtMs: null }), now)).toEqual({ days: null, share: null, tone: 'quiet' })
})
