import { expect, test } from 'vitest'
import type { Check } from '../../../shared/ipc/intents/signing.ts'
import { messagePieces, type Piece } from './message-pieces.ts'

const check = (start: number, length: number): Check => ({ id: 'host', found: { code: 'missing' }, verdict: 'pass', at: { start, length } })
const text = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.type === 'mark' ? text(piece.inside) : piece.type === 'text' ? piece.text : '')).join('')

test('the sign-in sheet marks the part of the message to which a check refers with the check’s number', () => {
  const message = 'host asks\n0xabc'
  const pieces = messagePieces(message, [check(10, 5), check(0, 4)])
  expect(pieces).toEqual([
    { type: 'mark', number: 2, verdict: 'pass', inside: [{ type: 'text', text: 'host' }] },
    { type: 'text', text: ' asks\n' },
    { type: 'mark', number: 1, verdict: 'pass', inside: [{ type: 'text', text: '0xabc' }] },
  ])
})

test('the sign-in sheet shows the whole message, even if two checks refer to overlapping places or to a place outside the text', () => {
  const message = 'abcdefghij'
  for (const checks of [[], [check(2, 5), check(4, 3)], [check(-1, 3)], [check(8, 5)], [check(0, 10)], [check(3, 0)]]) {
    expect(text(messagePieces(message, checks))).toBe(message)
  }
})

test('the sign-in sheet shows invisible and direction-changing characters of a message as visible codes', () => {
  expect(messagePieces('a\u202Eb\u200Bc\rd\n', [])).toEqual([
    { type: 'text', text: 'a' },
    { type: 'hidden', text: 'U+202E' },
    { type: 'text', text: 'b' },
    { type: 'hidden', text: 'U+200B' },
    { type: 'text', text: 'c' },
    { type: 'hidden', text: 'U+000D' },
    { type: 'text', text: 'd\n' },
  ])
})

test('the sign-in sheet shows hidden characters of a message as visible codes, even inside a marked place', () => {
  const [mark] = messagePieces('de\u2066x', [check(0, 4)])
  expect(mark).toEqual({
    type: 'mark',
    number: 1,
    verdict: 'pass',
    inside: [
      { type: 'text', text: 'de' },
      { type: 'hidden', text: 'U+2066' },
      { type: 'text', text: 'x' },
    ],
  })
})
