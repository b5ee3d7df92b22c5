import { assert, constantFrom, property, stringMatching, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { findKeys } from './key-text.ts'

const found = (text: string) => findKeys(text).map(({ text: key, name, line }) => [key, name, line])
const key = 'SVC1a2B3c4D5e6F7g8H9'

test.each([
  ['bare', key, [[key, null, 1]]],
  ['with space around', `\n  ${key} \n`, [[key, null, 2]]],
  ['a .env line', `# bot\r\nSVC_API_KEY=${key}\r\nOTHER=1`, [[key, 'SVC_API_KEY', 2]]],
  ['exported and quoted', `export SVC_API_KEY="${key}"`, [[key, 'SVC_API_KEY', 1]]],
  ['JSON', `{"api_key": "${key}", "x": 1}`, [[key, 'api_key', 1]]],
  ['YAML', `svc:\n  key: '${key}'`, [[key, 'key', 2]]],
  ['a header', `X-Svc-API-Key: ${key}`, [[key, 'X-Svc-API-Key', 1]]],
  ['in a sentence', `The key is ${key}.`, [[key, null, 1]]],
  ['twice', `A=${key}\nB=${key}`, [[key, 'A', 1]]],
  [
    'two keys',
    `A=${key}\nB=${key}x`,
    [
      [key, 'A', 1],
      [`${key}x`, 'B', 2],
    ],
  ],
] as const)('the search for API keys in a text finds a key: %s', (_how, text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  '',
  'SVC_API_KEY=',
  'SVCDEXROUTERCONTRACT',
  'svc1a2b3c4d5e6f7g8h9',
  'SVC1',
  `xSVC1a2B3c4D5e6F7g8H9`,
  'svc_whsec_0123456789abcdef',
  'svcds1.0123456789abcdef',
])('the search for API keys in a text does not mistake other text for a key: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('the search for API keys in a text finds a whole key or nothing, whichever characters are before and after the key', () => {
  const secret = stringMatching(/^SVC[A-Za-z]{3}[0-9][A-Za-z0-9]{12,40}$/)
  assert(
    property(tuple(secret, constantFrom('=', ': ', ' ', '"', "'", '`', '(', '\t', ',')), ([value, before]) => {
      expect(findKeys(`NAME${before}${value}${before === '=' ? '' : '"'}\n`).map((one) => one.text)).toEqual([value])
    }),
    { numRuns: 300, seed: 20_261_121 },
  )
})

test.each(['+', '/', '~', '.', '_', '-'])(
  'the search for API keys in a text finds a key that contains %s, and leaves out the variable name before the key',
  (sign) => {
    const key = `SVC1a2B3c4D${sign}5e6F7g8H9`
    expect(findKeys(`SVC_API_KEY=${key}\n"api_key": "${key}="`).map(({ text, name }) => [text, name])).toEqual([
      [key, 'SVC_API_KEY'],
      [`${key}=`, 'api_key'],
    ])
  },
)

test('the search for API keys in a text finds nothing in a string that looks like a key but is too long', () => {
  expect(findKeys(`SVC${'a1'.repeat(200)}`)).toEqual([])
})
