import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../shared/ipc/failure.ts'
import { languageOf } from '../../shared/text/catalogue.ts'
import { de } from '../../shared/text/de.ts'
import { failureReference, failureText } from './failure-text.ts'

const at = { requestId: 'dsk-1', route: 'GET /x' }

const every: readonly Failure[] = [
  { kind: 'internal', reference: 'r1' },
  { kind: 'bad_input', field: 'label', issue: 'too_long 60' },
  { kind: 'bad_input', field: null, issue: 'not_a_number' },
  { kind: 'bad_input', field: 'leverage', issue: ['leverageUpTo', 'BTC-PERP', 50] },
  { kind: 'field_map', issues: [{ code: 'bad_name', line: 3, path: ['payloads', 'cancel_order', 'order_id'], given: 'a b' }] },
  { kind: 'not_found', what: 'key' },
  { kind: 'no_profile' },
  ...(
    ['not_a_url', 'needs_https', 'has_credentials', 'has_path', 'unreachable', 'tls', 'answers_html', 'redirects', 'not_the_service', 'duplicate'] as const
  ).map((issue): Failure => ({ kind: 'host_refused', issue, detail: null })),
  ...(['unsupported_platform', 'anvil_missing', 'no_glibc'] as const).map(
    (why): Failure => ({ kind: 'practice_unavailable', why, system: 'darwin-arm64', npmPackage: why === 'anvil_missing' ? '@foundry-rs/anvil' : null }),
  ),
  ...(['chain', 'exchange', 'relay', 'wallet', 'process'] as const).map((part): Failure => ({ kind: 'practice_failed', part, detail: 'port in use' })),
  { kind: 'sign_in_required' },
  { kind: 'api_key_required', scope: null },
  { kind: 'api_key_required', scope: 'account:read' },
  { kind: 'scope_missing', scope: 'orders:manage', keyLabel: 'hedger' },
  { kind: 'ip_not_allowed', keyLabel: null, allowlist: ['203.0.113.4'], seenAs: null, ...at },
  { kind: 'executor_required', keyLabel: 'hedger', keyId: 'key_1', ...at },
  { kind: 'wrong_credential', route: 'GET /x' },
  { kind: 'refused', status: 403, code: 'SCOPE_REQUIRED', message: 'no', raw: null, ...at },
  { kind: 'refused', status: 500, code: 'INTERNAL', message: 'no', raw: null, ...at },
  { kind: 'rate_limited', retryAfterMs: 4_000, ...at },
  { kind: 'body_too_large', bytes: 50_000, limit: 49_152 },
  ...(['connect', 'tls', 'timeout', 'reset', 'redirect', 'html', 'malformed', 'too_large', 'server_error', 'closing'] as const).map(
    (reason): Failure => ({ kind: 'unreachable', reason, status: 502, ...at }),
  ),
  { kind: 'unreachable', reason: 'server_error', status: null, ...at },
  { kind: 'outcome_unknown', intentRef: null, ...at },
  { kind: 'unreadable', status: 200, missing: ['intent_id'], raw: null, intentRef: null, ...at },
  { kind: 'price_deviation', ...at },
  { kind: 'market_data_stale', ...at },
  ...(['IDEMPOTENCY_KEY_CONFLICT', 'DUPLICATE_CLIENT_ORDER_ID'] as const).map(
    (code): Failure => ({ kind: 'idempotency_conflict', code, intentRef: null, ...at }),
  ),
  { kind: 'locked' },
  { kind: 'gesture_required' },
  ...(['unavailable', 'locked', 'timeout', 'invalid', 'failed'] as const).map((code): Failure => ({ kind: 'keychain', code, detail: null })),
  ...(['disk_full', 'corrupt', 'taken', 'newer', 'read_only'] as const).map((issue): Failure => ({ kind: 'journal', issue })),
  ...(['missing', 'not_allowed', 'disk_full', 'not_a_file', 'not_text', 'too_large', 'changed', 'failed'] as const).map(
    (issue): Failure => ({ kind: 'file', issue, path: '/home/me/bot/.env', detail: null }),
  ),
  ...(['too_slow', 'too_much_memory', 'broken', 'stopped'] as const).map((issue): Failure => ({ kind: 'parsing', issue })),
  ...(['journal_rebuilt', 'rails_lost', 'unknown_intent', 'unknown_intent_old', 'drift', 'state_away'] as const).map(
    (why): Failure => ({ kind: 'held_back', why, intentRef: null }),
  ),
  ...(['order_value', 'leverage', 'daily_loss', 'market'] as const).flatMap((rail): Failure[] => [
    { kind: 'guard_rail', rail, limit: '5', asked: '10' },
    { kind: 'guard_rail', rail, limit: '5', asked: null },
  ]),
  { kind: 'no_wallet' },
  { kind: 'wrong_chain', chainId: 1, expected: 8453 },
  { kind: 'rpc_wrong_chain', chainId: 1, expected: 8453 },
  { kind: 'wrong_wallet', wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', expected: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  { kind: 'challenge_refused', problem: { code: 'other_host', host: 'evil.example', expected: 'dex.example' } },
  { kind: 'signing_refused', why: { code: 'blocked', by: { code: 'not_the_order' } } },
  { kind: 'executor_differs', bound: 'exec-2', sent: 'exec-1' },
  ...(['layout', 'router', 'challenge_layout'] as const).map((what): Failure => ({ kind: 'confirmation_required', what, expected: 'yes' })),
  { kind: 'signature_invalid', expected: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', recovered: null },
  ...(['challenge', 'grant', 'intent', 'signature', 'request'] as const).map((what): Failure => ({ kind: 'expired', what, atMs: 0 })),
  { kind: 'not_executable', status: 'UNSUPPORTED', reason: 'paused', intentRef: 'i' },
  { kind: 'too_early', fromMs: 0 },
  ...(['trade', 'order'] as const).map((by): Failure => ({ kind: 'contradicted', by })),
  { kind: 'wrong_state', state: 'FINAL', wanted: 'SIGNED' },
  { kind: 'wrong_state', state: 'stuck', wanted: 'none_under_way' },
  { kind: 'field_map', issues: [{ code: 'bad_name', line: 3, path: ['payloads', 'cancel', 'order_id'], given: 'a b' }] },
]

test('the sample failures in this test file cover every kind of failure that the app knows', () => {
  const kinds = Failure.options.map((option) => option.shape.kind.value)
  expect(new Set(every.map((failure) => failure.kind))).toEqual(new Set(kinds))
})

test('an error text of the app explains for each failure what happened, what it means and what to do, in full sentences', () => {
  for (const failure of every) {
    const { title, meaning, remedy } = failureText(failure)
    expect(title, failure.kind).toMatch(/^\S.*[^.]$/)
    if (failure.kind !== 'bad_input') expect(meaning, failure.kind).toMatch(/^[\S ]+[.]$/)
    expect(remedy, failure.kind).toMatch(/^[\S ]+\w.*$/)
    expect(`${title}${meaning}${remedy}`, failure.kind).not.toMatch(/!|undefined|null|NaN/)
  }
})

test('an error text of the app contains the service’s own message and code, marked as quoted from the service', () => {
  const text = failureText({ kind: 'refused', status: 409, code: 'KEY_LIMIT_REACHED', message: '<b>10 keys</b>', raw: null, ...at })
  expect(text.said).toBe('<b>10 keys</b>')
  expect(text.meaning).toContain('KEY_LIMIT_REACHED')
  expect(text.remedy).toContain('Revoke or disable a key')
})

test('an error text of the app distinguishes an error of the service from a request that the service refused', () => {
  const answered = (status: number) => failureText({ kind: 'refused', status, code: 'SOME_CODE', message: '', raw: null, ...at })
  expect(answered(500)).toMatchObject({ title: 'The service failed', remedy: expect.stringContaining('not your request') })
  expect(answered(422)).toMatchObject({ title: 'The service refused', remedy: expect.stringContaining('Check your input') })
})

test('an error text never says that the service answered if the app sent the service no request', () => {
  const { meaning } = failureText({ kind: 'unreachable', reason: 'server_error', status: null, ...at })
  expect(meaning).not.toContain('answered')
  expect(failureText({ kind: 'unreachable', reason: 'server_error', status: 502, ...at }).meaning).toContain('The service answered 502.')
})

test('an error text names the thing that is missing, such as the order book, or the state that blocks the action', () => {
  expect(failureText({ kind: 'not_found', what: 'order_book' }).title).toBe('Order book not found')
  expect(failureText({ kind: 'wrong_state', state: 'FINAL', wanted: 'SIGNED' }).meaning).toContain('“Final”')
  expect(failureText({ kind: 'wrong_state', state: 'stuck', wanted: 'none_under_way' }).meaning).toBe('A replacement is already in progress.')
})

test('an error text contains the service’s request id for support, or otherwise the reference in the app’s own log [GEN-05]', () => {
  expect(failureReference({ kind: 'price_deviation', ...at })).toEqual({ label: 'Request', id: 'dsk-1' })
  expect(failureReference({ kind: 'internal', reference: 'r1' })).toEqual({ label: 'Reference', id: 'r1' })
  expect(failureReference({ kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: null })).toBeNull()
  expect(failureReference({ kind: 'no_wallet' })).toBeNull()
})

test('an error text names the scope that a key lacks, and says if the service refused the IP address [AUTH-02 AUTH-05]', () => {
  expect(failureText({ kind: 'api_key_required', scope: 'account:read' }).meaning).toContain('account:read')
  const refused = failureText({ kind: 'ip_not_allowed', keyLabel: 'hedger', allowlist: ['203.0.113.4', '198.51.100.0/24'], seenAs: '192.0.2.7', ...at })
  expect(refused.title).toContain('address')
  expect(refused.meaning).toContain('203.0.113.4, 198.51.100.0/24')
  expect(refused.meaning).toContain('192.0.2.7')
})

test('the app shows an error about invalid input in the app’s language, and shows an error text stored by an earlier version unchanged', () => {
  const meaning = (issue: Extract<Failure, { kind: 'bad_input' }>['issue']) => failureText(Failure.parse({ kind: 'bad_input', field: null, issue })).meaning
  expect(meaning(['leverageUpTo', 'BTC-PERP', 50])).toBe('BTC-PERP allows up to 50×.')
  onTestFinished(() => {
    globalThis.spoken = undefined
  })
  globalThis.spoken = languageOf('de', { ...de })
  expect(meaning(['leverageUpTo', 'BTC-PERP', 50])).toBe('BTC-PERP erlaubt bis zu 50×.')
  expect(meaning(['typePrice'])).toBe('Geben Sie einen Preis ein.')
  expect(meaning('form Type a price.')).toBe('Type a price.')
  expect(meaning(['of_a_later_version', 1])).toBe('Of_a_later_version.')
})

test('a refusal with a known code has a sentence for it, and quotes the code for support', () => {
  const refused = (code: string) => failureText({ kind: 'refused', status: 409, code, message: '', raw: null, ...at }).meaning
  expect(refused('POSITION_NOT_FOUND')).toBe('This position no longer exists. The service answered 409 with POSITION_NOT_FOUND. Nothing was changed.')
  expect(refused('X_17')).toBe('The service answered 409 with X_17. Nothing was changed.')
})
