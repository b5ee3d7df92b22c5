import { createContext, type ReactNode, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Clock, day, hour, minute, second, systemClock } from '../../../shared/time.ts'
import { kitText } from '../../text/en/kit.en.tsx'
import styles from '../text.module.css'

/**
 * A window's one clock. Main sends times in the service's time, so the window uses it too: it applies main's measured offset here, and every
 * countdown, age and deadline follows. The object never changes, so that long-running code may keep it.
 */
export interface WindowClock extends Clock {
  /** Milliseconds by which the service is ahead of this computer. */
  readonly offset: () => number
  readonly setOffset: (ms: number) => void
  /** Gives the way to stop listening. */
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
  /** Unix milliseconds; null shows a dash. */
  readonly ms: number | null
  /** relative: "4 s ago"; age: "4 s"; clock: "14:32:07"; day: "21 Nov". */
  readonly form?: 'relative' | 'age' | 'clock' | 'day'
}

/** A moment, with the exact one in its tooltip. Keeps itself up to date. */
export function Time({ ms, form = 'relative' }: TimeProps) {
  const young = ms !== null && (form === 'relative' || form === 'age')
  const now = useNow(young ? 1_000 : minute)
  if (ms === null) return <span className={styles.muted}>—</span>
  const text = form === 'relative' ? relativeText(ms, now) : form === 'age' ? durationText(now - ms) : form === 'clock' ? timeOfDay(ms) : dayText(ms, now)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)}>
      {text}
    </time>
  )
}

const ClockContext = createContext<WindowClock>(createWindowClock(systemClock))

export function ClockProvider({ clock, children }: { readonly clock: WindowClock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>
}

/** The service's time; the same object for any offset. */
export function useClock(): Clock {
  return useContext(ClockContext)
}

/** Unix ms in the service's time, updated every `everyMs` while the component is mounted; 0 reads it once per render. */
export function useNow(everyMs = 1_000): number {
  const clock = useContext(ClockContext)
  const [, tick] = useState(0)
  useSyncExternalStore(clock.onOffset, clock.offset)
  useEffect(() => {
    if (everyMs <= 0) return
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return clock.now()
}

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
export const exactTime = (ms: number): string => kitText.utc(dayAndTime.format(ms))

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
  if (length < minute) return kitText.seconds(Math.floor(length / second))
  if (length < hour) return kitText.minutes(Math.floor(length / minute))
  if (length < 2 * day) return kitText.hours(Math.floor(length / hour))
  return kitText.days(Math.floor(length / day))
}

/** The same with its second unit: `4 min 41 s`, `3 h 12 min`, `1 day 4 h`. */
export function fineDurationText(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.ceil(length / second)} s`
  if (length < hour) return kitText.minutesSeconds(Math.floor(length / minute), Math.floor((length % minute) / second))
  if (length < day) return kitText.hoursMinutes(Math.floor(length / hour), Math.floor((length % hour) / minute))
  const days = Math.floor(length / day)
  return kitText.daysHours(days, Math.floor((length % day) / hour))
}

/** `4 s ago`, `in 3 days`, `just now` below two seconds. */
export function relativeText(ms: number, nowMs: number): string {
  const difference = ms - nowMs
  if (Math.abs(difference) < 2 * second) return kitText.justNow
  const length = Math.abs(difference)
  // Some languages inflect the days after "in" or "ago".
  if (length >= 2 * day) return (difference > 0 ? kitText.inDays : kitText.daysAgo)(Math.floor(length / day))
  return difference > 0 ? kitText.inTime(durationText(length)) : kitText.ago(durationText(length))
}

/** Milliseconds until a passphrase is looked at again, counted down once a second; and the way to set them. */
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

/** Whether the user can see the window; prices are not read otherwise. */
export const useVisible = (): boolean => useSyncExternalStore(follow, () => document.visibilityState === 'visible')
