import { limits } from '../../../../shared/api/limits.ts'
import type { BotReadyRequest, CustomKeyRequest, KeySummary, SeenAddress } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { day } from '../../../../shared/time.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { type AllowlistEntry, readAllowlist, sentAllowlist } from './allowlist-editor.tsx'

/** What the user has entered in the form so far. */
export interface NewKeyState {
  readonly label: string
  readonly scopes: readonly Scope[]
  /** True if the wallet will grant the key a trading agent. Applies only if the scopes are exactly the five of a bot-ready key. */
  readonly agent: boolean
  readonly days: string
  readonly entries: readonly string[]
  readonly quotas: readonly TypedQuota[]
}

/** The lifetime in days with which the form starts: a month, so that a key which leaks unnoticed soon expires. */
export const firstDays = '30'

/**
 * The form's initial content: the narrowest useful key. The key is read-only and lasts a month. It works only from the address that the exchange
 * sees (`seen`), or from any address if the exchange's answer doesn't show one.
 */
export const initialNewKey = (seen: Pick<SeenAddress, 'address'> | null): NewKeyState => ({
  ...{ label: '', scopes: readScopes, agent: true, days: firstDays, quotas: [] },
  entries: seen === null ? [] : [seen.address],
})

export const dayPresets = ['30', '90', '180', '360'] as const

/** The service's default and range for a key's lifetime (API key, `expires_in_days`). */
const { default: defaultDays, ...dayRange } = limits.keyExpiryDays
/** The lifetime in days that the service uses if a request omits `expires_in_days`. */
export const serviceDays = defaultDays
/** The app's own limit for the length of a label, because the API document sets none. */
export const labelLimit = 60

/** `bot_ready`: the service prepares the key, then the wallet signs its grant. `custom`: the key is created in one step, without an agent. */
export type NewKeyRequest = { readonly kind: 'bot_ready'; readonly request: BotReadyRequest } | { readonly kind: 'custom'; readonly request: CustomKeyRequest }

export interface NewKeyCheck {
  readonly label: string | null
  readonly days: string | null
  readonly scopes: string | null
  readonly entries: readonly AllowlistEntry[]
  /** The number of allowlist entries that the user must correct. */
  readonly wrongEntries: number
  readonly wrongQuotas: number
  readonly kind: NewKeyRequest['kind']
  /** The request to send; `null` while the form is invalid. */
  readonly request: NewKeyRequest | null
}

/**
 * Help text for the name field: the name as the service will receive it, with a marker that the app adds (see `markedLabel` in the main process).
 * If the name is empty, shows `instead`.
 */
export const labelHelp = (label: string, instead: string): string => keysText.keyNameHelp(labelLimit, label.trim() || instead)

export const kindOf = ({ scopes, agent }: Pick<NewKeyState, 'scopes' | 'agent'>): NewKeyRequest['kind'] =>
  agent && isBotReady(scopes) ? 'bot_ready' : 'custom'

export function readNewKey(state: NewKeyState, keys: readonly KeySummary[], seenAddress: string | null = null): NewKeyCheck {
  const name = state.label.trim()
  const taken = keys.some((key) => key.label === name && isLiveKey(key))
  const label = name === '' ? keysText.keyNameMissing : name.length > labelLimit ? keysText.keyNameTooLong(labelLimit) : taken ? keysText.keyNameTaken : null
  const days =
    /^\d{1,5}$/.test(state.days.trim()) && Number(state.days) >= dayRange.min && Number(state.days) <= dayRange.max
      ? null
      : keysText.validityRange(dayRange.min, dayRange.max)
  const scopes = state.scopes.length === 0 ? keysText.chooseAtLeastOneScope : null
  const entries = readAllowlist(state.entries, seenAddress)
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

/** When a key with this lifetime in days expires, as Unix ms; `null` if the number is invalid. */
export const endOf = (days: string, nowMs: number): number | null => (/^\d{1,5}$/.test(days.trim()) && Number(days) >= 1 ? nowMs + Number(days) * day : null)

export const stateOf = (request: BotReadyRequest): NewKeyState => ({
  label: request.label,
  scopes: botScopes,
  agent: true,
  days: String(request.expiresInDays),
  entries: request.ipAllowlist,
  quotas: request.quotas ?? [],
})

/** One limit as typed (KEY-04). The API document lists no names or maximums, so the app cannot check a limit. The service may refuse it. */
export interface TypedQuota {
  readonly name: string
  readonly value: string
}

/** What is wrong with a row of the form's limits; `null` if the row can be sent. An empty row has no problem, because it is skipped. */
export function quotaIssue({ name, value }: TypedQuota, others: readonly TypedQuota[]): string | null {
  if (name.trim() === '' && value.trim() === '') return null
  if (name.trim() === '') return keysText.limitNameMissing
  if (others.some((other) => other.name.trim() === name.trim())) return keysText.limitListedAlready
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(value.trim())) return keysText.limitNumberExpected
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

/** The scopes and their descriptions (Authentication 4), in the order they are shown and sent. */
export const powers: readonly Power[] = [
  { scope: 'market:read', name: keysText.readMarkets, detail: keysText.marketReadDetail },
  { scope: 'account:read', name: keysText.readAccount, detail: keysText.accountReadDetail },
  { scope: 'trade:prepare', name: keysText.prepareTrades, detail: keysText.tradePrepareDetail },
  { scope: 'trade:execute', name: keysText.executeWithoutWallet, detail: keysText.tradeExecuteDetail },
  { scope: 'orders:manage', name: keysText.manageOrders, detail: keysText.ordersManageDetail },
  { scope: 'collateral:manage', name: keysText.moveCollateral, detail: keysText.depositsAndWithdrawals },
]

/** The initial scopes of a key: read-only. */
const readScopes: readonly Scope[] = ['market:read', 'account:read']

/** The service's default scopes, which a bot-ready key always has (API key, `scopes`). */
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
  { id: 'monitor', icon: 'eye', name: keysText.monitorPreset, detail: keysText.monitorPresetDetail, scopes: readScopes },
  { id: 'bot', icon: 'bot', name: keysText.botPreset, detail: keysText.botPresetDetail, scopes: botScopes },
  {
    id: 'signal',
    icon: 'pen',
    name: keysText.signalPreset,
    detail: keysText.signalPresetDetail,
    scopes: ['market:read', 'account:read', 'trade:prepare'],
  },
  { id: 'treasury', icon: 'coins', name: keysText.treasuryPreset, detail: keysText.treasuryPresetDetail, scopes: ['account:read', 'collateral:manage'] },
]

