import { expect, test } from 'vitest'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding } from '../../../../shared/ipc/keys/leaks.ts'
import { bytesText, findingState, kindText, lengthText, outcomeText, readText, skippedText } from './leak-words.ts'

const limits = { fileBytes: 67_108_864, historyBytes: 536_870_912, files: 500_000, found: 500 }
const finding: LeakFinding = {
  id: 'f1',
  folder: '/home/me/bot',
  name: '.env',
  path: '/home/me/bot/.env',
  where: 'file',
  object: null,
  line: 1,
  column: 13,
  kind: 'api_key',
  form: 'plain',
  owner: 'key',
  key: { id: 'key_1', label: 'grid', status: 'active' },
  current: true,
  sure: 'certain',
  mask: 'SVC••••••••',
  ignored: false,
}
const entry = (status: KeySummary['status']): KeySummary => ({
  id: 'key_1',
  label: 'grid',
  scopes: null,
  scopesFrom: null,
  status,
  createdAtMs: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  allowlist: null,
  agent: null,
  executor: null,
  quotas: null,
  note: null,
  secret: 'keychain',
  masked: null,
  inUse: false,
  unknownFields: null,
})

test('the leak scan recommends revoking a key only if the leaked secret is the key’s current secret and the key may still work', () => {
  expect(findingState(finding, undefined)).toMatchObject({ word: 'Works', live: true, tone: 'danger' })
  expect(findingState(finding, entry('unknown'))).toMatchObject({ word: 'May work', live: true })
  expect(findingState({ ...finding, current: false }, undefined)).toMatchObject({ word: 'Replaced', live: false })
  expect(findingState({ ...finding, owner: 'other_wallet', key: null }, undefined)).toMatchObject({ word: 'Another wallet’s key', live: false })
  expect(findingState({ ...finding, owner: 'sign_in', key: null }, undefined)).toMatchObject({ word: 'Works until it expires', live: false })
  expect(findingState({ ...finding, owner: 'sign_in', key: null, current: false }, undefined)).toMatchObject({ word: 'Expired', live: false })
  expect(findingState({ ...finding, owner: 'unknown', key: null, current: false }, undefined)).toMatchObject({ word: 'Not known', live: false })
})

test('the leak scan’s result shows a key’s state from the key list rather than the state that the scan stored', () => {
  expect(findingState(finding, entry('revoked'))).toMatchObject({ word: 'Revoked', live: false })
  expect(findingState({ ...finding, key: { id: 'key_1', label: 'grid', status: 'unknown' } }, entry('expired'))).toMatchObject({ word: 'Expired' })
})

test('the leak scan’s result shows sizes, durations and counts in readable units, and names how a secret was encoded', () => {
  expect([1, 512, 3_482, 5_242_880, 1_294_440_000].map(bytesText)).toEqual(['1 byte', '512 bytes', '3.4 KiB', '5 MiB', '1,234.5 MiB'])
  expect(readText({ files: 1, bytes: 10, objects: 0 })).toBe('1 file, 10 bytes')
  expect(readText({ files: 2, bytes: 10, objects: 1_200 })).toBe('2 files, 1,200 git objects, 10 bytes')
  expect([40, 3_000, 75_000].map(lengthText)).toEqual(['less than a second', '3 s', '1 min 15 s'])
  expect(kindText({ kind: 'webhook', form: 'base64' })).toBe('Webhook secret in base64')
})

test('the leak scan’s result lists the kinds of files that it skipped, without ignored files if the user chose to scan those too', () => {
  const skipped = { binary: 2, ignored: 1, link: 0, git: 1, special: 0 }
  expect(skippedText({ skipped, ignoredToo: false })).toBe('2 binary files, 1 name that git ignores, 1 .git folder without a history')
  expect(skippedText({ skipped, ignoredToo: true })).toBe('2 binary files, 1 .git folder without a history')
  expect(skippedText({ skipped: { binary: 0, ignored: 0, link: 0, git: 0, special: 0 }, ignoredToo: true })).toBeNull()
})

test('the leak scan reports where it stopped early, and that there may be more keys', () => {
  expect(outcomeText({ state: 'done', found: 0 }, limits)).toBe('No keys found')
  expect(outcomeText({ state: 'done', found: 1 }, limits)).toBe('Key found in 1 place')
  expect(outcomeText({ state: 'done', found: 2 }, limits)).toBe('Keys found in 2 places')
  expect(outcomeText({ state: 'stopped', found: 0 }, limits)).toBe('Stopped: no keys found so far')
  expect(outcomeText({ state: 'too_many_found', found: 500 }, limits)).toBe('Stopped at 500 places: there may be more')
  expect(outcomeText({ state: 'too_many_files', found: 2 }, limits)).toBe('Stopped at 500,000 files: keys found in 2 places so far')
})
