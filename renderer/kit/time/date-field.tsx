import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { day } from '../../../shared/time.ts'
import { kitText } from '../../text/en/kit.en.tsx'
import { IconButton } from '../button.tsx'
import controlsStyles from '../controls.module.css'
import { cx } from '../cx.ts'
import { Input } from '../input.tsx'
import { pressed } from '../key-bindings.ts'
import { place } from '../overlay/menu.tsx'
import overlayStyles from '../overlay/overlay.module.css'
import { localeOfPage, titleTime, useNow } from './time.tsx'

/** The start of a day in this computer's time zone, Unix ms. Days are written `2026-12-24`. */
export const startOfDay = (date: string): number => new Date(`${date}T00:00`).getTime()

/** The day on which a time (Unix ms) falls in this computer's time zone. */
export function dayAt(ms: number): string {
  const at = new Date(ms)
  return dateOf(at.getFullYear(), at.getMonth() + 1, at.getDate()) ?? ''
}

/** Formats a day as `2026-12-24`; `null` if the calendar has no such day. */
function dateOf(year: number, month: number, dayOfMonth: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, dayOfMonth))
  return year >= 1000 && at.getUTCMonth() === month - 1 && at.getUTCDate() === dayOfMonth ? at.toISOString().slice(0, 10) : null
}

const partsOf = (date: string): readonly [number, number, number] => [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]

export const daysLater = (date: string, days: number): string => new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

/** The same day some months later. If that month is too short, its last day. */
export function monthsLater(date: string, months: number): string {
  const [year, month, dayOfMonth] = partsOf(date)
  const last = new Date(Date.UTC(year, month + months, 0))
  return dateOf(last.getUTCFullYear(), last.getUTCMonth() + 1, Math.min(dayOfMonth, last.getUTCDate())) ?? date
}

interface Calendar {
  /** Formats a date as `24 Dec 2026`, like dates elsewhere in the app. */
  readonly shown: (date: string) => string
  /** Formats a date as `Thursday, 24 December 2026`, for screen readers. */
  readonly spoken: (date: string) => string
  readonly month: (date: string) => string
  /**
   * The weekdays with short and long names, in the order in which weeks run in this locale. `at`: the number of the weekday; 0 is Sunday.
   */
  readonly weekdays: readonly { readonly at: number; readonly short: string; readonly long: string }[]
  /**
   * Parses a typed date. If the year is missing, `nearest.lies` decides whether the result is the next such day from `nearest.to` on, or the latest
   * one before it.
   * Returns `null` if the text is not a date, and `either` if its numbers fit two dates.
   */
  readonly read: (text: string, nearest: { readonly to: string; readonly lies: 'before' | 'after' }) => string | 'either' | null
}

const sunday = '2026-11-01'

