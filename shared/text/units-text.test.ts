import { afterEach, expect, test } from 'vitest'
import { dateText, durationText } from '../signing/wording.ts'
import { day, hour, minute, second } from '../time.ts'
import { languageOf } from './catalogue.ts'
import { de } from './de.ts'
import { ja } from './ja.ts'

afterEach(() => {
  globalThis.spoken = undefined
})

const lengths = [0, 38 * second, 4 * minute + 38 * second, 2 * hour + 5 * minute, 90 * day]
const date = Date.UTC(2027, 1, 16, 23, 59)

test.each([
  ['en', {}, ['0 s', '38 s', '4 min 38 s', '2 h 5 min', '90 days'], '16 Feb 2027'],
  ['de', { ...de }, ['0 s', '38 s', '4 min 38 s', '2 h 5 min', '90 Tage'], '16. Feb. 2027'],
  ['ja', { ...ja }, ['0秒', '38秒', '4分38秒', '2時間5分', '90日'], '2027年2月16日'],
])('the app formats durations and UTC dates in the language %s', (locale, texts, written, day) => {
  globalThis.spoken = languageOf(locale, texts)
  expect(lengths.map(durationText)).toEqual(written)
  expect(dateText(date)).toBe(day)
  expect(dateText(Number.MAX_VALUE)).toBeNull()
})
