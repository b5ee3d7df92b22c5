import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreign } from '../foreign/foreign.ts'
import { redact, redactBody, redactedStart, redactText, safeJson } from './redact.ts'

const body = fc
  .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'), minLength: 24, maxLength: 64 })
  .map((text) => `${text}7`)
const secret = fc.oneof(
  body.map((text) => `SVC${text}`),
  body.map((text) => `svcds1.${text}`),
  body.map((text) => `svc_whsec_${text}`),
)

test('the app removes every secret from log text: plain text, JSON values, JSON inside text and truncated bodies [AUTH-09]', () => {
  fc.assert(
    fc.property(secret, fc.string(), (value, around) => {
      const tail = value.slice(-12)
      const nested = { a: [{ note: `${around} ${value} ${around}` }], json: JSON.stringify({ deep: JSON.stringify({ value }) }), [`key ${value}`]: 1 }
      expect(redactText(`${around} ${value}`)).not.toContain(tail)
      expect(JSON.stringify(redact(nested))).not.toContain(tail)
      expect(redactBody(JSON.stringify(nested))).not.toContain(tail)
      expect(redactBody(JSON.stringify(nested).slice(0, -3))).not.toContain(tail)
    }),
  )
})

test('the app removes the value of every field named like a secret before logging, even if the value does not look like a secret [AUTH-09]', () => {
  expect(redact({ api_key: 'x', apiKey: ['x'], 'X-Svc-API-Key': 'x', Authorization: 'Bearer x', signature: '0x1', label: 'bot' })).toEqual({
    api_key: '[redacted]',
    apiKey: '[redacted]',
    'X-Svc-API-Key': '[redacted]',
    Authorization: '[redacted]',
    signature: '[redacted]',
    label: 'bot',
  })
  expect(redact({ grant_code: 'x' }, ['grant_code'])).toEqual({ grant_code: '[redacted]' })
  expect(redactBody('{"ok":true,"signing_secret":"never seen bef')).toBe('{"ok":true,"signing_secret":"[redacted]"')
})

test('the app removes signatures from log text, and keeps addresses, hashes and names [AUTH-09]', () => {
  const [address, hash, signature] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(32)}`, `0x${'ef'.repeat(65)}`]
  expect(redactText(`${address} ${hash} ${signature} SvcDEX SVC dex_desk`)).toBe(`${address} ${hash} [redacted] SvcDEX SVC dex_desk`)
})

test('the app removes the secret key of a WalletConnect pairing from log text, but keeps the pairing’s topic [AUTH-09]', () => {
  const [topic, key] = ['ab'.repeat(32), 'cd'.repeat(32)]
  expect(redactText(`wc:${topic}@2?relay-protocol=irn&symKey=${key}&methods=x`)).toBe(`wc:${topic}@2?relay-protocol=irn&symKey=[redacted]&methods=x`)
})

test('the app removes secrets from an object that contains itself without an endless loop, and marks the cycle', () => {
  const value: Record<string, unknown> = { name: 'a' }
  value.self = value
  expect(redact(value)).toEqual({ name: 'a', self: '[circular]' })
})

test('the app removes secrets from text without changing any digit of an id that is too large for a JavaScript number', () => {
  expect(redactBody('{"order_id":90071992547409931,"deeper":"{\\"id\\":13835058055282163713}"}')).toBe(
    '{"order_id":"90071992547409931","deeper":"{\\"id\\":\\"13835058055282163713\\"}"}',
  )
})

const anyBody = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019+/~=._-'), minLength: 24, maxLength: 64 })
  .map((text) => `a7${text.replace(/^[=.-]+|[=.-]+$/g, '')}Zz0123456789`)
const before = ['\n', '\t', '\r\n', '_', '%0A', '%3D', '\u001b[1m', 'x', '0', '/', '"']

test('the app removes a secret that directly follows an escape sequence, letter or sign, regardless of the secret’s characters [F3, AUTH-09]', () => {
  fc.assert(
    fc.property(fc.constantFrom('SVC', 'svcds1.', 'svc_whsec_'), anyBody, fc.constantFrom(...before), (prefix, text, sign) => {
      const written = `refused${sign}${prefix}${text}`
      const tail = text.slice(-12)
      for (const shown of [
        redactText(written),
        redactText(JSON.stringify({ reason: written })),
        safeJson([{ reason: written, [written]: 1 }]),
        JSON.stringify(redact({ reason: written })),
        redactBody(JSON.stringify({ reason: written })),
        redactBody(JSON.stringify({ reason: written }).slice(0, -2)),
      ])
        expect(shown).not.toContain(tail)
    }),
    { numRuns: 500 },
  )
})

test('the app removes secrets from JSON values so that the result is valid JSON and nothing else changes', () => {
  const rows = [{ token: 'USDC', reason: 'line\nof "text"', hash: `0x${'ab'.repeat(32)}`, amount: 12.5, none: null }]
  expect(JSON.parse(safeJson(rows))).toEqual(rows)
})

test.each([
  ['beginnings of keys', 'SVC-'.repeat(32_000)],
  ['beginnings of keys, glued', 'SVC'.repeat(43_000)],
  ['beginnings of sessions', 'svcds1.'.repeat(18_000)],
  ['hexadecimal digits', `${'a'.repeat(127)}g`.repeat(1_000)],
  ['names', '"a":"'.repeat(25_000)],
  ['quotes', '"'.repeat(128_000)],
])('the app searches 128 KB of %s for secrets quickly before logging [V3, F5]', (_, text) => {
  const took = () => {
    const began = performance.now()
    redactText(text)
    redactBody(text)
    return performance.now() - began
  }
  // In linear time the search takes a few milliseconds; in quadratic time it would take seconds.
  expect(Math.min(took(), took())).toBeLessThan(500)
})

test('the app keeps the start of a long logged body, but no part of a secret that continues beyond the cut [AUTH-09]', () => {
  const [characters, secret] = [4_096, 'SVCabcdefgh12345678']
  for (let before = characters - secret.length - 2; before <= characters + 1; before += 1) {
    const kept = redactedStart(foreign(`${'-'.repeat(before - 1)} ${secret} ${'x'.repeat(9_000)}`), characters)
    expect(kept.length).toBeLessThanOrEqual(characters)
    expect(kept).not.toContain('abc')
    expect(kept.startsWith('---')).toBe(true)
  }
  expect(redactedStart(foreign('{"a":1}'), characters)).toBe('{"a":1}')
})

test.each(['a', 'SVC-', 'a1', '0x', '"a', '"a" ', '\\x', 'symKey=', '.', '/+'])(
  'the app searches 8 MiB of “%s” for secrets without a stack overflow [V3]',
  (unit) => {
    const text = unit.repeat(8_388_608 / unit.length)
    const before = process.cpuUsage().user
    expect(redactBody(text).length).toBeLessThanOrEqual(text.length + 20)
    expect(redactBody(`"api_key":"${text}`).startsWith('"api_key":"[redacted]"')).toBe(true)
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000)
  },
)
