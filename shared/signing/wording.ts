import { formatDecimal } from '../decimal.ts'
import { unitWords } from '../text/units-text.ts'
import { day, hour, minute, second, wholeDaysLeft } from '../time.ts'

/** The functions in this file format values for comparisons and checks. All times are in UTC and labelled so. */

export const shortAddress = (address: string): string => (address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address)

/** Turns a field name into readable words: `orderValue` becomes "Order value". */
export function readableName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats a duration in its one or two largest units, rounded down: "4 min 38 s", "2 h 5 min", "90 days". A negative duration counts as 0. */
export function durationText(ms: number): string {
  const total = Math.max(0, Math.floor(ms / second))
  const days = Math.floor((total * second) / day)
  if (days >= 2) return unitWords.days(days)
  const [hours, minutes, seconds] = [Math.floor(total / (hour / second)), Math.floor((total % 3_600) / (minute / second)), total % 60]
  const [larger, smaller] =
    hours > 0
      ? [unitWords.hours(hours), minutes > 0 ? unitWords.minutes(minutes) : null]
      : minutes > 0
        ? [unitWords.minutes(minutes), seconds > 0 ? unitWords.seconds(seconds) : null]
        : [unitWords.seconds(seconds), null]
  return smaller === null ? larger : unitWords.two(larger, smaller)
}

/** Formats a time left as `durationText` does, but with days as by `wholeDaysLeft`. */
export const timeLeftText = (ms: number): string => (ms >= 2 * day ? unitWords.days(wholeDaysLeft(ms)) : durationText(ms))

/** Whether a time in Unix milliseconds is a valid calendar date up to the year 9999. */
export const isCalendarTime = (ms: number): boolean => !Number.isNaN(new Date(ms).getTime()) && new Date(ms).getUTCFullYear() <= 9_999

/** Formats a time of day, for example `14:37:08 UTC`; null if the time is invalid. */
export function clockText(ms: number): string | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : `${date.toISOString().slice(11, 19)} UTC`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a date, for example `16 Feb 2027`; null if the date is invalid. */
export function dateText(ms: number): string | null {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return null
  const locale = globalThis.spoken?.locale ?? 'en'
  return locale === 'en'
    ? `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
    : new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(date)
}

/** Formats an integer with grouped digits. Never shortened, because the user compares it with what the wallet shows. */
export const integerText = (value: bigint): string => formatDecimal(value.toString())

/** Converts a time in a message, in seconds or milliseconds, to Unix milliseconds. null if the number is not a time. */
export function messageTime(value: bigint): number | null {
  if (value <= 0n || value > 100_000_000_000_000n) return null
  return value < 100_000_000_000n ? Number(value) * 1_000 : Number(value)
}

/**
 * Invisible characters that change how text looks: control characters except line breaks and tabs, format characters (bidi, zero width, tags), line
 * and paragraph separators, blank letters, lone surrogates, private-use and unassigned characters.
 */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}/gu

interface VisiblePart {
  /** The text of the part, or the name of a hidden character, for example `U+202E`. */
  readonly text: string
  readonly hidden: boolean
  /** Offset of the part in the original text, in UTF-16 code units. */
  readonly start: number
  readonly length: number
}

const nameOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Splits text into parts, so that a view can show hidden characters as marks. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hidden: false, start: end, length: match.index - end })
    parts.push({ text: nameOf(match[0]), hidden: true, start: match.index, length: match[0].length })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), hidden: false, start: end, length: text.length - end })
  return parts
}

/** Returns the text with hidden characters as marks: `a‹U+202E›b`. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => (part.hidden ? `‹${part.text}›` : part.text))
    .join('')

/** Returns the first hidden character of a text; null if there is none. */
export const firstHidden = (text: string): VisiblePart | null => visibleParts(text).find((part) => part.hidden) ?? null
