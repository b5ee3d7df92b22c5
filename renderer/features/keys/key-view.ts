import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { day } from '../../../shared/time.ts'

export type KeyFilter = 'all' | 'active' | 'ending' | 'inactive'

/** Days before the end from which a key counts as ending. */
const endingDays = 14

export const isActive = (key: KeySummary): boolean => key.status === 'active' || key.status === 'unknown'

export const isEnding = (key: KeySummary, nowMs: number): boolean => isActive(key) && key.expiresAtMs !== null && key.expiresAtMs - nowMs < endingDays * day

export interface Life {
  /** Whole days left; null: the service did not say. */
  readonly days: number | null
  /** 0 to 1 of its whole span. */
  readonly share: number | null
  readonly tone: 'quiet' | 'warn' | 'danger'
}

/** How much of its life a key has left. */
export function lifeOf(key: KeySummary, nowMs: number): Life {
  if (key.expiresAtMs === null) return { days: null, share: null, tone: 'quiet' }
  const left = Math.max(0, key.expiresAtMs - nowMs)
  const whole = key.createdAtMs === null ? null : key.expiresAtMs - key.createdAtMs
  const days = Math.floor(left / day)
  return { days, share: whole === null || whole <= 0 ? null : Math.min(1, left / whole), tone: days < 7 ? 'danger' : days < endingDays ? 'warn' : 'quiet' }
}

export const daysText = (days: number): string => (days === 0 ? 'Today' : `${days} day${days === 1 ? '' : 's'}`)

const matches = (key: KeySummary, typed: string): boolean =>
  [key.label, key.id, key.agent?.address ?? '', key.executor ?? '', ...(key.scopes ?? []), ...(key.allowlist ?? [])]
    .join(' ')
    .toLowerCase()
    .includes(typed.trim().toLowerCase())

/** Soonest end first; keys whose end is not known come last, since nothing can be said of them. */
const byExpiry = (a: KeySummary, b: KeySummary): number => (a.expiresAtMs ?? Number.POSITIVE_INFINITY) - (b.expiresAtMs ?? Number.POSITIVE_INFINITY)

export interface KeyGroups {
  readonly active: readonly KeySummary[]
  readonly inactive: readonly KeySummary[]
}

export function arrangeKeys(keys: readonly KeySummary[], filter: KeyFilter, typed: string, nowMs: number): KeyGroups {
  const found = keys.filter((key) => matches(key, typed))
  const active = found.filter((key) => isActive(key) && (filter !== 'ending' || isEnding(key, nowMs))).sort(byExpiry)
  const inactive = found.filter((key) => !isActive(key)).sort((a, b) => byExpiry(b, a))
  return { active: filter === 'inactive' ? [] : active, inactive: filter === 'all' || filter === 'inactive' ? inactive : [] }
}

export const countKeys = (keys: readonly KeySummary[], nowMs: number): Readonly<Record<KeyFilter, number>> => ({
  all: keys.length,
  active: keys.filter(isActive).length,
  ending: keys.filter((key) => isEnding(key, nowMs)).length,
  inactive: keys.filter((key) => !isActive(key)).length,
})
