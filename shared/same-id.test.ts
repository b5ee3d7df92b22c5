import { pad, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { canonicalId, sameId } from './same-id.ts'

const right = (text: string) => pad(stringToHex(text), { dir: 'right', size: 32 })

test('the app recognises the same id written as number, text, hex or 32 bytes [FLOW-02]', () => {
  const forms = [90_003, 90_003n, '90003', '0x15f93', '0x15F93', `0x${'15f93'.padStart(64, '0')}`, right('90003'), pad('0x015f93', { dir: 'right', size: 32 })]
  for (const a of forms) for (const b of forms) expect([a, b, sameId(a, b)]).toEqual([a, b, true])
  const texts = ['ord_7', right('ord_7'), pad(stringToHex('ord_7'), { size: 32 })]
  for (const a of texts) for (const b of texts) expect([a, b, sameId(a, b)]).toEqual([a, b, true])
  const hash = `0x${'aB'.repeat(32)}`
  expect(sameId(hash, hash.toLowerCase())).toBe(true)
})

test('the app never treats two different ids as equal, in any combination of numbers, text, hex and 32 bytes [FLOW-02]', () => {
  const others: readonly (readonly [unknown, unknown])[] = [
    ['90003', 90_004],
    ['90003', '900030'],
    [90_003n, '0x15f94'],
    ['90003', right('90004')],
    // The bytes of the text "90003", read as a number. Without zero padding, the app does not read the bytes as text.
    ['90003', 0x3930303033n],
    ['90003', pad(stringToHex('90003'), { size: 32 })],
    ['007', 7],
    ['007', '7'],
    ['ord_7', 'ORD_7'],
    ['ord_7', 'ord_7 '],
    ['ord_7', right('ord_8')],
    ['7', '7.0'],
    [7, 7.5],
    [2 ** 60, String(2 ** 60)],
    ['', ''],
    [null, null],
    [true, 1],
    [-1, '-1n'],
  ]
  for (const [a, b] of others) expect([a, b, sameId(a, b), sameId(b, a)]).toEqual([a, b, false, false])
})

test('the app writes an id given as decimal or as hex in the same form, and leaves other ids unchanged', () => {
  expect([canonicalId('0x15F93'), canonicalId('90003'), canonicalId('007'), canonicalId('ord_7')]).toEqual(['90003', '90003', '007', 'ord_7'])
})
