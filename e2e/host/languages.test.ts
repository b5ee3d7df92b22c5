import { expect, test } from 'vitest'
import { preferredLanguages } from './app.ts'

test.each([
  [{}, ['c']],
  [{ LANG: 'C.UTF-8' }, ['c']],
  [{ LANG: 'de_CH.UTF-8' }, ['de-CH', 'de', 'c']],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'ja_JP.UTF-8' }, ['ja-JP', 'ja', 'c']],
  [{ LANG: 'de_DE.UTF-8', LANGUAGE: 'fr:en_GB' }, ['fr', 'en-GB', 'en', 'c']],
] as const)('with the environment %j, the stand-in for Electron reports the languages %j', (env, languages) => {
  expect(preferredLanguages(env)).toEqual(languages)
})
