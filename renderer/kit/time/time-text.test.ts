import { expect, test } from 'vitest'
import { timeLeftText } from '../../../shared/signing/wording.ts'
import { day, hour, minute, second } from '../../../shared/time.ts'
import { announcement, clockText, spokenLeft } from './countdown-ring.tsx'
import { dayText, durationText, exactTime, fineDurationText, relativeText } from './time.tsx'

const noon = Date.UTC(2026, 10, 18, 14, 32, 7)

test('the app names a duration in its largest sensible unit, such as days or hours', () => {
  expect([38 * second, 2 * minute, 3 * hour, 36 * hour, 11 * day].map(durationText)).toEqual(['38 s', '2 min', '3 h', '36 h', '11 days'])
  expect(fineDurationText(281 * second)).toBe('4 min 41 s')
})

test('the app names the time left in one way everywhere, rounded alike, so that two places never differ', () => {
  const lengths = [38 * second, 281 * second, 5 * minute, 4 * hour - 1, 2 * hour, day + 4 * hour, 2 * day - 1, 11 * day]
  const texts = ['38 s', '4 min 41 s', '5 min', '3 h 59 min', '2 h', '28 h', '47 h 59 min', '11 days']
  expect(lengths.map(fineDurationText)).toEqual(texts)
  expect(lengths.map(timeLeftText)).toEqual(texts)
  expect(lengths.map((length) => relativeText(noon + length, noon))).toEqual(texts.map((text) => `in ${text}`))
})

test('a key that was created for 30 days less than two minutes ago has 30 days left, not 29', () => {
  const texts = (left: number) => [fineDurationText(left), timeLeftText(left), relativeText(noon + left, noon)]
  expect(texts(30 * day - 40 * second)).toEqual(['30 days', '30 days', 'in 30 days'])
  expect(texts(30 * day - 3 * minute)).toEqual(['29 days', '29 days', 'in 29 days'])
})

test('the app rounds an age down, so that nothing looks older than it is', () => {
  expect(durationText(3 * day - second)).toBe('2 days')
  expect(relativeText(noon - 3 * day + second, noon)).toBe('2 days ago')
})

test('the app formats a past time as how long ago it was, and a future time as how soon it comes', () => {
  expect(relativeText(noon - 4 * second, noon)).toBe('4 s ago')
  expect(relativeText(noon + 3 * day, noon)).toBe('in 3 days')
  expect(relativeText(noon - second, noon)).toBe('just now')
})

test('the app shows exact times in UTC, with the year if it is not the current one', () => {
  expect(exactTime(noon)).toBe('18 Nov 2026, 14:32:07 UTC')
  expect(dayText(noon, noon)).toBe('18 Nov')
  expect(dayText(noon, noon + 60 * day)).toBe('18 Nov 2026')
})

test('a countdown never goes below zero, in digits or in words', () => {
  expect([281_000, 59_200, 3_600_000 + 129_000, -5].map(clockText)).toEqual(['4:41', '1:00', '1:02:09', '0:00'])
  expect(spokenLeft(281_000)).toBe('4 minutes 41 seconds left')
  expect(spokenLeft(61_000)).toBe('1 minute 1 second left')
  expect(spokenLeft(0)).toBe('Time is up')
})

test('a countdown announces the time left to screen readers only at one minute, half a minute, ten seconds and the end', () => {
  const said = Array.from({ length: 300 }, (_, index) => announcement((299 - index) * second)).filter((text) => text !== null)
  expect(said).toEqual(['One minute left', '30 seconds left', '10 seconds left', 'Time is up'])
})
