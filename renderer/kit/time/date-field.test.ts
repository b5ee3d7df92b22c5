import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCalendar, dayAt, daysLater, monthsLater, startOfDay } from './date-field.tsx'

const past = { to: '2026-11-26', lies: 'before' } as const
const future = { to: '2026-11-26', lies: 'after' } as const

describe.each(['en-GB', 'en-US', 'de', 'ja'])('the date field parses and shows dates in the locale %s', (locale) => {
  const { read, shown, spoken } = createCalendar(locale)
  const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => daysLater('2000-01-01', days))

  test('the date field parses every date in each format in which the app shows dates', () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        expect([read(shown(date), past), read(spoken(date), past), read(date, past), read(date.replaceAll('-', '/'), past)]).toEqual([date, date, date, date])
      }),
    )
  })

  test.each([
    ['24 Dec 2026', '2026-12-24'],
    ['december 24, 2026', '2026-12-24'],
    ['24.12.2026', '2026-12-24'],
    ['3.4.2026', '2026-04-03'],
    ['24/12/2026', '2026-12-24'],
    ['12/24/2026', '2026-12-24'],
    ['4/4/2026', '2026-04-04'],
    ['２０２６-１２-２４', '2026-12-24'],
  ])('the app’s date field reads the typed date %s', (text, date) => {
    expect(read(text, past)).toBe(date)
  })

  test('the date field refuses a typed date whose numbers fit two dates, instead of guessing', () => {
    expect(read('3/4/2026', past)).toBe('either')
    expect(read('03-04-2026', past)).toBe('either')
  })

  test.each(['', 'soon', '31 Feb 2026', '2026-13-01', '24', '24 Dec 26 2026', '24 Dec 202', 'Ju 4 2026', '1 Jan Feb 2026', '24.12.26.2026'])(
    'the app’s date field refuses %s as a date',
    (text) => {
      expect(read(text, past)).toBeNull()
    },
  )

  test('the date field completes a typed date without a year to the most recent or the next such day, as the field requires', () => {
    expect([read('24 Dec', past), read('24 Dec', future), read('26 Nov', past), read('26 Nov', future), read('1.2.', future)]).toEqual([
      '2025-12-24',
      '2026-12-24',
      '2026-11-26',
      '2026-11-26',
      '2027-02-01',
    ])
  })
})

test('the date field parses month names in each of the app’s languages', () => {
  expect([createCalendar('de').read('24. Dezember 2026', past), createCalendar('de').read('3. März 2026', past)]).toEqual(['2026-12-24', '2026-03-03'])
  expect(createCalendar('ja').read('2026年3月4日', past)).toBe('2026-03-04')
})

test('the date field’s calendar starts its weeks on the weekday that is usual in the language', () => {
  expect(['en-GB', 'en-US', 'de', 'ja'].map((locale) => createCalendar(locale).weekdays[0]?.at)).toEqual([1, 0, 1, 0])
})

test('when the date field’s calendar moves from the end of a month to a shorter month, it chooses the shorter month’s last day', () => {
  expect([monthsLater('2026-01-31', 1), monthsLater('2026-01-31', -2), monthsLater('2024-02-29', 12)]).toEqual(['2026-02-28', '2025-11-30', '2025-02-28'])
})

test('a day that the user chooses in the date field starts at local midnight', () => {
  expect(dayAt(startOfDay('2026-03-29'))).toBe('2026-03-29')
  expect(dayAt(startOfDay('2026-03-29') - 1)).toBe('2026-03-28')
})
