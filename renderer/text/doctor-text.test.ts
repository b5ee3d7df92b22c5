import { expect, test } from 'vitest'
import { doctorConclusion, doctorFoundText } from './doctor-text.ts'

test.each([
  [{ code: 'scope_listed_refused', said: 'SCOPE_REQUIRED' }, /^The key’s list names this scope, but the service refuses it \(SCOPE_REQUIRED\)\./],
  [{ code: 'clocks_apart', offsetMs: 600_000 }, /^This computer is 10 min behind the service\./],
  [{ code: 'clocks_apart', offsetMs: -90_000 }, /^This computer is 1 min 30 s ahead of the service\./],
  [{ code: 'secret_replaced_elsewhere' }, /lists the key as active/],
  [
    { code: 'address_refused', seenAs: '198.51.100.7', allowlist: ['203.0.113.0/28', '2001:db8::1'] },
    /198\.51\.100\.7, .* Allowed: 203\.0\.113\.0\/28, 2001:db8::1\.$/,
  ],
  [{ code: 'listed_as', status: 'active', now: false }, /: active\. Sign in to see/],
  [{ code: 'listed_as', status: 'revoked', now: false }, /: revoked\.$/],
  [{ code: 'as_stored', text: 'In the keychain.' }, /^In the keychain\.$/],
] as const)('the key doctor says in words what it found: %j', (found, text) => {
  expect(doctorFoundText(found.code === 'address_refused' ? { ...found, allowlist: [...found.allowlist] } : found)).toMatch(text)
})

test('the app links each finding of the key check to the page where the user can fix the problem', () => {
  expect(doctorConclusion('executor_not_bound', 'k1').action?.to).toBe('/keys/k1/executor')
  expect(doctorConclusion('ip_not_allowed', 'k1').action?.to).toBe('/keys/k1')
  expect(doctorConclusion('healthy', 'k1').action).toBeNull()
})
