import { afterEach, expect, test } from 'vitest'
import { catalogue, languageOf, plural, textOf } from './catalogue.ts'

const english = catalogue('fruit', { one: 'apple', many: (count: number) => plural(count, { one: `${count} apple`, other: `${count} apples` }) })

afterEach(() => {
  globalThis.spoken = undefined
})

test('the app shows each text of its catalogue in the current language, or in English if that language has no texts for the area', () => {
  expect(english.one).toBe('apple')
  globalThis.spoken = languageOf('de', { fruit: { one: 'Apfel' } })
  expect(english.one).toBe('Apfel')
  globalThis.spoken = languageOf('de', {})
  expect(english.one).toBe('apple')
})

test('the app chooses plural forms in its texts by the rules of the current language', () => {
  const forms = { one: 'one', few: 'few', other: 'other' }
  expect([1, 2, 5].map((count) => plural(count, forms))).toEqual(['one', 'other', 'other'])
  globalThis.spoken = languageOf('pl', {})
  expect([1, 2, 22].map((count) => plural(count, forms))).toEqual(['one', 'few', 'few'])
  globalThis.spoken = languageOf('ja', {})
  expect(plural(1, forms)).toBe('other')
})

test('the app finds a text only for a code that its text catalogue contains', () => {
  expect(textOf(english, 'one')).toBe('apple')
  expect(textOf(english, 'toString')).toBeUndefined()
})
