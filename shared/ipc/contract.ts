import type { z } from 'zod'
import type { Result } from '../result.ts'
import type { CommandDefinition, NamesItsQueries, QueryDefinition } from './define.ts'
import type { Failure } from './failure.ts'
import { app, handOver, popouts, supportBundle, updates } from './host/app.ts'
import { fieldMap } from './host/field-map.ts'
import { lock } from './host/lock.ts'
import { type Notice, notices } from './host/notices.ts'
import { backup, profiles } from './host/profiles.ts'
import { pollingRate, service } from './host/service.ts'
import { serviceCheck } from './host/service-check.ts'
import { phone, wallet } from './host/wallet.ts'
import { execution } from './intents/execution.ts'
import { bulkActions, revokeAll } from './intents/kill-switch.ts'
import { intents } from './intents/orders.ts'
import { presets } from './intents/presets.ts'
import { riskLimits } from './intents/risk-limits.ts'
import { receipts } from './intents/signing.ts'
import { agents } from './keys/agents.ts'
import { doctor } from './keys/doctor.ts'
import { expiry } from './keys/expiry.ts'
import { fleet } from './keys/fleet.ts'
import { gateway } from './keys/gateway.ts'
import { keys } from './keys/keys.ts'
import { leaks } from './keys/leaks.ts'
import { replacements } from './keys/replacements.ts'
import { secrets } from './keys/secrets.ts'
import { session } from './keys/session.ts'
import { account, riskAlerts, watchedWallets } from './reads/account.ts'
import { accountHistory, accountReport } from './reads/account-history.ts'
import { activity } from './reads/activity.ts'
import { audit } from './reads/audit.ts'
import { marketState } from './reads/market-state.ts'
import { markets } from './reads/markets.ts'
import { requests } from './reads/requests.ts'
import { gaps } from './webhooks/gaps.ts'
import { receiverLab } from './webhooks/receiver-lab.ts'
import { receiverTest } from './webhooks/receiver-test.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** Every call that the main window may make to the main process. */
export const appContract = {
  ...app,
  ...popouts,
  ...notices,
  ...pollingRate,
  ...lock,
  ...profiles,
  ...backup,
  ...supportBundle,
  ...updates,
  ...wallet,
  ...session,
  ...keys,
  ...replacements,
  ...revokeAll,
  ...markets,
  ...marketState,
  ...service,
  ...serviceCheck,
  ...account,
  ...accountHistory,
  ...accountReport,
  ...watchedWallets,
  ...riskAlerts,
  ...presets,
  ...fieldMap,
  ...intents,
  ...riskLimits,
  ...bulkActions,
  ...execution,
  ...activity,
  ...requests,
  ...secrets,
  ...agents,
  ...doctor,
  ...audit,
  ...expiry,
  ...leaks,
  ...gateway,
  ...fleet,
  ...webhooks,
  ...receiverLab,
  ...receiverTest,
  ...receipts,
  ...gaps,
} as const
/** Every call that the practice phone's window may make. */
export const phoneContract = { ...phone } as const
/** The queries that pop-out windows use. All windows share the answers, so several windows cause no more requests to the service than one. */
export const sharedReads = {
  'markets.list': markets['markets.list'],
  'markets.summaries': markets['markets.summaries'],
  'markets.marks': marketState['markets.marks'],
  'markets.candles': markets['markets.candles'],
  'markets.history': markets['markets.history'],
  'markets.orderbook': markets['markets.orderbook'],
  'account.positions': account['account.positions'],
  'account.orders': account['account.orders'],
} as const
/** Every call that a pop-out window may make: queries about markets, positions and orders, and calls that every window needs. */
export const popoutContract = {
  ...sharedReads,
  'app.clock': app['app.clock'],
  'app.settings': app['app.settings'],
  'app.copyText': app['app.copyText'],
  'app.pollingRate': pollingRate['app.pollingRate'],
  'lock.state': lock['lock.state'],
  'lock.touch': lock['lock.touch'],
  ...handOver,
} as const
const whole = { ...appContract, ...phoneContract, ...handOver } as const
export const contract = whole satisfies NamesItsQueries<typeof whole>

export type Contract = typeof whole
export type Name = keyof Contract
export type QueryName = { [N in Name]: Contract[N] extends QueryDefinition ? N : never }[Name]
/** Queries whose answers do not depend on the connected wallet. */
export type WalletlessQuery = { [N in QueryName]: Contract[N]['of'] extends 'app' ? N : never }[QueryName]
export type CommandName = { [N in Name]: Contract[N] extends CommandDefinition ? N : never }[Name]
export type Input<N extends Name> = z.input<Contract[N]['input']>
export type Output<N extends Name> = z.output<Contract[N]['output']>

/** The answer to a call between processes. `invalidates`: the queries whose cached answers are now stale. */
export interface Answer<T> {
  readonly result: Result<T, Failure>
  readonly invalidates: readonly string[]
}

/** Events that the main process sends to windows without being asked. */
export type AppEvent =
  | { readonly type: 'invalidate'; readonly queries: readonly QueryName[] }
  /** The answer to a query that another window asked. This window uses the same query, so main sends it the answer, too. */
  | { readonly type: 'answer'; readonly name: string; readonly input: unknown; readonly value: unknown }
  /** A notice for the user, for example because an intent reached a state that the user is waiting for. */
  | {
      readonly type: 'notice'
      readonly severity: 'ok' | 'info' | 'warn' | 'danger'
      readonly notice: Notice
      readonly to: string | null
      /** Whether the app also shows the notice as a system notification. away: only if no window has the focus, or the main window is in the tray. */
      readonly system?: true | 'away'
      /** true: the app lists the notice but does not pop it up, because the windows already show its cause, for example in a banner. */
      readonly quiet?: true
    }
  /** Asks the window to open a page, because the user clicked a system notification. */
  | { readonly type: 'open'; readonly to: string }
  /** Asks the window to reload because the profile or the WalletConnect project ID changed. */
  | { readonly type: 'reload' }
  /** Asks the window to reopen its page because the user chose another language. */
  | { readonly type: 'reopen' }

/** The API that the preload script puts on `window.appBridge`: one function to make calls and one to listen to events. */
export interface Bridge {
  /**
   * Makes a call to main. `withinMs`: also accept an answer that another window received within this time. Without `withinMs`, the call always asks
   * main.
   */
  call<N extends Name>(name: N, input: Input<N>, withinMs?: number): Promise<Answer<Output<N>>>
  on(listener: (event: AppEvent) => void): () => void
}

export const callChannel = 'app:call'
export const eventChannel = 'app:event'
