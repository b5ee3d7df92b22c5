import type { BotReadyRequest, KeySummary } from '../../../shared/ipc/keys.ts'
import { day } from '../../../shared/time.ts'
import { type AllowlistEntry, allowlistLimit, readAllowlist, sentAllowlist } from './allowlist.ts'

/** What stands in the form, as typed. */
export interface NewKeyState {
  readonly label: string
  readonly days: string
  readonly entries: readonly string[]
}

export const initialNewKey: NewKeyState = { label: '', days: '90', entries: [] }

export const dayPresets = ['30', '90', '180', '360'] as const

/** API key, `expires_in_days`: 1 to 2000. */
const dayRange = { min: 1, max: 2_000 } as const
const labelLimit = 60

export interface NewKeyCheck {
  readonly label: string | null
  readonly days: string | null
  readonly entries: readonly AllowlistEntry[]
  /** How many entries must be corrected. */
  readonly wrongEntries: number
  readonly tooMany: boolean
  /** Set only when nothing is wrong. */
  readonly request: BotReadyRequest | null
}

export function readNewKey(state: NewKeyState, keys: readonly KeySummary[]): NewKeyCheck {
  const name = state.label.trim()
  const taken = keys.some((key) => key.label === name && key.status === 'active')
  const label =
    name === ''
      ? 'Give it a name that tells your bots apart.'
      : name.length > labelLimit
        ? `A name has at most ${labelLimit} characters.`
        : taken
          ? 'An active key has this name already.'
          : null
  const days =
    /^\d{1,5}$/.test(state.days.trim()) && Number(state.days) >= dayRange.min && Number(state.days) <= dayRange.max
      ? null
      : `A key lives ${dayRange.min} to ${dayRange.max} days.`
  const entries = readAllowlist(state.entries)
  const wrongEntries = entries.filter((entry) => entry.issue?.level === 'error').length
  const tooMany = entries.length > allowlistLimit.entries
  const good = label === null && days === null && wrongEntries === 0 && !tooMany
  return {
    label,
    days,
    entries,
    wrongEntries,
    tooMany,
    request: good ? { label: name, expiresInDays: Number(state.days), ipAllowlist: sentAllowlist(entries) } : null,
  }
}

/** When a key of so many days ends; null while the days cannot be read. */
export const endOf = (days: string, nowMs: number): number | null => (/^\d{1,5}$/.test(days.trim()) && Number(days) >= 1 ? nowMs + Number(days) * day : null)

export const stateOf = (request: BotReadyRequest): NewKeyState => ({ label: request.label, days: String(request.expiresInDays), entries: request.ipAllowlist })
