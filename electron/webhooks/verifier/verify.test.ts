import { execFileSync } from 'node:child_process'
import { assert, property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryVectors } from '../../../e2e/support/webhooks/delivery-vectors.ts'
import { type Delivery, signedHeaders } from './delivery.ts'
import { inspectDelivery, verifyDelivery } from './verify.ts'

const secret = 'svc_whsec_0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef0123456789abcdef'
const text = '{"id":"evt_1","type":"order.filled","created_at":1800000000,"data":{"note":"größe ✓"}}'
const timestampS = 1_800_000_002
const nowMs = timestampS * 1_000
const mac = '0c755975f36a9ed5f28f5d1e09d5fc7408e2691912719e988db3659c59a072a8'
const right: Delivery & { readonly headers: Readonly<Record<string, string>> } = {
  headers: {
    'x-svc-event': 'order.filled',
    'x-svc-event-id': 'evt_1',
    'x-svc-timestamp': String(timestampS),
    'x-svc-signature': `v1=${mac}`,
    'user-agent': 'Svc-DEX-Webhook/1.0',
  },
  body: Buffer.from(text),
}
const withHeader = (name: string, value: string | readonly string[] | undefined): Delivery => ({ ...right, headers: { ...right.headers, [name]: value } })
const stepOf = (delivery: Delivery, against = {}) => {
  const verdict = verifyDelivery(delivery, { secret, nowMs, ...against })
  return verdict.valid ? 'valid' : verdict.step
}
const signed = (body: string | Uint8Array, over: { id?: string; type?: string } = {}): Delivery => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { headers: signedHeaders({ id: over.id ?? 'evt_1', type: over.type ?? 'order.filled', body: bytes, secret, timestampS }), body: bytes }
}

test('the webhook verifier accepts a delivery that a Python program signed, and computes the same signature as that program [HOOK-06]', () => {
  expect(verifyDelivery(right, { secret, nowMs })).toEqual({
    valid: true,
    event: { id: 'evt_1', type: 'order.filled', createdAt: 1_800_000_000, revokedEventId: null, data: { note: 'größe ✓' } },
  })
  expect(signed(text).headers).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Svc-DEX-Webhook/1.0',
    'X-Svc-Event': 'order.filled',
    'X-Svc-Event-ID': 'evt_1',
    'X-Svc-Timestamp': '1800000002',
    'X-Svc-Signature': `v1=${mac}`,
  })
  expect(stepOf(withHeader('x-svc-signature', `v1=${mac.toUpperCase()}`))).toBe('valid')
  expect(signed('').headers['X-Svc-Signature']).toBe('v1=50f39ff59702879d69577724590c4fa0b45e602c22a2172612f8f679d7a21a8d')
  expect(signed(Uint8Array.of(0, 255, 10, 13, 0x7b)).headers['X-Svc-Signature']).toBe('v1=26a559c23c30ef8c0ab1cab7225bc6011eb2db56c4b61a781560c352a1eaca75')
})

test.each(deliveryVectors)(
  'the app’s verifier gives the same verdict as the verifiers for users to copy: $what [HOOK-06] [F18]',
  ({ taken, secret, nowS, ...delivery }) => {
    const { valid } = verifyDelivery(delivery, { secret, nowMs: nowS * 1_000 })
    if (taken !== null) expect(valid).toBe(taken)
  },
)

