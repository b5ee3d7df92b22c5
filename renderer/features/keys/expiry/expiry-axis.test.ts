import { expect, test } from 'vitest'
import { day, hour, minute } from '../../../../shared/time.ts'
import { bands, type ExpiryPoint, endTone, expiryMarks, expiryPosition } from './expiry-axis.ts'

const nowMs = Date.UTC(2026, 10, 21)
const point = (title: string, days: number | null): ExpiryPoint => ({
  rowId: `key:${title}`,
  title,
  atMs: days === null ? null : nowMs + days * day,
  sure: days === null ? 'unknown' : 'exact',
})

test('the expiry timeline draws all time bands equally wide: the next 24 hours get as much room as the years of the last band', () => {
  expect(bands.map(({ to }) => expiryPosition(to))).toEqual([12.5, 25, 37.5, 50, 62.5, 75, 87.5])
  expect(expiryPosition(0.5)).toBe(18.75)
  expect(expiryPosition(4)).toBe(31.25)
  expect(expiryPosition(-15)).toBe(6.25)
})

test('the expiry timeline keeps every expiry within its axis, and places unknown expiries in a separate column on the right', () => {
  expect(expiryPosition(-400)).toBe(0)
  expect(expiryPosition(9_999)).toBe(87.5)
  expect(expiryPosition(null)).toBe(93.75)
})

test('the expiry timeline never places a later expiry left of an earlier one', () => {
  const days = Array.from({ length: 2_100 }, (_, index) => index - 40)
  const places = days.map(expiryPosition)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the expiry timeline shows an alarm for an expiry within a week, and a warning for one within two weeks', () => {
  expect([-1, 0, 6.9, 7, 13.9, 14].map((days) => endTone('key', days * day))).toEqual(['over', 'over', 'bad', 'warn', 'warn', 'calm'])
  expect(endTone('grant', null)).toBe('unknown')
})

test('the expiry timeline warns about a sign-in only when thirty minutes or less remain', () => {
  expect([0, 29 * minute, 30 * minute, 4 * hour].map((left) => endTone('sign_in', left))).toEqual(['over', 'warn', 'calm', 'calm'])
})

test('the expiry timeline merges points that overlap into one mark that contains all of them, soonest first', () => {
  const marks = expiryMarks('key', [point('c', 60), point('a', 20), point('d', 61), point('none', null), point('b', 59.5)], nowMs)
  expect(marks.map(({ points }) => points.map(({ title }) => title))).toEqual([['a'], ['b', 'c', 'd'], ['none']])
  expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted((a, b) => a - b))
})

test('the expiry timeline does not merge an expired key with a key about to expire', () => {
  const marks = expiryMarks('key', [point('over', -hour / day), point('soon', hour / day)], nowMs)
  expect(marks.map(({ points }) => points[0].title)).toEqual(['over', 'soon'])
})