const sameScopes = (a: readonly Scope[], b: readonly Scope[]): boolean => a.length === b.length && a.every((scope) => b.includes(scope))

export const presetOf = (scopes: readonly Scope[]): PresetId | null => presets.find((preset) => sameScopes(preset.scopes, scopes))?.id ?? null

export const isBotReady = (scopes: readonly Scope[]): boolean => sameScopes(scopes, botScopes)

/** Sorts scopes in the order of `powers`. */
export const inOrder = (scopes: readonly Scope[]): Scope[] => powers.flatMap(({ scope }) => (scopes.includes(scope) ? [scope] : []))

interface Task {
  readonly id: string
  readonly text: string
  /** The scopes this task needs, each with the reason. */
  readonly needs: readonly { readonly scope: Scope; readonly why: string }[]
}

const prices = { scope: 'market:read', why: keysText.needsPrices } as const
const follow = { scope: 'account:read', why: keysText.needsTracking } as const
const alone = { scope: 'trade:execute', why: keysText.needsExecutor } as const

/** A bot's tasks, and the fewest scopes that each task needs. */
export const tasks: readonly Task[] = [
  { id: 'prices', text: keysText.taskPrices, needs: [{ scope: 'market:read', why: keysText.needsMarketData }] },
  { id: 'watch', text: keysText.taskWatch, needs: [{ scope: 'account:read', why: keysText.needsAccount }] },
  { id: 'propose', text: keysText.taskPropose, needs: [prices, { scope: 'trade:prepare', why: keysText.needsPreparing }] },
  { id: 'trade', text: keysText.taskTrade, needs: [prices, follow, alone] },
  { id: 'protect', text: keysText.taskProtect, needs: [follow, alone, { scope: 'orders:manage', why: keysText.needsTpSl }] },
  { id: 'tidy', text: keysText.taskTidy, needs: [follow, { scope: 'orders:manage', why: keysText.needsCancelReplace }] },
  { id: 'manage', text: keysText.taskManage, needs: [follow, alone, { scope: 'orders:manage', why: keysText.needsCancelReplace }] },
  { id: 'treasury', text: keysText.taskTreasury, needs: [follow, { scope: 'collateral:manage', why: keysText.depositsAndWithdrawals }] },
]

interface Advice {
  readonly scopes: Scope[]
  readonly reasons: readonly { readonly scope: Scope; readonly why: string }[]
}

/** Advises the fewest scopes for all chosen tasks; none if no task is chosen. */
export function adviseScopes(chosen: readonly string[]): Advice {
  const needs = tasks.filter(({ id }) => chosen.includes(id)).flatMap((task) => task.needs)
  const scopes = inOrder(needs.map(({ scope }) => scope))
  return {
    scopes,
    reasons: scopes.map((scope) => ({ scope, why: keysText.listedApart([...new Set(needs.filter((need) => need.scope === scope).map(({ why }) => why))]) })),
  }
}

/** Warnings about the chosen scopes. The user can create the key despite them. */
export function scopeWarnings(scopes: readonly Scope[]): readonly string[] {
  const has = (scope: Scope) => scopes.includes(scope)
  return [
    ...(has('collateral:manage') && has('trade:execute') ? [keysText.warnTradesAndWithdraws] : []),
    ...(has('collateral:manage') ? [keysText.warnWithdrawals] : []),
    ...(has('trade:execute') && !has('account:read') ? [keysText.warnNoAccount] : []),
    ...(has('trade:prepare') && !has('market:read') ? [keysText.warnNoMarkets] : []),
  ]
}
