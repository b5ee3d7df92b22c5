import { limits } from '../../../../shared/api/limits.ts'
import type { BotReadyRequest, CustomKeyRequest, KeySummary, SeenAddress } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { day } from '../../../../shared/time.ts'
import { type AllowlistEntry, readAllowlist, sentAllowlist } from './allowlist.ts'
import { quotaIssue, sentQuotas, type TypedQuota } from './quota.ts'
import { botScopes, inOrder, isBotReady, readScopes, type Scope } from './scope-choice.ts'

/** What stands in the form, as typed. */
export interface NewKeyState {
  readonly label: string
  readonly scopes: readonly Scope[]
  /** With a trading agent, which the wallet grants once. Only where the scopes are the five of a bot-ready key. */
  readonly agent: boolean
  readonly days: string
  readonly entries: readonly string[]
  readonly quotas: readonly TypedQuota[]
}

/** A month: a key that leaks unnoticed ends by itself. */
export const firstDays = '30'

/** The narrowest key that is of use: it reads, for a month, from where the exchange sees this computer (`seen`); from anywhere where nobody knows that. */
export const initialNewKey = (seen: Pick<SeenAddress, 'address'> | null): NewKeyState => ({
  ...{ label: '', scopes: readScopes, agent: true, days: firstDays, quotas: [] },
  entries: seen === null ? [] : [seen.address],
})

export const dayPresets = ['30', '90', '180', '360'] as const

/** API key, `expires_in_days`. */
const { default: defaultDays, ...dayRange } = limits.keyExpiryDays
/** How long a key lives where a request does not say. */
export const serviceDays = defaultDays
/** The app's own: the document gives the label no length. */
export const labelLimit = 60

/** bot_ready: prepared first, then granted by the wallet. custom: made in one step, without an agent. */
export type NewKeyRequest = { readonly kind: 'bot_ready'; readonly request: BotReadyRequest } | { readonly kind: 'custom'; readonly request: CustomKeyRequest }

export interface NewKeyCheck {
  readonly label: string | null
  readonly days: string | null
  readonly scopes: string | null
  readonly entries: readonly AllowlistEntry[]
  /** How many entries must be corrected. */
  readonly wrongEntries: number
  readonly wrongQuotas: number
  readonly kind: NewKeyRequest['kind']
  /** Set only when nothing is wrong. */
  readonly request: NewKeyRequest | null
}

/** Says how a name reaches the service: see `markedLabel` in main. `instead`: what takes the place of an empty one. */
export const labelHelp = (label: string, instead: string): string =>
  `Your own word for it, up to ${labelLimit} characters here. The service gets it with a mark, such as “${label.trim() || instead} #3fa91c”: by the mark a key is found again when an answer is lost.`

export const kindOf = ({ scopes, agent }: Pick<NewKeyState, 'scopes' | 'agent'>): NewKeyRequest['kind'] =>
  agent && isBotReady(scopes) ? 'bot_ready' : 'custom'

export function readNewKey(state: NewKeyState, keys: readonly KeySummary[]): NewKeyCheck {
  const name = state.label.trim()
  const taken = keys.some((key) => key.label === name && isLiveKey(key))
  const label =
    name === ''
      ? 'Give it a name that tells your bots apart.'
      : name.length > labelLimit
        ? `A name has at most ${labelLimit} characters.`
        : taken
          ? 'A key has this name already.'
          : null
  const days =
    /^\d{1,5}$/.test(state.days.trim()) && Number(state.days) >= dayRange.min && Number(state.days) <= dayRange.max
      ? null
      : `A key lives ${dayRange.min} to ${dayRange.max} days.`
  const scopes = state.scopes.length === 0 ? 'Choose at least one scope.' : null
  const entries = readAllowlist(state.entries)
  const wrongEntries = entries.filter((entry) => entry.issue?.level === 'error').length
  const wrongQuotas = state.quotas.filter((quota, index) => quotaIssue(quota, state.quotas.slice(0, index)) !== null).length
  const good = label === null && days === null && scopes === null && wrongEntries === 0 && wrongQuotas === 0
  const terms = { label: name, expiresInDays: Number(state.days), ipAllowlist: sentAllowlist(entries) }
  const quotas = sentQuotas(state.quotas)
  const kind = kindOf(state)
  const request: NewKeyRequest =
    kind === 'bot_ready'
      ? { kind, request: quotas.length === 0 ? terms : { ...terms, quotas } }
      : { kind, request: { ...terms, quotas, scopes: inOrder(state.scopes) } }
  return { label, days, scopes, entries, wrongEntries, wrongQuotas, kind, request: good ? request : null }
}

/** When a key of so many days ends; null while the days cannot be read. */
export const endOf = (days: string, nowMs: number): number | null => (/^\d{1,5}$/.test(days.trim()) && Number(days) >= 1 ? nowMs + Number(days) * day : null)

export const stateOf = (request: BotReadyRequest): NewKeyState => ({
  label: request.label,
  scopes: botScopes,
  agent: true,
  days: String(request.expiresInDays),
  entries: request.ipAllowlist,
  quotas: request.quotas ?? [],
})