test('the webhook verifier creates the same signature as OpenSSL for any bytes and any secret [HOOK-06]', () => {
  assert(
    property(uint8Array({ maxLength: 4_096 }), string({ minLength: 1, maxLength: 80, unit: 'grapheme-ascii' }), (body, tail) => {
      const key = Buffer.from(`svc_whsec_${tail}`)
      const openssl = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`], {
        input: Buffer.concat([Buffer.from('1800000002.'), body]),
      })
      const { 'X-Svc-Signature': signature } = signedHeaders({ id: 'e', type: 't', body, secret: key.toString(), timestampS })
      expect(
        openssl
          .toString()
          .trim()
          .endsWith(` ${signature?.slice(3)}`),
      ).toBe(true)
    }),
    { numRuns: 25 },
  )
})

test('the webhook verifier refuses a delivery at the signature check if any bit of body, timestamp or signature changed or the secret differs [HOOK-06]', () => {
  for (let at = 0; at < right.body.length; at += 1) {
    const body = Uint8Array.from(right.body)
    body[at] = (body[at] ?? 0) ^ 1
    expect(stepOf({ ...right, body }), `byte ${at}`).toBe('signature')
  }
  for (let at = 0; at < mac.length; at += 1) {
    const digit = ((Number.parseInt(mac.charAt(at), 16) + 1) % 16).toString(16)
    expect(stepOf(withHeader('x-svc-signature', `v1=${mac.slice(0, at)}${digit}${mac.slice(at + 1)}`)), `digit ${at}`).toBe('signature')
  }
  expect(stepOf(withHeader('x-svc-timestamp', String(timestampS + 1)))).toBe('signature')
  // A leading zero doesn't change the timestamp's value, but the signature covers the bytes of the header.
  expect(stepOf(withHeader('x-svc-timestamp', `0${timestampS}`))).toBe('signature')
  expect(stepOf(right, { secret: secret.slice(0, -1) })).toBe('signature')
  // The signing key is the whole secret, including its prefix. A signature made without the prefix must fail.
  expect(stepOf(right, { secret: secret.slice('svc_whsec_'.length) })).toBe('signature')
  expect(stepOf({ ...right, body: Buffer.from(JSON.stringify(JSON.parse(text), null, 1)) })).toBe('signature')
})

test('the webhook verifier refuses a signature that contains a multi-byte letter, even right after it verified a correct signature [HOOK-06]', () => {
  for (const at of [0, mac.length - 1]) {
    expect(stepOf(right)).toBe('valid')
    for (const letter of ['š', '…', '😀'])
      expect(stepOf(withHeader('x-svc-signature', `v1=${mac.slice(0, at)}${letter}${mac.slice(at + 1)}`)), `${letter} at ${at}`).toBe('signature form')
  }
})

test('the webhook verifier accepts deliveries up to 300 seconds in the past or future, and no others, unless the caller skips the age check [HOOK-06]', () => {
  expect(stepOf(right, { nowMs: nowMs + 300_999 })).toBe('valid')
  expect(stepOf(right, { nowMs: nowMs + 301_000 })).toBe('age')
  expect(stepOf(right, { nowMs: nowMs - 300_000 })).toBe('valid')
  expect(stepOf(right, { nowMs: nowMs - 301_000 })).toBe('age')
  expect(stepOf(right, { nowMs: nowMs + 61_000, toleranceS: 60 })).toBe('age')
  expect(stepOf(right, { nowMs: nowMs * 2, toleranceS: null })).toBe('valid')
})

test('the webhook verifier refuses every delivery if a setting is invalid: an empty secret, or an age or time that is not a number [HOOK-06]', () => {
  const headers = signedHeaders({ id: 'evt_1', type: 'order.filled', body: right.body, secret: '', timestampS })
  expect(stepOf({ ...right, headers }, { secret: '' })).toBe('signature')
  expect(inspectDelivery({ ...right, headers }, { secret: '', nowMs }).filter(({ result }) => result === 'failed')).toMatchObject([{ step: 'signature' }])
  expect(stepOf(right, { toleranceS: Number('five minutes') })).toBe('age')
  expect(stepOf(right, { nowMs: Number.NaN })).toBe('age')
})

test.each([
  ['headers', withHeader('x-svc-signature', undefined)],
  ['headers', withHeader('x-svc-event-id', undefined)],
  ['headers', withHeader('x-svc-event', undefined)],
  ['headers', withHeader('x-svc-timestamp', undefined)],
  ['headers', withHeader('x-svc-signature', [`v1=${mac}`, `v1=${mac}`])],
  ['timestamp', withHeader('x-svc-timestamp', '1800000002.0')],
  ['timestamp', withHeader('x-svc-timestamp', '-1')],
  ['timestamp', withHeader('x-svc-timestamp', '')],
  ['signature form', withHeader('x-svc-signature', mac)],
  ['signature form', withHeader('x-svc-signature', `v2=${mac}`)],
  ['signature form', withHeader('x-svc-signature', `v1=${mac}00`)],
  ['signature form', withHeader('x-svc-signature', `v1=${mac},v1=${mac}`)],
  // Each `š` replaces an `a` and has the same low byte. A verifier that drops the high byte would accept this signature.
  ['signature form', withHeader('x-svc-signature', `v1=${mac.replaceAll('a', 'š')}`)],
  ['signature form', withHeader('x-svc-signature', `v1=${mac.slice(1)} `)],
  ['body', signed('not JSON')],
  ['body', signed(Uint8Array.of(0x22, 0xff, 0x22))],
  ['body', signed('[]')],
  ['body', signed('{"type":"order.filled","created_at":1,"data":{}}')],
  ['body', signed(`{"id":"${'e'.repeat(97)}","type":"order.filled","created_at":1,"data":{}}`)],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":"1","data":{}}')],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":1.5,"data":{}}')],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":9007199254740991,"data":{}}')],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":-1,"data":{}}')],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":1,"data":[]}')],
  ['body', signed('{"id":"evt_1","type":"order.filled","created_at":1,"data":{},"revoked_event_id":7}')],
  ['event id', signed(text, { id: 'evt_2' })],
  ['event type', signed(text, { type: 'order.cancelled' })],
] as const)('the webhook verifier names the check that a bad delivery fails: %s (%#) [HOOK-05, HOOK-06]', (step, delivery) => {
  expect(verifyDelivery(delivery, { secret, nowMs })).toMatchObject({ valid: false, step, issue: { code: expect.stringMatching(/\w/) } })
  const [first] = inspectDelivery(delivery, { secret, nowMs }).filter(({ result }) => result === 'failed')
  expect(first?.step).toBe(step)
})

test('the webhook verifier reads header names in any case, and reports which event a correction takes back [HOOK-05, HOOK-07]', () => {
  const headers = Object.fromEntries(Object.entries(right.headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect(stepOf({ ...right, headers })).toBe('valid')
  const correction = '{"id":"evt_9","type":"transaction.pending","created_at":1800000001,"revoked_event_id":"evt_1","data":{}}'
  expect(verifyDelivery(signed(correction, { id: 'evt_9', type: 'transaction.pending' }), { secret, nowMs })).toMatchObject({
    valid: true,
    event: { revokedEventId: 'evt_1' },
  })
})

test('the webhook verifier reports every step of an inspected delivery separately, but never the secret or the correct signature [HOOK-06]', () => {
  const old = inspectDelivery(right, { secret, nowMs: nowMs + 3_600_000 })
  expect(old.filter(({ result }) => result !== 'passed')).toEqual([{ step: 'age', result: 'failed', issue: { code: 'too_old', byS: 3600, toleranceS: 300 } }])
  const unknown = inspectDelivery(withHeader('x-svc-timestamp', undefined), { secret: null, nowMs })
  expect(unknown.map(({ step, result }) => `${step}: ${result}`)).toEqual([
    ...['headers: failed', 'timestamp: unknown', 'age: unknown', 'signature form: passed', 'signature: unknown'],
    ...['body: passed', 'event id: passed', 'event type: passed'],
  ])
  const wrong = JSON.stringify([inspectDelivery(withHeader('x-svc-signature', `v1=${'0'.repeat(64)}`), { secret, nowMs })])
  expect(wrong).toContain('failed')
  expect(wrong).not.toContain(secret)
  expect(wrong).not.toContain(mac)
})
