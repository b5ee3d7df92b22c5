import { day, hour, minute, second } from '../../../shared/time.ts'

const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const hands = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `18 Nov 2026, 14:32:07 UTC`. */
export const exactTime = (ms: number): string => `${dayAndTime.format(ms)} UTC`

/** `14:32:07` in UTC. */
export const timeOfDay = (ms: number): string => hands.format(ms)

/** `Wed 18 Nov`. */
export const weekdayText = (ms: number): string => weekday.format(ms).replace(',', '')

/** `21 Nov`, with the year where it is another one. */
export function dayText(ms: number, nowMs: number): string {
  return new Date(ms).getUTCFullYear() === new Date(nowMs).getUTCFullYear() ? shortDay.format(ms) : longDay.format(ms)
}

/** A length of time in its largest sensible unit: `38 s`, `2 min`, `3 h`, `11 days`. */
export function durationText(ms: number): string {
  const length = Math.abs(ms)
  if (length < minute) return `${Math.floor(length / second)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < 2 * day) return `${Math.floor(length / hour)} h`
  return `${Math.floor(length / day)} days`
}

/** The same with its second unit: `4 min 41 s`, `3 h 12 min`, `1 day 4 h`. */
export function fineDurationText(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.ceil(length / second)} s`
  if (length < hour) return `${Math.floor(length / minute)} min ${Math.floor((length % minute) / second)} s`
  if (length < day) return `${Math.floor(length / hour)} h ${Math.floor((length % hour) / minute)} min`
  const days = Math.floor(length / day)
  return `${days} day${days === 1 ? '' : 's'} ${Math.floor((length % day) / hour)} h`
}

/** `4 s ago`, `in 3 days`, `just now` below two seconds. */
export function relativeText(ms: number, nowMs: number): string {
  const difference = ms - nowMs
  if (Math.abs(difference) < 2 * second) return 'just now'
  return difference > 0 ? `in ${durationText(difference)}` : `${durationText(difference)} ago`
}
