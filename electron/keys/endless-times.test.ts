import { expect, test } from 'vitest'
import { exactTime, relativeText } from '../../renderer/kit/time/time.tsx'
import { KeyList } from '../../shared/api/schemas/keys/key-resources.ts'
import { foreign } from '../../shared/foreign/foreign.ts'
import { readJson } from '../../shared/foreign/parse-json.ts'
import { answerJson, keysText } from '../terminal/channel/refusal.ts'

const nowMs = Date.UTC(2026, 10, 6)

const endless = [
  '9223372036854775807',
  '18446744073709551615',
  '253402300799',
  '253402300799000',
  '"9999-12-31T23:59:59Z"',
  '"0001-01-01T00:00:00Z"',
  '0',
  '-1',
  '"never"',
]
const unreadable = ['-5', '99999999999999999', '"soon"', '"+058863-10-18T00:00:00Z"', '[]', 'true']

function shown(value: string) {
  const answer = KeyList.read(
    readJson(foreign(`{"keys":[{"key_id":"k","label":"bot","status":"active","expires_at":${value},"created_at":${value},"last_used_at":${value}}]}`)),
  )
  if (!answer.ok) throw new Error('it is not read at all')
  const [key] = answer.value.keys
  if (key === undefined) throw new Error('no key is read')
  const { label, id, status, expiresAtMs, createdAtMs, lastUsedAtMs } = key
  const listed = { id, label: label ?? '', status, expiresAtMs, createdAtMs, here: true, wallet: null }
  const written = [keysText([listed as never]), answerJson({ type: 'list', profile: 'p', source: 'service', keys: [listed] } as never)]
  for (const ms of [expiresAtMs, createdAtMs, lastUsedAtMs]) if (ms !== null) written.push(exactTime(ms), relativeText(ms, nowMs), new Date(ms).toISOString())
  return { key, written }
}

test.each(endless)('the app reads the expiry %s of a key as “never expires”: the key stays active, and no view shows a wrong expiry date [F2]', (value) => {
  const { key, written } = shown(value)
  expect(key.expiresAtMs).toBeNull()
  expect(key.status).toBe('active')
  expect(written.join('')).not.toMatch(/1970|58863|292278994/)
})

test.each(unreadable)('if a key’s expiry is the invalid value %s, the app shows the expiry as unknown and lists it among the unknown fields [F2]', (value) => {
  const { key } = shown(value)
  expect(key.expiresAtMs).toBeNull()
  expect(key.unknownFields).toContain('expires_at')
})

test.each([
  ['1794000000', 1_794_000_000_000],
  ['1794000000000', 1_794_000_000_000],
  ['1794000000000000', 1_794_000_000_000],
  ['1794000000000000000', 1_794_000_000_000],
  ['"2026-11-06T21:20:00Z"', 1_794_000_000_000],
])('the app reads the expiry %s correctly in seconds, milliseconds, a smaller unit or as an ISO date [F2]', (value, ms) => {
  expect(shown(value).key.expiresAtMs).toBe(ms)
})
