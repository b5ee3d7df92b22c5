import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstHidden, visibleParts, visibleText } from './wording.ts'

test('the app replaces invisible characters in a text with visible marks', () => {
  expect(visibleText('pay\u202eecila')).toBe('pay‹U+202E›ecila')
  expect(visibleText('a\u0000b\u200bc\u{e0041}')).toBe('a‹U+0000›b‹U+200B›c‹U+E0041›')
  expect(visibleText('plain\ntext\twith Umläut and 漢字')).toBe('plain\ntext\twith Umläut and 漢字')
})

test('the app splits a text into parts that together contain all its characters in the same order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parts = visibleParts(text)
      expect(parts.map(({ start, length }) => text.slice(start, start + length)).join('')).toBe(text)
    }),
  )
  expect(firstHidden('abc')).toBeNull()
  expect(firstHidden('ab\u2066c')?.start).toBe(2)
})
