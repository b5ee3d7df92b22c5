import { expect, test } from 'vitest'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { day, hour } from '../../../shared/time.ts'
import { arrangeKeys, countKeys, emptyList, initialView, type KeyView, leftText, lifeOf, orderBy } from './key-view.ts'

const now = 1_000 * day
const key = (label: string, more: Partial<KeySummary> = {}): KeySummary => ({
  id: `key_${label}`,
  label,
  scopes: ['market:read'],
  scopesFrom: 'service',
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
  quotas: null,
  note: null,
  unknownFields: null,
  ...more,
})

test('the keys page calls the key list empty only if the service returned an empty list, not if reading it failed', () => {
  expect(emptyList(null, null)).toBe('none')
  expect(emptyList(null, new Error('refused'))).toBe('not_read')
  expect(emptyList({ kind: 'sign_in_required' }, null)).toBe('not_read')
})

const shown = (keys: readonly KeySummary[], view: Partial<KeyView> = {}) =>
  arrangeKeys(keys, { ...initialView, ...view }, now).map(({ title, keys: found }) => [title, ...found.map(({ label }) => label)])

const noted = (group: string, environment = '') => ({ note: { owner: 'ivo', environment, group, text: 'pages the desk' } })

test('the key list sorts keys with the soonest expiry first; keys with an unknown expiry stay last in both sort directions', () => {
  const keys = [key('late'), key('unknown', { expiresAtMs: null }), key('soon', { expiresAtMs: now + 3 * day })]
  expect(shown(keys)).toEqual([[null, 'soon', 'late', 'unknown']])
  expect(shown(keys, { order: orderBy(initialView.order, 'expiry') })).toEqual([[null, 'late', 'soon', 'unknown']])
})

test('the key list sorts names with numbers by the number’s value (2 before 10), and puts the most recently used key first', () => {
  const keys = [key('bot 10', { lastUsedAtMs: 5 }), key('bot 2', { lastUsedAtMs: 9 }), key('Alpha')]
  const byName = orderBy(initialView.order, 'name')
  expect(shown(keys, { order: byName })).toEqual([[null, 'Alpha', 'bot 2', 'bot 10']])
  expect(shown(keys, { order: orderBy(byName, 'name') })).toEqual([[null, 'bot 10', 'bot 2', 'Alpha']])
  expect(shown(keys, { order: orderBy(byName, 'used') })).toEqual([[null, 'bot 2', 'bot 10', 'Alpha']])
})

test('the key list shows active keys by the group in the user’s notes, then keys without a group, then inactive keys', () => {
  const keys = [key('a'), key('b', noted('risk', 'production')), key('c', noted('making')), key('d', { ...noted('risk'), status: 'revoked' })]
  expect(shown(keys, { grouping: 'group' })).toEqual([
    ['making', 'c'],
    ['risk', 'b'],
    ['No group', 'a'],
    ['Not active', 'd'],
  ])
  expect(shown(keys, { grouping: 'environment', filter: 'active' })).toEqual([
    ['production', 'b'],
    ['No environment', 'a', 'c'],
  ])
})

test('the key list shows beside each filter how many keys the filter selects', () => {
  const keys = [key('a'), key('b', { expiresAtMs: now + 13 * day }), key('c', { status: 'revoked', expiresAtMs: now + day })]
  expect(countKeys(keys, now)).toEqual({ all: 3, active: 2, ending: 1, inactive: 1 })
  expect(shown(keys, { filter: 'inactive' })).toEqual([['Not active', 'c']])
  expect(shown(keys, { filter: 'ending' })).toEqual([[null, 'b']])
})

test('the search in the key list finds a key by its label, id, scope, allowed IP address, or the user’s notes', () => {
  const keys = [key('grid', { allowlist: ['203.0.113.7'] }), key('other', { scopes: ['collateral:manage'] }), key('third', noted('risk', 'staging'))]
  expect(shown(keys, { typed: '203.0' })).toEqual([[null, 'grid']])
  expect(shown(keys, { typed: 'COLLATERAL' })).toEqual([[null, 'other']])
  for (const typed of ['ivo', 'Staging', ' risk ', 'pages']) expect(shown(keys, { typed })).toEqual([[null, 'third']])
  expect(shown(keys, { typed: 'nobody' })).toEqual([])
})

test('the remaining time of a key never contradicts its date: it has hours below two days, and ends with the word for expired', () => {
  const texts = [14 * day, 2 * day, 2 * day - 1, 20 * hour, 1, 0].map((left) =>
    leftText(lifeOf(key('a', { expiresAtMs: now + left }), now).leftMs ?? Number.NaN),
  )
  expect(texts).toEqual(['14 days', '2 days', '47 h 59 min', '20 h', '0 s', 'Expired'])
})

test('the key list shows the remaining share of a key’s lifetime, and nothing if the service reports no expiry [ERR-02]', () => {
  expect(lifeOf(key('a', { expiresAtMs: now + 3.5 * day, createdAtMs: now - 86.5 * day }), now)).toEqual({ leftMs: 3.5 * day, share: 3.5 / 90, tone: 'danger' })
  expect(lifeOf(key('b', { createdAtMs: null }), now).share).toBeNull()
  expect(lifeOf(key('c', { expiresAtMs: null }), now)).toEqual({ leftMs: null, share: null, tone: 'quiet' })
})
