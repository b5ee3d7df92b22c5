/** One end in a calendar. Text is for people and holds nothing secret. */
export interface CalendarEvent {
  /** The same for the same thing each time, so that a calendar takes a new date for a change. */
  readonly uid: string
  readonly atMs: number
  readonly summary: string
  readonly description: string
  /** Days before at which the calendar reminds. */
  readonly reminderDays: readonly number[]
}

const maxOctets = 75

/** `19970714T170000Z` (RFC 5545, 3.3.5). */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** RFC 5545, 3.3.11: backslash, semicolon, comma and line breaks; other control characters have no place in text. */
const escaped = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/[;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '')

/** RFC 5545, 3.1: lines of at most 75 octets, continued by a line break and a space, never inside a character. */
function folded(line: string): string {
  let [result, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      result += '\r\n '
      octets = 1
    }
    result += character
    octets += size
  }
  return result
}

const alarm = (days: number, summary: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(summary)}`,
  `TRIGGER:-P${days}D`,
  'END:VALARM',
]

/** A calendar file (RFC 5545). `nowMs` dates it; a later one takes the place of an earlier one. */
export function calendarFile(name: string, events: readonly CalendarEvent[], nowMs: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Svc Desk//Expiry radar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(({ uid, atMs, summary, description, reminderDays }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(uid)}`,
      `DTSTAMP:${stamp(nowMs)}`,
      `SEQUENCE:${Math.floor(nowMs / 60_000)}`,
      `DTSTART:${stamp(atMs)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      'TRANSP:TRANSPARENT',
      ...reminderDays.flatMap((days) => alarm(days, summary)),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
