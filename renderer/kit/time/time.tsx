import { createContext, type ReactNode, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Clock, day, hour, minute, second, systemClock, wholeDaysLeft } from '../../../shared/time.ts'
import { kitText } from '../../text/en/kit.en.tsx'
import styles from '../text.module.css'

/**
 * The only clock of a window. It runs on the service's time: this computer's time plus the offset that the main process measured. All times that
 * the main process sends follow the service's clock, too.
 * Every countdown, age and deadline uses this clock. The object never changes, so long-running code may keep it.
 */
export interface WindowClock extends Clock {
  /** How many milliseconds the service's clock is ahead of this computer's. */
  readonly offset: () => number
  readonly setOffset: (ms: number) => void
  /** Calls the listener when the offset changes. Returns a function that stops this. */
  readonly onOffset: (listener: () => void) => () => void
}

export function createWindowClock(computer: Clock): WindowClock {
  const listeners = new Set<() => void>()
  let offset = 0
  return {
    now: () => computer.now() + offset,
    monotonic: () => computer.monotonic(),
    offset: () => offset,
    setOffset: (ms) => {
      if (ms === offset) return
      offset = ms
      for (const listener of [...listeners]) listener()
    },
    onOffset: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface TimeProps {
  /** The time to show, in Unix milliseconds; `null` shows a dash. */
  readonly ms: number | null
  readonly form?: 'relative' | 'age' | 'clock' | 'day'
}

/** Shows a time in this computer's time zone. The tooltip has the exact time, also in UTC. A relative time is kept up to date. */
export function Time({ ms, form = 'relative' }: TimeProps) {
  const young = ms !== null && (form === 'relative' || form === 'age')
  const now = useNow(young ? 1_000 : minute)
  if (ms === null) return <span className={styles.muted}>—</span>
  const text = form === 'relative' ? relativeText(ms, now) : form === 'age' ? durationText(now - ms) : form === 'clock' ? timeOfDay(ms) : dayText(ms, now)
  return (
    <time dateTime={new Date(ms).toISOString()} title={titleTime(ms)}>
      {text}
    </time>
  )
}

const ClockContext = createContext<WindowClock>(createWindowClock(systemClock))

/** Whether the user can see a window of the app. If not, times on the page do not run. */
const SeenContext = createContext(true)

interface ClockProviderProps {
  readonly clock: WindowClock
  /** Whether the user can see a window of the app. While false, `useNow` updates nothing; once true again, everything updates at once. */
  readonly isSeen?: boolean
  readonly children: ReactNode
}

export function ClockProvider({ clock, isSeen = true, children }: ClockProviderProps) {
  return (
    <ClockContext value={clock}>
      <SeenContext value={isSeen}>{children}</SeenContext>
    </ClockContext>
  )
}

/** Returns a clock that runs on the service's time. It is always the same object. */
export function useClock(): Clock {
  return useContext(ClockContext)
}

/**
 * Returns the service's time in Unix ms, updated every `everyMs` while the component is on screen and the user can see the app. If `everyMs` is 0,
 * the time changes only when the component renders for another reason.
 */
export function useNow(everyMs = 1_000): number {
  const clock = useContext(ClockContext)
  const isSeen = useContext(SeenContext)
  const [, tick] = useState(0)
  useSyncExternalStore(clock.onOffset, clock.offset, clock.offset)
  useEffect(() => {
    if (everyMs <= 0 || !isSeen) return
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isSeen])
  return clock.now()
}

/** Whether a time (Unix ms) has not passed. `null` counts as passed. */
export const isStillBefore = (untilMs: number | null, nowMs: number): boolean => untilMs !== null && nowMs <= untilMs

/** Returns whether the service's time has not passed `untilMs` (Unix ms). Looks each second, but renders the component only when this changes. */
export function useStillBefore(untilMs: number | null): boolean {
  const clock = useContext(ClockContext)
  const [, pass] = useState(0)
  useSyncExternalStore(clock.onOffset, clock.offset, clock.offset)
  const isBefore = isStillBefore(untilMs, clock.now())
  useEffect(() => {
    if (!isBefore) return
    // Not one long timer, because its time may stop while the computer sleeps.
    const timer = setInterval(() => {
      if (!isStillBefore(untilMs, clock.now())) pass((count) => count + 1)
    }, second)
    return () => clearInterval(timer)
  }, [isBefore, untilMs, clock])
  return isBefore
}

interface MomentTexts {
  /** Formats a time as `18 Nov 2026, 15:32:07 CET`. */
  readonly exactTime: (ms: number) => string
  /** Formats a time for a tooltip: the exact time, and in UTC too if the zone differs. */
  readonly titleTime: (ms: number) => string
  /** Formats a time as `15:32:07`. */
  readonly timeOfDay: (ms: number) => string
  /** Formats a time as `15:32`. */
  readonly minuteOfDay: (ms: number) => string
  /** Formats a time as `15:32:07 CET`. */
  readonly zonedTime: (ms: number) => string
  /** Formats a time as `15:32 CET`. */
  readonly zonedMinute: (ms: number) => string
  /** Formats a time for a message to sign: `15:32:07 CET (14:32:07 UTC)`. */
  readonly signingTime: (ms: number) => string
  /** Formats a time as `2 Dec, 15:32 CET`, with the year if it is not the current one. */
  readonly momentText: (ms: number, nowMs: number) => string
  /** Formats a time for table rows: `18 Nov 15:32:07`. */
  readonly rowTime: (ms: number) => string
  /** Formats a time as `Wed 18 Nov, 15:32 CET`. */
  readonly weekdayTime: (ms: number) => string
  /** Formats a day as `21 Nov`, with the year if it is not the current one. */
  readonly dayText: (ms: number, nowMs: number) => string
  /** Formats a UTC day as `21 Nov`. */
  readonly utcDay: (ms: number) => string
  /** Formats a time for a chart's axis as `18 Nov, 15:32`. The next three functions format only the day, month or year. */
  readonly chartTime: (ms: number) => string
  readonly dayOfMonth: (ms: number) => string
  readonly monthText: (ms: number) => string
  readonly yearText: (ms: number) => string
}

const day2 = { day: '2-digit', month: 'short' } as const
const shortDay = { day: 'numeric', month: 'short' } as const
const longDay = { ...shortDay, year: 'numeric' } as const
const minutes = { hour: '2-digit', minute: '2-digit' } as const
const seconds = { ...minutes, second: '2-digit' } as const
const named = { timeZoneName: 'short' } as const

/** Creates functions that format dates and times for a locale, in `timeZone` or else in this computer's time zone. */
export function createMomentTexts(locale: string, timeZone?: string): MomentTexts {
  const format = (parts: Intl.DateTimeFormatOptions, zone = timeZone) => {
    // The formatter is created on first use, because most pages use only a few of these formats.
    let made: Intl.DateTimeFormat | null = null
    return (ms: number) => {
      made ??= new Intl.DateTimeFormat(locale, zone === undefined ? parts : { ...parts, timeZone: zone })
      return made.format(ms)
    }
  }
  const both = (parts: Intl.DateTimeFormatOptions, join: (own: string, utc: string) => string) => {
    const [own, utc] = [format({ ...parts, ...named }), format({ ...parts, ...named }, 'UTC')]
    return (ms: number) => (own(ms) === utc(ms) ? own(ms) : join(own(ms), utc(ms)))
  }
  const year = format({ year: 'numeric' })
  const inYear = (short: (ms: number) => string, long: (ms: number) => string) => (ms: number, nowMs: number) => (year(ms) === year(nowMs) ? short : long)(ms)
  const [row, weekday] = [format({ ...day2, ...seconds }), format({ weekday: 'short', ...shortDay, ...minutes, ...named })]
  return {
    exactTime: format({ ...longDay, ...seconds, ...named }),
    titleTime: both({ ...longDay, ...seconds }, (own, utc) => `${own} · ${utc}`),
    timeOfDay: format(seconds),
    minuteOfDay: format(minutes),
    zonedTime: format({ ...seconds, ...named }),
    zonedMinute: format({ ...minutes, ...named }),
    signingTime: both(seconds, (own, utc) => `${own} (${utc})`),
    momentText: inYear(format({ ...shortDay, ...minutes, ...named }), format({ ...longDay, ...minutes, ...named })),
    rowTime: (ms) => row(ms).replace(',', ''),
    weekdayTime: weekday,
    dayText: inYear(format(shortDay), format(longDay)),
    utcDay: format(shortDay, 'UTC'),
    chartTime: format({ ...shortDay, ...minutes }),
    dayOfMonth: format({ day: 'numeric' }),
    monthText: format({ month: 'short' }),
    yearText: year,
  }
}

/** The locale of the page. The main process sets it in the page's address. */
export const localeOfPage = new URLSearchParams(globalThis.location?.search).get('locale') ?? 'en-GB'

const own = createMomentTexts(localeOfPage)
export const { exactTime, titleTime, timeOfDay, minuteOfDay, zonedTime, zonedMinute, signingTime, momentText, rowTime, weekdayTime, dayText, utcDay } = own
export const { chartTime, dayOfMonth, monthText, yearText } = own

/** How many milliseconds this computer's time zone is ahead of UTC at that time. */
export const zoneOffsetMs = (ms: number): number => -new Date(ms).getTimezoneOffset() * minute

/** The age of something in its largest sensible unit: `38 s`, `2 min`, `3 h`, `11 days`. */
export function durationText(ms: number): string {
  const length = Math.abs(ms)
  if (length < minute) return kitText.seconds(Math.floor(length / second))
  if (length < hour) return kitText.minutes(Math.floor(length / minute))
  if (length < 2 * day) return kitText.hours(Math.floor(length / hour))
  return kitText.days(Math.floor(length / day))
}

/**
 * A time left in its two largest units: `38 s`, `4 min 41 s`, `3 h 12 min`, `11 days`. Rounded down, days as by `wholeDaysLeft`, without a second unit
 * of 0. All texts about the time left use it, so that two places never differ. Below two days it has hours, so that it never contradicts a date beside it.
 */
export function fineDurationText(ms: number): string {
  const length = Math.max(0, ms)
  const [hours, minutes, seconds] = [Math.floor(length / hour), Math.floor((length % hour) / minute), Math.floor((length % minute) / second)]
  if (length >= 2 * day) return kitText.days(wholeDaysLeft(length))
  if (length < minute) return durationText(length)
  if (hours === 0) return seconds === 0 ? kitText.minutes(minutes) : kitText.minutesSeconds(minutes, seconds)
  return minutes === 0 ? kitText.hours(hours) : kitText.hoursMinutes(hours, minutes)
}

/** Formats a time relative to now: `4 s ago`, `in 3 h 59 min`, `in 3 days`, or `just now` below two seconds. */
export function relativeText(ms: number, nowMs: number): string {
  const difference = ms - nowMs
  if (Math.abs(difference) < 2 * second) return kitText.justNow
  const length = Math.abs(difference)
  // Days have their own translated texts, because some languages inflect the word for "days" after "in" or "ago".
  if (length >= 2 * day) return difference > 0 ? kitText.inDays(wholeDaysLeft(length)) : kitText.daysAgo(Math.floor(length / day))
  return difference > 0 ? kitText.inTime(fineDurationText(length)) : kitText.ago(durationText(length))
}

/**
 * Returns how many milliseconds remain until the main process accepts another passphrase, updated every second. The returned `wait` sets this
 * remaining time.
 */
export function useWait(firstMs: number): { readonly leftMs: number; readonly wait: (ms: number) => void } {
  const clock = useClock()
  const [freeAt, setFreeAt] = useState(() => clock.monotonic() + firstMs)
  const leftMs = Math.max(0, freeAt - clock.monotonic())
  useNow(leftMs > 0 ? 1_000 : 0)
  const wait = useCallback((ms: number) => setFreeAt(clock.monotonic() + ms), [clock])
  return { leftMs, wait }
}

const follow = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the user can see the window. While it is hidden, the app reads no prices for it. */
export const useVisible = (): boolean => useSyncExternalStore(follow, () => document.visibilityState === 'visible')
