import { expect, test } from 'vitest'
import { type CalendarEvent, calendarFile } from './expiry.ts'

const nowMs = Date.UTC(2026, 10, 21, 12, 30, 5)
const event: CalendarEvent = {
  uid: 'key-k1.practice@svc-desk.example',
  atMs: Date.UTC(2027, 1, 16, 8, 0, 0),
  summary: 'API key grid ends',
  description: 'What uses it stops.',
  reminderDays: [7, 1],
}
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

test('the exported calendar file of expiry dates has one event with reminders per date, in valid calendar format', () => {
  expect(linesOf(calendarFile('Svc Desk', [event], nowMs))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Svc Desk//Expiry radar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Svc Desk',
    'BEGIN:VEVENT',
    'UID:key-k1.practice@svc-desk.example',
    'DTSTAMP:20261121T123005Z',
    'SEQUENCE:29921070',
    'DTSTART:20270216T080000Z',
    'SUMMARY:API key grid ends',
    'DESCRIPTION:What uses it stops.',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:API key grid ends',
    'TRIGGER:-P7D',
    'END:VALARM',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:API key grid ends',
    'TRIGGER:-P1D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('the app escapes texts in the calendar file of expiry dates, so that a text cannot add a line to the file', () => {
  const file = calendarFile('Svc Desk', [{ ...event, summary: 'a\\b;c,d\r\nEND:VEVENT\u0007\nX' }], nowMs)
  expect(linesOf(file)).toContain('SUMMARY:a\\\\b\\;c\\,d\\nEND:VEVENT\\nX')
  expect(linesOf(file).filter((line) => line === 'END:VEVENT')).toHaveLength(1)
})

test.each(['ä'.repeat(100), '🗝'.repeat(60), 'x'.repeat(300), 'e\u0301'.repeat(90)])(
  'the expiry calendar file splits long lines, but never inside a character',
  (summary) => {
    const file = calendarFile('Svc Desk', [{ ...event, summary }], nowMs)
    for (const line of file.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toContain('\ufffd')
    }
    expect(file.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/)
    expect(linesOf(file)).toContain(`SUMMARY:${summary}`)
  },
)

test('if an expiry date changes, its event in the next calendar file has the same id and a higher number, so that calendars update it', () => {
  const numberOf = (file: string) => Number(/SEQUENCE:(\d+)/.exec(file)?.[1])
  const later = calendarFile('Svc Desk', [{ ...event, atMs: event.atMs + 1_000 }], nowMs + 60_000)
  expect(numberOf(later)).toBeGreaterThan(numberOf(calendarFile('Svc Desk', [event], nowMs)))
  expect(later).toContain('UID:key-k1.practice@svc-desk.example')
})
