import { expect, test } from 'vitest'
import { day, hour } from '../../../shared/time.ts'
import { createMomentTexts } from './time.tsx'

const at = Date.UTC(2026, 10, 18, 14, 32, 7)
/** In Berlin, the clocks go back from 03:00 to 02:00 at this time. */
const change = Date.UTC(2026, 9, 25, 1)

test.each([
  ['en-GB', 'UTC', '18 Nov 2026, 14:32:07 UTC', '14:32:07', '18 Nov 14:32:07', 'Wed 18 Nov, 14:32 UTC'],
  ['en-GB', 'Europe/Berlin', '18 Nov 2026, 15:32:07 CET', '15:32:07', '18 Nov 15:32:07', 'Wed 18 Nov, 15:32 CET'],
  ['de-DE', 'UTC', '18. Nov. 2026, 14:32:07 UTC', '14:32:07', '18. Nov. 14:32:07', 'Mi., 18. Nov., 14:32 UTC'],
  ['de-DE', 'Europe/Berlin', '18. Nov. 2026, 15:32:07 MEZ', '15:32:07', '18. Nov. 15:32:07', 'Mi., 18. Nov., 15:32 MEZ'],
  ['ja-JP', 'UTC', '2026年11月18日 14:32:07 UTC', '14:32:07', '11月18日 14:32:07', '11月18日(水) 14:32 UTC'],
  ['ja-JP', 'Europe/Berlin', '2026年11月18日 15:32:07 GMT+1', '15:32:07', '11月18日 15:32:07', '11月18日(水) 15:32 GMT+1'],
])('the app formats a moment for the locale %s in the time zone %s', (locale, zone, exact, clock, row, weekday) => {
  const texts = createMomentTexts(locale, zone)
  expect([texts.exactTime(at), texts.timeOfDay(at), texts.rowTime(at), texts.weekdayTime(at)]).toEqual([exact, clock, row, weekday])
})

test.each([
  ['en-GB', '25 Oct 2026, 02:30:00 CEST', '25 Oct 2026, 02:30:00 CET'],
  ['de-DE', '25. Okt. 2026, 02:30:00 MESZ', '25. Okt. 2026, 02:30:00 MEZ'],
  ['ja-JP', '2026年10月25日 02:30:00 GMT+2', '2026年10月25日 02:30:00 GMT+1'],
])('the app distinguishes, in %s, the two moments that show the same clock time when daylight saving time ends', (locale, before, after) => {
  const { exactTime, titleTime } = createMomentTexts(locale, 'Europe/Berlin')
  expect([exactTime(change - hour / 2), exactTime(change + hour / 2)]).toEqual([before, after])
  expect(titleTime(change - hour / 2)).not.toBe(titleTime(change + hour / 2))
})

test('the app shows UTC beside every exact time, but only once if the time zone is UTC', () => {
  expect(createMomentTexts('en-GB', 'Europe/Berlin').titleTime(at)).toBe('18 Nov 2026, 15:32:07 CET · 18 Nov 2026, 14:32:07 UTC')
  expect(createMomentTexts('en-GB', 'UTC').titleTime(at)).toBe('18 Nov 2026, 14:32:07 UTC')
  expect(createMomentTexts('de-DE', 'Europe/Berlin').signingTime(at)).toBe('15:32:07 MEZ (14:32:07 UTC)')
  expect(createMomentTexts('de-DE', 'UTC').signingTime(at)).toBe('14:32:07 UTC')
})

test('the app shows times on a twelve-hour clock if that is usual in the locale', () => {
  const american = createMomentTexts('en-US', 'America/New_York')
  expect(american.timeOfDay(at).replace(/\s/g, ' ')).toBe('09:32:07 AM')
  expect(american.zonedMinute(at).replace(/\s/g, ' ')).toBe('09:32 AM EST')
})

test('the app starts days and years at midnight of the chosen time zone, and UTC days at midnight UTC', () => {
  const late = Date.UTC(2026, 11, 31, 23, 30)
  const [utc, berlin] = [createMomentTexts('en-GB', 'UTC'), createMomentTexts('en-GB', 'Europe/Berlin')]
  expect([utc.dayText(late, at), berlin.dayText(late, at)]).toEqual(['31 Dec', '1 Jan 2027'])
  expect(berlin.dayText(late, late + day)).toBe('1 Jan')
  expect(berlin.momentText(late, late)).toBe('1 Jan, 00:30 CET')
  expect(berlin.utcDay(late)).toBe('31 Dec')
})
