import { expect, test } from 'vitest'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { day } from '../../../../shared/time.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import { shownAdvice, worthDoing } from './key-list.tsx'

const now = 1_000 * day
const key = (more: Partial<KeySummary>): KeySummary => ({
  id: 'key_1',
  label: 'grid',
  scopes: ['market:read'],
  scopesFrom: 'service',
  status: 'active',
  createdAtMs: now - day,
  expiresAtMs: now + 90 * day,
  lastUsedAtMs: null,
  allowlist: ['203.0.113.7'],
  agent: null,
  executor: null,
  secret: 'keychain',
  masked: null,
  inUse: false,
  quotas: null,
  note: null,
  unknownFields: null,
  ...more,
})

test('the keys page gives no advice about a key that has few scopes and does not expire soon', () => {
  expect(worthDoing([key({})], now)).toEqual([])
})

test('the keys page advises once each about a key’s near expiry, lost grant and missing allowlist', () => {
  const found = worthDoing([key({ allowlist: [], agent: { address: null, granted: false }, expiresAtMs: now + 3 * day })], now)
  expect(found.map((one) => one.icon)).toEqual(['clock', 'bot', 'globe'])
  expect(found[0]?.text('grid')).toEqual(keysText.keyExpiresIn('grid', 'in 3 days'))
  expect(found.map(({ to }) => to)).toEqual(['keys/key_1/extend?over=list', 'keys/key_1/grant?over=list', 'keys/new'])
})

test('the keys page gives no advice about facts that the service does not report, or about revoked keys [ERR-02]', () => {
  expect(worthDoing([key({ allowlist: null, scopes: null, expiresAtMs: null }), key({ status: 'revoked', allowlist: [] })], now)).toEqual([])
})

test('the advice on the keys page lists every key that expires soon, soonest first, before other advice', () => {
  const ends = [9, 2, 12, 5].map((days) => key({ id: `in_${days}`, expiresAtMs: now + days * day }))
  const open = [1, 2, 3, 4].map((index) => key({ id: `open_${index}`, allowlist: [] }))
  expect(shownAdvice(worthDoing([...open, ...ends], now)).map(({ id }) => id)).toEqual([
    ...['in_2/clock', 'in_5/clock', 'in_9/clock', 'in_12/clock'],
    ...['open_1/globe', 'open_2/globe', 'open_3/globe'],
  ])
})
