import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { day } from '../../../shared/time.ts'
import { fineDurationText } from '../../kit/time/time.tsx'
import { keysText } from '../../text/en/keys.en.tsx'

export type KeyFilter = 'all' | 'active' | 'ending' | 'inactive'

/** A key with at most this many days left counts as expiring soon. */
const endingDays = 14

export const isEnding = (key: KeySummary, nowMs: number): boolean => isLiveKey(key) && key.expiresAtMs !== null && key.expiresAtMs - nowMs < endingDays * day

/** Why the list is empty. `none` only if the service has just returned an empty list; otherwise the list was not read. */
export const emptyList = (unread: Failure | null, failure: unknown): 'none' | 'not_read' => (unread === null && failure === null ? 'none' : 'not_read')

export interface Life {
  /** The remaining time in ms, never negative; `null` if unknown. */
  readonly leftMs: number | null
  /** The remaining share of the lifetime, 0 to 1; `null` if unknown. */
  readonly share: number | null
  readonly tone: 'quiet' | 'warn' | 'danger'
}

/** Shows how much of its lifetime a key has left. */
export function lifeOf(key: KeySummary, nowMs: number): Life {
  if (key.expiresAtMs === null) return { leftMs: null, share: null, tone: 'quiet' }
  const leftMs = Math.max(0, key.expiresAtMs - nowMs)
  const whole = key.createdAtMs === null ? null : key.expiresAtMs - key.createdAtMs
  const tone = leftMs < 7 * day ? 'danger' : leftMs < endingDays * day ? 'warn' : 'quiet'
  return { leftMs, share: whole === null || whole <= 0 ? null : Math.min(1, leftMs / whole), tone }
}

/** The remaining time, in the words of every other page and notice. */
export const leftText = (leftMs: number): string => (leftMs === 0 ? keysText.expired : fineDurationText(leftMs))

/** `expiry`: soonest first. `name`: a to z. `used`: latest first. `reversed` reverses the order. */
export interface KeyOrder {
  readonly by: 'expiry' | 'name' | 'used'
  readonly reversed: boolean
}

export type KeyGrouping = 'none' | 'group' | 'environment'

export interface KeyView {
  readonly filter: KeyFilter
  /** The text to search for in a key's name, rights and notes. */
  readonly typed: string
  readonly order: KeyOrder
  readonly grouping: KeyGrouping
}

export const initialView: KeyView = { filter: 'all', typed: '', order: { by: 'expiry', reversed: false }, grouping: 'none' }

/** Returns the list's new order. If the user chooses the current order again, the order is reversed. */
export const orderBy = (order: KeyOrder, by: KeyOrder['by']): KeyOrder => ({ by, reversed: order.by === by && !order.reversed })

export const orderWords = ({ by, reversed }: KeyOrder): string =>
  ({
    expiry: reversed ? keysText.expiryLatestFirst : keysText.expirySoonestFirst,
    name: reversed ? keysText.nameDescending : keysText.nameAscending,
    used: reversed ? keysText.lastUsedOldestFirst : keysText.lastUsedNewestFirst,
  })[by]

const matches = (key: KeySummary, typed: string): boolean =>
  [
    key.label,
    key.id,
    key.agent?.address ?? '',
    key.executor ?? '',
    ...(key.scopes ?? []),
    ...(key.allowlist ?? []),
    key.note?.owner ?? '',
    key.note?.environment ?? '',
    key.note?.group ?? '',
    key.note?.text ?? '',
  ]
    .join('\n')
    .toLowerCase()
    .includes(typed.trim().toLowerCase())

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function byTime(a: number | null, b: number | null, turn: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return (a - b) * turn
}

function compareKeys({ by, reversed }: KeyOrder, active: boolean): (a: KeySummary, b: KeySummary) => number {
  const turn = reversed ? -1 : 1
  switch (by) {
    case 'name':
      return (a, b) => names.compare(a.label, b.label) * turn
    case 'used':
      return (a, b) => byTime(a.lastUsedAtMs, b.lastUsedAtMs, reversed ? 1 : -1)
    case 'expiry': {
      // Expired keys are sorted in the opposite direction, so that the key which expired last comes first.
      const direction = active === reversed ? -1 : 1
      return (a, b) => byTime(a.expiresAtMs, b.expiresAtMs, direction)
    }
  }
}

export interface KeySection {
  readonly id: string
  /** The section's heading; `null` if it has no heading. */
  readonly title: string | null
  readonly active: boolean
  readonly keys: readonly KeySummary[]
}

const ungrouped: Readonly<Record<Exclude<KeyGrouping, 'none'>, string>> = { group: keysText.noGroup, environment: keysText.noEnvironment }

function grouped(keys: readonly KeySummary[], grouping: KeyGrouping): KeySection[] {
  if (grouping === 'none') return [{ id: 'active', title: null, active: true, keys }]
  const groups = Map.groupBy(keys, (key) => key.note?.[grouping].trim() ?? '')
  return [...groups]
    .sort(([a], [b]) => Number(a === '') - Number(b === '') || names.compare(a, b))
    .map(([name, members]) => ({ id: `${grouping}/${name}`, title: name === '' ? ungrouped[grouping] : name, active: true, keys: members }))
}

/** The sections of the list that contain keys: active keys in their groups, then revoked and expired keys. */
export function arrangeKeys(keys: readonly KeySummary[], { filter, typed, order, grouping }: KeyView, nowMs: number): readonly KeySection[] {
  const found = keys.filter((key) => matches(key, typed))
  const active = filter === 'inactive' ? [] : found.filter((key) => isLiveKey(key) && (filter !== 'ending' || isEnding(key, nowMs)))
  const inactive = filter === 'all' || filter === 'inactive' ? found.filter((key) => !isLiveKey(key)) : []
  return [
    ...grouped(active.toSorted(compareKeys(order, true)), grouping),
    { id: 'inactive', title: keysText.notActive, active: false, keys: inactive.toSorted(compareKeys(order, false)) },
  ].filter((section) => section.keys.length > 0)
}

export const countKeys = (keys: readonly KeySummary[], nowMs: number): Readonly<Record<KeyFilter, number>> => ({
  all: keys.length,
  active: keys.filter(isLiveKey).length,
  ending: keys.filter((key) => isEnding(key, nowMs)).length,
  inactive: keys.filter((key) => !isLiveKey(key)).length,
})

/** The page that the sheet covers, and that appears again when the sheet closes. If unset, the sheet covers the key's own page. */
type Under = 'list' | 'expiry'

/** The address of each page that a sheet can cover. */
export const underPlaces: Readonly<Record<Under, string>> = { list: 'keys', expiry: 'keys/expiry' }

const isUnder = (text: string | undefined): text is Under => text !== undefined && Object.hasOwn(underPlaces, text)

/** The address of a sheet: `keys/<id>/rotate?over=list` is the sheet `rotate` of a key, over the list of keys. */
export const sheetPlace = (keyId: string, action: string, under: Under | null): string =>
  `keys/${encodeURIComponent(keyId)}/${action}${under === null ? '' : `?over=${under}`}`

export const underOf = (query: Readonly<Record<string, string>>): Under | null => (isUnder(query.over) ? query.over : null)
