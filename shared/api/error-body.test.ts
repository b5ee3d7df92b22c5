import { expect, test } from 'vitest'
import { foreign } from '../foreign/foreign.ts'
import { readErrorBody } from './error-body.ts'

const shapes: readonly (readonly [string, string, { code: string | null; message: string | null; requestId: string | null }])[] = [
  [
    'nested',
    '{"success":false,"error":{"code":"IP_NOT_ALLOWED","message":"Not from here"},"request_id":"req-12345678"}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: 'req-12345678' },
  ],
  [
    'flat',
    '{"code":"IP_NOT_ALLOWED","message":"Not from here","requestId":"req-12345678"}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: 'req-12345678' },
  ],
  ['string', '{"error":"IP_NOT_ALLOWED","detail":"Not from here"}', { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null }],
  ['list', '{"errors":[{"code":"IP_NOT_ALLOWED","message":"Not from here"}]}', { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null }],
  ['text', 'IP_NOT_ALLOWED: Not from here', { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null }],
  ['bare code', 'IP_NOT_ALLOWED', { code: 'IP_NOT_ALLOWED', message: null, requestId: null }],
  ['prose', 'Not from here', { code: null, message: 'Not from here', requestId: null }],
  [
    'numeric code beside the word',
    '{"code":403,"error":"IP_NOT_ALLOWED","message":"Not from here"}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null },
  ],
  [
    'outer and inner code',
    '{"code":"ERROR","error":{"code":"IP_NOT_ALLOWED","message":"Not from here"}}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null },
  ],
  [
    'problem details',
    '{"type":"about:blank","title":"Forbidden","detail":"Not from here","code":"IP_NOT_ALLOWED"}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null },
  ],
  [
    'lower case code',
    '{"error":{"code":"delegated_executor_binding_required"}}',
    { code: 'delegated_executor_binding_required', message: null, requestId: null },
  ],
  [
    'request id inside',
    '{"error":{"code":"IP_NOT_ALLOWED","message":"Not from here","request_id":"req-12345678"}}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: 'req-12345678' },
  ],
  ['code as message', '{"message":"IP_NOT_ALLOWED"}', { code: 'IP_NOT_ALLOWED', message: null, requestId: null }],
  ['error is prose', '{"error":"Not from here"}', { code: null, message: 'Not from here', requestId: null }],
  [
    'validation list',
    '{"detail":[{"loc":["body"],"msg":"Not from here","type":"value_error"}]}',
    { code: 'value_error', message: 'Not from here', requestId: null },
  ],
  [
    'in data',
    '{"success":false,"data":{"error":{"code":"IP_NOT_ALLOWED","message":"Not from here"}}}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null },
  ],
  ['JSON text', '"IP_NOT_ALLOWED"', { code: 'IP_NOT_ALLOWED', message: null, requestId: null }],
  ['array', '[{"code":"IP_NOT_ALLOWED","message":"Not from here"}]', { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: null }],
  [
    'in another case',
    '{"Error":{"Code":"IP_NOT_ALLOWED","Message":"Not from here"},"Request-ID":"req-12345678"}',
    { code: 'IP_NOT_ALLOWED', message: 'Not from here', requestId: 'req-12345678' },
  ],
  ['nothing', '', { code: null, message: null, requestId: null }],
  ['null', 'null', { code: null, message: null, requestId: null }],
  ['a page of a proxy', '<!doctype html><title>502</title>', { code: null, message: null, requestId: null }],
]

test.each(shapes)('the app finds the code, the message and the request id in an error body of the shape “%s” [ERR-01]', (_name, raw, expected) => {
  const { code, message, requestId } = readErrorBody(foreign(raw))
  expect({ code, message, requestId }).toEqual(expected)
})

test('the app finds the field that a refusal of the service names, regardless of upper and lower case in the refusal’s property names', () => {
  const { invalidFields } = readErrorBody(foreign('{"Error":{"Code":"VALIDATION_ERROR","Message":"payload.id is required","Field":"payload.id"}}'))
  expect(invalidFields).toEqual([{ name: 'id', path: ['payload', 'id'], problem: 'missing', isExact: true }])
})

test('the app prefers the request id in an error response’s header to the request id in its body [ERR-01]', () => {
  expect(readErrorBody(foreign('{"request_id":"body-id-1"}'), 'header-id-1').requestId).toBe('header-id-1')
  expect(readErrorBody(foreign('plain'), 'header-id-1').requestId).toBe('header-id-1')
})

test('the app finds the scope that a refusal of the service reports as missing, and ignores words that are not scopes', () => {
  expect(readErrorBody(foreign('{"error":{"code":"SCOPE_REQUIRED"},"required_scope":"orders:manage"}')).requiredScope).toBe('orders:manage')
  expect(readErrorBody(foreign('{"error":{"code":"SCOPE_REQUIRED","required_scope":"everything"}}')).requiredScope).toBeNull()
})

test('the app removes secrets from the parts of an error body that the app keeps [AUTH-09]', () => {
  const body = readErrorBody(foreign('{"code":"X_Y","message":"bad key SVCabcdefgh12345678","api_key":"SVCabcdefgh12345678"}'))
  expect(JSON.stringify(body)).not.toContain('abcdefgh12345678')
})

test.each([
  ['{"success":false,"error":{"code":"IP_NOT_ALLOWED","ip":"198.51.100.7"}}', '198.51.100.7'],
  ['{"code":"IP_NOT_ALLOWED","client_ip":"2001:db8::1"}', '2001:db8::1'],
  ['{"code":"IP_NOT_ALLOWED","address":"0x000000000000000000000000000000000000dEaD"}', null],
  ['{"code":"IP_NOT_ALLOWED","ip":"a:b"}', null],
  ['IP_NOT_ALLOWED: 198.51.100.7', null],
])('the app finds the IP address in an error answer, and does not mistake other text for an address: %s [AUTH-05]', (raw, address) => {
  expect(readErrorBody(foreign(raw)).address).toBe(address)
})
