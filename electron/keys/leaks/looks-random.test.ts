import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entropyOf, looksRandom } from './candidates.ts'

const alphabets = {
  hex: '0123456789abcdef',
  'capital hex': '0123456789ABCDEF',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64url: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_',
} as const

const samples = 1_500
function share(alphabet: string, length: number): number {
  const text = fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((all) => all.join(''))
  return fc.sample(fc.noBias(text), { numRuns: samples, seed: 7 }).filter(looksRandom).length / samples
}

test.each(Object.entries(alphabets))('the leak scan’s test for randomness nearly always recognises random text in %s', (_, alphabet) => {
  expect(share(alphabet, 48)).toBeGreaterThan(0.99)
  expect(share(alphabet, 32)).toBeGreaterThan(0.97)
})

test.each([
  'xxxxxxxxxxxxxxxxxxxxxxxx1',
  '0000000000000000000000000000',
  '1234567890123456789012345678',
  '0123456789abcdef0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'deadbeefdeadbeefdeadbeefdeadbeef0',
  'your-api-key-goes-here-12345',
  'YOUR_KEY_HERE_0123456789',
  'EXAMPLE9a8b7c6d5e4f3a2b1c0d',
  'placeholder3f9a1c77e0b2',
  '_API_KEY_FOR_PRODUCTION_2',
  '_API_KEY_OF_PROD_2',
  '-2024-REPORT-FINAL-VERSION-2',
  '20241121000123456789',
  '.Orders.Client.Version2.Handler',
  'OrderHandlerV2Factory',
  'redacted-9f8a7b6c5d4e3f2a',
  'aaaaaaaaaaaaabbbbbbbbbbbbb1',
])('the leak scan’s test for randomness does not mistake ordinary written text for random text: %s', (text) => {
  expect(looksRandom(text)).toBe(false)
})

test('the leak scan computes the entropy of a text from the frequencies of its characters', () => {
  expect(entropyOf('aaaa')).toBeCloseTo(0)
  expect(entropyOf('abab')).toBeCloseTo(1)
  expect(entropyOf('0123456789abcdef')).toBeCloseTo(4)
})
