import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { createMask, masked, maskText, secretForms } from './mask.ts'

const secret = new Secret('SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h')
const forms = secretForms(secret)

const inPieces = (pieces: readonly Buffer[]): Buffer => {
  const mask = createMask(forms)
  return Buffer.concat([...pieces.map((piece) => mask.push(piece)), mask.end()])
}

const written: readonly (readonly [string, (value: string) => string])[] = [
  ['as it is', (value) => value],
  ['in a header', (value) => `X-Svc-API-Key: ${value}\r\n`],
  ['twice without a gap', (value) => value + value],
  ['base64', (value) => Buffer.from(value).toString('base64')],
  ['base64 after one byte', (value) => Buffer.from(`:${value}`).toString('base64')],
  ['base64 after two bytes', (value) => Buffer.from(`u:${value}`).toString('base64')],
  ['base64 between other bytes', (value) => Buffer.from(`user:${value}:more`).toString('base64')],
  ['base64url', (value) => Buffer.from(`~~~${value}`).toString('base64url')],
  ['hex', (value) => Buffer.from(value).toString('hex')],
  ['HEX', (value) => Buffer.from(value).toString('hex').toUpperCase()],
  ['in JSON', (value) => JSON.stringify({ apiKey: value })],
  ['in a URL', (value) => `https://host/?k=${encodeURIComponent(value)}&x=1`],
  ['in UTF-16', (value) => Buffer.from(value, 'utf16le').toString('latin1')],
]

const leftovers = (output: string): boolean => {
  const value = secret.reveal()
  for (let from = 0; from + 8 <= value.length; from += 1) {
    const piece = value.slice(from, from + 8)
    for (const text of [piece, Buffer.from(piece).toString('hex'), Buffer.from(piece, 'utf16le').toString('latin1')])
      if (output.toLowerCase().includes(text.toLowerCase())) return true
  }
  return false
}

test.each(written)('the mask of svc-desk’s output hides a secret %s, wherever the output stream is split [AUTH-09]', (_how, write) => {
  const text = `before ${write(secret.reveal())} after\n`
  const whole = Buffer.from(text, 'latin1')
  const expected = inPieces([whole]).toString('latin1')
  expect(expected).toContain(maskText)
  expect(leftovers(expected)).toBe(false)
  for (let cut = 1; cut < whole.length; cut += 1) expect(inPieces([whole.subarray(0, cut), whole.subarray(cut)]).toString('latin1')).toBe(expected)
  expect(inPieces([...whole].map((byte) => Buffer.from([byte]))).toString('latin1')).toBe(expected)
})

test('the mask of svc-desk’s output hides a whole secret amid random text and its fragments, wherever the text is split [AUTH-09]', () => {
  const value = secret.reveal()
  const piece = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constant(value),
    fc.nat({ max: value.length - 1 }).map((length) => value.slice(0, length)),
    fc.nat({ max: value.length - 1 }).map((from) => value.slice(from)),
    fc.constantFrom(...written.map(([, write]) => write(value))),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (pieces, cuts) => {
      const whole = Buffer.from(pieces.join(''))
      const places = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b)
      const chunks = places.slice(1).map((to, index) => whole.subarray(places[index], to))
      const output = inPieces(chunks)
      expect(output.equals(inPieces([whole]))).toBe(true)
      for (const form of forms) expect(output.includes(form)).toBe(false)
      if (!forms.some((form) => whole.includes(form))) expect(output.equals(whole)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('the mask of svc-desk’s output shows text at once if the text cannot be the start of a secret', () => {
  const mask = createMask(forms)
  expect(mask.push(Buffer.from('ready> ')).toString()).toBe('ready> ')
  expect(mask.push(Buffer.from('listening on :8080\nSVC_l')).toString()).toBe('listening on :8080\n')
  expect(mask.push(Buffer.from('ost')).toString()).toBe('SVC_lost')
  expect(mask.end().length).toBe(0)
})

test('while a prompt waits, the mask of svc-desk’s output shows at most three characters of a possible secret, and hides the rest', () => {
  const value = secret.reveal()
  const waiting = createMask(forms)
  expect(waiting.push(Buffer.from('Press S')).toString()).toBe('Press ')
  expect(waiting.release().toString()).toBe('S')
  expect(waiting.release().toString()).toBe('')
  expect(waiting.push(Buffer.from(' now')).toString()).toBe(' now')

  const begun = createMask(forms)
  expect(begun.push(Buffer.from(value.slice(0, 9))).toString()).toBe('')
  expect(begun.release().toString()).toBe('SVC')
  expect(begun.release().toString()).toBe('')
  expect(begun.push(Buffer.from(`${value.slice(9)}!`)).toString()).toBe(`${maskText}!`)

  const other = createMask(forms)
  other.push(Buffer.from(value.slice(0, 9)))
  expect(other.release().toString() + other.push(Buffer.from('?')).toString() + other.end().toString()).toBe(`${value.slice(0, 9)}?`)
})

test('the mask of secrets in svc-desk’s output hides a secret in a whole text, and not only in a stream', () => {
  expect(masked(`a ${secret.reveal()} b`, secret)).toBe(`a ${maskText} b`)
  expect(masked('nothing', secret)).toBe('nothing')
})
