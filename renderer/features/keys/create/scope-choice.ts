import type { CustomKeyRequest } from '../../../../shared/ipc/keys/keys.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'

export type Scope = CustomKeyRequest['scopes'][number]

export interface Power {
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
export const readScopes: readonly Scope[] = ['market:read', 'account:read']

/** What a key gets when none is chosen, and what a bot-ready one always has (API key, `scopes`). */
export const botScopes: readonly Scope[] = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage']

export type PresetId = 'monitor' | 'signal' | 'bot' | 'treasury'

export interface Preset {
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

export interface Task {
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

export interface Advice {
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
