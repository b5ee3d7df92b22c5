import type { RadarItem } from '../../../../shared/ipc/keys/radar.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { dayText, durationText, timeOfDay } from '../../../kit/time/time-text.ts'
import { isOver } from '../replace/replacement-track.ts'
import type { RadarMark, RadarPoint } from './radar-axis.ts'

export const kindWords: Readonly<Record<RadarItem['kind'], { readonly one: string; readonly many: string; readonly icon: IconName }>> = {
  sign_in: { one: 'Sign-in', many: 'Sign-in', icon: 'user' },
  key: { one: 'Key', many: 'Keys', icon: 'key' },
  grant: { one: 'Grant', many: 'Grants', icon: 'bot' },
}

export const sureWords: Readonly<Record<RadarItem['sure'], string>> = { exact: 'Exact', at_latest: 'At the latest', unknown: 'Not known' }

/** `ends in 11 days`, `ended 3 days ago`, `ends in 20 days at the latest`; nobody's word where it is not known. */
export function endText({ atMs, sure }: Pick<RadarPoint, 'atMs' | 'sure'>, nowMs: number): string {
  if (atMs === null) return 'its end is not known'
  if (atMs <= nowMs) return `ended ${durationText(nowMs - atMs)} ago`
  return `ends in ${durationText(atMs - nowMs)}${sure === 'at_latest' ? ' at the latest' : ''}`
}

/** `2 Dec, 14:32 UTC`. */
export const momentText = (ms: number, nowMs: number): string => `${dayText(ms, nowMs)}, ${timeOfDay(ms).slice(0, 5)} UTC`

const named = 4

/** What a mark stands for, in a sentence without its full stop. `many` is what several of them are called. */
export function markText({ points }: RadarMark, many: string, nowMs: number): string {
  const [first] = points
  if (points.length === 1) return `${first.title} ${endText(first, nowMs)}`
  const names = points.slice(0, named).map(({ title }) => title)
  const rest = points.length - names.length
  return `${points.length} ${many.toLowerCase()}: ${names.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}. The first ${endText(first, nowMs)}`
}

/** The replacement of a key that is planned or under way; null: there is none. */
export const openReplacement = (replacements: readonly Replacement[], keyId: string): Replacement | null =>
  replacements.find((one) => one.oldKey.id === keyId && !isOver(one)) ?? null

/** When a replacement begins by itself to be offered; null: it was begun, or is not put off. */
export const beginsAtMs = ({ now, due, notBeforeMs }: Replacement): number | null => (now.state === 'planned' && !due ? notBeforeMs : null)

/** What the table says of a key's replacement. */
export function replacementText(replacement: Replacement, nowMs: number): string {
  const begins = beginsAtMs(replacement)
  if (begins !== null) return `From ${dayText(begins, nowMs)}`
  if (replacement.now.state === 'planned') return 'Due'
  return replacement.now.state === 'stuck' ? 'Stuck' : 'Under way'
}

export type RadarFilter = 'all' | RadarItem['kind']

export const countItems = (items: readonly RadarItem[]): Readonly<Record<RadarFilter, number>> => ({
  all: items.length,
  sign_in: items.filter(({ kind }) => kind === 'sign_in').length,
  key: items.filter(({ kind }) => kind === 'key').length,
  grant: items.filter(({ kind }) => kind === 'grant').length,
})
