import type { z } from 'zod'
import type { Result } from '../result.ts'
import type { CommandDefinition, NamesItsQueries, QueryDefinition } from './define.ts'
import type { Failure } from './failure.ts'
import { app } from './host/app.ts'
import { fieldMap } from './host/field-map.ts'
import { lock } from './host/lock.ts'
import { profiles } from './host/profiles.ts'
import { pollingRate, service } from './host/service.ts'
import { serviceCheck } from './host/service-check.ts'
import { phone, wallet } from './host/wallet.ts'
import { execution } from './intents/execution.ts'
import { bulkActions, revokeAll } from './intents/kill-switch.ts'
import { type Intent, intents } from './intents/orders.ts'
import { presets } from './intents/presets.ts'
import { riskLimits } from './intents/risk-limits.ts'
import { receipts } from './intents/signing.ts'
import type { Title } from './intents/titles.ts'
import { agents } from './keys/agents.ts'
import { doctor } from './keys/doctor.ts'
import { type ExpiryItem, expiry } from './keys/expiry.ts'
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
  ...pollingRate,
  ...lock,
  ...profiles,
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
  ...webhooks,
  ...receiverLab,
  ...receiverTest,
  ...receipts,
  ...gaps,
} as const
/** Every call that the window of the practice phone may make. */
export const phoneContract = { ...phone } as const
const whole = { ...appContract, ...phoneContract } as const
export const contract = whole satisfies NamesItsQueries<typeof whole>

export type Contract = typeof whole
export type Name = keyof Contract
export type QueryName = { [N in Name]: Contract[N] extends QueryDefinition ? N : never }[Name]
/** Queries whose answers do not depend on the connected wallet. */
export type WalletlessQuery = { [N in QueryName]: Contract[N]['of'] extends 'app' ? N : never }[QueryName]
export type CommandName = { [N in Name]: Contract[N] extends CommandDefinition ? N : never }[Name]
export type Input<N extends Name> = z.input<Contract[N]['input']>
export type Output<N extends Name> = z.output<Contract[N]['output']>

/** The answer to one call, as sent between processes. `invalidates` names the queries whose cached answers are now stale. */
export interface Answer<T> {
  readonly result: Result<T, Failure>
  readonly invalidates: readonly string[]
}

/** A notice to the user, as a code with the values to insert. `shared/text/notice-text.ts` has the words. */
export type Notice =
  | { readonly code: 'intent'; readonly title: Title; readonly state: Intent['state']; readonly reason: Intent['reason'] }
  | { readonly code: 'secrets_found'; readonly count: number; readonly label: string }
  | { readonly code: 'secret_not_stored'; readonly label: string }
  /** `refused`: the service ended the sign-in before it expired. */
  | { readonly code: 'sign_in_ended'; readonly refused: boolean }
  | { readonly code: 'wrong_passphrases'; readonly times: number }
  | { readonly code: 'webhook_not_recreated'; readonly label: string }
  | { readonly code: 'receiver_test_broke' }
  | { readonly code: 'end'; readonly item: EndingItem; readonly leftMs: number }
  /** `items`: some of the keys, grants or sign-ins that ended or will end. */
  | { readonly code: 'ends'; readonly count: number; readonly allOver: boolean; readonly items: readonly EndingItem[] }
  /** `account`: the name of a watched account; null for the user's own account. */
  | { readonly code: 'low_health'; readonly account: string | null; readonly value: string; readonly threshold: string }
  /** `distance` and `threshold` are in percent. */
  | {
      readonly code: 'near_liquidation'
      readonly account: string | null
      readonly position: { readonly symbol: string | null; readonly pairId: number; readonly side: 'long' | 'short' }
      readonly distance: string
      readonly mark: string
      readonly liquidation: string
      readonly threshold: string
    }
  /** `wallet`: the wallet that owns the key, if another wallet is connected. `profile`: the profile to open. */
  | { readonly code: 'command_needs_sign_in'; readonly wallet: string | null; readonly profile: string | null }
  | { readonly code: 'restarted'; readonly reference: string; readonly isOpen: boolean }
  | { readonly code: 'page_reloaded' }
  /** `connected`: a wallet is connected, so its connection keeps the earlier project ID. */
  | { readonly code: 'project_id_saved'; readonly connected: boolean }

type EndingItem = Pick<ExpiryItem, 'kind' | 'label' | 'agent'>

/** Events that main sends without a request. */
export type AppEvent =
  | { readonly type: 'invalidate'; readonly queries: readonly QueryName[] }
  /** An intent reached a state that the user is waiting for, or another event needs a notice. */
  | {
      readonly type: 'notice'
      readonly severity: 'ok' | 'info' | 'warn' | 'danger'
      readonly notice: Notice
      readonly to: string | null
      /** true: the app also shows a system notification. away: only if no window of the app has the focus. */
      readonly system?: true | 'away'
    }
  /** Asks the window to open a page, because the user clicked a system notification. */
  | { readonly type: 'open'; readonly to: string }
  /** Asks the window to reload because the profile or the WalletConnect project ID changed. */
  | { readonly type: 'reload' }
  /** Asks the window to reopen its page because the user chose another language. */
  | { readonly type: 'reopen' }

/** The API that the preload puts on `window.appBridge`: one function to call, one to listen. Nothing else. */
export interface Bridge {
  call<N extends Name>(name: N, input: Input<N>): Promise<Answer<Output<N>>>
  on(listener: (event: AppEvent) => void): () => void
}

/** The channels for calls and for events. */
export const callChannel = 'app:call'
export const eventChannel = 'app:event'
