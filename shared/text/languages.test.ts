import { expect, test } from 'vitest'
import { chosenLanguage, localeOf } from './catalogue.ts'

test.each([
  ['en', ['de-DE', 'en-US'], 'en'],
  ['ja', ['de-DE'], 'ja'],
  ['system', ['de-CH', 'en-US'], 'de'],
  ['system', ['fr-FR', 'ja', 'en-US'], 'ja'],
  ['system', ['fr-FR', 'pt-BR'], 'en'],
  ['system', ['en', 'de-DE'], 'en'],
  ['system', ['C', 'de_DE.UTF-8'], 'de'],
  ['system', ['C', 'POSIX', ''], 'en'],
  ['system', [], 'en'],
] as const)('with the setting %s and the system languages %j, the app uses the language %s', (choice, preferred, language) => {
  expect(chosenLanguage(choice, preferred)).toBe(language)
})

test.each([
  ['en', ['en-US'], 'en-US'],
  ['de', ['fr-FR', 'de-CH', 'de-AT'], 'de-CH'],
  ['en', ['de-DE'], 'en-GB'],
  ['de', ['en-US', 'de'], 'de-DE'],
  ['ja', ['ja-JP-u-ca-japanese'], 'ja-JP'],
  ['ja', ['C'], 'ja-JP'],
  ['de', ['de_AT.UTF-8@euro', 'c'], 'de-AT'],
] as const)('in the language %s with the system languages %j, the app formats dates for the locale %s', (language, preferred, locale) => {
  expect(localeOf(language, preferred)).toBe(locale)
})
