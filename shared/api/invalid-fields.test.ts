import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invalidFieldsOf } from './invalid-fields.ts'

const brief = (body: unknown) => invalidFieldsOf(body).map(({ path, problem }) => `${problem} ${path.join('.')}`)

test.each([
  [{ detail: [{ loc: ['body', 'payload', 'orderId'], msg: 'field required', type: 'value_error.missing' }] }, ['missing body.payload.orderId']],
  [{ type: 'about:blank', title: 'Invalid', status: 422, errors: [{ pointer: '#/payload/orderId', detail: 'is required' }] }, ['missing payload.orderId']],
  [{ title: 'Your request is not valid.', 'invalid-params': [{ name: 'orderId', reason: 'must be provided' }] }, ['missing orderId']],
  [{ errors: [{ source: { pointer: '/data/attributes/qty' }, detail: "can't be blank and is required" }] }, ['missing data.attributes.qty']],
  [{ errors: { 'payload.orderId': ['The order id field is required.'] } }, ['missing payload.orderId']],
  [{ issues: [{ code: 'invalid_type', path: ['payload', 'orderId'], message: 'Required' }] }, ['missing payload.orderId']],
  [{ errors: [{ code: 'unrecognized_keys', keys: ['order_id'], path: ['payload'], message: 'Unrecognized key' }] }, ['unknown payload.order_id']],
  [
    { errors: [{ instancePath: '/payload', message: "must have required property 'orderId'", params: { missingProperty: 'orderId' } }] },
    ['missing payload.orderId'],
  ],
  [{ error: { code: 'BAD_REQUEST', field: 'orderId', message: 'missing' } }, ['missing orderId']],
  [{ message: ['property order_id should not exist', 'orderId should not be empty'], statusCode: 400 }, ['unknown order_id', 'missing orderId']],
  [{ error: { message: 'size must be positive', param: 'size' } }, ['other size']],
])('the app recognises which fields an error body of the service calls invalid: %j', (body, expected) => {
  expect(brief(body)).toEqual(expected)
})

test.each([
  ['amount is required', ['missing amount']],
  ['Missing required parameter: amount', ['missing amount']],
  ['missing field `orderId` at line 1 column 40', ['missing orderId']],
  ['unknown field `order_id`, expected `orderId`', ['unknown order_id', 'missing orderId']],
  ['unknown field `id`, expected one of `orderId`, `clientId`', ['unknown id', 'missing orderId', 'missing clientId']],
  ["Mandatory parameter 'orderId' was not sent", ['missing orderId']],
  ['Field required: orderId', ['missing orderId']],
  ["'orderId' is a required property", ['missing orderId']],
  ['payload.orderId: required', ['missing payload.orderId']],
  ['Additional properties are not allowed', []],
  ['The request is missing a body', []],
  ['Leverage is too high', []],
])('the app recognises which fields a sentence of the service calls invalid: %s', (text, expected) => {
  expect(brief(text)).toEqual(expected)
  expect(brief({ message: text })).toEqual(expected)
})

test('the app finds invalid fields in any error body within two seconds, and lists at most 32', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.string()), (body) => {
      expect(invalidFieldsOf(body).length).toBeLessThanOrEqual(32)
    }),
  )
  const startedAt = performance.now()
  invalidFieldsOf('required '.repeat(100_000))
  invalidFieldsOf({ errors: Array.from({ length: 50_000 }, () => ({ loc: ['a'.repeat(10_000)], msg: 'a.'.repeat(10_000) })) })
  invalidFieldsOf(Array.from({ length: 2_000 }).reduce<unknown>((inner) => ({ errors: [inner] }), {}))
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
