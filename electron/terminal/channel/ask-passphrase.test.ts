import { expect, test } from 'vitest'
import { typeInto } from './choose.ts'

const empty = { text: '', over: null } as const
const typed = (...inputs: string[]) => inputs.reduce(typeInto, empty)

test.each([
  ['as typed', ['correct horse\r'], 'correct horse'],
  ['key by key', [...'abc', '\n'], 'abc'],
  ['with the last letters taken back', ['correctly\u007f\b\r'], 'correct'],
  ['begun anew', ['wrong\u0015right\r'], 'right'],
  ['without what arrows and function keys send', ['a\u001b[Ab\u001b[1;5Cc\u001bOPd\r'], 'abcd'],
  ['without other control characters', ['a\tb\u0000c\r'], 'abc'],
  ['in letters of more than one unit', ['pa\u{1F511}\u{1F512}\u007f\r'], 'pa\u{1F511}'],
] as const)('the terminal command reads a passphrase that is typed %s', (_, inputs, text) => {
  expect(typed(...inputs)).toEqual({ text, over: 'end' })
})

test('svc-desk ends its passphrase prompt on Ctrl-C and Ctrl-D, and discards the typed characters', () => {
  for (const key of ['\u0003', '\u0004']) expect(typed(`half a word${key}`)).toEqual({ text: '', over: 'stop' })
})

test('svc-desk ignores characters typed after Enter at its passphrase prompt', () => {
  expect(typed('right\rmore')).toEqual({ text: 'right', over: 'end' })
})
