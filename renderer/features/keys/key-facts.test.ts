import { expect, test } from 'vitest'
import { hour } from '../../../shared/time.ts'
import { warningOf } from './key-facts.tsx'

const nowMs = 100 * hour

test('the keys page warns that a program still uses a key only if the key’s last use was within the last hour', () => {
  expect(warningOf({ inUse: false, lastUsedAtMs: nowMs - 3 * 60_000 }, nowMs)).toBe('a_program')
  expect(warningOf({ inUse: false, lastUsedAtMs: nowMs - hour }, nowMs)).toBeNull()
  expect(warningOf({ inUse: false, lastUsedAtMs: null }, nowMs)).toBeNull()
})

test('the keys page warns that this app uses a key, however long ago the key’s last use was', () => {
  for (const lastUsedAtMs of [null, nowMs, nowMs - 50 * hour]) expect(warningOf({ inUse: true, lastUsedAtMs }, nowMs)).toBe('this_app')
})