export function createCalendar(locale: string): Calendar {
  const by = (parts: Intl.DateTimeFormatOptions, language = locale) => {
    const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' })
    return (date: string) => format.format(Date.parse(date))
  }
  const inDate = (width: 'short' | 'long', language: string) => {
    const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: width, timeZone: 'UTC' })
    return (date: string) => format.formatToParts(Date.parse(date)).find(({ type }) => type === 'month')?.value ?? ''
  }
  const plain = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/\.$/, '')
  const months = new Map<string, number>()
  const weekdayNames = new Set<string>()
  for (const language of new Set(['en', locale])) {
    for (const width of ['short', 'long'] as const) {
      for (const name of [by({ month: width }, language), inDate(width, language)])
        for (let month = 1; month <= 12; month += 1) months.set(plain(name(dateOf(2026, month, 1) ?? '')), month)
      for (let at = 0; at < 7; at += 1) weekdayNames.add(plain(by({ weekday: width }, language)(daysLater(sunday, at))))
    }
  }
  // In some languages, the names of months are numbers. Don't treat those as names.
  for (const name of [...months.keys()]) if (!/\p{L}/u.test(name)) months.delete(name)
  /** The month that a word names: by its full name, or by at least three letters with which only one month starts. */
  const monthOf = (word: string): number | null => {
    const found = new Set([...months].flatMap(([name, month]) => (word.length >= 3 && name.startsWith(word) ? [month] : [])))
    return months.get(word) ?? (found.size === 1 ? ([...found][0] ?? null) : null)
  }
  const read: Calendar['read'] = (text, { to, lies }) => {
    const typed = plain(text.trim()).replace(/^(\d{4})年(\d{1,2})月(\d{1,2})日\S*$/, '$1-$2-$3')
    const words = (typed.match(/\p{L}+|\d+/gu) ?? []).filter((word) => !weekdayNames.has(word))
    const named = words.flatMap((word) => monthOf(word) ?? [])
    const numbers = words.filter((word) => /^\d+$/.test(word))
    if (named.length + numbers.length !== words.length || named.length > 1) return null
    const years = numbers.filter((word) => word.length === 4).map(Number)
    const small = numbers.filter((word) => word.length <= 2).map(Number)
    if (years.length + small.length !== numbers.length || years.length > 1) return null
    const inYear = (month: number, dayOfMonth: number): string | null => {
      const [year] = years
      if (year !== undefined) return dateOf(year, month, dayOfMonth)
      const [now] = partsOf(to)
      const near = [now - 1, now, now + 1].flatMap((each) => dateOf(each, month, dayOfMonth) ?? [])
      return (lies === 'after' ? near.find((date) => date >= to) : near.findLast((date) => date <= to)) ?? null
    }
    const [first = 0, second = 0] = small
    const [month] = named
    if (month !== undefined) return small.length === 1 ? inYear(month, first) : null
    if (small.length !== 2) return null
    if (words[0]?.length === 4) return inYear(first, second)
    // A date with dots always has the day first. With a slash or hyphen, either order is possible.
    if (/^\d+\. ?\d+\.?( ?\d+)?$/.test(typed)) return inYear(second, first)
    const readings = new Set([inYear(second, first), inYear(first, second)].filter((date) => date !== null))
    return readings.size > 1 ? 'either' : ([...readings][0] ?? null)
  }
  const firstDay = weekStartOf(locale)
  const [short, long] = [by({ weekday: 'short' }), by({ weekday: 'long' })]
  return {
    shown: by({ day: 'numeric', month: 'short', year: 'numeric' }),
    spoken: by({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    month: by({ month: 'long', year: 'numeric' }),
    weekdays: Array.from({ length: 7 }, (_, index) => {
      const at = (firstDay + index) % 7
      return { at, short: short(daysLater(sunday, at)), long: long(daysLater(sunday, at)) }
    }),
    read,
  }
}

/** On which weekday the locale's weeks start; 0 is Sunday. */
function weekStartOf(locale: string): number {
  // The cast is needed: the compiler's library does not contain this newer part of `Intl`.
  const of = new Intl.Locale(locale) as Intl.Locale & { readonly getWeekInfo?: () => { readonly firstDay: number } }
  return (of.getWeekInfo?.().firstDay ?? 1) % 7
}

const calendar = createCalendar(localeOfPage)

interface DateFieldProps {
  readonly id: string
  readonly label: string
  /** The date as `2026-12-24`; empty if none is chosen. */
  readonly value: string
  /** Called with each date. While the typed text is not a date, called with empty text. */
  readonly onChange: (date: string) => void
  /** The earliest day that can be chosen. If set, a date without a year means the next such day; otherwise the last one. */
  readonly min?: string
  /** Shown while no date is chosen. Default: today’s date, as an example. */
  readonly placeholder?: string
  readonly invalid?: boolean
}

/**
 * A field for a date. The user types it in any unambiguous format or picks it from a calendar. While the user types, shows how the text was
 * understood.
 */
export function DateField({ id, label, value, onChange, min, placeholder, invalid = false }: DateFieldProps) {
  const today = dayAt(useNow(60_000))
  const [typed, setTyped] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const readTyped = (text: string) => calendar.read(text, min === undefined ? { to: today, lies: 'before' } : { to: min, lies: 'after' })
  const read = typed === null ? null : readTyped(typed)
  const isBlank = typed === null || typed.trim() === ''

  useEffect(() => {
    const element = popover.current
    const onToggle = (event: ToggleEvent) => setOpen(event.newState === 'open')
    element?.addEventListener('toggle', onToggle)
    return () => element?.removeEventListener('toggle', onToggle)
  }, [])

  const show = () => {
    const [element, anchor] = [popover.current, button.current]
    if (element === null || anchor === null) return
    if (element.matches(':popover-open')) return element.hidePopover()
    // Render the calendar now: the next lines need its size and the chosen day.
    flushSync(() => setOpen(true))
    element.showPopover()
    const size = { width: element.offsetWidth, height: element.offsetHeight }
    const at = place(anchor.getBoundingClientRect(), size, { width: innerWidth, height: innerHeight }, 'end')
    element.style.setProperty('left', `${at.left}px`)
    element.style.setProperty('top', `${at.top}px`)
    element.querySelector<HTMLElement>('[data-date][tabindex="0"]')?.focus()
  }
  const close = () => {
    popover.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <span className={controlsStyles.date}>
      <Input
        id={id}
        value={typed ?? (value === '' ? '' : calendar.shown(value))}
        onChange={(text) => {
          setTyped(text)
          const date = readTyped(text)
          onChange(date === null || date === 'either' ? '' : date)
        }}
        // If the text is not a date, leave it in the field, so that the user can correct it.
        onBlur={() => {
          if (isBlank || value !== '') setTyped(null)
        }}
        onKeyDown={(event) => {
          if (pressed(event, 'openCalendar') === null) return
          event.preventDefault()
          show()
        }}
        aria-label={label}
        aria-describedby={`${id}-understood`}
        title={value === '' ? undefined : titleTime(startOfDay(value))}
        placeholder={placeholder ?? calendar.shown(today)}
        maxLength={40}
        invalid={invalid || (!isBlank && (read === null || read === 'either'))}
        unit={
          <IconButton ref={button} icon="calendar" size="xs" label={kitText.calendarOf(label)} aria-haspopup="dialog" aria-expanded={open} onClick={show} />
        }
      />
      <span className={controlsStyles.dateRead} id={`${id}-understood`} aria-live="polite">
        {isBlank ? null : read === null ? kitText.notADate(calendar.shown(today)) : read === 'either' ? kitText.twoDates : calendar.spoken(read)}
      </span>
      <div ref={popover} popover="auto" role="dialog" aria-label={kitText.calendarOf(label)} className={cx(overlayStyles.menu, controlsStyles.calendar)}>
        {open ? (
          <Month
            value={value}
            today={today}
            min={min}
            onClose={close}
            onPick={(date) => {
              setTyped(null)
              onChange(date)
              close()
            }}
          />
        ) : null}
      </div>
    </span>
  )
}

interface MonthProps {
  readonly value: string
  readonly today: string
  readonly min: string | undefined
  readonly onPick: (date: string) => void
  readonly onClose: () => void
}

const moveKeys = [
  ...(['dayBefore', 'dayAfter', 'weekBefore', 'weekAfter', 'weekStart', 'weekEnd'] as const),
  ...(['monthBefore', 'monthAfter', 'yearBefore', 'yearAfter'] as const),
]

/** One month of the calendar. Arrow keys move by day and week, Page Up and Page Down by month, or with Shift by year. */
function Month({ value, today, min, onPick, onClose }: MonthProps) {
  const [at, setAt] = useState(value === '' ? (min !== undefined && min > today ? min : today) : value)
  const grid = useRef<HTMLTableElement>(null)
  const first = `${at.slice(0, 8)}01`
  const column = (date: string): number => calendar.weekdays.findIndex((weekday) => weekday.at === new Date(Date.parse(date)).getUTCDay())
  const start = daysLater(first, -column(first))
  const weeks = Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (__, index) => daysLater(start, week * 7 + index)))
  const go = (date: string) => {
    flushSync(() => setAt(date))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const moves: Readonly<Record<(typeof moveKeys)[number], () => string>> = {
    dayBefore: () => daysLater(at, -1),
    dayAfter: () => daysLater(at, 1),
    weekBefore: () => daysLater(at, -7),
    weekAfter: () => daysLater(at, 7),
    weekStart: () => daysLater(at, -column(at)),
    weekEnd: () => daysLater(at, 6 - column(at)),
    monthBefore: () => monthsLater(at, -1),
    monthAfter: () => monthsLater(at, 1),
    yearBefore: () => monthsLater(at, -12),
    yearAfter: () => monthsLater(at, 12),
  }
  const onGridKey = (event: KeyboardEvent) => {
    const key = pressed(event, ...moveKeys)
    if (key === null) return
    event.preventDefault()
    go(moves[key]())
  }
  const onKey = (event: KeyboardEvent) => {
    if (pressed(event, 'escape') === null) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the dialog from every control inside
    <div onKeyDown={onKey} onBlur={onBlur}>
      <div className={controlsStyles.calendarHead}>
        <IconButton icon="chevron-right" className={controlsStyles.back} size="sm" label={kitText.previousMonth} onClick={() => setAt(monthsLater(at, -1))} />
        <b aria-live="polite">{calendar.month(at)}</b>
        <IconButton icon="chevron-right" size="sm" label={kitText.nextMonth} onClick={() => setAt(monthsLater(at, 1))} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through the days of the table */}
      <table ref={grid} role="grid" aria-label={calendar.month(at)} onKeyDown={onGridKey}>
        <thead>
          <tr>
            {calendar.weekdays.map(({ at: weekday, short, long }) => (
              <th key={weekday} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((dates) => (
            <tr key={dates[0]}>
              {dates.map((date) => {
                const isEarly = min !== undefined && date < min
                return (
                  <td key={date}>
                    <button
                      type="button"
                      tabIndex={date === at ? 0 : -1}
                      data-date={date}
                      data-other={date.slice(0, 7) !== at.slice(0, 7) || undefined}
                      aria-label={calendar.spoken(date)}
                      aria-pressed={date === value}
                      aria-current={date === today ? 'date' : undefined}
                      aria-disabled={isEarly || undefined}
                      onClick={() => isEarly || onPick(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
