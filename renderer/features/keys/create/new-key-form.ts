import { limits } from '../../../../shared/api/limits.ts'
import type { BotReadyRequest, CustomKeyRequest, KeySummary, SeenAddress } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { day } from '../../../../shared/time.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { type AllowlistEntry, readAllowlist, sentAllowlist } from './allowlist-editor.tsx'

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

/** One limit as typed (KEY-04). The names and caps are not shown in the document: the service's own words tell what it refuses. */
export interface TypedQuota {
  readonly name: string
  readonly value: string
}

/** What is wrong with a row; null when it may be sent. A row that is all empty is left out. */
export function quotaIssue({ name, value }: TypedQuota, others: readonly TypedQuota[]): string | null {
  if (name.trim() === '' && value.trim() === '') return null
  if (name.trim() === '') return 'Name the limit.'
  if (others.some((other) => other.name.trim() === name.trim())) return 'This limit is listed already.'
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(value.trim())) return 'Give a number, for example 20.'
  return null
}

const sentQuotas = (quotas: readonly TypedQuota[]): TypedQuota[] =>
  quotas.filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))

export type Scope = CustomKeyRequest['scopes'][number]

interface Power {
  readonly scope: Scope
  readonly name: string
  readonly detail: string
}

/** Authentication 4, in words; in the order in which they are shown and sent. */
export const powers: readonly Power[] = [
  { scope: 'market:read', name: 'Read markets', detail: 'Prices, book, funding, vault' },
  { scope: 'account:read', name: 'Read the account', detail: 'Positions, orders, history' },
  { scope: 'trade:prepare', name: 'Prepare trades', detail: 'Opens, closes, TP and SL' },
  { scope: 'trade:execute', name: 'Execute by itself', detail: 'Through a bound executor' },
  { scope: 'orders:manage', name: 'Manage orders', detail: 'Cancel, replace, TP/SL through an executor' },
  { scope: 'collateral:manage', name: 'Move collateral', detail: 'Deposits and withdrawals' },
]

/** What a key may do before anything else is chosen: nothing but look. */
const readScopes: readonly Scope[] = ['market:read', 'account:read']

/** What a key gets when none is chosen, and what a bot-ready one always has (API key, `scopes`). */
export const botScopes: readonly Scope[] = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage']

type PresetId = 'monitor' | 'signal' | 'bot' | 'treasury'

interface Preset {
  readonly id: PresetId
  readonly icon: IconName
  readonly name: string
  readonly detail: string
  readonly scopes: readonly Scope[]
}

export const presets: readonly Preset[] = [
  { id: 'monitor', icon: 'eye', name: 'Read-only monitor', detail: 'Prices and your account', scopes: readScopes },
  { id: 'bot', icon: 'bot', name: 'Trading bot', detail: 'Bot-ready: trades on its own, cannot withdraw', scopes: botScopes },
  { id: 'signal', icon: 'pen', name: 'Signal bot', detail: 'Prepares orders, you sign each', scopes: ['market:read', 'account:read', 'trade:prepare'] },
  { id: 'treasury', icon: 'coins', name: 'Treasury', detail: 'Moves collateral, no trading', scopes: ['account:read', 'collateral:manage'] },
]

const sameScopes = (a: readonly Scope[], b: readonly Scope[]): boolean => a.length === b.length && a.every((scope) => b.includes(scope))

export const presetOf = (scopes: readonly Scope[]): PresetId | null => presets.find((preset) => sameScopes(preset.scopes, scopes))?.id ?? null

export const isBotReady = (scopes: readonly Scope[]): boolean => sameScopes(scopes, botScopes)

/** In the order of `powers`, whatever order they were chosen in. */
export const inOrder = (scopes: readonly Scope[]): Scope[] => powers.flatMap(({ scope }) => (scopes.includes(scope) ? [scope] : []))

interface Task {
  readonly id: string
  readonly text: string
  /** Each with why this task needs it. */
  readonly needs: readonly { readonly scope: Scope; readonly why: string }[]
}

const prices = { scope: 'market:read', why: 'an order names the price it was made at' } as const
const follow = { scope: 'account:read', why: 'to follow what became of it' } as const
const alone = { scope: 'trade:execute', why: 'it acts through an executor, without your wallet' } as const

/** What a bot does, and the least that it needs for it. */
export const tasks: readonly Task[] = [
  { id: 'prices', text: 'Reads prices, candles or the book', needs: [{ scope: 'market:read', why: 'market data' }] },
  { id: 'watch', text: 'Watches balances, positions or orders', needs: [{ scope: 'account:read', why: 'your account' }] },
  { id: 'propose', text: 'Proposes trades that you sign', needs: [prices, { scope: 'trade:prepare', why: 'it prepares, you sign' }] },
  { id: 'trade', text: 'Trades on its own', needs: [prices, follow, alone] },
  { id: 'protect', text: 'Sets or clears TP and SL on its own', needs: [follow, alone, { scope: 'orders:manage', why: 'TP and SL in delegated execution' }] },
  { id: 'tidy', text: 'Cancels or replaces orders, you sign', needs: [follow, { scope: 'orders:manage', why: 'cancel and replace' }] },
  { id: 'manage', text: 'Cancels or replaces orders on its own', needs: [follow, alone, { scope: 'orders:manage', why: 'cancel and replace' }] },
  { id: 'treasury', text: 'Deposits or withdraws, you sign', needs: [follow, { scope: 'collateral:manage', why: 'deposits and withdrawals' }] },
]

interface Advice {
  readonly scopes: Scope[]
  readonly reasons: readonly { readonly scope: Scope; readonly why: string }[]
}

/** The least scopes for all that the bot does; empty where nothing was said. */
export function adviseScopes(chosen: readonly string[]): Advice {
  const needs = tasks.filter(({ id }) => chosen.includes(id)).flatMap((task) => task.needs)
  const scopes = inOrder(needs.map(({ scope }) => scope))
  return {
    scopes,
    reasons: scopes.map((scope) => ({ scope, why: [...new Set(needs.filter((need) => need.scope === scope).map(({ why }) => why))].join('; ') })),
  }
}

/** Standing remarks on a choice; none keeps the key from being made. */
export function scopeWarnings(scopes: readonly Scope[]): readonly string[] {
  const has = (scope: Scope) => scopes.includes(scope)
  return [
    ...(has('collateral:manage') && has('trade:execute') ? ['It trades on its own and prepares withdrawals. Two keys keep that apart.'] : []),
    ...(has('collateral:manage') ? ['It can prepare withdrawals. Each still needs your wallet, so read what the wallet shows.'] : []),
    ...(has('trade:execute') && !has('account:read') ? ['Without “Read the account” it cannot follow its own orders.'] : []),
    ...(has('trade:prepare') && !has('market:read') ? ['Without “Read markets” it must get its prices elsewhere.'] : []),
  ]
}
