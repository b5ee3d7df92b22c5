import type { ExpiryItem } from '../../../../shared/ipc/keys/expiry.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { day, minute } from '../../../../shared/time.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { dayText, relativeText } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { isOver } from '../replace/replacement-track.ts'

/** A section of the timeline, which covers the days `from` to `to`. All sections have the same width, so near days get the most room. */
export interface Band {
  readonly label: string
  readonly from: number
  readonly to: number
}

/**
 * The timeline's sections, as numbers of days from now. Expired items stay listed for 30 days; a key lasts at most 2000 days (API key,
 * `expires_in_days`).
 */
export const bands: readonly Band[] = [
  { label: keysText.expired, from: -30, to: 0 },
  { label: keysText.next24Hours, from: 0, to: 1 },
  { label: keysText.week, from: 1, to: 7 },
  { label: keysText.month, from: 7, to: 30 },
  { label: keysText.quarter, from: 30, to: 90 },
  { label: keysText.year, from: 90, to: 365 },
  { label: keysText.later, from: 365, to: 2000 },
]

/** The number of columns: one for each section, plus one on the right for items with an unknown end. */
const columns = bands.length + 1
const share = 100 / columns

/** Finds the section (`Band`) that contains a number of days. Numbers outside the timeline belong to its first or last section. */
function bandAt(days: number): number {
  const index = bands.findLastIndex(({ from }) => days > from)
  return Math.max(0, index)
}

/** Where to draw a number of days, in percent of the width. `null` (unknown) is drawn in the middle of the last column. */
export function expiryPosition(days: number | null): number {
  if (days === null) return share * (columns - 0.5)
  const index = bandAt(days)
  const band = bands[index]
  if (band === undefined) return 0
  const within = (days - band.from) / (band.to - band.from)
  return share * (index + Math.min(1, Math.max(0, within)))
}

export type EndTone = 'over' | 'bad' | 'warn' | 'calm' | 'unknown'

/**
 * The colour of an expiry, as in the key list: an alarm in the last week, a warning in the last two weeks.
 * A sign-in lasts four hours and gets its warning in the last thirty minutes.
 */
export function endTone(kind: ExpiryItem['kind'], leftMs: number | null): EndTone {
  if (leftMs === null) return 'unknown'
  if (leftMs <= 0) return 'over'
  if (kind === 'sign_in') return leftMs < 30 * minute ? 'warn' : 'calm'
  if (leftMs < 7 * day) return 'bad'
  return leftMs < 14 * day ? 'warn' : 'calm'
}

/** One expiry on the timeline. `rowId`: the table row that describes it. */
export interface ExpiryPoint {
  readonly rowId: string
  readonly title: string
  readonly atMs: number | null
  readonly sure: ExpiryItem['sure']
}

/** One mark on the timeline: a single point, or several points that would overlap. */
export interface ExpiryMark {
  readonly id: string
  readonly at: number
  /** The mark's points, soonest first; never empty. */
  readonly points: readonly [ExpiryPoint, ...ExpiryPoint[]]
}

/** Minimum distance between two marks, in percent of the width. Closer marks would touch in a narrow window. */
const nearest = 3.2

/**
 * Returns the marks of one timeline lane from left to right. Merges points that would overlap, but never merges an expired point with a future
 * point.
 */
export function expiryMarks(lane: string, points: readonly ExpiryPoint[], nowMs: number): readonly ExpiryMark[] {
  const days = ({ atMs }: ExpiryPoint) => (atMs === null ? null : (atMs - nowMs) / day)
  const marks: ExpiryMark[] = []
  for (const point of points.toSorted((a, b) => (a.atMs ?? Number.POSITIVE_INFINITY) - (b.atMs ?? Number.POSITIVE_INFINITY))) {
    const at = expiryPosition(days(point))
    const last = marks.at(-1)
    if (last !== undefined && at - last.at < nearest && at < share === last.at < share) {
      const [first, ...others] = last.points
      marks[marks.length - 1] = { ...last, points: [first, ...others, point] }
    } else marks.push({ id: `${lane}/${point.rowId}`, at, points: [point] })
  }
  return marks
}

export const kindWords: Readonly<
  Record<ExpiryItem['kind'], { readonly one: string; readonly many: string; readonly count: (count: number) => string; readonly icon: IconName }>
> = {
  sign_in: { one: keysText.signInNoun, many: keysText.signInNoun, count: keysText.signInCount, icon: 'user' },
  key: { one: keysText.key, many: keysText.keys, count: keysText.keyCount, icon: 'key' },
  grant: { one: keysText.grant, many: keysText.grants, count: keysText.grantCount, icon: 'bot' },
}

export const sureWords: Readonly<Record<ExpiryItem['sure'], string>> = { exact: keysText.exact, at_latest: keysText.atTheLatest, unknown: keysText.notKnown }

/** Describes an expiry: `bot expires in 11 days`, `bot expired 3 days ago`, `bot expires in 20 days at the latest`. */
export function endText({ title, atMs, sure }: Pick<ExpiryPoint, 'title' | 'atMs' | 'sure'>, nowMs: number): string {
  if (atMs === null) return keysText.unknownExpiryOf(title)
  const when = relativeText(atMs, nowMs)
  if (atMs <= nowMs) return keysText.itemExpired(title, when)
  return sure === 'at_latest' ? keysText.itemExpiresAtLatest(title, when) : keysText.itemExpires(title, when)
}

const named = 4

/** A mark's description: one sentence without the full stop. */
export function markText({ points }: ExpiryMark, kind: ExpiryItem['kind'], nowMs: number): string {
  const [first] = points
  if (points.length === 1) return endText(first, nowMs)
  const names = points.slice(0, named).map(({ title }) => title)
  const rest = points.length - names.length
  const counted = kindWords[kind].count(points.length)
  const listed = keysText.listedApart(names)
  return rest > 0 ? keysText.firstOfMore(counted, listed, rest, endText(first, nowMs)) : keysText.firstOf(counted, listed, endText(first, nowMs))
}

export const openReplacement = (replacements: readonly Replacement[], keyId: string): Replacement | null =>
  replacements.find((one) => one.oldKey.id === keyId && !isOver(one)) ?? null

/** When the app will offer to start a planned replacement, as Unix ms; `null` if that time has passed or the replacement has started. */
export const beginsAtMs = ({ now, due, notBeforeMs }: Replacement): number | null => (now.state === 'planned' && !due ? notBeforeMs : null)

/** The text about a key's replacement in the expiry table. */
export function replacementText(replacement: Replacement, nowMs: number): string {
  const begins = beginsAtMs(replacement)
  if (begins !== null) return keysText.fromDay(dayText(begins, nowMs))
  if (replacement.now.state === 'planned') return keysText.due
  return replacement.now.state === 'stuck' ? keysText.stuck : keysText.underWay
}

export type ExpiryFilter = 'all' | ExpiryItem['kind']

export const countItems = (items: readonly ExpiryItem[]): Readonly<Record<ExpiryFilter, number>> => ({
  all: items.length,
  sign_in: items.filter(({ kind }) => kind === 'sign_in').length,
  key: items.filter(({ kind }) => kind === 'key').length,
  grant: items.filter(({ kind }) => kind === 'grant').length,
})
